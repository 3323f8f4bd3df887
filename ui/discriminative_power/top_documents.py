"""The page Top documents: documents without merit, and labels by rank, in the best systems (Maistro et al. 2021)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from ui.data import open_collection
from ui.data.compared import compared
from ui.discriminative_power import texts
from ui.discriminative_power.pair_settings import Power
from ui.screen.calls import call, line
from ui.screen.items import Columns, Figure, Headline, Item, Table
from ui.shell import live
from ui.stage import show


def main() -> None:
    collection = open_collection.titled("top_documents", what_is_missing)
    left, right = show.two_columns()
    with left:
        page = compared(Power, collection)
        page.draw("aspects", "depth", "sum_depth")
        with st.expander("More settings"):
            page.draw("bands", "shares")
    with right, show.errors():
        if page.scores:
            live.follow(page, draw)
        else:
            st.info(texts.FEW, icon=":material/info:")
    show.explain(*texts.READING_TOP_DOCUMENTS)


def what_is_missing(collection: Collection) -> str:
    """Explain why the page has nothing to show; return "" if it has something to show."""
    return "" if collection.aspects else texts.ONLY_SIGNALS


def draw(page: Power) -> Iterator[Item]:
    """Yield the documents without merit, and the sums of labels by rank, of the best systems under each measure."""
    c, aspects, depth, deep = page.collection, list(page.looked_at), page.depth, page.sum_depth
    zero = call("zero", ec.zero_aspect_documents, page.cut_scores(depth).it, c, aspects, depth)
    of = (page.cut_scores(deep).it, c, aspects, deep, page.bands, page.shares)
    sums = call("sums", ec.label_sums_by_rank, *of)
    shares = line("shares", zero.it.groupby("measure", sort=False)["share"].last())
    yield Headline(texts.worst(page, shares.value.dropna().sort_values(kind="stable")), (shares,))
    bars = call("", figures.zero_aspect_bars, zero.it, page.named.it)
    lines = call("", figures.label_sum_lines, sums.it, page.named.it, "mean_sum")
    yield Columns(((Figure(bars, "zero", texts.ZERO),), (Figure(lines, "sums", texts.SUMS),)), gap="medium")
    yield Table(zero_shape(zero.value, page.names), "zero-aspect documents", download=zero.value, calls=(zero,))
    unassessed = line("unassessed", sums.it.groupby("measure", sort=False)["unassessed"].sum())
    shaped = sum_shape(sums.value, page.names, unassessed.value)
    yield Table(shaped, "label sums", {"unassessed": 1}, download=sums.value, calls=(sums, unassessed))


def zero_shape(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Return Table 5 of Maistro et al. 2021, transposed: one row per measure.

    Its columns are the number and share of zero-aspect documents by rank, then the unassessed and all documents.
    """
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
    """Return Table 6 of Maistro et al. 2021, with mean sums of labels: one row per measure.

    There is one column per band of ranks, then one for the unassessed documents.
    """
    shaped = table.pivot(index="measure", columns="ranks", values="mean_sum")
    shaped = shaped.loc[list(dict.fromkeys(table["measure"])), list(dict.fromkeys(table["ranks"]))]
    shaped["unassessed"] = unassessed
    return shaped.rename(index=names).rename_axis(columns=None)
