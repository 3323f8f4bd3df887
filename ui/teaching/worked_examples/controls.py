"""What is worked out: which example, its labels, and what is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from evalcore import InputError
from evalcore.data import Collection
from evalcore.teaching.papers.by_hand import hand_examples
from evalcore.teaching.papers.three_documents import LABELS, MEASURES, RANKINGS, SCALES
from evalcore.teaching.typed_rankings import written_collection
from ui.address.edits import Editing, Edits, undone_of
from ui.address.settings import Make, Settings, address, setting
from ui.computing.measures import of_measures
from ui.widgets.callback import callback
from ui.widgets.fields import Choice, Each, Field, Line, MisfitError, Switch

EXAMPLES = THREE, ONE, YOURS = ("Three documents", "Each measure", "Your own")

NAMES = tuple(MEASURES["AP"])
PRESETS: dict[str, dict[str, tuple[int, ...]]] = {
    "as in the paper": dict(LABELS.items()),
    "a clear order": {"d1": (3, 2), "d2": (3, 1), "d3": (1, 0)},
    "one perfect document": {"d1": (3, 2), "d2": (0, 0), "d3": (0, 0)},
    "all the worst": {"d1": (0, 0), "d2": (0, 0), "d3": (0, 0)},
}
LABEL_HELP = (
    "relevance: nr not, mr marginally, fr fairly, hr highly relevant; correctness: nc not, pc partially, c correct"
)
INNER_HELP = "The single-aspect measure inside: AP reads yes or no, NDCG reads grades"
HALVED_HELP = "The paper prints half of its own Eq. 6; off: Eq. 6, the harmonic mean"


LONGEST_TEXT = 4000  # characters, all of which stand in the link
GALLERY = {
    "relevant and hard to read": """\
document relevance/2 understandability/3
d1 2 0
d2 1 3
d3 - -
d4 2 3
d5 0 2
---
d6 2 2
""",
    "the best one last": """\
document relevance
d1 0
d2 0
d3 0
d4 0
d5 3
---
d6 3
d7 1
""",
    "three aspects": """\
document relevance/2 understandability/3 credibility/2
d1 2 3 0
d2 2 1 2
d3 1 3 2
d4 0 3 2
d5 2 3 2
""",
    "nobody looked at the top": """\
document relevance
d1 -
d2 -
d3 1
d4 0
d5 1
""",
}
WRITTEN_HELP = (
    "The first line names the aspects, ease/3 with its highest grade; then a line for each document from rank 1 on: "
    "its id and a label for each aspect, - where nobody assessed it. Below --- stand assessed documents not retrieved."
)


@dataclass(frozen=True)
class Lines(Line):
    """A text of several lines."""

    def read(self, texts: Sequence[str]) -> str:
        if len(texts[-1]) > LONGEST_TEXT:
            raise MisfitError(f"a text of at most {LONGEST_TEXT:,} characters")
        return texts[-1]

    def taken(self, key: str, value: Any) -> str:
        return str(st.session_state[key] or "")

    def words(self, value: Any) -> str:
        return "as written"

    def control(self, key: str, value: Any, changed: Callable[[], None]) -> None:
        st.text_area(self.label, height=230, max_chars=LONGEST_TEXT, **self.given(key, changed))


def order(ranking: str) -> str:
    """A ranking as a reader wants it: d2, d1, d3."""
    return ", ".join(RANKINGS[ranking])


def named(grades: Sequence[int]) -> tuple[str, ...]:
    """The names of a document's labels."""
    return tuple(scale.names[grade] for scale, grade in zip(SCALES, grades, strict=True))


def _one(page: ExampleSettings) -> Field:
    """The measures by family; what is typed finds either."""
    families = {name: f"{example.family}: {name}" for name, example in hand_examples().items()}
    help = "Type a name, or a family such as readers or subtopics"
    return Choice("Measure worked out", tuple(families), reads=families.__getitem__, help=help)


def _labels(document: str) -> Make:
    """The labels of a document, at first those of the preset."""

    def field(page: ExampleSettings) -> Field | None:
        if page.labels is None:
            return None
        both = zip(SCALES, named(PRESETS[page.labels][document]), strict=True)
        parts = {
            scale.name: Choice(f"{document} {scale.name}", scale.names, name, help=LABEL_HELP) for scale, name in both
        }
        return Each(document, parts)

    return field


def _of_yours(make: Callable[[ExampleSettings, Collection], Field]) -> Make:
    """What depends on the example that is written, where it can be read."""

    def field(page: ExampleSettings) -> Field | None:
        return None if isinstance(page.yours, InputError) else make(page, page.yours)

    return field


@dataclass(frozen=True)
class ExampleSettings(Editing, Settings, page="worked_examples"):
    """Which example is worked out, and of what."""

    example: str = setting(Choice("Example", EXAMPLES, segmented=True))
    inner: str = setting(Choice("Each measure over", tuple(MEASURES), segmented=True, help=INNER_HELP), example=THREE)
    halved: bool = setting(Switch("MM as printed", help=HALVED_HELP), example=THREE)
    labels: str | None = setting(Choice("Labels", list(PRESETS)), example=THREE)
    d1: tuple[str, ...] = setting(_labels("d1"))
    d2: tuple[str, ...] = setting(_labels("d2"))
    d3: tuple[str, ...] = setting(_labels("d3"))
    ranking: str = setting(Choice("Ranking", tuple(RANKINGS), names=order), example=THREE)
    score: str = setting(Choice("Measure", NAMES, "EUCL", segmented=True), example=THREE)
    one: str = setting(_one, example=ONE)
    written: str | None = setting(
        Lines("A ranking and its labels", next(iter(GALLERY.values())), help=WRITTEN_HELP), example=YOURS
    )
    measures: tuple[str, ...] = setting(_of_yours(lambda _, yours: of_measures(yours, "Measures")))
    edits: tuple[str, ...] = setting(_of_yours(lambda _, yours: Edits("Edits", yours)))
    undone: int = setting(_of_yours(lambda page, _: undone_of(page.edits)))

    @cached_property
    def yours(self) -> Collection | InputError:
        """The example that is written, or why it cannot be read."""
        try:
            return written_collection(self.written or "")
        except InputError as error:
            return error.with_traceback(None)

    @callback
    def start(self, text: str) -> None:
        """Write another example; what was edited of this one is gone."""
        now = self.read(self.collection, address())
        now.with_(example=YOURS).with_(undone=0).with_(edits=()).with_(written=text).show()

    @property
    def works_on(self) -> None:
        """None of what is open: the examples bring their own documents."""
        return None

    @property
    def grades(self) -> dict[str, tuple[int, ...]]:
        """The labels of each document as places on their scales."""
        grades = {document: getattr(self, document) for document in LABELS}
        return {
            document: tuple(scale.names.index(name) for scale, name in zip(SCALES, names, strict=True))
            for document, names in grades.items()
        }


def presets() -> dict[str, dict[str, Any]]:
    """The labels that each preset sets."""
    return {name: {document: named(grades) for document, grades in labels.items()} for name, labels in PRESETS.items()}
