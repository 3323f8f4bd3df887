"""Closer look at the difference that a measure needs to tell a pair of systems apart."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from evalcore import figures
from evalcore.meta.discrimination import largest_needed_difference
from evalcore.progress import Tell
from evalcore.rounding import less
from ui.discriminative_power.controls import Power, of_each
from ui.discriminative_power.pairs import Tests, power_of
from ui.screen.calls import Call, call
from ui.screen.items import Figure, Item, Table, Text
from ui.stage import show


def needed(page: Power, tests: Tests) -> None:
    differences = needed_differences(page, tests)
    if differences.value:
        show.screen(of_needed(page, tests, differences))


def needed_differences(page: Power, tests: Tests) -> Call[dict[str, float]]:
    """The largest difference that a pair needs to be told apart, under each measure."""

    def run(scores: pd.DataFrame, tell: Tell) -> float:
        return largest_needed_difference(scores, page.alpha, page.draws, tell)

    label, frames = "Looking for the difference that is needed", {text: page.scores[text] for text in tests.value}
    known_by = (*page.known_by, "needed", page.alpha)
    largest = page.kept("needed", label, run, known_by, frames, page.asked(len(frames)))
    text = "ec.needed_differences({scores}[text], {alpha}, {drawn})['needed'].max()"
    return page.each("needed", text, largest, alpha=page.alpha)


def of_needed(page: Power, tests: Tests, differences: Call[dict[str, float]]) -> Iterator[Item]:
    """What each measure needs, beside the pairs that it tells apart and those that it does not."""
    yield Text(
        "Each dot is a pair of systems, blue where it is told apart. The red mark is Sakai's estimate: for every pair, "
        "the difference in the resample whose |t*| is the B·α-th largest; of all pairs the largest. As a rule, a pair "
        "that differs by more is told apart. Units are the measure's own: compare a measure with its own dots only.",
        "note",
    )
    parts = {"tests": tests, "needed": differences, "names": page.named, "alpha": page.alpha}
    text = (
        "{needed_strips}({{{names}[text]: {tests}[text].pairs for text in {needed}}}, "
        "{{{names}[text]: least for text, least in {needed}.items()}}, {alpha})"
    )
    figure = call("", text, needed_strips=figures.needed_strips, **parts)
    alt = "Differences of all pairs by measure, told apart or not; the table has the numbers"
    yield Figure(figure, "needed", alt, drawn=page.drawn)
    columns = needed_columns(page, tests, differences)
    table = pd.DataFrame({name: result.value for name, result in columns.items()}, index=list(differences.value))
    shown, calls = table.rename(page.names).rename_axis("measure"), tuple(columns.values())
    yield Table(shown, "needed differences", {"power": 3}, drawn=page.drawn, calls=calls)


def needed_columns(page: Power, tests: Tests, differences: Call[dict[str, float]]) -> dict[str, Call[dict[str, float]]]:
    """The columns of the table: power, and the differences around the one that is needed."""
    known = of_each("known", "{tests}[text].pairs.dropna(subset='asl')", differences, tests=tests)
    apart = of_each("apart", "{less}(result['asl'], {alpha})", known, less=less, alpha=page.alpha)
    sizes = of_each("sizes", "result['difference'].abs()", known)
    return {
        "power": power_of(page, tests),
        "needed": differences,
        "smallest significant": of_each("smallest", "result[{apart}[text]].min()", sizes, apart=apart),
        "largest not significant": of_each("largest", "result[~{apart}[text]].max()", sizes, apart=apart),
        "pairs that differ by more": of_each("beyond", "({sizes}[text] > result).sum()", differences, sizes=sizes),
    }
