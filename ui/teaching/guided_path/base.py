"""Base of a step of the guided path: a short text, a live figure with controls, and a question with its answer."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.figures.drawn_numbers import numbers_drawn
from evalcore.figures.style import Styles
from evalcore.measures import Measure
from evalcore.meta import leaders, winner
from ui import subjects
from ui.address.settings import Settings, setting
from ui.computing.measures import scored
from ui.data import open_collection
from ui.glossary.words import term
from ui.screen.calls import Call, line, record
from ui.screen.items import At, Calls, Columns, Figure, Grid, Latex, Metric, Screen, Sentence
from ui.screen.text import markdown, plain
from ui.teaching.guided_path.statements import Statement, Statements, joined, state
from ui.widgets.fields import Choice, Field, Switch

_OF_THE_CORE = tomllib.loads(Path(__file__).with_name("steps.toml").read_text(encoding="utf-8"))
_ALL = [step for table in (_OF_THE_CORE, *subjects.written("steps.toml")) for step in table.items()]
WORDS: dict[str, dict[str, Any]] = dict(sorted(_ALL, key=lambda step: step[1]["at"]))
STEPS = tuple(WORDS)
NUMBERED = {name: f"{at} {name}" for at, name in enumerate(STEPS, start=1)}
# Names in older links, when the path began at the step Reader. Numbers come from `at`, as some steps may be absent.
_ONCE = tuple((f"{step['at'] - WORDS['Reader']['at'] + 1} {name}", name) for name, step in WORDS.items())
ANSWER, FORMULAS, NUMBERS = "answer", "formulas", "numbers"  # named places of a step's screen
HELP_SIGN = 4.0  # width of the help icon beside a label, in letters


def _own(path: LessonSettings) -> Field | None:
    opened = path.collection
    if opened.fingerprint == path.sample.fingerprint:
        return None
    return Switch(f"Use {markdown(opened.title)} instead of the {path.SAMPLE}")


@dataclass(frozen=True)
class LessonSettings(Settings, page="guided_path"):
    """Settings that all steps share: the chosen step and its data. The subclass of a step adds its own settings."""

    SAMPLE: ClassVar[str] = open_collection.SAMPLE_NAME  # the sample used by the step
    LACKS: ClassVar[Callable[[Collection], str]] = lambda _: ""  # returns why a collection does not fit; "" if it does

    def __init_subclass__(cls, lacks: Callable[[Collection], str] | None = None, sample: str = "") -> None:
        super().__init_subclass__()
        cls.SAMPLE, cls.LACKS = sample or cls.SAMPLE, lacks or cls.LACKS

    step: str = setting(Choice("Step", STEPS, reads=NUMBERED.__getitem__, also=_ONCE, segmented=True, hide_label=True))
    own: bool | None = setting(_own)

    @cached_property
    def sample(self) -> Collection:
        return open_collection.sample(self.SAMPLE)

    @property
    def lack(self) -> str:
        """The reason why the open collection does not fit the step; "" if it fits."""
        return type(self).LACKS(self.collection)

    @property
    def data(self) -> Collection:
        """The open collection, if it fits the step and people chose it over the sample; otherwise the sample."""
        return self.collection if self.own and not self.lack else self.sample

    @property
    def works_on(self) -> Collection | None:
        return self.data

    @property
    def second(self) -> str:
        """The aspect that the step compares with relevance."""
        return second_aspect(self.data)


@dataclass(frozen=True)
class LessonContent:
    """Content of a step for one collection and its settings: figures, texts, and formulas in LaTeX."""

    pictures: tuple[Figure, ...]
    caption: Statements
    answer: Statements
    calls: Calls  # compute the numbers in its texts
    formulas: tuple[str, ...]
    grid: pd.DataFrame | None = None  # a table above the figure
    numbers: tuple[Metric, ...] = ()

    def screen(self) -> Screen:
        """Return the screen: numbers, table, figures and caption.

        The answer, the formulas and the numbers drawn in the figures are `At` items, for containers of their own.
        """
        widths = tuple(HELP_SIGN + max(len(number.label), len(str(number.value))) for number in self.numbers)
        numbers = [Columns(tuple((number,) for number in self.numbers), widths)] if widths else []
        grid = [Grid(self.grid)] if self.grid is not None else []
        answer = At(ANSWER, (Sentence(joined(self.answer), calls=self.calls),))
        caption = Sentence(joined(self.caption), caption=True, calls=self.calls)  # visible even if the answer is hidden
        formulas = At(FORMULAS, tuple(map(Latex, self.formulas)))
        finding = plain(". ".join([*(f"{one.name}: {one.value}" for one in self.numbers), joined(self.caption)]))
        pictures = (replace(picture, alt=f"{picture.alt}. {finding}") for picture in self.pictures)
        # Made only when opened, because nobody reads them while a slider moves.
        tables = At(NUMBERS, tuple(Grid(partial(_table, picture), calls=picture.calls) for picture in self.pictures))
        return Screen((answer, *numbers, *grid, *pictures, caption, formulas, tables))


def _table(picture: Figure) -> pd.DataFrame:
    """Return the numbers drawn in a figure as a table, for screen readers."""
    return numbers_drawn(picture.spec()).map(markdown).rename(columns=markdown).set_index("of")


@dataclass(frozen=True)
class Lesson:
    """One step; its texts are in steps.toml.

    `show` may read only the settings that it is given, because it also draws other positions of the sliders.
    """

    name: str  # as in the step bar and in links
    settings: type[LessonSettings]
    controls: Mapping[str, float]  # settings in one row, with their shares of the width
    show: Callable[[Any, Styles], LessonContent]
    play: Callable[[Any], None] | None = None  # draws the part done by hand, once a run
    # For pages without a server: some moves as edits, by name, and the resulting table.
    moves: Callable[[Any], Mapping[str, tuple[str, ...]]] = lambda _: {}
    seen: Callable[[Any], pd.DataFrame] | None = None
    in_text: bool = False  # the part done by hand is below the text, not above the figure

    @property
    def title(self) -> str:
        return str(WORDS[self.name]["title"])

    @property
    def text(self) -> str:
        """The text in Markdown, with words linked to the glossary."""
        return re.sub(r"\[([^|\]]+)(?:\|([^\]]+))?\]", _linked, self._paragraph("text"))

    @property
    def question(self) -> str:
        return self._paragraph("question")

    @property
    def notes(self) -> str:
        """The notes for the teacher: the duration in minutes, a common mistake, and a follow-up question."""
        words = WORDS[self.name]
        return f"{words['minutes']} minutes.\nCommon mistake: {words['wrong']}\nAsk next: {words['ask']}"

    @property
    def page(self) -> str:
        """The page on which people continue with their own data, as the stem of its file's name."""
        return str(WORDS[self.name]["page"])

    @property
    def onward(self) -> str:
        """The label of the link to `page`."""
        return str(WORDS[self.name].get("onward", "On your own data"))

    def _paragraph(self, key: str) -> str:
        return " ".join(WORDS[self.name][key].split())


def _linked(match: re.Match[str]) -> str:
    label, name = match[1], match[2]
    try:
        return term(name or label, label)
    except KeyError:
        raise KeyError(f"{match[0]} links to no entry of the glossary (ui/glossary/terms.toml)") from None


def with_query(collection: Collection) -> Callable[[str], str]:
    """Return a function from a topic to a text with the topic and its query."""
    return lambda topic: f"{topic} {collection.queries.get(topic, '')}".strip()


def mean_scores(name: str, measure: Measure, collection: Collection) -> Call[pd.Series]:
    """Return the call that computes the mean score of each system."""
    return line(name, scored("", measure, collection).it.mean())


def firsts(x: Call[pd.Series], y: Call[pd.Series]) -> Call[list[str]]:
    """Return the call that computes the winners under two measures."""
    return line("first", [record(winner)(means) for means in (x.it, y.it)])


def who_is_first(start: str, x: Call[pd.Series], y: Call[pd.Series], by: tuple[str, str]) -> Statement:
    """Return a statement that names the winners under two measures.

    `x` and `y` compute the mean scores of the systems, `by` are the names of the measures, and `start` begins the
    sentence.

    >>> x, y = (line("", record(pd.Series)(one)) for one in ({"a": 1, "b": 0}, {"a": 0, "b": 1}))
    >>> who_is_first("Of all ", x, y, ("RBP", "nDCG")).text
    'Of all a is first under RBP, b under nDCG.'
    """
    first, other = leaders(x.value), leaders(y.value)
    under = "both." if first == other else f"{by[0]}, {{other:systems}} under {by[1]}."
    return state("first", f"{start}{{first:are}} first under {under}", first=first, other=other)


def how_alike(
    start: str, tau: Call[float], x: Call[pd.Series], y: Call[pd.Series], by: tuple[str, str], digits: int = 3
) -> Statements:
    """Return a statement on how well two measures agree on the ranking of systems, and one on their winners."""
    how = (
        "cannot be compared, because one measure ties all systems"
        if np.isnan(tau.value)
        else f"agree with τ = {{tau:.{digits}f}}"
    )
    joined = "and" if leaders(x.value) == leaders(y.value) else "yet"
    text = f"{start} over {{count}} systems {' and '.join(by)} {how},"
    return state("alike", text, count=len(x.value), tau=tau.value), who_is_first(f"{joined} ", x, y, by)


def second_aspect(collection: Collection) -> str:
    """Return the aspect to compare with relevance: understandability, else the first other one; "" if none."""
    others = [name for name in collection.aspects if name != "relevance"]
    return "understandability" if "understandability" in others else next(iter(others), "")


def a_readability(collection: Collection) -> str:
    """Return the name of a signal for which low is good, preferably FOG; "" if there is none."""
    low = [name for name in collection.signals if collection.assessments.scale(name).good == "low"]
    return "fog" if "fog" in low else next(iter(low), "")


def lacks_relevance(collection: Collection) -> str:
    if "relevance" not in collection.aspects:
        return "it has no aspect named relevance"
    return "" if len(collection.systems) >= 3 else "it has fewer than three systems"


def lacks_an_aspect(collection: Collection) -> str:
    return lacks_relevance(collection) or ("" if second_aspect(collection) else "it has no second aspect")


def lacks_a_readability(collection: Collection) -> str:
    return lacks_relevance(collection) or ("" if a_readability(collection) else "it has no signal such as FOG")
