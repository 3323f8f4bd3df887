"""A screen is a value: the content of a part of a page, in order, independent of Streamlit.

A part of a page is a plain function of its settings, `draw(settings) -> Screen`. `ui.stage.show` shows the screen on
the page, `ui.stage.paths` keeps a screen for each slider position, and `evalcore.figures.document` makes a section of a
document from it.
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
"""Calls that computed an item; the box *As Python* prints them."""
Modes: TypeAlias = tuple[Literal["points", "box", "lasso"], ...]
ALL_MODES: Modes = ("points", "box", "lasso")
# The part of a text alternative that refers to a table with the numbers; captions omit it.
_ELSEWHERE = re.compile(r"; (the values|all cells) are in [^;]*$")


@dataclass(frozen=True)
class Headline:
    """The finding of a page, in Markdown: the visible lines, an empty line, then the lines that a click unfolds."""

    text: str
    calls: Calls = ()
    name = "headline"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", folded(self.text))


@dataclass(frozen=True)
class Metric:
    """A number of the headline, with a label in Markdown, a value, and a change."""

    label: str
    value: int | float | str
    change: str | None = None
    help: str | None = None
    calls: Calls = ()

    @classmethod
    def of(cls, label: str, made: Call[Any], help: str | None = None, *, form: str = ".3f") -> Metric:
        """Make a metric from a call, with its value in the format `form`, or "none" if the value is None or nan."""
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
    """A sentence beside a figure, in Markdown; in small type if `caption` is True."""

    text: str
    caption: bool = False
    calls: Calls = ()
    name = "sentence"


@dataclass(frozen=True)
class Text:
    """A text of a page that no slider changes, in Markdown; `look` sets its style (a note is in small type)."""

    text: str
    look: Literal["plain", "note", "heading", "info"] = "plain"
    calls: Calls = ()

    @classmethod
    def note(cls, text: str, calls: Calls = ()) -> Text:
        """Make a text in small type."""
        return cls(text, "note", calls)


@dataclass(frozen=True)
class Latex:
    """A formula in LaTeX."""

    text: str
    calls: Calls = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure, or a function or call that makes it only when it is shown; `alt` is its text alternative.

    If a call makes the figure, it is the last of `calls`. `on_select` is called before the rerun with the first
    customdata of each selected point (in a map without customdata: with the entry for the point's column in the trace's
    meta), and with an empty list when a double click ends the selection. `drawn` states what was drawn at random;
    `layout` is added to the figure's layout.
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
        """The description of the figure for a caption."""
        return _ELSEWHERE.sub("", self.alt)

    def spec(self) -> Spec:
        """Return the figure as plain data, without plotly's objects."""
        made = self.figure
        return (spec_of(made) if callable(made) else as_spec(made)).with_layout(**self.layout)

    def made(self) -> Figure:
        """Return the same item with the finished figure in place of its function or call; it is made only once."""
        if (made := vars(self).get("_made")) is None:
            figure = self.figure
            whole = figure.update_layout(self.layout) if isinstance(figure, go.Figure) else self.spec()
            made = vars(self)["_made"] = replace(self, figure=whole, layout={})
        return cast(Figure, made)


@dataclass(frozen=True, eq=False)
class Table:
    """A frame with a name, shown with 4 decimals or with `decimals`, and offered as files in full precision.

    If a call makes the frame, it is the last of `calls`. `download` is a frame to offer instead of the one shown.
    `drawn` gives the seed and the amount of random draws. `columns` are Streamlit's column settings. `caption` is the
    caption in LaTeX, if the default is not enough. `best` maps columns to the end that is good (high or low); in LaTeX,
    the best number of each of these columns is bold. On the page, `pictures` replace the texts of a column by an image
    for each row. `on_click` is called with the row and the column of the clicked cell. `with_doubt` makes a second
    LaTeX table, with intervals, and with letters that mark systems that do not differ.
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
    with_doubt: Callable[[], str] | None = None
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
    """A few words in rows and columns, or a function that makes them; a small table that is not offered as a file."""

    frame: pd.DataFrame | Callable[[], pd.DataFrame]
    calls: Calls = ()

    def made(self) -> pd.DataFrame:
        return self.frame() if callable(self.frame) else self.frame


@dataclass(frozen=True, eq=False)
class Columns:
    """Items side by side: the items of each column, and the share of the width that each column gets."""

    parts: tuple[tuple[Item, ...], ...]
    widths: tuple[float, ...] = ()
    gap: Literal["small", "medium"] = "small"
    align: Literal["top", "center"] = "top"


def in_row(*items: Item) -> Columns:
    """Return `Columns` with one item in each column."""
    return Columns(tuple((item,) for item in items))


@dataclass(frozen=True, eq=False)
class At:
    """Items for a named place of the page; they are not shown if the page does not have that place."""

    place: str
    items: tuple[Item, ...]


Item: TypeAlias = Headline | Metric | Sentence | Text | Latex | Figure | Table | Grid | Columns | At


@dataclass(frozen=True, eq=False)
class Screen:
    """The items that a part of a page shows.

    `taken` maps the keys of items shown before to their names. `places` are the named places that the page has; items
    for other places are not shown. If `places` is None, all items are shown.
    """

    items: tuple[Item, ...] = ()
    taken: Mapping[str, str] = field(default_factory=dict)
    places: Collection[str] | None = None

    @classmethod
    def of(cls, items: Screen | Iterable[Item]) -> Screen:
        """Make a screen from items; a screen is returned unchanged.

        >>> screen = Screen.of([Columns(((Metric("τ", 0.5),), (Headline("First: a"),))), Text("words")])
        >>> [key for key, _ in screen.keyed()]
        ['sentence e76e9e47 1', 'sentence headline 1', '']
        """
        return items if isinstance(items, Screen) else cls(tuple(items))

    def keyed(self) -> Iterator[tuple[str, Item]]:
        """Yield (key, item) for all items, also inside columns; the key is "" for a text that no slider changes."""
        taken = dict(self.taken)
        for item in flat(self.items, self.places):
            yield key_of(item, taken), item


def flat(items: Iterable[Item], places: Collection[str] | None = None) -> Iterator[Item]:
    """Yield the items inside `Columns` and `At` one by one, omitting items for a place that is not in `places`."""
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
    """Return the key of an item, "" if it has none; for headlines, metrics and sentences, add the key to `taken`.

    The keys of headlines, metrics and sentences end with a number, because several of them may have the same name.
    """
    match item:
        case Figure():
            return item.key
        case Table():
            return item.name
        case Headline() | Metric() | Sentence():
            # The key has only characters that are valid in a CSS class.
            known = item.name if isinstance(item, Headline) else f"{crc32(item.name.encode()):08x}"
            key = next(key for at in count(1) if (key := f"sentence {known} {at}") not in taken)
            taken[key] = item.name
            return key
    return ""


def lines_of(line: Headline | Metric) -> list[str]:
    """Return a headline or metric as lines of plain text; a metric is one line, with its label, value and change.

    >>> lines_of(Headline("**a** first  \\nthen b")), lines_of(Metric("τ", 0.5, "+0.1")), lines_of(Metric("τ", 0.5))
    (['a first', 'then b'], ['τ: 0.5 (+0.1)'], ['τ: 0.5'])
    """
    if isinstance(line, Headline):
        return [plain(sentence) for sentence in lines_in(line.text)]
    return [f"{line.name}: {plain(str(line.value))}" + (f" ({line.change})" if line.change else "")]


@dataclass(frozen=True)
class Finding:
    """The finding as plain lines: the visible ones, which become the title of its figure, and the others."""

    seen: Sequence[str] = ()
    more: Sequence[str] = ()

    @classmethod
    def of(cls, lines: Sequence[Headline | Metric]) -> Finding:
        """Make the finding from headlines and metrics.

        The visible lines are those of the first headline; if a metric comes first, they are the first two lines.

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
    """Convert an item to an item of a document, with this key; a table is cut to its first `rows` rows."""
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
    """Return what the browser needs for screens of one page at a slider position: "figures" and "texts" by key.

    Figures whose key is in `known` are taken from there and not made again.
    """
    figures, texts = dict(known or {}), dict[str, str]()
    for key, item in (pair for screen in screens for pair in screen.keyed()):
        if isinstance(item, Figure):
            if key not in figures or not callable(item.figure):
                figures[key] = item.spec().to_dict()
        elif isinstance(item, Headline | Metric | Sentence):
            texts[key] = item.text
    return {"figures": figures, "texts": texts}


def written(screens: Iterable[Screen], rows: int) -> Sheet:
    """Return the sheet of a document for screens of one page; a table is cut to its first `rows` rows."""
    return document.sheet([in_document(item, key, rows) for screen in screens for key, item in screen.keyed()])


def in_words(drawn: Mapping[str, float]) -> list[str]:
    """Return each amount of random draws, and the seed, as a text.

    >>> in_words({"resamples": 1000, "seed": 0})
    ['resamples 1000', 'seed 0']
    """
    return [f"{name} {value}" for name, value in drawn.items()]
