"""Arithmetic written out: tables of ranks and sums, with the numbers in them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Scale
from evalcore.explain.arithmetic import Arithmetic
from evalcore.measures import AP, MM, Aggregate, Measure
from evalcore.measures.dcg import DiscountedSum
from evalcore.notation.formula import number
from ui.screen.items import Calls, Latex, Table, Text
from ui.stage import report, show


def written_out(
    part: Arithmetic, scorer: Measure, gain: str, key: str, stacked: bool = False, calls: Calls = ()
) -> None:
    """A table of ranks and the sum under it (or beside it)."""
    named = {"gain": gain, "discount": "P@k" if isinstance(scorer, AP) else "discount", "contribution": "product"}
    table = part.terms.rename(columns=named)
    fractions = ("P@k", "discount", "product", "running sum")
    columns = {name: st.column_config.NumberColumn(format="%.4f") for name in fractions}
    left, right = (st.container(), st.container()) if stacked else st.columns([0.46, 0.54], gap="medium")
    with left:
        report.shown("", Table(table, f"Rank by rank, {gain} the gain", calls=calls))
        st.dataframe(table, row_height=28, column_config=columns, key=key, placeholder=show.EMPTY)
    with right:
        show.put(Latex(sum_latex(part, scorer)))
        if part.ideal is not None:
            show.put(Text.note(f"Ideal order: {', '.join(part.ideal['document'])}. k is the rank."))


def sum_latex(part: Arithmetic, scorer: Measure) -> str:
    """The sum over ranks and what it is divided by, with the numbers in it."""
    total, score = short(part.total), rf"\mathbf{{{part.score:.4f}}}"
    if isinstance(scorer, AP):
        terms = " + ".join(
            rf"{short(gain)} \cdot \tfrac{{{round(precision * rank)}}}{{{rank}}}"
            for rank, gain, precision in ranks(part)
        )
        relevant = rf"\underbrace{{{short(part.normaliser)}}}_{{\text{{relevant}}}}"
        lines = [rf"\text{{sum}} &= {terms} = {total}", rf"\mathrm{{AP}} &= {total} / {relevant} = {score}"]
    else:
        assert isinstance(scorer, DiscountedSum)
        assert part.ideal is not None
        lines = [
            rf"\mathrm{{discount}} &= {scorer.discount.latex()}",
            rf"\mathrm{{DCG}} &= {products(part.terms)} = {total}",
            rf"\mathrm{{ideal}} &= {products(part.ideal)} = {short(part.normaliser)}",
            rf"\mathrm{{NDCG}} &= {total} / {short(part.normaliser)} = {score}",
        ]
    nothing = r" \quad (0/0 = 0)" if not part.normaliser else ""
    return r"\begin{aligned}" + r" \\[4pt] ".join(lines) + nothing + r"\end{aligned}"


def products(terms: pd.DataFrame) -> str:
    """Gain times discount of every rank."""
    pairs = zip(terms["gain"], terms["discount"], strict=True)
    return " + ".join(rf"{short(gain)} \cdot {short(discount)}" for gain, discount in pairs)


def ranks(part: Arithmetic) -> list[tuple[int, float, float]]:
    """(rank, gain, discount) from the top."""
    return list(zip(part.terms.index.tolist(), part.terms["gain"], part.terms["discount"], strict=True))


def mean_latex(measure: Aggregate, scores: np.ndarray, halved: bool) -> str:
    """The weighted mean with the numbers in it."""
    score, shares = float(measure.combine(scores, measure.shares)), [short(share) for share in measure.shares]
    if not isinstance(measure, MM):
        terms = " + ".join(rf"{share} \cdot {short(score)}" for share, score in zip(shares, scores, strict=True))
        return rf"\mathrm{{CAM}} = {terms} = \mathbf{{{score:.4f}}}"
    if not scores.all():
        return r"\mathrm{MM} = \mathbf{0.0000} \quad \text{as one aspect scores 0}"
    below = " + ".join(rf"\tfrac{{{share}}}{{{short(score)}}}" for share, score in zip(shares, scores, strict=True))
    mean = rf"\mathrm{{MM}} = ({' + '.join(shares)}) / \left( {below} \right) = "
    if halved:
        return mean + rf"{score:.4f}, \qquad \text{{as printed: }} {score:.4f} / 2 = \mathbf{{{score / 2:.4f}}}"
    return mean + rf"\mathbf{{{score:.4f}}}"


def gain_words(part: Measure, scale: Scale) -> str:
    """What a document gains on an aspect, in words."""
    if isinstance(part, AP):
        border = scale.positive_from if part.rel is None else part.rel
        return f"1 from {scale.names[scale.grades.index(border)]} on, else 0"
    return "the grade, " + ", ".join(f"{name} {grade:g}" for name, grade in zip(scale.names, scale.grades, strict=True))


def short(value: float) -> str:
    """At most 4 decimals, no trailing zeros."""
    return number(round(float(value), 4))


def symbol(document: object) -> str:
    """d1 with its number below the line."""
    return f"d_{{{str(document)[1:]}}}"
