"""Settings of Links: the user model, what users do after a result, and the effort of each action."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.measures import Both, Browse, Effort, GivenGain, MAep, ReadOn, Scroll, Specificity, Stay, Walk, ep
from evalcore.measures.parts.gains import Gain, Grade
from evalcore.navigation.links import Navigation
from evalcore.navigation.models import NavigationModel
from evalcore.navigation.walk_tables import Walkthrough, need_navigation, walkthrough
from evalcore.navigation.worth import GainModel
from ui.address.families import all_short
from ui.address.settings import Settings, setting
from ui.computing.cached import cached_call
from ui.computing.measures import evaluate, parsed, scored
from ui.screen.calls import Call, call, line
from ui.widgets.fields import Choice, Field, Number, of_parameter

DEPTH = 15  # most ranks to walk down
LINKS, LAW, GIVEN, ONE_LINK, SCROLLING, BOTH, READING, NOT_AT_ALL = (
    "follow links",
    "follow links, rarely far",
    "follow links, with listed probabilities",
    "follow one link, with listed probabilities",
    "scroll in the page",
    "follow links and scroll",
    "read on until bored (T2I)",
    "not at all",
)
GOING_HELP = (
    "What users do after a result. *Follow links*: a walk stops after each page with some probability; *rarely far*: a "
    "walk of t pages has probability t^(-α); *listed probabilities*: they follow one link, or any number, with the "
    "probabilities of the edge list; *scroll*: they see nearer parts of the page more often; *read on*: they read "
    "until there is too much irrelevant text (tolerance to irrelevance)."
)
MEAN = "mean over topics"
GRADE, HIGHLIGHTED, IN_TABLE = "its grade", "the share that is highlighted", "its gain in the table of components"
LOOKS = LIST, SYSTEMS = "One list", "All systems"


def shown_first(collection: Collection) -> str:
    """Return the first system whose name begins with "hub", as in the sample, otherwise the first system."""
    return next((name for name in collection.systems if name.startswith("hub")), collection.systems[0])


def ways(navigation: Navigation) -> list[str]:
    """Return the options for what users do after a result, without options for which the graph lacks data."""
    possible = [SCROLLING, READING, NOT_AT_ALL] if navigation.has_places else [NOT_AT_ALL]
    if len(navigation.links):
        known = ~np.isnan(navigation.links.probability)
        given = [GIVEN] * bool(known.any()) + [ONE_LINK] * bool(known.all())
        possible = [LINKS, LAW, *given, *([BOTH] if navigation.has_places else []), *possible]
    return possible


def _rank(view: NavigationSettings) -> Field:
    at = view.collection.systems.index(view.system), view.collection.topics.index(view.topic)
    deepest = min(DEPTH, len(view.navigation.runs.ranking(*at)))
    return Number("Users have reached rank", 0, deepest, 1, 1)


def _second(view: NavigationSettings) -> Field | None:
    sized = bool(np.isfinite(view.navigation.components.size).all())
    return of_parameter(Effort, "second", "Effort per second of reading", high=5.0, step=0.1) if sized else None


def _per_rank(view: NavigationSettings) -> Field:
    """Return the field for the effort of each rank that users consult.

    If reading costs nothing, its minimum is 0.5, because ep needs some effort.
    """
    return of_parameter(Effort, "rank", "Effort per rank", low=0.0 if view.second else 0.5, high=20.0, step=0.5)


def worths(navigation: Navigation) -> dict[str, Gain | GainModel]:
    """Map each option for the gain of a component to its `Gain` or model; the options depend on the collection."""
    known = navigation.worths
    own: dict[str, Gain | GainModel] = {HIGHLIGHTED: Specificity()} if (known.rsize > 0).any() else {}
    own |= {IN_TABLE: GivenGain()} if (known.gain > 0).any() else {}
    return {GRADE: Grade(), **own}


def _worth(view: NavigationSettings) -> Field | None:
    offered = list(worths(view.navigation))
    return Choice("Gain of a component", offered) if len(offered) > 1 else None


@dataclass(frozen=True)
class NavigationSettings(Settings, page="navigation"):
    """Settings of Links: the user model, and the system and topic, or the means, that the figure shows."""

    system: str = setting(
        lambda view: Choice("System", view.collection.systems, shown_first(view.collection), called=all_short)
    )
    topic: str = setting(lambda view: Choice("Topic", view.collection.topics))
    going: str = setting(lambda view: Choice("From a result, users", ways(view.navigation), help=GOING_HELP))
    stop: float | None = setting(
        of_parameter(Walk, "stop", "Stopping probability", default=0.3, low=0.05, step=0.05, none=""), follows=True
    )
    alpha: float | None = setting(
        of_parameter(Walk, "alpha", "α: t^(-α) for walks of t pages", default=1.5, none=""), going=LAW
    )
    theta: float | None = setting(
        of_parameter(Scroll, "theta", "θ: interest lost per character", high=0.05, format="%.3f"),
        going=(SCROLLING, BOTH),
    )
    tolerance: float | None = setting(
        of_parameter(ReadOn, "tolerance", "Tolerance, in characters", high=3000.0), going=READING
    )
    rank: int = setting(_rank)
    click: float = setting(of_parameter(Effort, "click", "Effort per link followed", high=20.0, step=0.5))
    second: float | None = setting(_second)
    per_rank: float = setting(_per_rank)
    worth: str | None = setting(_worth)
    ideal: str = setting(of_parameter(MAep, "ideal", "Ideal list in order of"))
    interpolation: str = setting(of_parameter(MAep, "interpolation", "Its curve"))
    look: str = setting(Choice("View", LOOKS, segmented=True, hide_label=True))
    of: str = setting(lambda view: Choice("ep of", (MEAN, *view.collection.topics)), look=SYSTEMS)
    recall: float = setting(of_parameter(ep, "recall", "Share of all gain to reach", low=0.05))

    @property
    def navigation(self) -> Navigation:
        return need_navigation(self.collection)

    @property
    def follows(self) -> bool:
        """True if users follow links and stop with a given probability."""
        return self.going in (LINKS, BOTH)

    @property
    def model(self) -> NavigationModel:
        models: dict[str, NavigationModel] = {
            LINKS: Walk(stop=self.stop),
            LAW: Walk(alpha=self.alpha),
            GIVEN: Walk(),
            ONE_LINK: Browse(),
            SCROLLING: Scroll(theta=self.theta or 0.0),
            BOTH: Both((Walk(stop=self.stop), Scroll(theta=self.theta or 0.0))),
            READING: ReadOn(tolerance=self.tolerance or 0.0),
            NOT_AT_ALL: Stay(),
        }
        return models[self.going]

    @property
    def walk(self) -> Walk | None:
        """The model of walks over any number of links; None if users follow at most one link."""
        return next((model for model in getattr(self.model, "models", (self.model,)) if isinstance(model, Walk)), None)

    @property
    def measure(self) -> MAep:
        effort = Effort(rank=self.per_rank, click=self.click, second=self.second or 0.0)
        gain = worths(self.navigation)[self.worth or GRADE]
        ideal = {"ideal": self.ideal, "interpolation": self.interpolation}
        return MAep(navigation=self.model, effort=effort, gain=gain, **ideal)

    @property
    def baseline(self) -> MAep:
        """The measure for the same users if they see only the results."""
        return self.measure.with_(navigation=Stay())

    @property
    def measured_by(self) -> tuple[str, ...]:
        return (str(self.baseline), str(self.measure))

    @property
    def single(self) -> str | None:
        """The topic whose curves are drawn; None for their mean."""
        return None if self.of == MEAN else self.of

    @cached_property
    def parsed(self) -> Call[MAep]:
        """The call that makes the measure, for functions that need the measure itself and not only its scores."""
        return parsed("measure", self.measure)

    @cached_property
    def scores(self) -> tuple[Call[pd.DataFrame], Call[pd.DataFrame]]:
        """Calls that compute the scores without and with navigation, each topics x systems."""
        along = call("scores_with", ec.evaluate, self.parsed.it, self.collection).by(evaluate)
        return scored("scores_without", self.baseline, self.collection), along

    @cached_property
    def means(self) -> tuple[Call[pd.Series], Call[pd.Series]]:
        """Calls that compute the mean score of each system, without and with navigation."""
        without, along = self.scores
        return line("without", without.it.mean()), line("with_links", along.it.mean())

    @cached_property
    def walked(self) -> Call[Walkthrough]:
        """The call that computes what users have seen at each rank, for the chosen system and topic."""
        users = self.parsed.it.users
        made = call("walk", walkthrough, self.collection, users, self.topic, self.system, DEPTH)
        return cached_call(made, self.collection)


def draw_controls(view: NavigationSettings) -> None:
    """Draw the controls beside the figure."""
    if view.look == LIST:
        view.draw_in_row("system", "topic")
    view.draw("going", "stop", "alpha", "theta", "tolerance")
    view.draw(*{LIST: ["rank", "recall"], SYSTEMS: ["of", "recall"]}[view.look])
    with st.popover("Gain and effort", width="stretch", icon=":material/timer:"):
        view.draw("per_rank", "click", "second")
        if view.second is not None:
            st.caption(f"Readers read {Effort().speed:g} characters a second.")
        view.draw("worth", "ideal", "interpolation")
