"""Closer looks: the rankings, their correlations, systems that only one measure tells apart, scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.measures import RBP, GainMeasure, uRBP2, uRBPgr
from evalcore.measures.catalogue import usual_gains
from evalcore.meta import best_first, ranks
from ui.address.highlight import Highlight
from ui.computing.first import COLUMNS, DRAWN, decimals, doubted, tables
from ui.computing.measures import scores
from ui.computing.tau import RESAMPLES
from ui.computing.unassessed import unassessed_code, unassessed_decimals, with_unassessed
from ui.data import open_collection, pins
from ui.screen.items import Figure, Item, Table
from ui.screen.text import markdown
from ui.shell import live
from ui.stage import show
from ui.understandability import along
from ui.understandability.controls import PAIRS, SIDES, Reader, setting_of, step_model, threshold_of


def details(
    reader: Reader, frames: dict[str, pd.DataFrame], highlight: Highlight, before: list[pd.Series] | None
) -> None:
    """One of five closer looks; only the open one is computed."""
    reader.draw("look")
    if reader.look == "Ranking":
        st.caption("Ranks from best (top) to worst; a line that crosses another is a pair of systems that swapped.")
        styles = open_collection.styles(reader.collection)
        live.follow(reader, lambda reader: ranking(reader, styles, highlight))
        ranks_over_topics(reader, frames, highlight)
    elif reader.look == "τ by setting":
        along.along(reader)
    elif reader.look == "Correlation":
        correlations(reader)
    elif reader.look == PAIRS:
        distinguished_pairs(reader, frames)
    else:
        score_table(reader.collection, frames, reader.baseline, before)


def scored(reader: Reader) -> dict[str, pd.DataFrame]:
    """Topics x systems by RBP, then by each variant."""
    return {str(one): scores(reader.collection, one) for one in (reader.baseline, *reader.variants)}


def ranking(reader: Reader, styles: Styles, highlight: Highlight) -> list[Item]:
    """Who is where by each measure, and who swaps."""
    alt = "Ranks of all systems under each measure; the values are in the table under Scores"
    make = partial(ranking_of, reader, styles, highlight.systems)
    return [Figure(make, "bump", alt, highlight.take, ("points",))]


def ranking_of(reader: Reader, styles: Styles, selected: Sequence[str]) -> go.Figure:
    """Ranks under each measure, joined by lines."""
    ordered = ascending(scored(reader), reader.variants)
    means, doubt = {text: frame.mean() for text, frame in ordered}, tables(*(frame for _, frame in ordered))
    return figures.bump(means, styles, selected, doubt)


def ranks_over_topics(reader: Reader, frames: dict[str, pd.DataFrame], highlight: Highlight) -> None:
    """How sure the ranks by one of the two measures are; nothing where doubt is not shown."""
    text, frame = list(frames.items())[SIDES.index(reader.sure)]
    found = doubted(frame)
    if found is None:
        return
    st.markdown(f"**How sure are the ranks by {markdown(text)}?**")
    reader.draw("sure")
    table = found.table
    styles = open_collection.styles(reader.collection)
    make = partial(figures.ranks_over_topics, table, styles, selected=highlight.systems)
    alt = f"Rank intervals of {len(table)} systems by {text} over topics; the values are in the table below"
    show.put(Figure(make, "sure", alt, on_select=highlight.take, modes=("points",), drawn=DRAWN))
    st.caption(
        f"The mark is a system's rank over the {found.n_topics} topics, filled where it is not separable from the "
        "leader. The thick line covers its true rank with 95% confidence for one system that you had in mind; the thin "
        "lines of all systems hold together. Two systems are separable where a paired comparison tells them apart "
        "among all pairs, and then have no letter in common. Bars: in which share of "
        f"{found.n_resamples:,} resamples of the topics it is first."
    )
    columns = {"rank": "rank", "shared": "shared by", "mean": "mean", **COLUMNS, "all_low": "all from"}
    columns |= {"all_high": "all to", "behind": "behind the leader", "separable": "separable", "groups": "groups"}
    shown = table[list(columns)].rename(columns=columns)
    shown = with_unassessed(shown, text, reader.collection)
    places = decimals() | {"all from": 0, "all to": 0} | unassessed_decimals(shown)
    show.put(Table(shown, "ranks over topics", decimals=places, height=420, drawn=DRAWN))


def look_code(reader: Reader) -> list[str]:
    """The lines that recompute the closer look."""
    if reader.look == "τ by setting":
        return along.code(reader)
    if reader.look == "Ranking":
        texts = [str(reader.baseline), str(reader.variants[0])]
        return unassessed_code(texts[SIDES.index(reader.sure)], reader.collection)
    if reader.look == "Correlation":
        texts = list(map(str, compared_models(reader)))
        return [
            f"models = [ec.evaluate(text, c) for text in {texts!r}]",
            f"tau_intervals = [ec.bootstrap_interval(ec.tau, rbp, one, {RESAMPLES}) for one in models]",
            f"tau_ap_intervals = [ec.bootstrap_interval(ec.tau_ap, one, rbp, {RESAMPLES}) for one in models]",
        ]
    if reader.look == PAIRS:
        return [
            f"limits = {reader.limits!r}",
            "blue = ec.distinguished_pairs(rbp, urbps[0], **limits)",
            "red = ec.distinguished_pairs(urbps[0], rbp, **limits)",
            "counts = len(blue), len(red)",
        ]
    if reader.look == "Scores":
        return [
            "ranks = [ec.ranks(one) for one in means]",
            f"residual = ec.residual({str(reader.baseline)!r}, c).mean()",
            'assessed = c.report.systems["assessed@10"]',
        ]
    return []


def ascending(frames: dict[str, pd.DataFrame], variants: list[GainMeasure]) -> list[tuple[str, pd.DataFrame]]:
    """RBP first, then the variants by ascending threshold."""
    ordered = sorted(variants, key=lambda variant: threshold_of(variant) or 0.0)
    return [next(iter(frames.items())), *((str(variant), frames[str(variant)]) for variant in ordered)]


def compared_models(reader: Reader) -> list[GainMeasure]:
    """Every user model at every threshold that is set, or at every grade."""
    scale, column = reader.scale, reader.column
    chosen = sorted(at for at in map(threshold_of, reader.variants) if at is not None) or scale.grades[1:]
    models = (step_model(scale), uRBP2)
    measures: list[GainMeasure] = [
        model(aspect=column, threshold=threshold, **reader.common) for model in models for threshold in chosen
    ]
    if not scale.continuous:
        measures.append(uRBPgr(aspect=column, **reader.common, gains=reader.gains or usual_gains(scale)))
    return measures


def correlations(reader: Reader) -> None:
    """tau and tau_AP of RBP with every user model at every threshold: Tables 1 and 2 of the paper."""
    collection, baseline, measures = reader.collection, reader.baseline, compared_models(reader)
    table = correlation_table(collection.fingerprint, str(baseline), tuple(map(str, measures)), collection)
    reasons = sorted({why for why in table["no interval"] if why})
    none = f"; [none] where it cannot be said ({'; '.join(reasons)})" if reasons else ""
    st.caption(
        f"How alike the ranking of systems by {markdown(baseline)} and by each variant is, over "
        f"{len(collection.topics)} topics; in brackets the 95% interval over topics, from {RESAMPLES:,} resamples "
        f"(seed 0), of what it is in truth{none}."
        " τ is Kendall's tau_b; τ_AP is Yilmaz's, reference RBP. The paper's Tables 1 and 2 have this shape."
    )
    drawn = {"resamples": RESAMPLES, "seed": 0}
    show.put(Table(in_the_papers_shape(table, measures), "correlations", download=table, drawn=drawn))


def in_the_papers_shape(table: pd.DataFrame, measures: list[GainMeasure]) -> pd.DataFrame:
    """User models down, thresholds across; estimate and interval in one cell."""
    cells: dict[str, dict[str, str]] = {}
    for measure, row in zip(measures, table.itertuples(index=False), strict=True):
        for name, estimate, low, high in (("τ", *row[1:4]), ("τ_AP", *row[4:7])):
            line = cells.setdefault(f"RBP vs. {type(measure).__name__}: {name}", {})
            ends = "none" if np.isnan(low) else f"{low:.3f}, {high:.3f}"
            line[setting_of(measure)] = f"{estimate:.3f}  [{ends}]"
    return pd.DataFrame(cells).T.fillna("")


@st.cache_data(max_entries=64, show_spinner="Resampling topics")
def correlation_table(
    fingerprint: str, baseline: str, measures: tuple[str, ...], _collection: Collection
) -> pd.DataFrame:
    """One row per measure: tau and tau_AP with their intervals; the same resamples for all."""
    x = ec.evaluate(baseline, _collection)
    rows = []
    for text in measures:
        y = ec.evaluate(text, _collection)
        tau = ec.bootstrap_interval(ec.tau, x, y, RESAMPLES)
        tau_ap = ec.bootstrap_interval(ec.tau_ap, y, x, RESAMPLES)
        rows.append((text, tau.estimate, tau.low, tau.high, tau_ap.estimate, tau_ap.low, tau_ap.high, tau.why))
    names = ["measure", "τ", "τ low", "τ high", "τ_AP", "τ_AP low", "τ_AP high", "no interval"]
    return pd.DataFrame(rows, columns=names)


def distinguished_pairs(reader: Reader, frames: dict[str, pd.DataFrame]) -> None:
    """The blue and red cases of Figure 2, found."""
    (x_text, x), (y_text, y) = list(frames.items())[:2]
    left, right = st.columns(2)
    with left:
        reader.draw("same")
    with right:
        reader.draw("apart")
    cases = (
        (left, "blue", x_text, y_text, ec.distinguished_pairs(x, y, **reader.limits)),
        (right, "red", y_text, x_text, ec.distinguished_pairs(y, x, **reader.limits)),
    )
    for place, colour, alike, different, pairs in cases:
        with place:
            count = f"{len(pairs):,} pair" + ("" if len(pairs) == 1 else "s")
            st.markdown(f":{colour}[**{count}**] alike by {markdown(alike)}, apart by {markdown(different)}")
            if pairs.empty:
                st.caption("No such pair at these limits; widen them.")
                continue
            show.put(
                Table(
                    pairs,
                    f"{colour} pairs",
                    decimals={"p_x": 3, "p_y": 3},
                    index=False,
                    height=300 if len(pairs) > 7 else "auto",
                )
            )
    st.caption("system_a is the better one where they are apart; p: two-sided paired t-test over topics, uncorrected.")


def score_table(
    collection: Collection, frames: dict[str, pd.DataFrame], baseline: RBP, before: list[pd.Series] | None
) -> None:
    means = {text: frame.mean() for text, frame in frames.items()}
    table = pd.DataFrame(means)
    for at, text in enumerate(means):
        table[f"rank by {text}"] = ranks(means[text]).astype(int)
        if before and at < len(before):
            table[f"places won since the pin by {text}"] = pins.rank_changes(means[text], before[at])
    table["RBP residual"] = ec.residual(baseline, collection).mean()
    table["assessed@10"] = collection.report.systems["assessed@10"]
    show.put(
        Table(table.loc[best_first(means[str(baseline)]).index], "scores", decimals={"assessed@10": 2}, height=500)
    )
    st.caption("The residual is how much RBP could still rise if every unassessed document were relevant.")
