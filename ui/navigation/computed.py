"""What the page computes, as calls: scores, walks and simulated users, kept for the next run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.arrays import FloatArray
from evalcore.explain.gain_levels import arrival, effort_curves
from evalcore.explain.navigation import Walkthrough, approximation_error, precision_curves, walkers_beside, walkthrough
from evalcore.measures import MAep
from ui.computing.cached import cached, cached_call
from ui.computing.measures import scored
from ui.navigation.controls import DEPTH, NavigationSettings
from ui.screen.calls import Call, call, call_of

WALKERS = 20_000
DRAWN = {"users": WALKERS, "seed": 0}


def measured(view: NavigationSettings) -> Call[MAep]:
    """MAep of the users that are meant."""
    return call("measure", "ec.parse({text})", text=view.measure).holding(view.measure)


def both_scores(view: NavigationSettings) -> tuple[Call[pd.DataFrame], Call[pd.DataFrame]]:
    """Scores without and with navigation, topics x systems."""
    along = call("scores_with", "ec.evaluate({measure}, {c})", measure=measured(view), c=view.collection)
    return scored("scores_without", view.baseline, view.collection), along


def both_means(view: NavigationSettings) -> tuple[Call[pd.Series], Call[pd.Series]]:
    """Mean scores without and with navigation, by system."""
    without, along = both_scores(view)
    return without.then("without", ".mean()"), along.then("with_links", ".mean()")


def walked(view: NavigationSettings) -> Call[Walkthrough]:
    """What users of the list see, rank by rank."""
    return _kept(view, "walk", walkthrough, "{c}, {measure}.users, {topic}, {system}, {depth}", depth=DEPTH)


def curves_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """Effort-precision at standard levels of gain-recall."""
    return _kept(view, "curves", precision_curves, "{measure}, {c}, topic={single}", "Walking", single=view.single)


def efforts_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """The efforts to every gain level, by the ideal list and the system's."""
    return _kept(view, "curves", effort_curves, "{measure}, {c}, {topic}, {system}")


def level_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """The same at the level that is looked at."""
    return _kept(view, "at", effort_curves, "{measure}, {c}, {topic}, {system}, [{recall}]", recall=view.recall)


def arrival_of(view: NavigationSettings) -> Call[pd.Series]:
    """At which rank users reach it."""
    text = "{measure}, {c}, {topic}, {system}, {recall}, {depth}"
    return _kept(view, "arrival", arrival, text, recall=view.recall, depth=DEPTH)


def errors_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """Scores by the normal approximation beside the exact ones."""
    return _kept(view, "errors", approximation_error, "{measure}, {c}", "Approximating")


def walkers_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """Simulated users beside the formula."""
    text = "{measure}, {c}, {topic}, {system}, users={users}, seed={seed}"
    return _kept(view, "walkers", walkers_beside, text, "Simulating users", **DRAWN)


def _kept(
    view: NavigationSettings, name: str, function: Callable[..., Any], arguments: str, label: str = "", **parts: Any
) -> Call[Any]:
    """A call of a function of `evalcore.explain` on the list that is looked at, kept for the next run."""
    given = {"c": view.collection, "measure": measured(view), "topic": view.topic, "system": view.system}
    return cached_call(call_of(name, function, arguments, **given, **parts), view.collection, label)


@cached(128)
def places_of(count: int, links: tuple[tuple[int, int], ...]) -> FloatArray:
    """Where the components of a walk stand in its figure."""
    return figures.spread(count, np.array(links, dtype=int).reshape(-1, 2))
