"""Step 10: how much of what was returned is worth reading, by the characters that one highlights oneself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore import figures
from evalcore.data import Collection
from evalcore.data.overlay import Overlay, overlay
from evalcore.explain.highlighting import (
    Marking,
    fitting_marks,
    marked_by_assessor,
    marking,
    reassessed,
    shared,
)
from evalcore.explain.nearness import nearness_curves
from evalcore.figures.style import Styles
from evalcore.measures import DocumentF, Entry, EntryScreen, iAP, iP, ranked_documents
from evalcore.structures.passages import Passages
from ui.address.edits import Editing, undone_of
from ui.address.settings import setting
from ui.data import open_collection
from ui.glossary.words import term
from ui.guided_path.base import STEPS, Lesson, LessonContent, LessonSettings
from ui.guided_path.by_hand import ByHand, component, touched
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field, Switch, of_parameter

EARLY = iP(recall=0.01)
SCREEN = EntryScreen()
_mount = component("highlighting", __file__)


def _topic(page: Highlighting) -> Field:
    queries = page.data.queries
    names = {topic: f"{topic} {queries.get(topic, '')}".strip() for topic in readable_topics(page.passages)}
    return Choice("Topic", list(names), names=names.__getitem__)


def _system(page: Highlighting) -> Field:
    systems = [one for one in page.data.systems if (one, page.topic) in readable(page.passages)]
    usual = next((one for one in systems if one.startswith("window")), systems[0])
    return Choice("Returned by", systems, usual)


def _document(page: Highlighting) -> Field:
    return Choice("Document", returned(page.passages, page.system, page.topic))


def _edits(page: Highlighting) -> Field:
    return ByHand("Marks", page.line, lambda steps: fitting_marks(page.length, steps))


@dataclass(frozen=True)
class Highlighting(Editing, LessonSettings):
    """Which document of which list is read, and what was marked in it."""

    SAMPLE: ClassVar[str] = open_collection.FOCUSED_NAME

    topic: str = setting(_topic)
    system: str = setting(_system)
    document: str = setting(_document)
    A: float = setting(of_parameter(Entry, "A", "A", high=2.0, step=0.05, low=0.05))
    assessor: bool = setting(Switch("Show the assessor's marks"))
    edits: tuple[str, ...] = setting(_edits)
    undone: int = setting(lambda page: undone_of(page.edits))

    @staticmethod
    def lacks(collection: Collection) -> str:
        passages = getattr(collection, "passages", None)
        if passages is None:
            return "it has no highlighted passages"
        return "" if readable_topics(passages) else "it has no texts of documents whose passages have places"

    @property
    def passages(self) -> Passages:
        found: Passages = self.data.passages  # type: ignore[assignment]
        return found

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
        return [one.removeprefix(self.line) for one in self.made]

    @cached_property
    def mine(self) -> Marking:
        """What is highlighted by hand."""
        return marking(self.length, self.steps)

    @cached_property
    def theirs(self) -> Marking:
        """What the assessor highlighted."""
        return marked_by_assessor(self.passages, self.topic, self.document)

    @cached_property
    def by_me(self) -> Passages:
        """The passages as if the marks made by hand were the assessor's."""
        return reassessed(self.passages, self.topic, self.document, self.mine)

    @cached_property
    def found(self) -> Overlay:
        """The document with the marks made by hand and what was returned of it."""
        return overlay(self.by_me, self.system, self.topic, self.document)


def returned(passages: Passages, system: str, topic: str) -> list[str]:
    """Documents that a system returned for a topic and that can be highlighted, those with relevant text first."""
    rows = ranked_documents(passages, system, topic)
    rows = rows[(rows["start"] >= 0) & (rows["relevant"] >= 0) & rows["document"].isin(list(passages.texts))]
    return [str(one) for one in rows.sort_values("relevant", key=lambda size: size <= 0, kind="stable")["document"]]


def readable_topics(passages: Passages) -> list[str]:
    """Topics for which some system returned a document that can be highlighted."""
    found = {topic for _, topic in readable(passages)}
    return [one for one in passages.highlights.topics if one in found]


@lru_cache(maxsize=4)
def readable(passages: Passages) -> frozenset[tuple[str, str]]:
    """The (system, topic) pairs for which a document was returned that can be highlighted."""
    parts, topics = passages.parts, passages.highlights.topics
    texts = np.isin(passages.document_ids.astype(str), list(passages.texts))
    lines = np.unique(parts.line[(parts.start >= 0) & (parts.row >= 0) & texts[parts.document]]).tolist()
    return frozenset((parts.systems[line // len(topics)], topics[line % len(topics)]) for line in lines)


def play(page: Highlighting) -> None:
    """The document, to highlight in."""
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
        entries={"mine": page.mine.entry, "theirs": theirs.entry, "begun": page.found.begun},
        returned=[(one.start, one.end, one.rank) for one in page.found.stretches if one.rank],
        compared=page.assessor,
    )


@dataclass(frozen=True)
class Scored:
    """What one set of marks makes of a document and of its list."""

    row: pd.Series  # size, rsize, relevant, P, R, F
    early: float
    average: float

    @classmethod
    def of(cls, passages: Passages, page: Highlighting) -> Scored:
        rows = ranked_documents(passages, page.system, page.topic)
        at = passages.parts.systems.index(page.system), passages.highlights.topics.index(page.topic)
        early, average = (float(one.score_passages(passages)[at]) for one in (EARLY, iAP()))
        return cls(rows[rows["document"] == page.document].iloc[0], early, average)


def show(page: Highlighting, _: Styles) -> LessonContent:
    mine, theirs = Scored.of(page.by_me, page), Scored.of(page.passages, page)
    entry = Entry(A=page.A)
    curves = nearness_curves({str(entry): entry, str(SCREEN): SCREEN}, page.length, 100)
    away = distance(page)
    figure = figures.nearness(curves, [] if away is None else [away], height=130)
    row = mine.row
    return LessonContent(
        (Figure(figure, "path-nearness", "Nearness to the best entry point, scored in both forms"),),
        f"{arithmetic(row)} {nearness_said(page, away)}",
        answer(page, mine, theirs),
        numbers=(
            ("P", f"{row['P']:.3f}", "Precision of this document's text: the share of what was returned that you mark"),
            ("R", f"{row['R']:.3f}", "Recall of this document's text: the share of your marks that was returned"),
            ("F", f"{row['F']:.3f}", "Their harmonic mean"),
            ("iP[0.01]", f"{mine.early:.3f}", f"{EARLY} of the whole list, this document as you mark it"),
            ("AiP", f"{mine.average:.3f}", "Mean iP over 101 levels of recall, of the whole list"),
        ),
        formulas=formulas(page, row, away),
        code=code(page),
    )


def arithmetic(row: pd.Series) -> str:
    """P and R of the document in characters."""
    returned, marked, both = (f"{int(row[name]):,}" for name in ("size", "relevant", "rsize"))
    end = "." if row["relevant"] else ", where 0 / 0 is 0."
    return (
        f"Characters: {returned} returned, {marked} highlighted, {both} both; P = {both} / {returned}, "
        f"R = {both} / {marked}{end}"
    )


def distance(page: Highlighting) -> int | None:
    """Characters from where the system begins to the entry point set by hand."""
    return None if page.mine.entry < 0 else abs(page.found.begun - page.mine.entry)


def nearness_said(page: Highlighting, away: int | None) -> str:
    if away is None:
        return "Without a best entry point s(x, b) is 0."
    near, screen = nearness(page, away)
    return (
        f"{markdown(page.system)} begins {away:,} characters from your best entry point: s(x, b) is **{near:.3f}** by "
        f"the document's length, **{screen:.3f}** by a screen of {SCREEN.n:,}."
    )


def nearness(page: Highlighting, away: int) -> tuple[float, float]:
    """s(x, b) in both forms."""
    return Entry(A=page.A).of(away, page.length), SCREEN.of(away)


def answer(page: Highlighting, mine: Scored, theirs: Scored) -> str:
    row = mine.row
    if not row["relevant"]:
        start = "You have highlighted nothing here, so every score of this document is 0."
    elif not row["rsize"]:
        start = "Nothing that you highlighted was returned: P and R are 0."
    elif row["size"] == row["relevant"]:
        start = "By your marks P and R are the same: as much was returned in vain as was missed."
    else:
        kinds = [("P", "returned in vain"), ("R", "missed")]
        (lower, more), (_, less) = kinds if row["size"] > row["relevant"] else kinds[::-1]
        start = f"By your marks **{lower} is the lower one**: more was {more} than was {less}."
    other = theirs.row
    by_them = (
        f"The assessor highlighted {int(other['relevant']):,} characters: by those marks P is {other['P']:.3f}, "
        f"R {other['R']:.3f}, iP\\[0.01\\] {theirs.early:.3f}, AiP {theirs.average:.3f}."
    )
    return f"{start} {by_them} {agreement(page)}"


def agreement(page: Highlighting) -> str:
    """How far the marks are those of the assessor."""
    mine, theirs = page.mine, page.theirs
    if not mine.size:
        return "Highlight what you would, then compare."
    both = shared(mine.ranges, theirs.ranges)
    alike = DocumentF().of(mine.size, both, theirs.size)
    entry = ""
    if mine.entry >= 0 and theirs.entry >= 0:
        entry = f" Your best entry points lie {abs(mine.entry - theirs.entry):,} characters apart."
    return f"Of your {mine.size:,} characters {both:,} are also theirs (F {alike:.3f}).{entry}"


def formulas(page: Highlighting, row: pd.Series, away: int | None) -> tuple[str, ...]:
    size, both, marked = (int(row[name]) for name in ("size", "rsize", "relevant"))
    lines = [
        rf"P(d) = \frac{{{both}}}{{{size}}} = \mathbf{{{row['P']:.4f}}},\quad "
        rf"R(d) = \frac{{{both}}}{{{marked}}} = \mathbf{{{row['R']:.4f}}}",
        rf"F(d) = \frac{{2 P R}}{{P + R}} = \mathbf{{{row['F']:.4f}}}",
        EARLY.latex(),
    ]
    if away is not None:
        near, screen = nearness(page, away)
        long = Entry(A=page.A).formula.latex(A=page.A, L=str(page.length), d=str(away))
        lines += [
            rf"s(x, b) = {long} = \mathbf{{{near:.4f}}}",
            rf"s(x, b) = {SCREEN.formula.latex(n=SCREEN.n, d=str(away))} = \mathbf{{{screen:.4f}}}",
        ]
    return tuple(lines)


def code(page: Highlighting) -> tuple[str, ...]:
    at = f"systems.index({page.system!r}), c.passages.highlights.topics.index({page.topic!r})"
    document = f"rows['document'] == {page.document!r}"
    lines = [
        "import numpy as np",
        "from evalcore import measures",
        "from evalcore.explain import highlighting",
        "",
        f"of, system = ({page.topic!r}, {page.document!r}), {page.system!r}",
        f"mine = highlighting.marking({page.length}, {page.steps!r})",
        "theirs = highlighting.marked_by_assessor(c.passages, *of)",
        "by_me = highlighting.reassessed(c.passages, *of, mine)",
        f"at = c.passages.parts.{at}",
        f"both_scores = [measures.{EARLY!r}, measures.iAP()]",
        "lists = [[one.score_passages(by)[at] for one in both_scores] for by in (by_me, c.passages)]",
        "tables = [measures.ranked_documents(by, system, of[0]) for by in (by_me, c.passages)]",
        f"documents = [rows[{document}] for rows in tables]",
        "sizes = mine.size, theirs.size, highlighting.shared(mine.ranges, theirs.ranges)",
        "alike = measures.DocumentF().of(sizes[0], sizes[2], sizes[1])",
        f"entry, screen = measures.Entry(A={page.A!r}), measures.{SCREEN!r}",
        f"away = np.linspace(0, {page.length}, 101).astype(int)",
        f"curves = [(entry.of(one, {page.length}), screen.of(one)) for one in away]",
    ]
    if distance(page) is not None:
        lines += [
            "begun = int(documents[0]['start'].iloc[0])",
            "distance, apart = abs(begun - mine.entry), abs(mine.entry - theirs.entry)",
            f"nearness = entry.of(distance, {page.length}), screen.of(distance)",
        ]
    return tuple(lines)


LESSON = Lesson(
    name=STEPS[9],
    title="How much of what was returned is worth reading?",
    text=(
        f"Where parts of documents are returned, precision and recall count characters of the "
        f"{term('highlighted text')}: a part too long costs P, one too short R. Be the assessor: drag over what "
        f"answers the topic, or click its first and last word; then set the {term('best entry point')}. Watch "
        f"{term('F')} of the document, {term('iP')} and {term('iAP', 'AiP')} of the list."
    ),
    question="Highlight what answers the topic: is P or R the lower one?",
    settings=Highlighting,
    controls={"topic": 0.3, "system": 0.27, "document": 0.25, "A": 0.18},
    show=show,
    play=play,
    page="focused_retrieval",
    page_label="All tasks and systems, on your own data: Focused retrieval",
)
