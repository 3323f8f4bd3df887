"""A screen is a value: what a part of a page shows, in the order in which it stands there, free of Streamlit.

A part of a page is a plain function of its settings, `draw(settings) -> Screen`. The page shows it (`ui.stage.show`),
a path has it at each place of a slider (`ui.stage.paths`), a document as a section (`evalcore.figures.document`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from itertools import count
from typing import Any, Literal, TypeAlias, cast
from zlib import crc32

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore.direction import Good
from evalcore.figures import document
from evalcore.figures.draw import Drawn, Spec, as_spec, spec_of
from evalcore.figures.path import Sheet
from ui.screen.calls import Call
from ui.screen.text import ROWS, folded, lines_in, plain

Height: TypeAlias = int | Literal["auto"]
Calls: TypeAlias = tuple[Call[Any], ...]
"""What computed an item: As Python prints it."""
Modes: TypeAlias = tuple[Literal["points", "box", "lasso"], ...]
ALL_MODES: Modes = ("points", "box", "lasso")
# Where who sees no figure finds its numbers, which a caption does not say.
_ELSEWHERE = re.compile(r"; (the values|all cells) are in [^;]*$")


@dataclass(frozen=True)
class Headline:
    """What a page found, in Markdown: lines that are seen at once, and below an empty line those that a click shows."""

    text: str
    calls: Calls = ()
    name = "headline"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", folded(self.text))


@dataclass(frozen=True)
class Metric:
    """A number of the headline: a label in Markdown, its value, and how much it changed."""

    label: str
    value: int | float | str
    change: str | None = None
    help: str | None = None
    calls: Calls = ()

    @classmethod
    def of(cls, label: str, made: Call[Any], help: str | None = None, *, form: str = ".3f") -> Metric:
        """What a call made: a number in this form, or none."""
        text = "none" if made.value is None or np.isnan(made.value) else format(made.value, form).replace("inf", "∞")
        return cls(label, text, help=help, calls=(made,))

    @property
    def name(self) -> str:
        return plain(self.label)

    @property
    def text(self) -> str:
        return f"{self.value}\n{self.change or ''}"


@dataclass(frozen=True)
class Sentence:
    """What is said beside a figure, in Markdown; a caption is smaller."""

    text: str
    caption: bool = False
    calls: Calls = ()
    name = "sentence"


@dataclass(frozen=True)
class Text:
    """Words of a page that no slider moves, in Markdown; a note is in smaller type, an info in a box."""

    text: str
    look: Literal["plain", "note", "heading", "info"] = "plain"
    calls: Calls = ()

    @classmethod
    def note(cls, text: str, calls: Calls = ()) -> Text:
        """Words in smaller type."""
        return cls(text, "note", calls)


@dataclass(frozen=True)
class Latex:
    """A formula."""

    text: str
    calls: Calls = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure, or what makes it, which takes a fraction of the time where nobody looks; `alt` is its text alternative.

    A call that makes it is the last of its `calls`. `on_select` gets the first customdata of each point clicked, boxed
    or lassoed, of a map's cell else the meta of its column, before the rerun; none at all when a double click drops the
    selection. `drawn` says what was drawn at random, and `layout` what its layout has beside its own.
    """

    figure: Drawn | Callable[[], go.Figure]
    key: str
    alt: str
    on_select: Callable[[list[str]], None] | None = None
    modes: Modes = ALL_MODES
    drawn: Mapping[str, float] = field(default_factory=dict)
    layout: Mapping[str, Any] = field(default_factory=dict)
    calls: Calls = ()

    def __post_init__(self) -> None:
        if isinstance(self.figure, Call) and self.figure not in self.calls:
            object.__setattr__(self, "calls", (*self.calls, self.figure))

    @property
    def about(self) -> str:
        """What it shows, as a caption has it."""
        return _ELSEWHERE.sub("", self.alt)

    def spec(self) -> Spec:
        """The figure without plotly's objects."""
        made = self.figure
        return (spec_of(made) if callable(made) else as_spec(made)).with_layout(**self.layout)

    def made(self) -> Figure:
        """The same, made; once, however often it is shown."""
        if (made := vars(self).get("_made")) is None:
            figure = self.figure
            whole = figure.update_layout(self.layout) if isinstance(figure, go.Figure) else self.spec()
            made = vars(self)["_made"] = replace(self, figure=whole, layout={})
        return cast(Figure, made)


@dataclass(frozen=True, eq=False)
class Table:
    """A frame by its name, its numbers to 4 decimals or as `decimals` says, and as files at full precision.

    Given as a call that makes it, that is the last of its `calls`. `download` is a frame to offer instead of the one
    shown. `drawn` is the seed of what was drawn at random, and how much was. `columns` are Streamlit's own column
    settings. `caption` is that of the LaTeX, where `name`, the page and its settings do not say it; there the best
    number of a column in `best`, which says its good end, is in bold. A page shows the
    `pictures` given for a column instead of its words, an image for each row. `on_click` gets row and column of a cell.
    """

    of: InitVar[pd.DataFrame | Call[pd.DataFrame]]
    name: str
    decimals: Mapping[str, int] = field(default_factory=dict)
    height: Height = "auto"
    index: bool = True
    columns: Mapping[str, Any] = field(default_factory=dict)
    download: pd.DataFrame | None = None
    drawn: Mapping[str, float] = field(default_factory=dict)
    caption: str = ""
    best: Mapping[str, Good] = field(default_factory=dict)
    pictures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    on_click: Callable[[int, str], None] | None = None
    calls: Calls = ()
    frame: pd.DataFrame = field(init=False)

    def __post_init__(self, of: pd.DataFrame | Call[pd.DataFrame]) -> None:
        object.__setattr__(self, "frame", of.value if isinstance(of, Call) else of)
        object.__setattr__(self, "calls", (*self.calls, of) if isinstance(of, Call) else self.calls)

    @property
    def about(self) -> str:
        return ", ".join([self.name, *in_words(self.drawn)])


@dataclass(frozen=True, eq=False)
class Grid:
    """A few words in rows and columns, to be read as a sentence is: no numbers, no files; or what makes them."""

    frame: pd.DataFrame | Callable[[], pd.DataFrame]
    calls: Calls = ()

    def made(self) -> pd.DataFrame:
        return self.frame() if callable(self.frame) else self.frame


@dataclass(frozen=True, eq=False)
class Columns:
    """Parts of a screen side by side, each with its share of the width."""

    parts: tuple[tuple[Item, ...], ...]
    widths: tuple[float, ...] = ()
    gap: Literal["small", "medium"] = "small"
    align: Literal["top", "center"] = "top"


def in_row(*items: Item) -> Columns:
    """Items side by side, one in each column."""
    return Columns(tuple((item,) for item in items))


@dataclass(frozen=True, eq=False)
class At:
    """A part of a screen in a place that the page has for it, by its name; nothing where it has none."""

    place: str
    items: tuple[Item, ...]


Item: TypeAlias = Headline | Metric | Sentence | Text | Latex | Figure | Table | Grid | Columns | At


@dataclass(frozen=True, eq=False)
class Screen:
    """What a part of a page shows. `taken` are the keys of what the page says before it.

    `places` are those that the page has; what is to stand in another one is not shown. None: all are there.
    """

    items: tuple[Item, ...] = ()
    taken: Mapping[str, str] = field(default_factory=dict)
    places: Collection[str] | None = None

    @classmethod
    def of(cls, items: Screen | Iterable[Item]) -> Screen:
        """The screen of some items.

        >>> screen = Screen.of([Columns(((Metric("τ", 0.5),), (Headline("First: a"),))), Text("words")])
        >>> [key for key, _ in screen.keyed()]
        ['sentence e76e9e47 1', 'sentence headline 1', '']
        """
        return items if isinstance(items, Screen) else cls(tuple(items))

    def keyed(self) -> Iterator[tuple[str, Item]]:
        """All that is shown, layout left away, each with its key: "" of words that no slider moves."""
        taken = dict(self.taken)
        for item in flat(self.items, self.places):
            yield key_of(item, taken), item


def flat(items: Iterable[Item], places: Collection[str] | None = None) -> Iterator[Item]:
    """Items without the layout that they stand in; those of other places than the given ones are left out."""
    for item in items:
        if isinstance(item, Columns):
            for part in item.parts:
                yield from flat(part, places)
        elif isinstance(item, At):
            if places is None or item.place in places:
                yield from flat(item.items, places)
        else:
            yield item


def key_of(item: Item, taken: dict[str, str]) -> str:
    """What an item is known by on its page: told apart by order where several are known by one name."""
    match item:
        case Figure():
            return item.key
        case Table():
            return item.name
        case Headline() | Metric() | Sentence():
            # Of letters that a class in the page may have.
            known = item.name if isinstance(item, Headline) else f"{crc32(item.name.encode()):08x}"
            key = next(key for at in count(1) if (key := f"sentence {known} {at}") not in taken)
            taken[key] = item.name
            return key
    return ""


def lines_of(line: Headline | Metric) -> list[str]:
    """A line of the headline as plain text; of a metric its label, value and change.

    >>> lines_of(Headline("**a** first  \\nthen b")), lines_of(Metric("τ", 0.5, "+0.1")), lines_of(Metric("τ", 0.5))
    (['a first', 'then b'], ['τ: 0.5 (+0.1)'], ['τ: 0.5'])
    """
    if isinstance(line, Headline):
        return [plain(sentence) for sentence in lines_in(line.text)]
    return [f"{line.name}: {plain(str(line.value))}" + (f" ({line.change})" if line.change else "")]


@dataclass(frozen=True)
class Finding:
    """What was found, as plain lines: those that are seen at once, which are the title of its figure, and more."""

    seen: Sequence[str] = ()
    more: Sequence[str] = ()

    @classmethod
    def of(cls, lines: Sequence[Headline | Metric]) -> Finding:
        """That of what a page says; of metrics alone the first are seen.

        >>> Finding.of([Headline("a  \\nb  \\nc"), Metric("τ", 0.5)])
        Finding(seen=['a', 'b'], more=['c', 'τ: 0.5'])
        """
        listed = [text for line in lines for text in lines_of(line)]
        first = next(iter(lines), None)
        count = len(lines_in(first.text.partition("\n\n")[0])) if isinstance(first, Headline) else ROWS
        return cls(listed[:count], listed[count:])

    @property
    def lines(self) -> list[str]:
        return [*self.seen, *self.more]


def in_document(item: Item, key: str, rows: int | None = None) -> document.Item:
    """An item as a document has it, known by a key; of a table the first `rows`."""
    match item:
        case Figure():
            return document.Item(cast(Drawn, item.made().figure), item.about, key)
        case Table():
            return document.Item(item.frame.head(rows) if rows else item.frame, item.about, key)
        case Grid():
            return document.Item(item.made(), key=key)
        case Latex():
            return document.Item(document.Latex(item.text), key=key)
        case Headline() | Metric():
            return document.Item("\n".join(lines_of(item)), key=key)
        case Text(look="heading"):
            return document.Item(document.Heading(plain(item.text)), key=key)
        case Sentence() | Text():
            return document.Item(plain(item.text), key=key)
    raise TypeError(item)


def followed(screens: Iterable[Screen], known: Mapping[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """The sheet of some screens of one page by which it follows a slider; `known` figures are not made once more."""
    figures, texts = dict(known or {}), dict[str, str]()
    for key, item in (pair for screen in screens for pair in screen.keyed()):
        if isinstance(item, Figure):
            if key not in figures or not callable(item.figure):
                figures[key] = item.spec().to_dict()
        elif isinstance(item, Headline | Metric | Sentence):
            texts[key] = item.text
    return {"figures": figures, "texts": texts}


def written(screens: Iterable[Screen], rows: int) -> Sheet:
    """The sheet of some screens of one page in a document; of a table the first `rows`."""
    return document.sheet([in_document(item, key, rows) for screen in screens for key, item in screen.keyed()])


def in_words(drawn: Mapping[str, float]) -> list[str]:
    """What was drawn at random, in words.

    >>> in_words({"resamples": 1000, "seed": 0})
    ['resamples 1000', 'seed 0']
    """
    return [f"{name} {value}" for name, value in drawn.items()]
