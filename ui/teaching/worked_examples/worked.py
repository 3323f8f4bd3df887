"""One ranking, worked out under each measure: its score, the sum by hand, and what each rank adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.common.rounding import less
from evalcore.data import Collection
from evalcore.explain import read_down
from evalcore.explain.arithmetic import label_steps
from evalcore.explain.what_if import edited
from evalcore.figures.style import system_styles
from evalcore.measures import TOMA, Aggregate, has_user_model
from evalcore.teaching.papers.by_hand import hand_examples
from evalcore.teaching.typed_rankings import SYSTEM, TOPIC, written_collection
from ui.data.as_python import TextLines
from ui.screen.calls import Call, call, keyed, line, record
from ui.screen.items import Figure, Headline, Item, Latex, Table, Text
from ui.screen.text import reading_name
from ui.teaching.worked_examples import texts
from ui.teaching.worked_examples.example_settings import ExampleSettings

DECIMALS = {"adds": 4, "sum so far": 4, "C": 4, "W": 4, "L": 4}


@dataclass(frozen=True)
class Worked:
    """Calls that score the example, as given and as edited, under the measures that can be computed on it."""

    page: ExampleSettings
    known: tuple[str, ...] = ()

    @property
    def measures(self) -> list[str]:
        """The measures, as text; only the example's own measure if its ranking cannot be changed."""
        assert self.page.hand
        return list(self.known) or [str(self.page.hand.parsed)]

    @property
    def is_by_hand(self) -> bool:
        """True if the example is unchanged, so that the calculation by hand applies."""
        assert self.page.hand
        return not self.page.is_rewritten and not self.page.made and self.measures[0] == str(self.page.hand.parsed)

    @cached_property
    def given(self) -> Call[Collection]:
        if self.page.is_rewritten:
            return call("c", written_collection, TextLines(self.page.written or ""))
        return line("c", record(hand_examples)()[self.page.one].collection)

    @cached_property
    def after(self) -> Call[Collection]:
        return call("after", edited, self.given.it, list(self.page.made)) if self.page.made else self.given

    @cached_property
    def scores(self) -> Call[pd.DataFrame]:
        """The call that computes the scores, a row for each measure.

        The columns are "as given" and, if there are edits, "edited".
        """

        def scored(c: Collection) -> dict[str, float]:
            score: Callable[[str], Any] = lambda text: record(ec.evaluate)(text, c).iloc[0, 0]  # noqa: E731
            return keyed(self.measures, score)

        given = {"as given": scored(self.given.it)}
        return call("scores", pd.DataFrame, {**given, "edited": scored(self.after.it)} if self.page.made else given)

    @cached_property
    def walks(self) -> Call[dict[str, pd.DataFrame]]:
        """The call that maps each measure to the table of the edited ranking, rank by rank."""
        after = self.after.it
        return line("walks", keyed(self.measures, lambda text: record(read_down)(text, after, SYSTEM, TOPIC)))

    @cached_property
    def sums(self) -> Call[dict[str, pd.DataFrame]]:
        """The call that selects the tables of `walks` whose measures are sums over ranks."""
        return line("sums", {text: self.walks.it[text] for text, walk in self.walks.value.items() if "adds" in walk})

    @cached_property
    def table(self) -> Call[pd.DataFrame]:
        """The call that makes the table of the ranking under the first measure, rank by rank.

        If the example is an answer with nuggets, the call returns the table that the example itself has.
        """
        if self.page.hand and self.page.hand.reads == "nuggets":
            return line("table", record(hand_examples)()[self.page.one].table)
        text = self.measures[0]
        walk = line("table", self.walks.it[text])
        if not has_user_model(ec.parse(text)):
            return walk
        model, n = record(ec.user_model)(text), record(len)(walk.it)
        return line("read", walk.it.join(model.curves(self.after.it, n).set_axis(list("CWL"), axis=1)))


def draw(worked: Worked) -> Iterator[Item]:
    """Yield the score, the sum as worked out by hand, and the numbers that are summed."""
    yield headline(worked)
    hand, scores = worked.page.hand, worked.scores
    assert hand
    if worked.is_by_hand:
        example = line("example", record(hand_examples)()[worked.page.one])
        score = f"{float(scores.value['as given'].iloc[0]):.4f}"
        yield Text(f"`{' '.join(hand.sum.split())}` = {score}", calls=(example, scores))
        yield Text(f"{hand.words} ({hand.parsed.reference})")
    if scores.value.size > 1:
        yield Table(scores.value.rename_axis("measure"), "scores of the example", calls=(scores,))
    grades = {str(name).partition("/")[0]: 0 for name in hand.table.columns}
    yield Table(worked.table, "example by hand", decimals=DECIMALS | grades)
    yield from combined(worked)
    if worked.known and worked.sums.value:
        yield running(worked)
    yield Latex(ec.parse(worked.measures[0]).latex(worked.after.value.assessments.scales))


def combined(worked: Worked) -> Iterator[Item]:
    """Yield a note and a table on how the first measure combines aspects, if it does.

    A measure combines the labels of each document (TOMA), or the scores of the aspects.
    """
    text, after = worked.measures[0], worked.after
    measure = ec.parse(text)
    if isinstance(measure, TOMA):
        parsed: TOMA = record(ec.parse)(text)  # type: ignore[assignment]
        yield Text.note(texts.LABELS_COMBINED)
        yield Table(call("steps", label_steps, parsed, after.it.assessments), "labels combined")
    elif isinstance(measure, Aggregate) and measure.parts:
        parts = [str(part) for part in measure.parts]
        score: Callable[[str], Any] = lambda part: record(ec.evaluate)(part, after.it).iloc[0, 0]  # noqa: E731
        yield Text.note(texts.PARTS)
        frame = call("parts", pd.DataFrame, {"score": keyed(parts, score)})
        yield Table(frame.value.rename_axis("part"), "score of each aspect", calls=(frame,))


def running(worked: Worked) -> Figure:
    """Return the figure of the score under each measure as it grows from rank to rank."""
    sums = worked.sums
    shown = keyed(sums.it, lambda text: record(reading_name)(text))
    styles = record(system_styles)(record(list)(sums.it), shown=shown)
    figure = call("", figures.running_sums, sums.it, styles, height=260 + 20 * len(sums.value), discount=False)
    return Figure(figure, "own sums", texts.SUMS)


def headline(worked: Worked) -> Headline:
    """Return a headline with the first score, or with the number of measures under which the edits change the score."""
    table, made = worked.scores.value, worked.page.made
    if not made:
        by = worked.page.one if worked.is_by_hand else reading_name(str(table.index[0]))
        return Headline(texts.score(by, float(table["as given"].iloc[0])), (worked.scores,))
    before, after = worked.scores.it["as given"], worked.scores.it["edited"]
    changed = line("changed", (record(less)(before, after) | record(less)(after, before)).sum())
    return Headline(texts.notice(int(changed.value), len(table), len(made)), (changed,))
