"""Which choice of a judge turns the verdict: model, prompt, repeat? A closer look at Ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.judges import Multiverse, multiverse, panels
from evalcore.plotting import drawn
from evalcore.rounding import percent
from ui.labels.controls import Compared
from ui.screen.calls import Call, call
from ui.screen.items import Figure, Headline, Item, Sentence, Table, Text
from ui.screen.text import counted, markdown


def of_judges(look: Compared) -> Iterator[Item]:
    """Every judge beside the reference, what its choices explain, and what panels of judges tell by cost."""
    reference, _ = look.pair
    parts: dict[str, Any] = {"measure": look.measure, "c": look.collection, "reference": reference}
    judges: Call[Multiverse] = call(
        "judges", "{multiverse}({measure}, {c}, {reference})", multiverse=multiverse, **parts
    )
    table = call("table", "{judges}.table", judges=judges)
    share = call("same", "{table}['same_winner'].mean()", table=table)
    ends = call("ends", "{table}['tau'].agg(['min', 'max'])", table=table)
    low, high = ends.value
    yield Headline(
        f"Of {counted(len(table.value), 'judge')} {percent(float(share.value))} have the winner that "
        f"{markdown(reference)} has; τ with its ranking is from **{score_text(low, 3)}** to **{score_text(high, 3)}**.",
        (share, ends),
    )
    factors = [str(name) for name in judges.value.factors]
    curve = call("", "{judge_curve}({table}, {factors})", judge_curve=figures.judge_curve, table=table, factors=factors)
    alt = f"τ of {len(table.value)} judges with {reference}, the lowest first; the values are in the table below"
    yield Figure(curve.compute, "judges", alt, calls=(curve,))
    yield Table(table.value, "judges", decimals={"tau": 3, "tau_ap": 3, "kappa": 3}, calls=(table,))
    yield from _explained(judges, factors)
    yield from _matrix(judges)
    yield from _of_panels(parts)


def _explained(judges: Call[Multiverse], factors: list[str]) -> Iterator[Item]:
    usable = [name for name in factors if judges.value.factors[name].nunique() < len(judges.value.table)]
    if not usable:
        yield Text(
            "The names of the judges have no parts that several share, which would make factors; in Python and on the "
            "command line a table judges.csv says them: a column judge, others such as model and prompt, and cost.",
            "note",
        )
        return
    turning = call("turning", "{judges}.turning()", judges=judges)
    apart = {name: float(turning.value[name]) for name in usable}
    each = ", ".join(f"{markdown(name)} by **{percent(value)}**" for name, value in apart.items())
    yield Sentence(f"The levels of a factor are apart in how many judges find the winner: {each}.", calls=(turning,))
    levels = call("levels", "{judges}.levels().reset_index()", judges=judges)
    yield Text("Factors are the parts of the judges' names that vary.", "note")
    yield Table(levels.value, "levels of factors", decimals={"tau": 3, "kappa": 3}, index=False, calls=(levels,))
    shares = call("shares", "{judges}.anova().table.reset_index()", judges=judges)
    yield Text("What topics and factors explain of τ on a topic: an analysis of variance.", "note")
    yield Table(shares.value, "what factors explain", index=False, calls=(shares,))


def _matrix(judges: Call[Multiverse]) -> Iterator[Item]:
    text = "ec.plot(ec.correlation_matrix({judges}.rankings.scores))"
    figure = Call[Any]("", text, {"judges": judges}, {"ec.plot": drawn})
    yield Figure(figure.compute, "all judges", "τ of the rankings by every two judges", calls=(figure,))


def _of_panels(parts: dict[str, Any]) -> Iterator[Item]:
    table = call("panels", "{panels}({measure}, {c}, {reference}, sizes=[1])", panels=panels, **parts)
    most = len(table.value)
    if most > 2:
        table = call("panels", "{panels}({measure}, {c}, {reference})", panels=panels, **parts)
    yield Text(
        "Panels: one label from the majority of several judges; a label of each costs 1 where no table says it. "
        "frontier: no panel as cheap has a higher τ.",
        "note",
    )
    yield Table(table.value, "panels of judges", decimals={"tau": 3}, index=False, height=280, calls=(table,))
