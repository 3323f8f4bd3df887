"""Figures of guesses, by one person or a class, compared with the truth, and of leads in random draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evalcore.common.arrays import FloatArray
from evalcore.figures import draw
from evalcore.figures.style import BLUE, LINE, RED, plain

BAND = "rgba(47, 111, 208, 0.16)"
MARK = {"size": 12, "line": {"width": 1, "color": "white"}}


def guessed_number(
    guesses: Sequence[float],
    truth: float | None,
    off: float = 0.0,
    ends: tuple[float | None, float | None] = (None, None),
    unit: str = "",
    height: int = 230,
) -> draw.Figure:
    """Draw guesses on a line, the first at the top, and the truth as a vertical line in a band of accepted values.

    `truth` is None while it is hidden; `off` is half the width of the band; `ends` are the ends of the line, which is
    extended to guesses outside them.
    """
    known = [*guesses, *([] if truth is None else [truth]), *(end for end in ends if end is not None)]
    low, high = draw.ends(known, room=0.06)
    marks = draw.marks(
        list(guesses),
        [f"guess {at}" for at in range(1, len(guesses) + 1)],
        {**MARK, "color": RED, "symbol": "diamond"},
        "%{y}: %{x}",
        mode="markers+text",
        text=[f"{guess:.4g}" for guess in guesses],
        textposition="top center",
        cliponaxis=False,
    )
    shapes, notes = [], []
    if truth is not None:
        near = draw.box(BAND, (truth - off, truth + off), layer="below")
        shapes = [draw.upright(truth, dash="solid", width=2.5, color=BLUE), *([near] if off else [])]
        side = "right" if truth > (low + high) / 2 else "left"
        notes = [draw.note(f"<b>the answer: {truth:.4g}</b>", truth, 1, f"{side} bottom", size=None)]
    return draw.figure_of(
        [marks],
        height + 24 * max(len(guesses) - 3, 0),
        xaxis=draw.axis(plain(unit), range=[low, high]),
        yaxis=draw.axis("", range=[len(guesses) - 0.5, -0.7], type="category"),
        shapes=shapes,
        annotations=notes,
    )


def guessed_curve(
    points: Sequence[tuple[float, float]],
    guesses: Sequence[float],
    here: tuple[float, float],
    title: str,
    unit: str = "",
    height: int = 330,
) -> draw.Figure:
    """Draw the truth as a curve along a parameter, and the guesses at the point `here` that the question asks about."""
    x, y = np.array(points, dtype=float).T
    truth = draw.line(x, y, {"color": BLUE, "width": 2}, None, marker={"size": 5}, name="the answer")
    circle, diamond = {**MARK, "color": BLUE, "symbol": "circle"}, {**MARK, "color": RED, "symbol": "diamond"}
    asked = draw.marks([here[0]], [here[1]], circle, None, name="at the value in the question")
    guessed = draw.marks(
        [here[0]] * len(guesses),
        list(guesses),
        diamond,
        "guess %{customdata}: %{y}",
        customdata=list(range(1, len(guesses) + 1)),
        name="your guesses" if len(guesses) > 1 else "your guess",
    )
    across, up = draw.axis(plain(title)), draw.axis(plain(unit))
    return draw.figure_of([truth, guessed, asked], height, xaxis=across, yaxis=up, shapes=[draw.upright(here[0])])


def guessed_option(scores: pd.Series, guess: str, right: Sequence[str], title: str, height: int = 260) -> draw.Figure:
    """Draw the score of each option, with the right option in blue and a label at the guess."""
    values = scores.to_numpy(dtype=float)
    words = [" your guess" if name == guess else "" for name in scores.index]
    bars = draw.bars(
        values,
        [plain(name) for name in scores.index],
        [BLUE if name in right else LINE for name in scores.index],
        "%{y}: %{x:.4f}",
        orientation="h",
        text=[f"{value:.4g}{word}" for value, word in zip(scores, words, strict=True)],
        textposition="outside",
        cliponaxis=False,
    )
    across = draw.axis(plain(title), range=[0, 1.3 * (float(np.nanmax(values, initial=0.0)) or 1.0)])
    up = draw.axis("", autorange="reversed", showgrid=False)
    return draw.figure_of([bars], height, xaxis=across, yaxis=up, bargap=0.35)


def leads_drawn(
    leads: FloatArray,
    lead: float,
    band: tuple[float, float],
    names: tuple[str, str],
    title: str,
    height: int = 300,
) -> draw.Figure:
    """Draw a dot for the lead of one system over another in each random draw (the last is marked), and the real lead.

    `band` is an interval to show behind the dots, nan if there is none.
    """
    across, above = _stacked(leads, [lead, 0.0, *band])
    last = len(leads) - 1
    look = {
        "color": [RED if at == last else BLUE for at in range(len(leads))],
        "size": [12 if at == last else 7 for at in range(len(leads))],
    }
    dots = draw.marks(
        across,
        above,
        look,
        "draw %{customdata[0]}: %{customdata[1]:.4f}",
        customdata=[*zip(range(1, len(leads) + 1), leads, strict=True)],
    )
    known = [] if np.isnan(band).any() else [draw.box(BAND, band, layer="below")]
    low, high = draw.ends([*leads, lead, 0.0, *band], room=0.06)
    sides = [f"{plain(names[0])} leads →", f"← {plain(names[1])} leads"]
    notes = [draw.note(f"lead {lead:.3f}", lead, 1, "left bottom", size=None)]
    notes += [
        draw.note(text, at, 0.93, f"{side} middle", "xy", size=None)
        for text, at, side in zip(sides, (1, 0), ("right", "left"), strict=True)
    ]
    return draw.figure_of(
        [dots],
        height,
        xaxis=draw.axis(title, range=[low, high]),
        yaxis=draw.axis("draws", range=[0, max(above.max(initial=0) + 2, 8)]),
        shapes=[draw.upright(lead, dash="solid", width=2.5, color=BLUE), draw.upright(0.0, dash="dot"), *known],
        annotations=notes,
        showlegend=False,
    )


def answers_on_axis(
    answers: Sequence[float],
    ends: tuple[float | None, float | None] = (None, None),
    truth: Sequence[float] = (),
    off: float = 0.0,
    title: str = "",
    names: Mapping[float, str] | None = None,
    height: int = 380,
) -> draw.Figure:
    """Draw a dot for each answer of a class on an axis, and vertical lines for the truth once it is revealed.

    `off` is half the width of the accepted band; `names` are labels of values on the axis.
    """
    known = [*answers, *truth, *(end for end in ends if end is not None)]
    across, above = _stacked(answers, known)
    dots = draw.marks(across, above, {**MARK, "color": RED}, "%{customdata:.4g}", customdata=list(answers))
    bands = [draw.box(BAND, (at - off, at + off), layer="below") for at in truth if off]
    lines = [draw.upright(at, dash="solid", width=3, color=BLUE) for at in truth]
    low, high = draw.ends(known, room=0.06)
    sides = ["right" if at > (low + high) / 2 else "left" for at in truth]
    notes = [
        draw.note("<b>the answer</b>", at, 1, f"{side} bottom", size=None)
        for at, side in zip(truth, sides, strict=True)
    ]
    return draw.figure_of(
        [dots],
        height,
        xaxis=draw.axis(plain(title), range=[low, high], **draw.named_ticks(names)),
        yaxis=draw.axis("answers", range=[0, max(above.max(initial=0) + 2, 8)]),
        shapes=[*bands, *lines],
        annotations=notes,
    )


def _stacked(values: Sequence[float] | FloatArray, known: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Return the horizontal and vertical positions of one dot per value.

    Values are rounded to 40 bins over the range of `values` and `known`; dots in the same bin are stacked.
    """
    spread = np.array([*values, *known], dtype=float)
    step = max(np.nanmax(spread) - np.nanmin(spread), 1e-9) / 40 if spread.size else 1.0
    bins = np.round(np.asarray(values, dtype=float) / step)
    return bins * step, np.array([(bins[:at] == place).sum() + 1.0 for at, place in enumerate(bins)])
