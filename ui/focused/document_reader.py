"""One system's results for one topic, read rank by rank, with the arithmetic of each document written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.focused.document_scores import EntryScore
from evalcore.focused.overlay import Overlay, overlay
from evalcore.measures import DocumentF, DocumentScore
from ui.focused import texts
from ui.focused.marked_text import draw_text
from ui.focused.passage_settings import FocusedSettings
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Calls, Figure, Item, Latex, Text
from ui.screen.text import markdown
from ui.stage import show


def read_documents(view: FocusedSettings) -> None:
    """Draw one system's results for one topic, rank by rank. If the figure shows means, a control sets the topic."""
    columns = st.columns([1.5, 3, 0.95, 0.8, 1.1], vertical_alignment="bottom", gap="small")
    with columns[0]:
        view.draw("of")
        if view.single:
            st.markdown(f"Topic **{markdown(view.single)}**")
    with columns[4]:
        view.draw("whole")
    if view.rank is None:
        st.info(texts.nothing_returned(view.system, view.reading), icon=":material/info:")
        return
    _step(view, view.rank, *columns[1:4])
    if view.reading in view.collection.queries:
        st.markdown(f"*{markdown(view.collection.queries[view.reading])}*")
    overlaid = _overlaid(view, view.rank)
    numbers, text = st.columns([0.34, 0.66], gap="medium")
    with numbers:
        show.screen(_written_out(view, view.rank, overlaid))
    with text:
        _draw(view, view.rank, overlaid)


def _step(view: FocusedSettings, rank: int, middle: DeltaGenerator, back: DeltaGenerator, on: DeltaGenerator) -> None:
    """Draw the controls of the rank: a slider, and buttons to the previous and the next rank."""
    with middle:
        view.draw("rank")
    steps = ((back, "Previous", "chevron_left", rank - 1), (on, "Next", "chevron_right", rank + 1))
    for place, label, icon, to in steps:
        place.button(
            label,
            key=f"{label} rank",
            icon=f":material/{icon}:",
            disabled=not 1 <= to <= len(view.rows.value),
            on_click=view.change,
            kwargs={"rank": to},
            width="stretch",
        )


def _overlaid(view: FocusedSettings, rank: int) -> Call[Overlay]:
    """Return the call that makes the overlay of the document at a rank: its highlights and its returned parts."""
    document = str(view.rows.value.loc[rank, "document"])
    return call("overlaid", overlay, record(view.collection).passages, view.system, view.reading, document)


def _draw(view: FocusedSettings, rank: int, made: Call[Overlay]) -> None:
    """Draw the document as a map, then its text."""
    overlaid, begun = made.value, isinstance(view.scored.score, EntryScore)
    text = view.passages.texts.get(overlaid.document, "")
    show.screen(_mapped(made, begun))
    if not overlaid.placed:
        st.caption(texts.NO_POSITIONS)
    elif text:
        draw_text(text, overlaid, rank if view.by_part else 0, whole=view.whole, begun=begun)
    else:
        st.caption(texts.NO_TEXT)


def _mapped(overlaid: Call[Overlay], begun: bool) -> Iterator[Item]:
    yield Text(f"**{markdown(overlaid.value.document)}**, {overlaid.value.length:,} characters", calls=(overlaid,))
    figure = call("", figures.document_map, overlaid.it, begun=begun)
    yield Figure(figure, "document map", texts.MAP)


# --- the arithmetic ---------------------------------------------------------------------------------------------------


def _written_out(view: FocusedSettings, rank: int, made: Call[Overlay]) -> Iterator[Item]:
    """Yield P, R and F of the document with their numbers, and s(x, b) if it is the score of the task.

    P[r] and R[r] of the list come first if people read parts; gP[r] of the list comes last if they read documents.
    """
    read = line("read", view.rows.it.iloc[:rank])
    if view.by_part:
        yield from _of_the_list(rank, _list_lines(view, read.value), (read,))
    yield Text("**This document**")
    overlaid = made.value
    documents = view.documents.it
    document = line("document", documents[documents["document"] == overlaid.document])
    if not overlaid.relevant:
        yield Text.note(texts.NOTHING_HIGHLIGHTED)
    score = view.scored.score
    by_text = score if isinstance(score, DocumentF) else DocumentF()
    yield _latex(_text_lines(document.value.iloc[0], overlaid, by_text), (document, made))
    if isinstance(score, EntryScore):
        if overlaid.best_entry < 0 or overlaid.begun < 0:
            yield Text.note(texts.NO_ENTRY)
        else:
            yield _latex(_entry_lines(score, overlaid), (document, made))
    if not view.by_part:
        generalised = line("generalised", read.it[str(score)].mean())
        scores = read.value[str(score)]
        mean = rf"\mathrm{{gP}}[{rank}] &= \frac{{{scores.sum():.4f}}}{{{rank}}} = \mathbf{{{generalised.value:.4f}}}"
        yield from _of_the_list(rank, [mean], (generalised,))


def _of_the_list(rank: int, lines: Sequence[str], calls: Calls) -> Iterator[Item]:
    yield Text(f"**The list down to rank {rank}**")
    yield _latex(lines, calls)


def _list_lines(view: FocusedSettings, read: pd.DataFrame) -> list[str]:
    """Return P[r] and R[r] as lines of LaTeX with their numbers."""
    rank, highlights = len(read), view.passages.highlights
    size, rsize = (int(read[name].sum()) for name in ("size", "rsize"))
    total = int(highlights.relevant_text[highlights.topics.index(view.reading)])
    return [_quotient(f"P[{rank}]", rsize, size), _quotient(f"R[{rank}]", rsize, total)]


def _text_lines(row: pd.Series, overlaid: Overlay, score: DocumentF) -> list[str]:
    size, rsize = int(row["size"]), int(row["rsize"])
    lines = [_quotient("P(d)", rsize, size), _quotient("R(d)", rsize, overlaid.relevant)]
    name = "F" if score.beta == 1 else rf"F_{{{score.beta:g}}}"
    if not rsize:
        return [*lines, rf"{name}(d) &= \mathbf{{0}}"]
    shown = {"P": f"{row['P']:.4f}", "R": f"{row['R']:.4f}"}
    return [*lines, *_with_numbers(f"{name}(d)", score, score.of(size, rsize, overlaid.relevant), shown)]


def _entry_lines(score: EntryScore, overlaid: Overlay) -> list[str]:
    distance = abs(overlaid.begun - overlaid.best_entry)
    value = float(score.by_distance(np.array([distance]), np.array([overlaid.length]))[0])
    shown = {"L": _count(overlaid.length), "d": _count(distance)}
    apart = rf"d &= |{_count(overlaid.begun)} - {_count(overlaid.best_entry)}| = {_count(distance)}"
    return [apart, *_with_numbers("s(x, b)", score, value, shown)]


def _with_numbers(name: str, score: DocumentScore, value: float, shown: dict[str, str]) -> list[str]:
    """Return the score's formula with its numbers, and the result, as two lines of LaTeX."""
    parameters = {parameter: getattr(score, parameter) for parameter in score.parameters()}
    return [rf"{name} &= {score.formula.latex(**parameters, **shown)}", rf"&= \mathbf{{{value:.4f}}}"]


def _quotient(name: str, above: int, below: int) -> str:
    value = above / below if below else 0.0
    return rf"{name} &= \frac{{{_count(above)}}}{{{_count(below)}}} = \mathbf{{{value:.4f}}}"


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "{,}")


def _latex(lines: Sequence[str], calls: Calls) -> Latex:
    return Latex(r"\begin{aligned}" + r" \\[8pt] ".join(lines) + r"\end{aligned}", calls)
