"""Figures and tables of Links: ranks, effort-precision, efforts up to a level of gain, lengths of walks."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.measures import EPRUM, PRUM, ExpectedRatio, Measure
from evalcore.meta import best_first
from evalcore.navigation.gain_levels import arrival, effort_curves
from evalcore.navigation.walk_tables import precision_curves, trail_table
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing.cached import cached_call
from ui.computing.doubt import decimals, doubt_of, with_doubt
from ui.computing.measures import scored
from ui.navigation import texts
from ui.navigation.navigation_settings import DEPTH, NavigationSettings
from ui.screen.calls import Call, call, line, value_call
from ui.screen.items import Columns, Figure, Item, Metric, Table, Text, in_row

RATIO_AT = 10  # ranks for the expected ratio


def ranking(view: NavigationSettings, highlight: Highlight) -> Iterator[Item]:
    """Yield the figure of the ranks of all systems without and with navigation."""
    yield Text.note(texts.RANKS_NOTE)
    scores, (without, along) = view.scores, view.means
    means, doubt = {"without navigation": without.it, "with navigation": along.it}, doubt_of(*scores)
    own = families.styles_of(view.collection)
    figure = call("", figures.bump, means, styles=own, doubt=doubt.it if doubt else ()).here(selected=highlight.systems)
    yield Figure(figure, "walkbump", texts.RANKS)


def tables_of_all(view: NavigationSettings) -> Iterator[Item]:
    """Yield the tables of scores and ranks without and with navigation, and of effort-precision by gain-recall."""
    scores, (without, along) = view.scores, view.means
    change = line("change", along.it - without.it)
    places = [call(name, ec.ranks, x.it) for name, x in (("places", without), ("places_with", along))]
    table = pd.DataFrame({"without": without.value, "with": along.value, "change": change.value})
    for name, ranks in zip(("without", "with"), places, strict=True):
        table[f"rank {name}"] = ranks.value.astype(int)
    table = with_doubt(table, scores[1].value, after="rank with", by=" with")
    calls = (without, along, change, *places)
    shown = table.loc[best_first(along.value).index]
    yield Table(shown, "with and without navigation", decimals=decimals([" with"]), calls=calls)
    made = precision_by_recall(view)
    yield Table(made.value.T, "effort-precision", height=330, calls=(made,))


def to_a_level(view: NavigationSettings) -> Iterator[Item]:
    """Yield the efforts that the ideal list and this list need for a level of gain.

    Also yield the share of users who reach the level at each rank.
    """
    c = view.collection
    of = (view.parsed.it, c, view.topic, view.system)
    curves = efforts_of(view)
    at = cached_call(call("at", effort_curves, *of, [view.recall]), c)
    shares = arrivals_of(view)
    efforts = (float(at.value[name].iloc[0]) for name in ("ideal", "run", "ep"))
    level, total = at.value.index[0], line("total", view.walked.it.total)
    yield Text(texts.to_a_level(view, level, total.value, *efforts), calls=(at, total))
    linear = {"linear": True} if view.interpolation == "linear" else {}
    figure = call("", figures.gain_against_effort, curves.it, at.it, **linear)
    bars = Figure(call("", figures.arrivals, shares.it), "arrival", texts.ARRIVAL)
    yield Columns(((Figure(figure, "gain and effort", texts.GAIN_AND_EFFORT),), (bars,)), (0.55, 0.45), "medium")
    yield Text.note(texts.READING_A_LEVEL)


def efforts_of(view: NavigationSettings) -> Call[pd.DataFrame]:
    """Return the call that computes the efforts that the ideal list and this list need for each gain.

    The value of the call is cached for later runs.
    """
    made = call("curves", effort_curves, view.parsed.it, view.collection, view.topic, view.system)
    return cached_call(made, view.collection)


def arrivals_of(view: NavigationSettings) -> Call[pd.Series]:
    """Return the call that computes the share of users who reach the level at each rank.

    The value of the call is cached for later runs.
    """
    of = view.parsed.it, view.collection, view.topic, view.system
    return cached_call(call("arrival", arrival, *of, view.recall, DEPTH), view.collection)


def level_tables(view: NavigationSettings) -> Iterator[Item]:
    """Yield three tables: what users have seen by this rank, efforts, and the ranks at which users reach the level."""
    yield seen(view)
    curves, shares = efforts_of(view), arrivals_of(view)
    listed = shares.value.rename("share of users").to_frame()
    listed.index = listed.index.map(str)
    tables = (
        (Table(curves, "efforts", dict.fromkeys(("ideal", "run", "ep"), 3), height=260),),
        (Table(listed, "arrival", {"share of users": 4}, height=260, calls=(shares,)),),
    )
    yield Columns(tables, (0.55, 0.45), "medium")


def seen(view: NavigationSettings) -> Table:
    """Return a table with two shares of users for each component.

    The first is the share of users who have seen the component by this rank. The second is the share of users whom
    the result at this rank led to the component.
    """
    made = view.walked
    walk = made.value
    table = walk.components[["rank", "gain"]].assign(**{"seen so far": walk.seen[view.rank]})
    table["from this result"] = walk.step[view.rank - 1] if view.rank else 0.0
    shown = table.sort_values("seen so far", ascending=False)
    return Table(shown, "seen", decimals={"rank": 0, "gain": 2}, height=320, calls=(made,))


def curves(view: NavigationSettings, highlight: Highlight) -> Iterator[Item]:
    """Yield the figure of effort-precision at standard gain-recall levels."""
    made = precision_by_recall(view)
    chosen = list(highlight.systems) or ([view.system] if view.system in made.value else [])
    figure = call("", figures.effort_precision, made.it, selected=chosen, styles=families.styles_of(view.collection))
    yield Figure(figure, "ep curves", texts.CURVES)
    yield Text.note(texts.READING_CURVES)


def precision_by_recall(view: NavigationSettings) -> Call[pd.DataFrame]:
    """Return the call that computes the effort-precision of every system at standard gain-recall levels.

    The value of the call is cached for later runs.
    """
    made = call("curves", precision_curves, view.parsed.it, view.collection, topic=view.single)
    return cached_call(made, view.collection, "Walking")


def walks(view: NavigationSettings) -> Iterator[Item]:
    """Yield the figure and the table of the lengths of walks under the model, beside the observed law t^(-3/2)."""
    if view.walk is None:
        yield Text(texts.NO_WALKS, "info")
        return
    trails = call("trails", trail_table, value_call(view.walk).it, view.collection)
    figure = call("", figures.trail_lengths, trails.it)
    about, table = Text.note(texts.WALKS), Table(trails, "walks", height=260)
    yield Columns(((Figure(figure, "trails", texts.TRAILS),), (about, table)), (0.6, 0.4), "medium")


def related(view: NavigationSettings, highlight: Highlight) -> Iterator[Item]:
    """Yield the ranks of systems under MAep and under related measures for the same users."""
    listed: dict[str, Measure] = {
        "MAep": view.measure,
        "EPRUM": EPRUM(view.model, recall=view.recall),
        "PRUM": PRUM(view.model, recall=view.recall),
        "expected ratio": ExpectedRatio(view.model, cutoff=RATIO_AT),
    }
    means = {
        name: line("means", scored(name.replace(" ", "_"), measure, view.collection).it.mean())
        for name, measure in listed.items()
    }
    taus = {name: call("tau", ec.tau, means["MAep"].it, mean.it) for name, mean in means.items() if name != "MAep"}
    if len(view.collection.systems) > 1:
        help = "τ with the ranking by MAep: "
        yield in_row(*(Metric.of(f"τ, {name}", tau, f"{help}{listed[name]}") for name, tau in taus.items()))
    own = families.styles_of(view.collection)
    made = {name: mean.it for name, mean in means.items()}
    figure = call("", figures.bump, made, styles=own).here(selected=highlight.systems)
    yield Figure(figure, "related", texts.RELATED)
    yield Text.note(texts.reading_related(view.recall, RATIO_AT))
    table = call("related", pd.DataFrame, made)
    yield Table(table, "related measures", decimals=decimals())


TABLES = {"The numbers as tables": level_tables, "Length of walks": walks}
