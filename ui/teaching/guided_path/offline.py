"""The guided path as a document: each step with its sliders, question, answer and notes, without a server."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path as File
from typing import Any

import pandas as pd

import evalcore as ec
from evalcore.figures import system_styles
from evalcore.figures.document import Controls, Document, Folded, Heading, Item, Latex, Section, rests_on
from evalcore.figures.path import Path, Sheet
from evalcore.teaching.exercises import shipped, solve
from ui.data import open_collection
from ui.screen.drawing_ahead import drawing
from ui.screen.items import At, Screen, flat, in_document
from ui.screen.text import plain
from ui.teaching.classroom.questions import of_exercise
from ui.teaching.guided_path.base import ANSWER, FORMULAS, Lesson, LessonSettings
from ui.teaching.guided_path.lessons import LESSONS
from ui.widgets.fields import Choice, Field, Slider, Switch

TITLE = "What does a measure believe about its reader?"
INTRODUCTION = (
    "Each step explains an idea with an interactive figure. Read the question, guess, move the slider, then open the "
    "answer, which is computed for that position of the slider. The files work offline and send no data."
)
BY_HAND = "In the app (evalcore app) you make the moves by hand. Here a slider makes some of them."
UNMOVED = "This step has controls only in the app (evalcore app); here its figure is fixed."


def pages() -> dict[str, str]:
    """Map the name of each file of the guided path and of the course to its text, computed on the sample data."""
    course = tomllib.loads(File(__file__).with_name("course.toml").read_text(encoding="utf-8"))
    steps = {lesson.name: section(lesson) for lesson in LESSONS}
    # A lesson leaves out steps of subjects that are not installed.
    taught = [(one, [steps[name] for name in one["steps"] if name in steps]) for one in course["lesson"]]
    lessons = [plan(number, one) for number, (one, _) in enumerate(taught, start=1)]
    files = Document(TITLE, [*steps.values(), *lessons], INTRODUCTION).pages()
    slides = {f"slides-{at}.html": Document(one["title"], shown) for at, (one, shown) in enumerate(taught, start=1)}
    files |= {name: document.html(stage=True) for name, document in slides.items()}
    return {**files, "LICENSE.txt": course["licence"].lstrip(), "CITATION.cff": course["citation"].lstrip()}


def plan(number: int, lesson: Mapping[str, Any]) -> Section:
    """Return a lesson's page: its plan, questions, worksheet, and key, which is folded and need not be printed."""
    sample, exercise = ec.load(open_collection.SAMPLE), shipped()
    asked = [of_exercise(solve(exercise[name], sample)) for name in lesson["questions"] if name in exercise.ids]
    return Section(
        f"Lesson {number}: {lesson['title']}",
        [
            Item(pd.DataFrame(lesson["plan"], columns=["minutes", "what happens"]), "Plan"),
            Item(f"Slides: slides-{number}.html. Ask the questions on paper, or in the app under Learn > Class."),
            Item(Heading("Questions")),
            *(Item("\n".join([one.text, *(f"- {option}" for option in one.options)])) for one, _ in asked),
            Item(Heading("Sheet")),
            *(Item(task) for task in lesson["sheet"]),
            Item(Folded("Key", "\n".join([*(key.sentence for _, key in asked), *lesson["key"]]))),
        ],
    )


def section(lesson: Lesson) -> Section:
    """Return a step as a section of a document, with frames for all positions of its sliders."""
    sample = ec.load(open_collection.SAMPLE)
    page = lesson.settings.read(sample, {lesson.settings.key("step"): [lesson.name]})
    paths = [path for one in _moved_by(lesson, page) if (path := _path(lesson, page, *one).drawn()).moves]
    if moves := lesson.moves(page):
        by_hand = Slider(page.key("edits"), range(len(moves)), list(moves.values()))
        paths.insert(0, _path(lesson, page, "edits", by_hand, list(moves)).drawn())
    controls = Controls() if paths else UNMOVED
    return Section(lesson.title, _items(lesson, page, controls), data=rests_on(page.data), paths=paths)


def _moved_by(lesson: Lesson, page: LessonSettings) -> list[tuple[str, Slider]]:
    """Return (name, slider) for each control of a step; a choice becomes a slider over its options."""
    moved = [(name, values) for name, values in page.sliders() if name in lesson.controls]
    choices = [(name, _options(page.field(name))) for name in lesson.controls]
    moved += [(name, Slider(page.key(name), range(len(values)), values)) for name, values in choices if len(values) > 1]
    return sorted(moved, key=lambda item: list(lesson.controls).index(item[0]))


def _options(field: Field | None) -> list[Any]:
    """Return the possible values of a choice or a switch; [] for other fields."""
    return list(field.options) if isinstance(field, Choice) else [False, True] if isinstance(field, Switch) else []


def _items(lesson: Lesson, page: LessonSettings, controls: Controls | str = "") -> list[Item]:
    """Return the text, controls and figures of a step, then its answer, its formulas and its notes for the teacher."""
    with drawing(page.address()):
        screen = lesson.show(page, system_styles(page.data.systems)).screen()
        text = plain(lesson.text) + (f"\n{BY_HAND}" if lesson.play else "")
        seen = [Item(lesson.seen(page), "The ranking", "seen")] if lesson.seen else []
        shown = [in_document(item, f"item {at}") for at, item in enumerate(flat(screen.items, places=()))]
        answer = "\n".join(str(item.thing) for item in _at(ANSWER, screen))
        formulas = tuple(item.thing for item in _at(FORMULAS, screen) if isinstance(item.thing, Latex))
    return [
        *(Item(text), Item(Heading(plain(lesson.question))), Item(controls)),
        *seen,
        *shown,
        Item(Folded("Answer", answer), key="answer"),
        Item(Folded("Formulas", formulas=formulas)),
        Item(Folded("For the teacher", lesson.notes)),
    ]


def _at(place: str, screen: Screen) -> list[Item]:
    """Return the screen's items for a named place, such as ANSWER, converted to items of a document."""
    there = (item for item in screen.items if isinstance(item, At) and item.place == place)
    return [in_document(item, "") for item in next(there).items]


def _path(lesson: Lesson, page: LessonSettings, name: str, slider: Slider, texts: Sequence[str] = ()) -> Path:
    """Return the path of a step's slider with a frame for every position.

    `texts` are the names of the positions; by default, their values in words.
    """
    field, now = page.field(name), getattr(page, name)
    through = slider.through(now, now)
    assert field
    assert through
    values = through.values

    def draw(at: int) -> Sheet:
        there = Section(lesson.title, _items(lesson, page.with_(**{name: values[at]})))
        return there.sheet(captions=True)

    texts = texts or [plain(field.words(value)) for value in values]
    return Path(page.label_of(name, slider), texts, values.index(now), draw)
