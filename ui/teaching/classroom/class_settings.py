"""Settings of the page Class: the next question, and the time for it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.figures import system_styles
from evalcore.figures.document import Section
from evalcore.figures.path import Path, unpacked
from evalcore.meta.intervals_of_ranks import first_in_words
from ui.address import families, places
from ui.address.settings import Settings, setting
from ui.computing.cached import cached_call
from ui.computing.measures import of_measure, scored
from ui.data import open_collection
from ui.screen.calls import call, record
from ui.screen.text import plain
from ui.stage import report
from ui.stage.report_sliders import Paths
from ui.teaching.classroom.questions import Asked, Key, Question, of_exercise, of_resamples, of_slider
from ui.teaching.classroom.teacher import step_link
from ui.teaching.exercises import sets
from ui.teaching.exercises.exercise_settings import Titled
from ui.teaching.guided_path.base import STEPS
from ui.teaching.guided_path.lessons import LESSONS
from ui.teaching.guided_path.statements import joined
from ui.widgets.fields import Choice, Field

STEP, KEPT, RESAMPLE = "step", "kept view", "resample"
SOURCES = {
    sets.SHIPPED: "Exercises of the path",
    sets.BESIDE: "Exercises in the open collection",
    sets.OWN: "Exercises in your file",
    STEP: "A step of the path, in words",
    KEPT: "A view that you kept",
    RESAMPLE: "One resample at a time",
}
WHERE = "Where does the winner change? Move the slider."
DRAW = "Draw one resample of the topics. Which system wins on yours?"
ABOUT = "What does this view show?"
PATIENCE = 5.0  # seconds to finish drawing a slider
TEXT = "class text"  # key of the text field for the question


def _source(_: ClassSettings) -> Field:
    there = [*sets.texts(), STEP, *([KEPT] if _kept() else []), RESAMPLE]
    return Titled("Ask", [name for name in there if name not in sets.problems()], reads=SOURCES.__getitem__)


def _question(page: ClassSettings) -> Field | None:
    if page.source == RESAMPLE:
        return None
    if page.source == STEP:
        return Choice("Step", STEPS)
    if page.source == KEPT:
        titles = {name: f"{view.title}, {path.label if path else 'in words'}" for name, (view, path) in _kept().items()}
    else:
        titles = {one.id: one.title or one.id for one in sets.read(page.source).questions}
    return Titled("Question", list(titles), reads=titles.__getitem__)


@dataclass(frozen=True)
class ClassSettings(Settings, page="classroom"):
    """Settings of the page: the source of the question, the question, its measure, and the time for it."""

    source: str = setting(_source)
    question: str | None = setting(_question)
    measure: str | None = setting(lambda page: of_measure(page.collection) if page.source == RESAMPLE else None)
    seconds: int = setting(Choice("Time", (0, 30, 60, 120, 300), reads=lambda s: f"{s} s" if int(s) else "no limit"))


def made(page: ClassSettings) -> Question:
    """Return the chosen question and its key. Raises InputError if it cannot be asked."""
    name, text = str(page.question), str(st.session_state.get(TEXT) or "").strip()
    if page.source == STEP:
        lesson = LESSONS[STEPS.index(name)]
        step = lesson.settings.read(families.whole(), {lesson.settings.key("step"): [name]})
        content = lesson.show(step, system_styles(step.data.systems))
        asked = Asked("words", plain(lesson.question), link=step_link(step))
        return asked, Key(plain(joined(content.answer)))
    if page.source == KEPT:
        return _of_view(text, *_kept()[name])
    if page.source == RESAMPLE:
        frame = scored("scores", ec.parse(str(page.measure)), page.collection)
        scores = frame.value  # computed here, as progress cannot be shown in the cached call below
        pages = cached_call(call("pages", first_in_words, record(ec.rank_intervals)(frame.it)), page.collection)
        return of_resamples(text or DRAW, scores, f"The pages, which use many more resamples, state: {pages.value}.")
    solved = sets.solved(sets.read(page.source), name, sets.collection_of(page.source))
    return of_exercise(solved, _link(solved.question.view))


def _kept() -> dict[str, tuple[Section, Path | None]]:
    """Map a name to (kept view, path of one of its sliders or None); each view is listed also without a slider."""
    views = report.document().sections
    return {f"{view.mark} {at}": (view, path) for view in views for at, path in enumerate([*view.paths, None])}


def _of_view(text: str, view: Section, path: Path | None) -> Question:
    """Return the question "at which slider positions does the winner change?" for a view.

    Without a path, return a question about the whole view. Raises InputError if the path has no frames yet.
    """
    said = plain(" ".join(view.headline.values()))
    if path is None:
        return Asked("words", text or ABOUT, link=_link(view.link)), Key(said)
    end = time.monotonic() + PATIENCE
    while path.left and time.monotonic() < end and isinstance(view.paths, Paths) and view.paths.step():
        pass
    if not path.frames:
        why = path.lacks or "it is still being drawn; ask again soon"
        raise InputError(f"The class cannot be asked about this slider: {why}.")
    finding = next(iter(view.headline), "")
    tracks = [one for one in unpacked(path.frames)[0]["tracks"] if one["keys"] == ["texts", finding]]
    texts = [tracks[0]["values"][at] for at in tracks[0]["at"]] if tracks else [said] * len(path.texts)
    names = [plain(families.named(system)) for system in open_collection.whole().systems]
    winners = [_winners(names, plain(str(one)).splitlines()) for one in texts]
    return of_slider(text or WHERE, _link(view.link), path.texts, winners)


def _winners(names: list[str], lines: list[str]) -> str:
    """Return the system named first in each line that begins with "Under", without repetitions, joined by "and".

    If no line begins with "Under", the first line counts; "" if no system is named.
    """
    compared = [line for line in lines if line.startswith("Under ")] or lines[:1]
    there = [[(line.find(name), -len(name), name) for name in names if name in line] for line in compared]
    return " and ".join(dict.fromkeys(min(found)[2] for found in there if found))


def _link(view: str) -> str:
    """Return a view's link relative to the app, with answers hidden; "" if `view` is "".

    Raises InputError if the link does not lead to a page of this app.
    """
    if not view:
        return ""
    parts = urlsplit(view)
    place, given, _ = places.now(parts.path.strip("/").rpartition("/")[2] or "home", parse_qs(parts.query))
    if place not in places.PLACES:
        raise InputError("This link does not lead to a view of this app.")
    return f"{place}?{urlencode({**given, 'answers': 'hidden'}, doseq=True)}"
