"""Closer look at two measures: which pairs of systems both tell apart, and which only one does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from evalcore.meta.discrimination import DECISIONS
from ui.discriminative_power.controls import Power
from ui.discriminative_power.pairs import MOST_PAIRS, Tests, tested
from ui.screen.calls import call
from ui.screen.items import Height, Item, Metric, Table, Text, in_row
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.fields import Choice


def two_measures(page: Power, tests: Tests) -> None:
    if len(page.scores) < 2:
        st.info("Choose a second measure to compare decisions.", icon=":material/info:")
        return
    page.draw_in_row("x", "y", "decided")
    x, y = str(page.x), str(page.y)
    if x == y:
        st.info("A measure decides as it does itself: choose two.", icon=":material/info:")
    elif tested(page, tests, x, y):
        show.screen(decisions(page, tests, x, y))


def decisions(page: Power, tests: Tests, x: str, y: str) -> Iterator[Item]:
    """How two measures decide about all pairs."""
    parts = {"tests": tests, "x": x, "y": y, "alpha": page.alpha}
    table = call("decisions", "ec.pair_decisions({tests}[{x}], {tests}[{y}], {alpha})", **parts)
    counts = table.then("counts", "['decision'].value_counts()")
    text = "{table}[{table}['decision'] == {decided}].drop(columns='decision')"
    listed = call("listed", text, table=table, decided=page.decided)
    field, pairs = page.field("decided"), counted(len(table.value), "pair")
    assert isinstance(field, Choice)
    metrics = []
    for name in DECISIONS:
        count = counts.value.get(name, 0)
        help = f"{count / len(table.value):.1%} of {pairs}"
        metrics.append(Metric(markdown(field.names(name)), f"{count:,}", help=help, calls=(counts,)))
    yield in_row(*metrics)
    ends = {"_x": page.names[x], "_y": page.names[y]}
    heads = {f"{what}{end}": f"{what}, {name}" for what in ("difference", "asl") for end, name in ends.items()}
    whole = listed.value.rename(columns=heads)
    height: Height = 320 if len(whole) > 7 else "auto"
    options: dict[str, Any] = {"height": height, "download": whole, "drawn": page.drawn, "calls": (listed,)}
    yield Table(whole.head(MOST_PAIRS), "decisions", index=False, **options)
    yield Text(
        "“Opposite”: both tell the pair apart, with different winners. A measure that adds pairs the other does not "
        "tell apart discriminates more; one that adds opposite ones measures something else.",
        "note",
    )
