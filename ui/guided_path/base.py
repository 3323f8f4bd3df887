"""What a step of the guided path is: a short text, a live figure with its controls, a question that it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import plotly.graph_objects as go

from evalcore.data import Collection
from evalcore.figures.style import Styles
from ui.frame import open_collection
from ui.widgets.fields import Choice, Field, Switch
from ui.widgets.settings import Settings, setting
from ui.widgets.text import markdown

STEPS = ("1 Reader", "2 Aspects", "3 Thresholds", "4 Combining", "5 Ideal", "6 Correlation", "7 Claim")


def _own(path: LessonSettings) -> Field | None:
    opened = path.collection
    if opened.fingerprint == path.sample.fingerprint:
        return None
    return Switch(f"Use {markdown(opened.title)} instead of the sample data")


@dataclass(frozen=True)
class LessonSettings(Settings):
    """Which step of the path, on which data; the settings of a step are a subclass."""

    PAGE: ClassVar[str] = "guided_path"

    step: str = setting(Choice("Step", STEPS, segmented=True, hide_label=True))
    own: bool | None = setting(_own)

    @cached_property
    def sample(self) -> Collection:
        return open_collection.sample(open_collection.SAMPLE_NAME)

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
class Picture:
    """A figure, the key that names it, and its text alternative."""

    figure: go.Figure
    key: str
    alt: str


@dataclass(frozen=True)
class LessonContent:
    """What a lesson makes of a collection and of its controls, all of it Markdown but formulas, which are LaTeX."""

    pictures: tuple[Picture, ...]
    caption: str
    answer: str
    above: str = ""  # over the figure
    numbers: tuple[tuple[str, str, str], ...] = ()  # label, value, what it is
    formulas: tuple[str, ...] = ()
    code: tuple[str, ...] = ()  # Python that recomputes the numbers


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
