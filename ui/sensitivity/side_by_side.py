"""Two measures side by side: which depends more on its settings, and which topics drive that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from evalcore.sensitivity import SideBySide, compared_in_words
from ui.address.families import plotted_plain
from ui.address.highlight import Highlight
from ui.screen.calls import Call, call
from ui.screen.items import At, Figure, Headline, Item, Metric, Table, Text, in_row
from ui.screen.text import markdown, score_text
from ui.sensitivity.controls import HEIGHT, SensitivitySettings
from ui.stage import show


def draw(page: SensitivitySettings, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """The look Side by side."""
    with left:
        page.draw("own", "beside", "others", "several")
    lacking = [text for text, varied in page.varied_sides if not varied]
    if lacking:
        right.info(f"{markdown(lacking[0])} has nothing that can be varied; choose another.", icon=":material/info:")
        return
    comparison = _compared(page)
    if comparison.value is None:
        return
    show.screen(_answer(comparison), {"left": left, "right": right})
    show.explain(
        "Both measures are set to other settings than their default, on the same systems and topics. τ says how alike "
        "the order of the systems stays, as a mean over the settings: the lower, the more sensitive the measure. Each "
        "bar is a topic and what it does to the difference of the two τ.",
        "The interval is for what as many such topics give on average. Where it leaves out 0, one measure is more "
        "sensitive than the other. Red, below 0: the topic makes the first look more sensitive; blue: the second.",
        "Vary another part of either measure, or the same measure twice by different parts.",
    )
    show.screen(_tables(comparison))


def _compared(page: SensitivitySettings) -> Call[Any]:
    (first, own), (second, others) = page.varied_sides
    text = "{first}, {own}, {second}, {others}, {c}, count={count}"
    sides = {"first": first, "own": list(own), "second": second, "others": list(others)}
    label, count = "Scoring both measures", page.several
    return page.kept("found", "side_by_side", text, label, 2 * count, **sides, count=count)


def _answer(comparison: Call[SideBySide]) -> Iterator[Item]:
    """How much more sensitive the one is, and which topics drive that."""
    helps = {"difference": "Mean τ of the first measure less that of the second"}
    labels = {"difference": "difference", "low": "from", "high": "to"}
    values = {name: comparison.then(name, f".{name}") for name in labels}
    metrics = (
        Metric(
            label, score_text(change.value, 3, "+"), help=helps.get(name, "95% interval over topics"), calls=(change,)
        )
        for (name, label), change in zip(labels.items(), values.values(), strict=True)
    )
    first, second = map(markdown, comparison.value.table.index)
    yield At("left", (in_row(*metrics), Text.note(f"τ of {first} less τ of {second}")))
    figure = plotted_plain("", "{found}", {"height": HEIGHT}, found=comparison)
    alt = f"Influence of {len(comparison.value.topics)} topics on the difference; the values are in the table Topics"
    words = markdown(compared_in_words(comparison.value))
    yield At("right", (Headline(words, (comparison,)), Figure(figure, "driving", alt)))


def _tables(comparison: Call[SideBySide]) -> Iterator[Item]:
    table, topics = comparison.then("table", ".table"), comparison.then("topics", ".topics")
    yield Text("**Both measures**")
    yield Table(table, "side by side", decimals=dict.fromkeys(("tau", "low", "high", "lowest"), 3))
    yield Text("**Topics**")
    yield Table(topics, "topics that drive it", height=320)
    settings = call("settings", "list({found}.settings.values())", found=comparison)
    for name, frame in comparison.value.settings.items():
        yield Text(f"**Settings of {markdown(name)}**")
        yield Table(frame, f"settings of {name}", {"tau": 3}, 250, index=False, calls=(settings,))
