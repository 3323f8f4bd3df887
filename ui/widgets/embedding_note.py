"""A note on which embedding TOMA uses if scales differ in length, with a button for the other embedding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.measures import TOMA, Measure, parse
from evalcore.measures.toma import EQUAL_RANGES, EQUAL_STEPS, tomas_in, with_embedding
from ui.screen.text import markdown

OTHER = {EQUAL_RANGES: EQUAL_STEPS, EQUAL_STEPS: EQUAL_RANGES}


def embedding_note(collection: Collection, texts: Iterable[str], take: Callable[[list[str]], None]) -> None:
    """Show which embedding these measures use, if it matters on the collection, and a button for the other one.

    After a click on the button, `take` is called with the measures under the other embedding, as text. Texts that are
    not measures are left out.
    """
    measures = [measure for measure in map(_parsed, texts) if measure is not None]
    mattering = [toma for measure in measures for toma in tomas_in(measure) if _matters(toma, collection)]
    used = {str(toma.embedding) for toma in mattering}
    if not used:
        return
    counts = {name: count for toma in mattering for name, count in label_counts(collection, toma.aspects).items()}
    if len(used) > 1:
        both = " and ".join(f"*{word}*" for word in OTHER)
        st.caption(f"TOMA by {both}", help="  \n".join(meaning(word, counts) for word in OTHER))
        return
    now = used.pop()
    swapped = list(dict.fromkeys(str(with_embedding(measure, OTHER[now])) for measure in measures))
    offer(now, counts, lambda: take(swapped))


def offer(now: str, counts: Mapping[str, int], take: Callable[[], None]) -> None:
    """Draw the name of an embedding, with its meaning as help, and a button for the other embedding.

    `counts` are the numbers of labels of the aspects.
    """
    icon = ":material/swap_horiz:"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"TOMA by *{now}*", help=meaning(now, counts), width="content")
        st.button(f"by {OTHER[now]}", key="other embedding", on_click=take, type="tertiary", icon=icon)


def meaning(embedding: str, counts: Mapping[str, int]) -> str:
    """Return a sentence that explains an embedding for aspects with these numbers of labels."""
    labels = ", ".join(f"{markdown(name)} {count}" for name, count in counts.items())
    sentence = (
        "all aspects have the same length from worst to best label, so an aspect with more labels does not count more"
        if embedding == EQUAL_RANGES
        else "neighbouring labels are one step apart, so an aspect with more labels counts more"
    )
    return f"*{embedding}*: {sentence} (labels: {labels})."


def label_counts(collection: Collection, aspects: Iterable[str]) -> dict[str, int]:
    """Map each aspect to its number of labels."""
    return {name: len(collection.assessments.scale(name).grades) for name in aspects}


def _matters(measure: TOMA, collection: Collection) -> bool:
    if not isinstance(measure.embedding, str) or not set(measure.aspects) <= set(collection.aspects):
        return False
    return len(set(label_counts(collection, measure.aspects).values())) > 1


def _parsed(text: str) -> Measure | None:
    try:
        return parse(text)
    except InputError:
        return None
