"""The guided path as plain HTML: each step with its sliders, its question and its answer, no server behind it."""

from __future__ import annotations

from typing import Any

import evalcore as ec
from evalcore import InputError
from evalcore.figures import offline, system_styles
from evalcore.figures.offline import Thumb
from evalcore.figures.report import Controls, Folded, Heading, Item, View, rests_on, write_pages
from ui.data import open_collection
from ui.screen.elsewhere import drawing
from ui.screen.items import At, Screen, flat, in_report
from ui.screen.items import Item as ScreenItem
from ui.screen.text import plain
from ui.teaching.guided_path.base import ANSWER, FORMULAS, Lesson, LessonSettings
from ui.teaching.guided_path.lessons import LESSONS
from ui.widgets.fields import Choice, Field, Slider, Switch

TITLE = "What does a measure believe about its reader?"
INTRODUCTION = (
    "Steps through the ideas, each with a figure to move. Read the question, guess, move the slider, then open the "
    "answer: it is that of what the slider shows. Nothing is sent anywhere; the files work without a network."
)
BY_HAND = "Done by hand in the app (evalcore app); here the sliders move."
UNMOVED = "Nothing moves here without a server: in the app (evalcore app) this step has controls."


def pages() -> dict[str, str]:
    """The files of the path by their names, on the sample data; see `evalcore.figures.report.write_pages`."""
    return write_pages([view(lesson) for lesson in LESSONS], TITLE, INTRODUCTION)


def view(lesson: Lesson) -> View:
    """A step as a view of a report: what its figures need is drawn off the screen."""
    sample = ec.load(open_collection.SAMPLE)
    page = lesson.settings.read(sample, {lesson.settings.key("step"): [lesson.name]})
    shown = _shown(lesson, _screen(lesson, page))
    sliders = [thumb for name, slider in _moved_by(lesson, page) for thumb in _thumb(lesson, page, name, slider)]
    if not sliders:
        shown = [("", UNMOVED) if isinstance(item, Controls) else (text, item) for text, item in shown]
    return View(lesson.title, shown=shown, data=rests_on(page.data), sliders=sliders)


def _moved_by(lesson: Lesson, page: LessonSettings) -> list[tuple[str, Slider]]:
    """The controls of a step as sliders; one of several options moves from one to the next."""
    moved = [(name, values) for name, values in page.sliders() if name in lesson.controls]
    choices = [(name, _options(page.field(name))) for name in lesson.controls]
    moved += [(name, Slider(page.key(name), range(len(values)), values)) for name, values in choices if len(values) > 1]
    return sorted(moved, key=lambda item: list(lesson.controls).index(item[0]))


def _options(field: Field | None) -> list[Any]:
    """What a choice or a switch can be set to."""
    return list(field.options) if isinstance(field, Choice) else [False, True] if isinstance(field, Switch) else []


def _screen(lesson: Lesson, page: LessonSettings) -> Screen:
    with drawing(page.address()):
        return lesson.show(page, system_styles(page.data.systems)).screen()


def _shown(lesson: Lesson, screen: Screen) -> list[tuple[str, Item]]:
    """What a step says and shows, in the order of its page; the answer comes last, and the formulas."""
    text = plain(lesson.text) + (f"\n{BY_HAND}" if lesson.play else "")
    shown: list[tuple[str, Item]] = [("", text), ("", Heading(plain(lesson.question))), ("", Controls())]
    shown += map(in_report, flat(screen.items, places=()))
    answer = [text for _, text in map(in_report, _at(ANSWER, screen))]
    shown += [("", Folded("Answer", "\n".join(answer)))]
    formulas = tuple(formula for _, formula in map(in_report, _at(FORMULAS, screen)))
    shown += [("", Folded("Formulas", formulas=formulas))]
    return shown


def _at(place: str, screen: Screen) -> tuple[ScreenItem, ...]:
    """What stands in a place of the page."""
    return next(item.items for item in screen.items if isinstance(item, At) and item.place == place)


def _thumb(lesson: Lesson, page: LessonSettings, name: str, slider: Slider) -> list[Thumb]:
    """A slider of a step with all that it moves; none where less than two of its places can be shown."""
    field, now = page.field(name), getattr(page, name)
    through = slider.through(now, now)
    assert field
    assert through
    values = through.values
    slides: dict[int, dict[str, Any]] = {}
    for at in offline.chosen(len(values), values.index(now)):
        try:
            screen = _screen(lesson, page.with_(**{name: values[at]}))
        except InputError:
            continue
        shown = _shown(lesson, screen)
        slides[at] = offline.sheet([], [item for _, item in shown], captions=[text for text, _ in shown])
    if len(slides) < 2:
        return []
    texts = [plain(field.words(values[at])) for at in slides]
    start, sheets = list(slides).index(values.index(now)), list(slides.values())
    thumb = offline.thumb(page.label_of(name, slider), texts, start, sheets)
    return [thumb] if offline.moves(thumb) else []
