"""The view Grades and depth on the page Labels: grades by aspect, and shares of assessed documents by depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import figures
from evalcore.data import Collection
from evalcore.meta import joint_counts, label_agreement
from ui.address import families
from ui.address.settings import Settings, setting
from ui.labels import texts
from ui.screen.calls import call, line, record
from ui.screen.items import Columns, Figure, Headline, Item, Text
from ui.screen.text import counted, markdown
from ui.stage import show
from ui.widgets.fields import Choice, Field

DEPTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
IN_A_ROW = 4  # most distributions side by side
SHALLOW = 10


def _pair(page: GradesSettings) -> Field | None:
    pairs = list(combinations((*page.collection.aspects, *page.collection.signals), 2))
    return Choice("Aspects", pairs, names=" and ".join) if pairs else None


@dataclass(frozen=True)
class GradesSettings(Settings, page="labels", prefix="grades_"):
    """Setting of the view: the two aspects or signals to compare."""

    pair: tuple[str, str] | None = setting(_pair)


def draw(collection: Collection) -> None:
    """Draw the view Grades and depth."""
    page = GradesSettings.now(collection)
    left, right = st.columns(2, gap="large")
    if collection.systems and collection.rankings.length.any():
        with left:
            show.screen(by_depth(collection))
    with right if collection.systems else left:
        page.draw("pair")
        show.screen(of_two(page) if page.pair else distributions(collection))
    if page.pair:
        show.screen(distributions(collection))


def by_depth(collection: Collection) -> Iterator[Item]:
    """Yield the share of assessed documents by depth."""
    deepest = int(collection.rankings.length.max(initial=0))
    depths = [depth for depth in DEPTHS if depth <= deepest] or [1]
    shares = line("shares", record(collection).assessed_share(depths))
    median = line("median", shares.it.median())
    first, last = min(SHALLOW, depths[-1]), depths[-1]
    yield Headline(texts.seen(first, median.value[first], last, median.value[last]), (median,))
    figure = call("", figures.assessed_by_depth, shares.it, families.styles_of(collection))
    yield Figure(figure, "assessed", texts.ASSESSED)
    yield Text.note(texts.READING_DEPTH)


def of_two(page: GradesSettings) -> Iterator[Item]:
    """Yield the correlation and the joint distribution of two aspects or signals."""
    assert page.pair
    first, second = page.pair
    pool: Any = record(page.collection).assessments
    labels = call("labels", pd.DataFrame, {name: pool.column(name) for name in page.pair})
    alike = call("alike", label_agreement, labels.it)
    tau, documents = (line(name, alike.it[name].iloc[0]) for name in ("tau_b", "documents"))
    yield Text(texts.tau_of_grades(tau.value, documents.value), calls=(tau, documents))
    counts = call("counts", joint_counts, labels.it[first], labels.it[second])
    figure = call("", figures.joint_grades, counts.it, height=262)
    yield Figure(figure, "joint", f"Matrix of documents by {first} and {second}")
    yield Text.note(texts.READING_TWO_GRADES)


def distributions(collection: Collection) -> Iterator[Item]:
    """Yield the distribution of the grades or values of each aspect and signal."""
    names = list(collection.assessments.scales)
    for start in range(0, len(names), IN_A_ROW):
        row = [tuple(_distribution(collection, name)) for name in names[start : start + IN_A_ROW]]
        empty = min(len(names), IN_A_ROW) - len(row)  # empty columns keep all rows at the same column width
        yield Columns((*row, *[()] * empty))


def _distribution(collection: Collection, name: str) -> Iterator[Item]:
    pool = collection.assessments
    scale, values = pool.scales[name], pool.columns[name]
    title = name + (f" ({scale.unit})" if scale.unit else "")
    names = dict(zip(scale.grades, scale.names, strict=False))
    figure = call("", figures.distribution, record(collection).assessments.columns[name], title, names)
    yield Figure(figure, f"grades {name}", f"Distribution of {name}")
    missing = int(np.isnan(values).sum())
    unjudged = int(np.isnan(pool.column(name)).sum()) - missing
    facts = [
        " · ".join(f"{grade:g} {markdown(word)}" for grade, word in names.items()),
        f"{scale.good} is good",
        f"{counted(missing, 'document')} without a value" if missing else "",
        f"below 0: {counted(unjudged, 'document')} in the pool but not judged" if unjudged else "",
    ]
    yield Text.note("; ".join(filter(None, facts)))
