"""A document's text with the assessors' highlights and the parts that a system returned."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

import streamlit as st

from evalcore.focused.overlay import Overlay, Stretch

STYLE = Path(__file__).with_suffix(".css")
KEPT = 240  # characters shown at each end of a long part that is neither highlighted nor returned
BEST_ENTRY = '<span class="entry">▷ best entry point</span>'
BEGUN = '<span class="entry begun">▷ system begins</span>'
NOW = '<span><span class="rank now">{}</span><span class="returned now">this part</span></span>'
LEGEND = (
    '<span class="marked">highlighted by the assessor</span>',
    '<span><span class="rank">3</span><span class="returned">returned, as part 3</span></span>',
    '<span><span class="rank">3</span><span class="marked returned">both</span></span>',
    BEST_ENTRY,
)


def draw_text(text: str, overlaid: Overlay, now: int = 0, *, whole: bool = False, begun: bool = False) -> None:
    """Show the text in a box with a legend; for the arguments see `marked_text`."""
    st.html(STYLE)
    legend = "".join((*LEGEND, *([NOW.format(now)] if now else []), *([BEGUN] if begun else [])))
    body = marked_text(text, overlaid, now, whole=whole, begun=begun)
    st.html(
        f'<div class="passages-legend">{legend}</div>'
        f'<div class="passages" tabindex="0" role="region" aria-label="Text of the document">{body}</div>'
    )


def marked_text(text: str, overlaid: Overlay, now: int = 0, *, whole: bool = False, begun: bool = False) -> str:
    """Return the text as HTML.

    The part at rank `now` is emphasised. With `whole`, nothing is left out. With `begun`, the start of the
    system's best-ranked part is marked.
    """
    marks = {overlaid.best_entry: BEST_ENTRY}
    if begun:
        marks[overlaid.begun] = BEGUN + marks.get(overlaid.begun, "")
    return "".join(_pieces(text, overlaid, marks, now, whole))


def _pieces(text: str, overlaid: Overlay, marks: dict[int, str], now: int, whole: bool) -> Iterator[str]:
    rank = 0
    for stretch in overlaid.stretches:
        if stretch.rank and stretch.rank != rank:
            yield f'<span class="rank{" now" * (stretch.rank == now)}">{stretch.rank}</span>'
        rank = stretch.rank
        inside = (at for at in marks if stretch.start < at < stretch.end)
        for start, end in pairwise(sorted({stretch.start, stretch.end, *inside})):
            yield marks.get(start, "")
            plain = not stretch.highlighted and not stretch.rank
            yield _shortened(text[start:end], whole) if plain else _span(text[start:end], stretch, now)


def _span(text: str, stretch: Stretch, now: int) -> str:
    kinds = [("marked", stretch.highlighted), ("returned", stretch.rank > 0), ("now", 0 < stretch.rank == now)]
    names = " ".join(name for name, on in kinds if on)
    return f'<span class="{names}">{escape(text)}</span>'


def _shortened(text: str, whole: bool) -> str:
    """Return a text as HTML. Unless `whole`, its middle is left out if it has 3 x KEPT characters or more.

    The cuts are made at spaces, if there are spaces in the text kept at the ends.
    """
    if whole or len(text) < 3 * KEPT:
        return escape(text)
    head = text.rfind(" ", 0, KEPT) + 1 or KEPT
    tail = max(text.find(" ", len(text) - KEPT), len(text) - KEPT)
    note = f'<span class="left-out">[… {tail - head:,} characters, neither highlighted nor returned …]</span>'
    return escape(text[:head]) + note + escape(text[tail:])
