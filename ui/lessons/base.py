"""What a step of the guided path is: a short text, a live figure with its controls, a question that it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import plotly.graph_objects as go

from evalcore.data import Collection


@dataclass(frozen=True)
class Picture:
    """A figure, the key that names it, and its text alternative."""

    figure: go.Figure
    key: str
    alt: str


@dataclass(frozen=True)
class Shown:
    """What a lesson makes of a collection and of its controls, all of it Markdown but formulas, which are LaTeX."""

    pictures: tuple[Picture, ...]
    caption: str
    answer: str
    above: str = ""  # over the figure
    numbers: tuple[tuple[str, str, str], ...] = ()  # label, value, what it is
    formulas: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """One step. `show` draws the controls where it is called; `lacks` says why a collection does not fit, if so."""

    name: str  # in the step bar and in the link
    title: str
    text: str
    question: str
    show: Callable[[Collection], Shown]
    lacks: Callable[[Collection], str]
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
