"""Which choice of a judge turns the verdict: model, prompt, repeat? A closer look at Ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from evalcore import figures
from evalcore.data.judge_table import COST
from evalcore.judges import Multiverse, multiverse, panels
from ui.computing import work
from ui.labels.ranking_settings import EACH, EVERY_TWO_JUDGES, MAP, MATRIX_NAMES, RankingLook
from ui.screen.calls import Call, call, call_of
from ui.screen.items import Figure, Headline, Height, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown, percent, score_text
from ui.stage import show

TALL, FEW_ROWS = 280, 7  # pixels of a table with more rows
EQUIVALENT = {"tau": 0.9}  # from which on rankings are read as equivalent; of others there is no such value


def draw(look: RankingLook) -> None:
    """Every judge beside the reference and what its choices explain, every two judges, or panels of them by cost."""
    look.draw("part")
    parts: dict[str, Any] = {"measure": look.measure, "c": look.collection, "reference": look.pair[0]}
    made = call_of("judges", multiverse, "{measure}, {c}, {reference}", **parts)
    judges = work.worked(made, look.collection, "Scoring by every judge")
    if judges is None:
        return
    show.screen(headline(look, judges))
    look.draw("matrix", "panels_by")
    if look.part == EACH:
        show.screen(of_judges(look, judges))
    elif look.part == EVERY_TWO_JUDGES:
        show.screen(every_two(look, judges))
    else:
        parts |= {"panels": panels, "how": look.panels_by}
        made = call("panels", "{panels}({measure}, {c}, {reference}, how={how})", **parts)
        if (table := work.worked(made, look.collection, "Panels of judges")) is not None:
            show.screen(of_panels(look, table))


def headline(look: RankingLook, judges: Call[Multiverse]) -> Iterator[Item]:
    """How many judges have the reference's winner, and how alike their rankings are to its."""
    reference, _ = look.pair
    table = judges.then("table", ".table")
    share = table.then("same", "['same_winner'].mean()")
    ends = table.then("ends", "['tau'].agg(['min', 'max'])")
    low, high = ends.value
    yield Headline(
        f"Of {counted(len(table.value), 'judge')} {percent(float(share.value))} have the winner that "
        f"{markdown(reference)} has; τ with its ranking is from **{score_text(low, 3)}** to **{score_text(high, 3)}**.",
        (share, ends),
    )


def of_judges(look: RankingLook, judges: Call[Multiverse]) -> Iterator[Item]:
    """Every judge beside the reference, and what its choices explain."""
    table = judges.then("table", ".table")
    factors = [str(name) for name in judges.value.factors]
    curve = call_of("", figures.judge_curve, "{table}, {factors}", table=table, factors=factors)
    alt = f"τ of {len(table.value)} judges with {look.pair[0]}, the lowest first; the values are in the table below"
    yield Figure(curve, "judges", alt)
    yield Table(table, "judges", decimals={"tau": 3, "tau_ap": 3, "kappa": 3})
    yield from _explained(look, judges)


def _explained(look: RankingLook, judges: Call[Multiverse]) -> Iterator[Item]:
    usable = judges.value.shared_factors
    if not usable:
        yield Text.note(
            "No choice of the judges is known that several share: put a table judges.csv beside their labels, with a "
            "column judge, others such as model and prompt, and cost."
        )
        return
    turning = judges.then("turning", ".turning()")
    apart = {name: float(turning.value[name]) for name in usable}
    each = ", ".join(f"{markdown(name)} by **{percent(value)}**" for name, value in apart.items())
    yield Sentence(f"The levels of a factor are apart in how many judges find the winner: {each}.", calls=(turning,))
    levels = judges.then("levels", ".levels().reset_index()")
    if look.collection.judge_table is None:
        yield Text.note("Factors are the parts of the judges' names that vary; a table judges.csv says better.")
    yield Table(levels, "levels of factors", decimals={"tau": 3, "kappa": 3}, index=False)
    shares = judges.then("shares", ".anova().table.reset_index()")
    yield Text.note("What topics and factors explain of τ on a topic: an analysis of variance.")
    yield Table(shares, "what factors explain", index=False)


def every_two(look: RankingLook, judges: Call[Multiverse]) -> Iterator[Item]:
    """A matrix of judges by judges, the reference among them, or a map of them."""
    kind = str(look.matrix)
    if kind == MAP:
        yield from mapped(judges)
        return
    values = judges.then("alike", ".matrix({kind})", kind=kind)
    names = {str(name): str(name) for name in values.value}
    text = "{correlation_heatmap}({values}, {names}, {label}, threshold={threshold})"
    heat = {"correlation_heatmap": figures.correlation_heatmap, "label": MATRIX_NAMES[kind]}
    figure = call("", text, values=values, names=names, threshold=EQUIVALENT.get(kind, 1.0), **heat)
    alt = f"{MATRIX_NAMES[kind]} for every two judges, {look.pair[0]} among them; the values are in the table below"
    yield Figure(figure, "every two judges", alt)
    yield Table(values, "every two judges", dict.fromkeys(names, 0 if kind == "winner" else 3), tall(values.value))


def mapped(judges: Call[Multiverse]) -> Iterator[Item]:
    """A place for each judge, near to those whose rankings are alike."""
    places = judges.then("places", ".map")
    taus = judges.then("taus", ".table['tau']")
    figure = call_of("", figures.judge_map, "{places}, {taus}", places=places, taus=taus)
    alt = f"{counted(len(taus.value), 'judge')} and the reference, near where rankings are alike; the places are below"
    yield Figure(figure, "map of judges", alt)
    yield Table(places, "map of judges", {"x": 3, "y": 3}, tall(places.value))


def tall(frame: pd.DataFrame) -> Height:
    """The height of a table that may have many rows."""
    return TALL if len(frame) > FEW_ROWS else "auto"


def of_panels(look: RankingLook, table: Call[Any]) -> Iterator[Item]:
    """What panels of judges tell, by what they cost."""
    judge_table = look.collection.judge_table
    priced = judge_table is not None and COST in judge_table
    text = "as the table of judges says" if priced else "1, as no table says it (judges.csv, column cost)"
    figure = call_of("", figures.panel_costs, "{panels}", panels=table)
    alt = f"τ with {look.pair[0]} over cost of {counted(len(table.value), 'panel')}; the values are in the table below"
    yield Figure(figure, "panels", alt)
    yield Text.note(
        f"Panels: one label of a document made of those of several judges. A label of one costs {text}. frontier: no "
        "panel as cheap has a higher τ."
    )
    yield Table(table, "panels of judges", decimals={"tau": 3}, index=False, height=tall(table.value))
