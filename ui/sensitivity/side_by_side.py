"""Two measures side by side: which depends more on its settings, and which topics drive that."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import figures
from evalcore.figures.endless import score_text
from evalcore.sensitivity import SideBySide, compared_in_words, side_by_side
from ui.address.highlight import Highlight
from ui.computing.parts import in_parts
from ui.data.as_python import as_python
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import markdown
from ui.sensitivity.controls import HEIGHT, SensitivitySettings, computed
from ui.stage import show


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Side by side."""
    with left:
        page.draw("own", "beside", "others", "several")
    if in_parts(page.collection):
        right.info("A collection in parts has no scores by topic at hand.", icon=":material/info:")
        return
    lacking = [text for text, varied in page.varied_sides if not varied]
    if lacking:
        right.info(f"{markdown(lacking[0])} has nothing that can be varied; choose another.", icon=":material/info:")
        return
    found = _compared(page)
    if found is None:
        return
    with left:
        difference, low, high = st.columns(3)
        show.metric(
            difference,
            "difference",
            score_text(found.difference, 3, sign="+"),
            help="Mean τ of the first less that of the second",
        )
        show.metric(low, "from", score_text(found.low, 3, sign="+"), help="95% interval over topics")
        show.metric(high, "to", score_text(found.high, 3, sign="+"), help="95% interval over topics")
    with right:
        show.put(Headline(markdown(compared_in_words(found))))
        table = found.topics.rename(columns={"difference": "influence"})
        figure = figures.influences(table.sort_values("influence"), "influence on the difference of τ", HEIGHT)
        alt = f"Influence of {len(table)} topics on the difference; the values are in the table Topics"
        show.put(Figure(figure, "driving", alt))
    show.explain(
        "Both measures are set to other settings than their default, on the same systems and topics. τ says how alike "
        "the order of the systems stays, as a mean over the settings: the lower, the more sensitive the measure. Each "
        "bar is a topic and what it does to the difference of the two τ.",
        "The interval is for what as many such topics give on average. Where it leaves out 0, one measure is more "
        "sensitive than the other. Red, below 0: the topic makes the first look more sensitive; blue: the second.",
        "Vary another part of either measure, or the same measure twice by different parts.",
    )
    st.markdown("**Both measures**")
    show.put(Table(found.table, "side by side", decimals=dict.fromkeys(("tau", "low", "high", "lowest"), 3)))
    st.markdown("**Topics**")
    show.put(Table(found.topics, "topics that drive it", height=320))
    for name, table in found.settings.items():
        st.markdown(f"**Settings of {markdown(name)}**")
        show.put(Table(table, f"settings of {name}", index=False, height=250, decimals={"tau": 3}))
    as_python(page.collection, *_code(page))


def _compared(page: SensitivitySettings) -> SideBySide | None:
    (first, own), (second, others) = page.varied_sides
    name = ("beside", page.collection.fingerprint, first, own, second, others, page.several)
    return computed(
        page,
        "beside",
        name,
        2 * page.several,
        lambda tell: side_by_side(first, own, second, others, page.collection, count=page.several, tell=tell),
        "Scoring both measures",
    )


def _code(page: SensitivitySettings) -> list[str]:
    """What recomputes the comparison."""
    (first, own), (second, others) = page.varied_sides
    return [
        f"found = ec.side_by_side({first!r}, {list(own)!r}, {second!r}, {list(others)!r}, c, count={page.several})",
        "table, topics, difference, low, high = found.table, found.topics, found.difference, found.low, found.high",
        "settings = list(found.settings.values())",
        "ec.plot(found)",
    ]
