"""Step Passages: how much of the returned text is worth reading, judged by the characters that you highlight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.focused.highlighting import Marking, fitting_marks, marked_by_assessor, marking, reassessed, shared
from evalcore.focused.nearness import nearness_curves
from evalcore.focused.overlay import Overlay, overlay
from evalcore.focused.passages import Passages
from evalcore.measures import DocumentF, Entry, EntryScreen, iAP, iP, ranked_documents
from evalcore.notation.display_names import reading_name
from ui.address.edits import Editing, undone_of
from ui.address.settings import setting
from ui.focused.subject import SAMPLE
from ui.screen.calls import Call, call, line, record, value_call
from ui.screen.items import Calls, Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings, with_query
from ui.teaching.guided_path.by_hand import ByHand, component, touched
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field, Switch, of_parameter

EARLY = iP(recall=0.01)
SCREEN = EntryScreen()
OF_THE_DOCUMENT = {
    "P": "Precision in this document: the share of the returned text that you marked",
    "R": "Recall in this document: the share of your marked text that was returned",
    "F": "The harmonic mean of P and R",
}
_mount = component("highlighting", __file__)


def _system(page: Highlighting) -> Field:
    systems = [system for system in page.data.systems if (system, page.topic) in readable(page.passages)]
    usual = next((system for system in systems if system.startswith("window")), systems[0])
    return Choice("Returned by", systems, usual)


def _edits(page: Highlighting) -> Field:
    return ByHand("Marks", page.line, lambda steps: fitting_marks(page.length, steps))


def lacks_passages(collection: Collection) -> str:
    passages = getattr(collection, "passages", None)
    if passages is None:
        return "it has no highlighted passages"
    return "" if readable_topics(passages) else "it has no document texts with the positions of passages"


@dataclass(frozen=True)
class Highlighting(Editing, LessonSettings, lacks=lacks_passages, sample=SAMPLE):
    """Settings of the step: a document that a system returned, and the marks that the reader makes in it."""

    topic: str = setting(lambda page: Choice("Topic", readable_topics(page.passages), names=with_query(page.data)))
    system: str = setting(_system)
    document: str = setting(lambda page: Choice("Document", returned(page.passages, page.system, page.topic)))
    A: float = setting(of_parameter(Entry, "A", "A", high=2.0, step=0.05, low=0.05))
    assessor: bool = setting(Switch("Show the assessor's marks"))
    edits: tuple[str, ...] = setting(_edits)
    undone: int = setting(lambda page: undone_of(page.edits))

    @property
    def passages(self) -> Passages:
        result: Passages = self.data.passages  # type: ignore[assignment]
        return result

    @property
    def line(self) -> str:
        return f"{self.topic}:{self.document}:"

    @property
    def text(self) -> str:
        return self.passages.texts[self.document]

    @property
    def length(self) -> int:
        return len(self.text)

    @property
    def steps(self) -> list[str]:
        return [name.removeprefix(self.line) for name in self.made]

    @cached_property
    def mine(self) -> Marking:
        """The characters and the entry point that the reader marked."""
        return marking(self.length, self.steps)

    @cached_property
    def theirs(self) -> Marking:
        """The characters and the entry point that the assessor marked."""
        return marked_by_assessor(self.passages, self.topic, self.document)

    @cached_property
    def by_me(self) -> Passages:
        """The passages with the reader's marks in place of the assessor's."""
        return reassessed(self.passages, self.topic, self.document, self.mine)

    @cached_property
    def overlay(self) -> Overlay:
        """The document with the reader's marks and the returned parts."""
        return overlay(self.by_me, self.system, self.topic, self.document)


def returned(passages: Passages, system: str, topic: str) -> list[str]:
    """Return the documents that a system returned for a topic and that people can highlight, relevant ones first."""
    rows = ranked_documents(passages, system, topic)
    rows = rows[(rows["start"] >= 0) & (rows["relevant"] >= 0) & rows["document"].isin(list(passages.texts))]
    ordered = rows.sort_values("relevant", key=lambda size: size <= 0, kind="stable")
    return [str(document) for document in ordered["document"]]


def readable_topics(passages: Passages) -> list[str]:
    """Return the topics for which some system returned a document that people can highlight."""
    topics = {topic for _, topic in readable(passages)}
    return [topic for topic in passages.highlights.topics if topic in topics]


@lru_cache(maxsize=4)
def readable(passages: Passages) -> frozenset[tuple[str, str]]:
    """Return the pairs (system, topic) with a returned document that people can highlight."""
    parts, topics = passages.parts, passages.highlights.topics
    texts = np.isin(passages.document_ids.astype(str), list(passages.texts))
    lines = np.unique(parts.line[(parts.start >= 0) & (parts.row >= 0) & texts[parts.document]]).tolist()
    return frozenset((parts.systems[line // len(topics)], topics[line % len(topics)]) for line in lines)


def play(page: Highlighting) -> None:
    """Show the document so that people can highlight its text."""
    theirs = page.theirs if page.assessor else Marking()
    touched(
        _mount,
        "highlight by hand",
        page,
        page.line,
        text=page.text,
        title=page.document,
        mine=page.mine.ranges,
        theirs=theirs.ranges,
        entries={"mine": page.mine.entry, "theirs": theirs.entry, "begun": page.overlay.begun},
        returned=[(stretch.start, stretch.end, stretch.rank) for stretch in page.overlay.stretches if stretch.rank],
        compared=page.assessor,
    )


@dataclass(frozen=True)
class Scored:
    """Calls of the scores of a document, and of the list that contains it, under one set of marks."""

    row: Call[pd.DataFrame]  # the document: size, rsize, relevant, P, R, F
    early: Call[float]
    average: Call[float]

    @classmethod
    def of(cls, passages: Call[Passages], page: Highlighting) -> Scored:
        rows = call("rows", ranked_documents, passages.it, page.system, page.topic)
        row = line("row", rows.it[rows.it["document"] == page.document])
        system = passages.it.parts.systems.index(page.system)
        topic = passages.it.highlights.topics.index(page.topic)
        early = line("early", value_call(EARLY).it.score_passages(passages.it)[system, topic])
        return cls(row, early, line("average", value_call(iAP()).it.score_passages(passages.it)[system, topic]))

    def __getitem__(self, name: str) -> float:
        """Return the value in one column of the document's row."""
        return float(self.row.value[name].iloc[0])

    @property
    def calls(self) -> Calls:
        return self.row, self.early, self.average


@dataclass(frozen=True)
class Marked:
    """Calls that score the document and the list that contains it, with the reader's marks and with the assessor's."""

    page: Highlighting

    @cached_property
    def mine(self) -> Call[Marking]:
        return call("mine", marking, self.page.length, self.page.steps).known(self.page.mine)

    @cached_property
    def theirs(self) -> Call[Marking]:
        return call("theirs", marked_by_assessor, *self.document).known(self.page.theirs)

    @property
    def document(self) -> tuple[Passages, str, str]:
        """The passages, the topic and the document to mark."""
        passages = record(self.page.data).passages
        assert passages is not None
        return passages, self.page.topic, self.page.document

    @cached_property
    def by_me(self) -> Scored:
        made = call("by_me", reassessed, *self.document, self.mine.it)
        return Scored.of(made.known(self.page.by_me), self.page)

    @cached_property
    def by_them(self) -> Scored:
        return Scored.of(line("", self.document[0]), self.page)

    @cached_property
    def away(self) -> Call[int] | None:
        """Call of the distance in characters between the start of the returned text and the reader's entry point.

        None if the reader set no entry point.
        """
        if self.page.mine.entry < 0:
            return None
        begun = record(int)(self.by_me.row.it["start"].iloc[0])
        return call("away", abs, begun - self.mine.it.entry)

    @cached_property
    def near(self) -> tuple[Call[float], Call[float]]:
        """Calls of s(x, b) relative to the document's length, and of s(x, b) relative to a screen."""
        assert self.away is not None
        near = line("near", value_call(Entry(A=self.page.A)).it.of(self.away.it, self.page.length))
        return near, line("near_screen", value_call(SCREEN).it.of(self.away.it))

    @cached_property
    def shared(self) -> Call[int]:
        """Call of the number of characters marked by both the reader and the assessor."""
        return call("both", shared, self.mine.it.ranges, self.theirs.it.ranges)

    @cached_property
    def alike(self) -> Call[float]:
        """Call of F between the reader's marks and the assessor's."""
        alike = value_call(DocumentF()).it.of(self.mine.it.size, self.shared.it, self.theirs.it.size)
        return line("alike", alike)

    @property
    def calls(self) -> Calls:
        """The calls that compute the numbers in the answer."""
        mine, theirs = self.page.mine, self.page.theirs
        marks = (self.shared, self.alike) if mine.size else ()
        near = self.near if self.away else ()
        between = call("apart", abs, self.mine.it.entry - self.theirs.it.entry)
        apart = (between,) if mine.entry >= 0 <= theirs.entry else ()
        return (*self.by_me.calls, *self.by_them.calls, *near, *marks, *apart)


def show(page: Highlighting, _: Styles) -> LessonContent:
    marked = Marked(page)
    return LessonContent(
        (nearness_figure(marked),),
        (characters(marked.by_me), entry_point(marked)),
        tuple(answer(marked)),
        marked.calls,
        numbers=tuple(numbers(marked.by_me)),
        formulas=formulas(marked),
    )


def nearness_figure(marked: Marked) -> Figure:
    """Return a figure of s(x, b) by distance, under both formulas, with a mark at the distance of the returned text."""
    entry = Entry(A=marked.page.A)
    forms = {reading_name(measure): value_call(measure).it for measure in (entry, SCREEN)}
    curves = call("curves", nearness_curves, forms, marked.page.length, 100)
    away = [marked.away.it] if marked.away else []
    figure = call("", figures.nearness, curves.it, away, height=130)
    return Figure(figure, "path-nearness", "Nearness to the best entry point, under both formulas")


def numbers(scored: Scored) -> Iterator[Metric]:
    """Yield the scores of the document and of the list."""
    for label, help in OF_THE_DOCUMENT.items():
        yield Metric(label, f"{scored[label]:.3f}", help=help, calls=(scored.row,))
    yield Metric.of("iP[0.01]", scored.early, f"{EARLY} of the whole list, with your marks in this document")
    yield Metric.of("AiP", scored.average, "Mean iP over 101 levels of recall, for the whole list")


def characters(scored: Scored) -> Statement:
    """State P and R of the document, with the counts of characters."""
    returned, marked, both = (int(scored[name]) for name in ("size", "relevant", "rsize"))
    text = (
        "Characters: {returned:,} returned, {marked:,} highlighted, {both:,} both; P = {both:,} / {returned:,}, "
        f"R = {{both:,}} / {{marked:,}}{'.' if marked else ' (0 / 0 counts as 0).'}"
    )
    return state("characters", text, returned=returned, marked=marked, both=both)


def entry_point(marked: Marked) -> Statement:
    """State the distance from the reader's entry point to the start of the returned text."""
    if marked.away is None:
        return state("no entry point", "Without a best entry point, s(x, b) is 0.")
    text = (
        "{system} begins {away:,} characters from your best entry point: s(x, b) is **{near:.3f}** relative to the "
        "document's length, **{screen:.3f}** relative to a screen of {n:,}."
    )
    near, screen = (result.value for result in marked.near)
    values = {"system": marked.page.system, "away": marked.away.value, "n": SCREEN.n}
    return state("entry point", text, near=near, screen=screen, **values)


def answer(marked: Marked) -> Iterator[Statement]:
    """Yield statements on the lower of P and R, on the scores under the assessor's marks, and on the agreement."""
    yield lower(marked.by_me)
    theirs = marked.by_them
    text = (
        "The assessor highlighted {size:,} characters: with these marks P is {P:.3f}, R {R:.3f}, iP\\[0.01\\] "
        "{early:.3f}, AiP {average:.3f}."
    )
    lists = {"early": float(theirs.early.value), "average": float(theirs.average.value)}
    yield state("assessor", text, size=int(theirs["relevant"]), P=theirs["P"], R=theirs["R"], **lists)
    yield from agreement(marked)


def lower(scored: Scored) -> Statement:
    """State which of P and R is lower, and why."""
    size, relevant = scored["size"], scored["relevant"]
    if not relevant:
        return state("nothing marked", "You have highlighted nothing, so every score of this document is 0.")
    if not scored["rsize"]:
        return state("nothing returned", "The system returned nothing that you highlighted: P and R are 0.")
    if size == relevant:
        text = "With your marks P and R are equal: the system returned as much useless text as it missed useful text."
        return state("the same", text)
    which, more, less = ("P", "useless", "missed useful") if size > relevant else ("R", "missed useful", "useless")
    text = f"With your marks **{{lower}} is lower**: there is more {more} text than {less} text."
    return state("lower", text, lower=which)


def agreement(marked: Marked) -> Iterator[Statement]:
    """Yield statements on the agreement of the reader's marks with the assessor's."""
    mine, theirs = marked.page.mine, marked.page.theirs
    if not mine.size:
        yield state("compare", "Highlight the text that you find relevant, then compare.")
        return
    text = "The assessor also marked {both:,} of your {size:,} characters (F {alike:.3f})."
    yield state("shared", text, size=mine.size, both=marked.shared.value, alike=marked.alike.value)
    if mine.entry >= 0 and theirs.entry >= 0:
        text = "Your best entry point is {apart:,} characters from the assessor's."
        yield state("apart", text, apart=abs(mine.entry - theirs.entry))


def formulas(marked: Marked) -> tuple[str, ...]:
    scored, page = marked.by_me, marked.page
    size, both, relevant = (int(scored[name]) for name in ("size", "rsize", "relevant"))
    lines = [
        rf"P(d) = \frac{{{both}}}{{{size}}} = \mathbf{{{scored['P']:.4f}}},\quad "
        rf"R(d) = \frac{{{both}}}{{{relevant}}} = \mathbf{{{scored['R']:.4f}}}",
        rf"F(d) = \frac{{2 P R}}{{P + R}} = \mathbf{{{scored['F']:.4f}}}",
        EARLY.latex(),
    ]
    if marked.away is not None:
        (near, screen), away = (result.value for result in marked.near), str(marked.away.value)
        long = Entry(A=page.A).formula.latex(A=page.A, L=str(page.length), d=away)
        lines += [
            rf"s(x, b) = {long} = \mathbf{{{near:.4f}}}",
            rf"s(x, b) = {SCREEN.formula.latex(n=SCREEN.n, d=away)} = \mathbf{{{screen:.4f}}}",
        ]
    return tuple(lines)


def moves(page: Highlighting) -> dict[str, tuple[str, ...]]:
    """Map a description of each ready-made set of marks to the steps that make it, for pages without a server.

    The sets range from nothing to the whole text; the last set has the assessor's marks.
    """
    start, end = next((one.start, one.end) for one in page.overlay.stretches if one.rank)
    made = {
        "nothing": [],
        "the first half of the returned text": [f"mark:{start}:{(start + end) // 2}", f"entry:{start}"],
        "the returned text, and the same amount after it": [f"mark:{start}:{min(2 * end - start, page.length)}"],
        "the whole text": [f"mark:0:{page.length}", "entry:0"],
        "the assessor's marks": [
            *(f"mark:{low}:{high}" for low, high in page.theirs.ranges),
            *([f"entry:{page.theirs.entry}"] if page.theirs.entry >= 0 else []),
        ],
    }
    return {name: tuple(page.line + step for step in steps) for name, steps in made.items()}


def seen(page: Highlighting) -> pd.DataFrame:
    """Return a table of the document's sentences.

    Two columns state whether all, a part or nothing ("") of a sentence was returned, and was marked by the reader.
    """
    returned = [(one.start, one.end) for one in page.overlay.stretches if one.rank]
    spans = [found.span() for found in re.finditer(r"[^\s.][^.\n]*\.?", page.text)]

    def covered(span: tuple[int, int], ranges: Sequence[tuple[int, int]]) -> str:
        shared = sum(max(0, min(span[1], high) - max(span[0], low)) for low, high in ranges)
        return "" if not shared else "all" if shared == span[1] - span[0] else "a part"

    rows = [(page.text[slice(*span)], covered(span, returned), covered(span, page.mine.ranges)) for span in spans]
    return pd.DataFrame(rows, pd.RangeIndex(1, len(rows) + 1, name=""), ["sentence", "returned", "you mark"])


WIDTHS = {"topic": 0.3, "system": 0.27, "document": 0.25, "A": 0.18}
LESSON = Lesson("Passages", Highlighting, WIDTHS, show, play, moves, seen)
