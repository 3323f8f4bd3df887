"""The report of the command line: a comparison of systems under several measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import cast

import numpy as np
import pandas as pd

from evalcore import figures, meta
from evalcore.common.latex import caption
from evalcore.data.restricting import restrict
from evalcore.data.shown_names import names_in
from evalcore.direction import has_gaps
from evalcore.drawing import heatmap
from evalcore.errors import InputError
from evalcore.figures.document import Item, Section, rests_on
from evalcore.figures.path import PLACES, Path, Sheet
from evalcore.measures import Measure, covered_topics, evaluate, short_names
from evalcore.measures.paths import with_path
from evalcore.sensitivity.parameters import Parameter, parameters_of
from evalcore.structures.documents import Collection

HOW_SURE = "Ranks with their intervals"


def comparison(measures: Sequence[Measure], collection: Collection, *, sliders: bool = False) -> list[Section]:
    """Return sections that compare systems under measures: scatter of the first two, ranks, correlations, scores.

    Only topics that all measures cover are used. If `sliders`, each number of the first two measures is a slider of
    every section.
    """
    data, collection = rests_on(collection), restrict(collection, topics=covered_topics(collection, measures))
    sections = _compared(measures, collection)
    paths: list[list[Path]] = [[] for _ in sections]
    if sliders and len(sections) > 1:
        for at, number in _numbers(measures[:2], collection):
            for own, path in zip(paths, _paths(measures, collection, at, number, sections), strict=True):
                own.append(path)
    return [replace(section, data=data, paths=own) for section, own in zip(sections, paths, strict=True)]


def _numbers(measures: Sequence[Measure], collection: Collection) -> list[tuple[int, Parameter]]:
    """Return (index of the measure, parameter) for each numeric parameter that can be varied."""
    return [
        (at, number)
        for at, measure in enumerate(measures)
        for number in parameters_of(measure, collection)
        if number.value is not None and len(number.round_values(PLACES)) > 1
    ]


def _paths(
    measures: Sequence[Measure], collection: Collection, at: int, number: Parameter, sections: Sequence[Section]
) -> list[Path]:
    """Return, for a slider of one number of one measure, the path of each section."""
    names = [short_names(map(str, measures))[str(measure)] for measure in measures]
    own = cast(float, number.value)
    values = sorted({*number.round_values(PLACES), own})

    @cache
    def moved(place: int) -> list[Section]:
        """Return the sections at a position; [] if the measure cannot have that value, or a section loses items."""
        try:
            changed = with_path(measures[at], number.path, values[place])
            there = _compared([*measures[:at], changed, *measures[at + 1 :]], collection)
        except InputError:
            return []
        return there if [len(one.items) for one in there] == [len(one.items) for one in sections] else []

    def draw(which: int, place: int) -> Sheet | None:
        there = sections if values[place] == own else moved(place)
        return there[which].sheet(captions=True) if there else None

    texts = [repr(float(value)).removesuffix(".0") for value in values]
    label, start = f"{number.path} of {names[at]}", values.index(own)
    return [Path(label, texts, start, partial(draw, which)) for which in range(len(sections))]


def _compared(measures: Sequence[Measure], collection: Collection) -> list[Section]:
    scores = evaluate(measures, collection)
    names = short_names(scores)
    shown_as = names_in(collection)
    tables = {names[text]: frame.rename(columns=shown_as) for text, frame in scores.items()}
    if all(map(has_gaps, tables.values())):
        tables = meta.shared_part(tables)
    means = {name: frame.mean() for name, frame in tables.items()}
    shown = pd.DataFrame(means).loc[meta.best_first(next(iter(means.values()))).index]
    settings = {"Measures": ", ".join(scores)}
    about = caption("", f"{collection.title}, {collection.topics_in_words}", list(scores))
    means_shown = Item(shown, "Mean scores over topics", "scores")
    if len(collection.systems) < 2 or len(means) < 2:
        return [Section("Scores", [means_shown], settings=settings, about=about)]
    styles = {shown_as[name]: style for name, style in figures.system_styles(collection.systems).items()}
    (x_name, x), (y_name, y) = list(means.items())[:2]
    matrix = meta.correlation_matrix(tables)
    intervals = {name: meta.rank_intervals(frame) for name, frame in tables.items() if meta.quickly_resampled(frame)}
    sentences = [meta.first_in_words(interval, name) for name, interval in intervals.items()]
    doubt = [interval.table for interval in intervals.values()] if len(intervals) == len(tables) else []
    x_title, y_title = map(figures.measure_title, (x_name, y_name))
    scatter = figures.scatter(x, {y_name: y}, styles, doubt=doubt[:2], x_title=x_title, y_title=y_title)
    bump = figures.bump(means, styles, doubt=doubt)
    moved = int((meta.ranks(x) != meta.ranks(y)).sum())
    tau = meta.tau(x, y)
    swapped = f"{moved} of {len(x)} systems change rank" + ("" if np.isnan(tau) else f": tau {tau:.3f}")
    pairs = matrix.pairs().dropna(subset=["tau"])
    agree = "Tau is undefined, as all systems score the same"
    if len(pairs):
        least = pairs.iloc[int(pairs["tau"].argmin())]
        agree = f"{least['test']} and {least['reference']} agree least: tau {least['tau']:.3f}"
    sections = [
        Section(
            f"{x_name} against {y_name}",
            [Item(scatter, "Each mark is a system. On the line both scores are equal.", "scatter")],
            {"moved": swapped},
            settings=settings,
        ),
        Section(
            "Ranks",
            [Item(bump, "Ranks of the systems. If two lines cross, the systems swap.", "ranks")],
            {f"winner {at}": sentence for at, sentence in enumerate(sentences)},
        ),
        *([Section(HOW_SURE, _how_sure(*next(iter(intervals.items())), styles))] if intervals else []),
        Section(
            "Agreement of measures",
            [Item(heatmap(matrix), "Kendall's tau_b of each pair of measures, in bold above 0.9", "agreement")],
            {"least alike": agree},
        ),
        Section("Scores", [means_shown]),
    ]
    return [replace(section, about=about) for section in sections]


def _how_sure(name: str, intervals: meta.RankIntervals, styles: figures.style.Styles) -> list[Item]:
    """Return items on the uncertainty of the ranks under one measure: a figure, and the table that it draws."""
    words = (
        f"{name}: ranks with 95% intervals over {intervals.n_topics} topics. Thick lines are valid for one system at a "
        "time, thin lines for all systems together. A filled mark is a system that may be the best. Bars show the "
        f"share of {intervals.n_resamples:,} resamples of the topics in which a system is first."
    )
    columns = ["rank", "shared", "mean", "share_first", "rank_low", "rank_high", "all_low", "all_high"]
    columns += ["may_be_best", "lead_low", "lead_high", "groups"]
    return [
        Item(figures.ranks_over_topics(intervals.table, styles), words, "intervals"),
        Item(intervals.table[columns], f"Table of the ranks and intervals under {name}", "ranks with intervals"),
    ]
