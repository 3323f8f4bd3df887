"""The specification curve: a claim's effect in every specification, with its options below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.rounding import percent
from evalcore.figures import draw
from evalcore.figures.draw import score_text
from evalcore.figures.style import BLUE, RED, plain
from evalcore.notation.display_names import reading_name

MOST_COLUMNS = 2500  # specifications that are drawn, evenly spread if there are more
MOST_ROWS = 12  # rows of one choice; with more options, several share a row
LONGEST_NAME = 34
CURVE, ROW, TOP, BOTTOM = 300, 15, 46, 14  # pixels: the curve, a row beneath, top margin, bottom margin
GREY = "#8a94a0"
COLOURS = {"holds": BLUE, "undecided": GREY, "fails": RED}
SYMBOLS = {"holds": "triangle-up", "undecided": "circle-open", "fails": "triangle-down"}
WORDS = {"holds": "holds", "undecided": "undecided"}
TITLES = {"difference": "difference of means", "standardised": "standardised difference", "rank": "rank"}


def specification_curve(
    frame: pd.DataFrame,
    options: Mapping[str, Sequence[str]],
    *,
    kind: str = "difference",
    top: int | None = None,
    taken: Mapping[str, FloatArray] | None = None,
    failing: str = "is reversed",
    curve: int = CURVE,
) -> draw.Figure:
    """Draw effects in ascending order with intervals, coloured by decision; beneath, the options of each specification.

    `frame` has a row for each specification, least effect first: specification, a column for each choice of `options`
    ("" if it does not apply), scored by, effect, low, high, decision (holds, undecided or fails), weight. On the
    right, each option has the share of its specifications in which the claim holds. `top` is the worst rank with
    which the claim holds. `taken` maps each choice to the weight of each option in each specification (specifications,
    options), if a specification represents several combinations. `failing` is the verb for a claim that fails, `curve`
    the height of the curve in pixels. Specification numbers are the first customdata of a point, and the meta of the
    marks.
    """
    shown = frame.iloc[draw.evenly(len(frame), MOST_COLUMNS)]
    border = 0.0 if kind != "rank" else None if top is None else top + 0.5  # the effect without a preference
    known = {name: _taken(frame, name, names) for name, names in options.items()} if taken is None else taken
    rows = _rows(frame, options, known)
    words, reverse = {**WORDS, "fails": failing}, {"autorange": "reversed"} if kind == "rank" else {}
    height = TOP + curve + ROW * len(rows) + BOTTOM
    split = (ROW * len(rows)) / (height - TOP - BOTTOM)
    curves = [drawn for word in COLOURS for drawn in _decided(shown, frame, word, kind, words)]
    return draw.figure_of(
        [*curves, _marks(shown, rows, options, known), draw.unseen(x=[0], y=[0], yaxis="y3")],
        height,
        xaxis={"visible": False, "range": [-0.5 - 0.01 * len(shown), len(shown) - 0.5 + 0.01 * len(shown)]},
        yaxis=draw.axis(TITLES[kind], domain=[split + 0.025, 1.0], **reverse),
        yaxis2=draw.rows([row.label for row in rows], **_beneath(rows, split), tickfont={"size": 11}),
        yaxis3=_share_axis(rows, split),
        shapes=[] if border is None else [draw.level(border, dash="solid", width=1.5)],
        margin={"l": 8, "r": 8, "t": TOP, "b": BOTTOM},
        clickmode="event+select",
        barmode="overlay",
    )


def option_shares(table: pd.DataFrame, failing: str = "is reversed") -> draw.Figure:
    """Draw bars by choice and option: the shares of specifications in which the claim holds, is undecided or fails.

    `table` comes from `Study.by_option`. `failing` is the verb for a claim that fails. The choice whose options differ
    most comes first. The more rows there are, the smaller is their height, so that the figure fits on one screen.
    """
    words, held = {**WORDS, "fails": failing}, table.groupby("choice", sort=False)["holds"]
    spread = (held.transform("max") - held.transform("min")).round(9)
    table = table.iloc[np.argsort(-spread.to_numpy(), kind="stable")]
    begins = (table["choice"] != table["choice"].shift()).to_numpy()
    heads = np.where(begins, "<b>" + table["choice"].map(lambda name: plain(_short(str(name), 40))) + "</b>  ", "")
    rows = heads + table["option"].map(lambda name: plain(_short(reading_name(name), LONGEST_NAME)))
    names = (table["choice"] + ": " + table["option"]).map(plain).tolist()
    bars = [
        draw.bars(
            table[word], np.arange(len(table)), colour, f"<b>%{{x:.0%}}</b> {words[word]}<br>%{{text}}",
            orientation="h", name=words[word], text=names, textposition="none", opacity=0.85,
        )
        for word, colour in COLOURS.items()
    ]  # fmt: skip
    height = min(22, max(12, 530 / len(table)))
    type = {"size": min(12, round(height - 2))}
    return draw.figure_of(
        bars,
        TOP + round(height * len(table)) + 52,
        barmode="stack",
        bargap=0.25,
        xaxis=draw.axis("share of specifications", range=[0, 1], tickformat=".0%"),
        yaxis=draw.rows(rows.tolist(), tickfont=type),
        legend={**draw.LEGEND, "traceorder": "normal"},
        margin={"l": 8, "r": 16, "t": TOP, "b": 52},
    )


# --- the curve --------------------------------------------------------------------------------------------------------


def _decided(
    shown: pd.DataFrame, frame: pd.DataFrame, word: str, kind: str, words: Mapping[str, str]
) -> list[draw.Trace]:
    """Draw intervals and points of the specifications with one decision."""
    places: IntArray = np.flatnonzero(shown["decision"] == word)
    own, few = shown.iloc[places], len(shown) <= 200
    share = float(frame["weight"][frame["decision"] == word].sum())
    look = {"color": COLOURS[word], "width": 2.5 if few else 1.5}
    segments = draw.gapped(own["low"], own["high"])
    group: dict[str, Any] = {"legendgroup": word}
    return [
        draw.line(np.repeat(places, 3) * 1.0, segments, look, opacity=0.4, connectgaps=False, **group),
        draw.marks(
            places,
            own["effect"],
            {"color": COLOURS[word], "symbol": SYMBOLS[word], "size": 8 if few else 5},
            "%{text}",
            name=f"{words[word]} {percent(share)}",
            customdata=own[["specification"]].to_numpy(),
            text=_hovers(own, kind, words),
            showlegend=bool(len(own)),
            **group,
        ),
    ]


def _hovers(own: pd.DataFrame, kind: str, words: Mapping[str, str]) -> list[str]:
    sign: Any = "" if kind == "rank" else "+"
    columns = (own[name].tolist() for name in ("scored by", "effect", "low", "high", "decision"))
    return [
        f"<b>{words[decision]}</b>: {score_text(effect, sign=sign)} "
        f"({score_text(low, sign=sign)} to {score_text(high, sign=sign)})<br>{plain(_short(measure, 80))}"
        for measure, effect, low, high, decision in zip(*columns, strict=True)
    ]


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A choice's name, or some of its options, beneath the curve."""

    name: str
    choice: str
    options: tuple[str, ...] = ()
    held: float = float("nan")

    @property
    def label(self) -> str:
        return (
            plain(_short(reading_name(self.name), LONGEST_NAME))
            if self.options
            else f"<b>{plain(_short(self.name, 40))}</b>"
        )


def _taken(frame: pd.DataFrame, choice: str, names: Sequence[str]) -> FloatArray:
    """Return the weight of each option of a choice in each specification: (specifications, options)."""
    of = pd.Index(names).get_indexer(pd.Index(frame[choice]))
    taken = np.zeros((int(frame["specification"].max()) + 1, len(names)))
    known = of >= 0
    taken[frame["specification"].to_numpy()[known], of[known]] = frame["weight"].to_numpy()[known]
    return taken


def _rows(frame: pd.DataFrame, options: Mapping[str, Sequence[str]], taken: Mapping[str, FloatArray]) -> list[_Row]:
    """Return rows for each choice with at least two options that occur: its name, then its options in order."""
    rows, numbers = list[_Row](), frame["specification"].to_numpy()
    holding = numbers[(frame["decision"] == "holds").to_numpy()]
    for choice, names in options.items():
        every, held = (taken[choice][at].sum(axis=0) for at in (numbers, holding))
        used = np.flatnonzero(every > 0)
        if len(used) > 1:
            groups = np.array_split(used, min(len(used), MOST_ROWS))
            shares = [float(held[at].sum() / every[at].sum()) for at in groups]
            listed = [tuple(names[at] for at in group) for group in groups]
            own = [_Row(_span(group), choice, group, share) for group, share in zip(listed, shares, strict=True)]
            rows += [_Row(choice, choice), *own]
    return rows


def _span(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _marks(
    shown: pd.DataFrame, rows: Sequence[_Row], options: Mapping[str, Sequence[str]], taken: Mapping[str, FloatArray]
) -> draw.Trace:
    """Draw all marks as one image, which a browser draws at once; the colour of a mark shows the decision."""
    decided = shown["decision"].map({"fails": 1, "undecided": 2, "holds": 3}).to_numpy(dtype=np.int8)
    cells = np.zeros((max(len(rows), 1), len(shown)), dtype=np.int8)
    for at, row in enumerate(rows):
        if row.options:
            own = pd.Index(options[row.choice]).isin(row.options)
            marked = (taken[row.choice][shown["specification"].to_numpy()][:, own] > 0).any(axis=1)
            cells[at] = np.where(marked, decided, 0)
    steps = ["rgba(0, 0, 0, 0)", COLOURS["fails"], COLOURS["undecided"], COLOURS["holds"]]
    scale = [[end / 4, colour] for at, colour in enumerate(steps) for end in (at, at + 1)]
    look = {"yaxis": "y2", "ygap": 3, "xgap": 1 if len(shown) <= 120 else 0}
    clicked = {"hoverinfo": "none", "meta": shown["specification"].tolist()}  # "skip" would ignore clicks
    return draw.cells(cells, scale, (-0.5, 3.5), None, **look, **clicked)


def _share_axis(rows: Sequence[_Row], split: float) -> draw.Part:
    """Return an axis that shows, for each option, the share of its specifications in which the claim holds."""
    known = [at for at, row in enumerate(rows) if row.options]
    labels = [percent(rows[at].held) for at in known]
    heading = {"tickvals": [0, *known], "ticktext": ["holds", *labels]} if rows else {"tickvals": []}
    right = {"overlaying": "y2", "side": "right", "tickfont": {"size": 10}, "showgrid": False}
    return draw.axis("", **heading, **_beneath(rows, split), **right)


def _beneath(rows: Sequence[_Row], split: float) -> dict[str, Any]:
    return {"domain": [0.0, split], "range": [len(rows) - 0.5, -0.5]}


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
