"""The guided path as a document: each step with its sliders, question, answer and notes, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import evalcore as ec
from evalcore.figures import system_styles
from evalcore.figures.document import Controls, Document, Folded, Heading, Item, Latex, Section, rests_on
from evalcore.figures.path import Path, Sheet
from ui.data import open_collection
from ui.screen.drawing_ahead import drawing
from ui.screen.items import At, Screen, flat, in_document
from ui.screen.text import plain
from ui.teaching.guided_path.base import ANSWER, FORMULAS, Lesson, LessonSettings
from ui.teaching.guided_path.lessons import LESSONS
from ui.widgets.fields import Choice, Field, Slider, Switch

TITLE = "What does a measure believe about its reader?"
INTRODUCTION = (
    "Each step explains an idea with a figure that you can move. Read the question, guess, move the slider, then open "
    "the answer, computed for where the slider stands. Nothing is sent anywhere; the files work without a network."
)
BY_HAND = "In the app (evalcore app) you do this by hand. Here a slider plays some of the moves."
UNMOVED = "This step needs the app (evalcore app), where it has controls; here its figure does not move."


def pages() -> dict[str, str]:
    """Return the files of the path by their names, on the sample data."""
    return Document(TITLE, [section(lesson) for lesson in LESSONS], INTRODUCTION).pages()


def section(lesson: Lesson) -> Section:
    """Return a step as a section, drawn off the screen."""
    sample = ec.load(open_collection.SAMPLE)
    page = lesson.settings.read(sample, {lesson.settings.key("step"): [lesson.name]})
    paths = [path for one in _moved_by(lesson, page) if (path := _path(lesson, page, *one).drawn()).moves]
    if moves := lesson.moves(page):
        by_hand = Slider(page.key("edits"), range(len(moves)), list(moves.values()))
        paths.insert(0, _path(lesson, page, "edits", by_hand, list(moves)).drawn())
    controls = Controls() if paths else UNMOVED
    return Section(lesson.title, _items(lesson, page, controls), data=rests_on(page.data), paths=paths)


def _moved_by(lesson: Lesson, page: LessonSettings) -> list[tuple[str, Slider]]:
    """Return the controls of a step as sliders; a choice becomes a slider over its options."""
    moved = [(name, values) for name, values in page.sliders() if name in lesson.controls]
    choices = [(name, _options(page.field(name))) for name in lesson.controls]
    moved += [(name, Slider(page.key(name), range(len(values)), values)) for name, values in choices if len(values) > 1]
    return sorted(moved, key=lambda item: list(lesson.controls).index(item[0]))


def _options(field: Field | None) -> list[Any]:
    """Return the values that a choice or a switch can be set to; none for other fields."""
    return list(field.options) if isinstance(field, Choice) else [False, True] if isinstance(field, Switch) else []


def _items(lesson: Lesson, page: LessonSettings, controls: Controls | str = "") -> list[Item]:
    """Return what a step shows, in the order of its page, then its answer, formulas and notes for the teacher."""
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
    """Return the items in a place of the page."""
    there = (item for item in screen.items if isinstance(item, At) and item.place == place)
    return [in_document(item, "") for item in next(there).items]


def _path(lesson: Lesson, page: LessonSettings, name: str, slider: Slider, texts: Sequence[str] = ()) -> Path:
    """Return a slider of a step with all that it moves; `texts` are the names of its positions."""
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
