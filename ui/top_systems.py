"""What the systems return that each measure likes best, as a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.meta import PairedBootstrap
from ui import show
from ui.controls import choose_many, slider, switch
from ui.measures import scores
from ui.pairs import Setting

SHARES_HELP = "Divide each label by the length of its scale, so that a scale to 100 does not drown one to 2"


def top_systems(collection: Collection, setting: Setting, tests: Mapping[str, PairedBootstrap]) -> None:
    if not collection.aspects:
        st.info("This looks at labels of aspects; the open collection has signals only.", icon=":material/info:")
        return
    first, second, third, fourth = st.columns([1.4, 1, 1, 1])
    with first:
        aspects = choose_many("Aspects", "top_aspects", collection.aspects, placeholder="all") or collection.aspects
    with second:
        depth = int(slider("Depth: zero-aspect", "top_depth", 1.0, 20.0, 5.0, 1.0, format="%d"))
    with third:
        deep = int(slider("Depth: label sums", "top_sum_depth", 4.0, 1000.0, 100.0, 4.0, format="%d"))
    with fourth:
        bands = int(slider("Bands", "top_bands", 1.0, 10.0, 4.0, 1.0, format="%d"))
    with first:
        shares = switch("Shares of each scale", "top_shares", uneven(collection, aspects), help=SHARES_HELP)
    zero = ec.zero_aspect_documents(cut_scores(collection, setting, depth), collection, aspects, depth)
    tables = cut_scores(collection, setting, deep)
    sums = ec.label_sums_by_rank(tables, collection, aspects, deep, min(bands, deep), shares)
    left, right = st.columns(2, gap="medium")
    with left:
        figure = figures.zero_aspect_bars(zero, setting.names)
        show.figure(figure, "zero", "Documents with the worst label on every aspect, by measure and rank")
    with right:
        figure = figures.label_sum_lines(sums, setting.names, "mean_sum")
        show.figure(figure, "sums", "Mean sum of labels by band of ranks and measure")
    show.table(zero_shape(zero, setting.names), "zero-aspect documents", download=zero)
    shaped = sum_shape(sums, setting.names)
    show.table(shaped, "label sums", decimals={"unassessed": 1}, download=sums)
    st.caption(
        f"For each topic, the best system under each measure with rankings cut at {depth} (left) and {deep} (right); "
        "systems tied as best share the topic, so counts may be fractions. A label counts from the worst grade of its "
        "aspect, which is 0, also where low is good; a missing label counts as the worst. Unassessed documents have no "
        "labels at all: they are counted apart, and left out of the mean (Maistro et al. 2021, Tables 5 and 6)."
    )


def uneven(collection: Collection, aspects: Sequence[str]) -> bool:
    """Whether one scale is so long that its labels would drown the others."""
    lengths = [scale.high - scale.low for scale in map(collection.assessments.scale, aspects)]
    return max(lengths) > 10 * min(lengths)


def cut_scores(collection: Collection, setting: Setting, depth: int) -> dict[str, pd.DataFrame]:
    """Scores under each measure with rankings cut at a depth; those of other tools as they are."""
    cut = ec.cut_rankings(collection, depth)
    return {text: frame if is_foreign(text) else scores(cut, text) for text, frame in setting.scores.items()}


def is_foreign(text: str) -> bool:
    try:
        ec.parse(text)
    except ec.DataError:
        return True
    return False


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


def sum_shape(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """Measures down, bands across, as in Table 6."""
    shaped = table.pivot(index="measure", columns="ranks", values="mean_sum")
    shaped = shaped.loc[list(dict.fromkeys(table["measure"])), list(dict.fromkeys(table["ranks"]))]
    shaped["unassessed"] = table.groupby("measure", sort=False)["unassessed"].sum()
    return shaped.rename(index=names).rename_axis(columns=None)
