"""What the systems return that each measure likes best, as a view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from ui.discriminative_power.controls import Power
from ui.discriminative_power.pairs import Tests
from ui.screen.calls import Call, call, line
from ui.screen.items import Columns, Figure, Item, Table, Text
from ui.stage import show


def top_systems(page: Power, tests: Tests) -> None:
    if not page.collection.aspects:
        st.info("This looks at labels of aspects; the open collection has signals only.", icon=":material/info:")
        return
    columns = st.columns([1.4, 1, 1, 1])
    for place, names in zip(columns, (("aspects", "shares"), ("depth",), ("sum_depth",), ("bands",)), strict=True):
        with place:
            page.draw(*names)
    show.screen(draw(page))


def draw(page: Power) -> Iterator[Item]:
    """Documents without any merit, and the sum of labels by rank, of the best systems under each measure."""
    c, aspects, depth, deep = page.collection, list(page.looked_at), page.depth, page.sum_depth
    zero = call("zero", ec.zero_aspect_documents, page.cut_scores(depth).it, c, aspects, depth)
    of = (page.cut_scores(deep).it, c, aspects, deep, page.bands, page.shares)
    sums = call("sums", ec.label_sums_by_rank, *of)
    yield Columns(((zero_bars(page, zero),), (sum_lines(page, sums),)), gap="medium")
    yield Table(zero_shape(zero.value, page.names), "zero-aspect documents", download=zero.value, calls=(zero,))
    unassessed = line("unassessed", sums.it.groupby("measure", sort=False)["unassessed"].sum())
    shaped = sum_shape(sums.value, page.names, unassessed.value)
    yield Table(shaped, "label sums", {"unassessed": 1}, download=sums.value, calls=(sums, unassessed))
    yield Text.note(
        f"For each topic, the best system under each measure with rankings cut at {depth} (left) and {deep} (right); "
        "systems tied as best share the topic, so counts may be fractions. A label counts from the worst grade of its "
        "aspect, which is 0, also where low is good; a missing label counts as the worst. Unassessed documents have no "
        "labels at all: they are counted apart, and left out of the mean (Maistro et al. 2021, Tables 5 and 6)."
    )


def zero_bars(page: Power, zero: Call[pd.DataFrame]) -> Figure:
    figure = call("", figures.zero_aspect_bars, zero.it, page.named.it)
    return Figure(figure, "zero", "Documents with the worst label on every aspect, by measure and rank")


def sum_lines(page: Power, sums: Call[pd.DataFrame]) -> Figure:
    figure = call("", figures.label_sum_lines, sums.it, page.named.it, "mean_sum")
    return Figure(figure, "sums", "Mean sum of labels by band of ranks and measure")


def zero_shape(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Measures down, ranks across, as in Table 5 turned round: number and share; then what is counted apart."""
    cells: dict[str, dict[str, str]] = {}
    for row in table.to_dict("records"):
        line = cells.setdefault(names[row["measure"]], {})
        line[row["ranks"]] = f"{row['zero']:.4g} ({row['share']:.2%})"
    shaped = pd.DataFrame.from_dict(cells, orient="index").rename_axis("measure")
    whole = table.groupby("measure", sort=False).last()
    for name in ("unassessed", "documents"):
        shaped[name] = [f"{value:.4g}" for value in whole[name]]
    return shaped


def sum_shape(table: pd.DataFrame, names: Mapping[str, str], unassessed: pd.Series) -> pd.DataFrame:
    """Measures down, bands across, as in Table 6."""
    shaped = table.pivot(index="measure", columns="ranks", values="mean_sum")
    shaped = shaped.loc[list(dict.fromkeys(table["measure"])), list(dict.fromkeys(table["ranks"]))]
    shaped["unassessed"] = unassessed
    return shaped.rename(index=names).rename_axis(columns=None)
