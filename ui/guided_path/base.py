"""What a step of the guided path is: a short text, a live figure with its controls, a question that it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

import evalcore as ec
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.meta import ranks
from ui.address.settings import Settings, setting
from ui.data import open_collection
from ui.screen.items import At, Columns, Figure, Grid, Item, Metric, Screen, Sentence
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Switch

STEPS = (
    "1 Reader",
    "2 Aspects",
    "3 Thresholds",
    "4 Combining",
    "5 Ideal",
    "6 Correlation",
    "7 Claim",
    "8 Labels",
    "9 Links",
    "10 Passages",
)
MOST_DIGITS = 4


def _own(path: LessonSettings) -> Field | None:
    opened = path.collection
    if opened.fingerprint == path.sample.fingerprint:
        return None
    return Switch(f"Use {markdown(opened.title)} instead of the {path.SAMPLE}")


@dataclass(frozen=True)
class LessonSettings(Settings):
    """Which step of the path, on which data; the settings of a step are a subclass."""

    PAGE: ClassVar[str] = "guided_path"
    SAMPLE: ClassVar[str] = open_collection.SAMPLE_NAME  # which of the samples has what the step is about

    step: str = setting(Choice("Step", STEPS, segmented=True, hide_label=True))
    own: bool | None = setting(_own)

    @cached_property
    def sample(self) -> Collection:
        return open_collection.sample(self.SAMPLE)

    @property
    def lack(self) -> str:
        """Why the open collection does not fit the step, if so."""
        return self.lacks(self.collection)

    @property
    def data(self) -> Collection:
        """The sample data; the open collection where it is another one, fits the step and is asked for."""
        return self.collection if self.own and not self.lack else self.sample

    @property
    def works_on(self) -> Collection:
        return self.data

    @staticmethod
    def lacks(collection: Collection) -> str:
        """Why a collection does not fit the step, if so."""
        return ""


@dataclass(frozen=True)
class LessonContent:
    """What a lesson makes of a collection and of its controls, all of it Markdown but formulas, which are LaTeX."""

    pictures: tuple[Figure, ...]
    caption: str
    answer: str
    above: str = ""  # over the figure
    grid: pd.DataFrame | None = None  # there too
    numbers: tuple[tuple[str, str, str], ...] = ()  # label, value, what it is
    formulas: tuple[str, ...] = ()
    code: tuple[str, ...] = ()  # Python that recomputes the numbers

    def screen(self) -> Screen:
        """The numbers, the figures and the answer, which stands where the page has its question."""
        metrics = [Metric(label, markdown(value), help=help) for label, value, help in self.numbers]
        widths = tuple(float(max(len(label), len(value))) for label, value, _ in self.numbers)
        numbers = [Columns(tuple((one,) for one in metrics), widths)] if metrics else []
        above: list[Item] = [Sentence(self.above)] if self.above else []
        above += [Grid(self.grid)] if self.grid is not None else []
        caption = Sentence(self.caption, caption=True)
        return Screen((At("answer", (Sentence(self.answer),)), *numbers, *above, *self.pictures, caption))


@dataclass(frozen=True)
class Lesson:
    """One step. `show` reads nothing but its settings: it is called for other places of a slider too."""

    name: str  # in the step bar and in the link
    title: str
    text: str
    question: str
    settings: type[LessonSettings]
    controls: Mapping[str, float]  # the settings side by side, each with its share of the width
    show: Callable[[Any, Styles], LessonContent]
    page: str  # where to go on with one's own data, its file stem
    page_label: str
    play: Callable[[Any], None] | None = None  # draws what is done by hand, once a run


def leaders(scores: pd.Series) -> list[str]:
    """Who is first, as listed; several where they are tied."""
    place = ranks(scores)
    return list(map(str, place.index[place == 1]))


def named(names: list[str]) -> str:
    """Systems that share a place, in Markdown: one or two by name, more by their number.

    >>> named(["a"]), named(["a", "b"]), named(["a", "b", "c"])
    ('a', 'a and b', '3 tied systems')
    """
    return " and ".join(map(markdown, names)) if len(names) < 3 else f"{len(names)} tied systems"


def are(names: list[str]) -> str:
    """The same as the subject of a sentence."""
    return f"{named(names)} {'is' if len(names) == 1 else 'are'}"


def who_is_first(x: pd.Series, y: pd.Series, by: tuple[str, str]) -> str:
    """Who is first by two measures, in words.

    >>> who_is_first(pd.Series({"a": 1.0, "b": 0.0}), pd.Series({"a": 0.0, "b": 1.0}), ("RBP", "nDCG"))
    'a is first by RBP, b by nDCG'
    """
    first, other = leaders(x), leaders(y)
    return f"{are(first)} first by {'both' if first == other else f'{by[0]}, {named(other)} by {by[1]}'}"


def best_by(names: list[str]) -> str:
    """What the first one listed of the leaders is, for "by" and a measure."""
    return "the best system" if len(names) == 1 else f"one of the {len(names)} best systems"


def how_alike(x: pd.Series, y: pd.Series, by: tuple[str, str], digits: int = 3) -> str:
    """How two measures agree on their systems, and who is first by each."""
    tau = ec.tau(x, y)
    how = "cannot be compared, as one ties all of them" if np.isnan(tau) else f"agree to τ = {tau:.{digits}f}"
    joined = "and" if leaders(x) == leaders(y) else "yet"
    return f"over {len(x)} systems {' and '.join(by)} {how}, {joined} {who_is_first(x, y, by)}."


def inside(value: float, digits: int = 2) -> str:
    """A share that is not quite 0 or 1, with as many digits as it takes to see that.

    >>> inside(0.67), inside(0.9988), inside(0.0004), inside(1 - 1e-9)
    ('0.67', '0.999', '0.0004', 'just below 1')
    """
    texts = [f"{value:.{more}f}" for more in range(digits, MOST_DIGITS + 1)]
    return next((text for text in texts if 0 < float(text) < 1), "just below 1" if value > 0.5 else "just above 0")


def second_aspect(collection: Collection) -> str:
    """The aspect to set against relevance: understandability, else the first other one; empty where there is none."""
    others = [name for name in collection.aspects if name != "relevance"]
    return "understandability" if "understandability" in others else next(iter(others), "")


def a_readability(collection: Collection) -> str:
    """A signal where low is good, FOG if there is one; empty where there is none."""
    low = [name for name in collection.signals if collection.assessments.scale(name).good == "low"]
    return "fog" if "fog" in low else next(iter(low), "")


def lacks_relevance(collection: Collection) -> str:
    if "relevance" not in collection.aspects:
        return "it has no aspect named relevance"
    return "" if len(collection.systems) >= 3 else "it has fewer than three systems"


def lacks_an_aspect(collection: Collection) -> str:
    return lacks_relevance(collection) or ("" if second_aspect(collection) else "it has no second aspect")


def lacks_a_readability(collection: Collection) -> str:
    return lacks_relevance(collection) or ("" if a_readability(collection) else "it has no readability such as FOG")
