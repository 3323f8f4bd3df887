"""A document: screens in order, with notes, from which reports, slides and lessons are written.

It is written as self-contained HTML: figures stay interactive, and the screens at the positions of sliders are in the
file. The file fetches nothing from any host, and tells the browser to block such requests.
"""

from __future__ import annotations

import platform
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from evalcore.common.latex import under
from evalcore.data.averages import lacked_text
from evalcore.figures import draw
from evalcore.figures.draw import score_text
from evalcore.figures.path import Path, Sheet
from evalcore.structures.documents import Collection

PACKAGES = ("numpy", "scipy", "pandas", "plotly")
EXACT = 100.0  # columns with larger numbers are kept as texts, because 32 bits hold seven digits
DECIMALS = 4  # of the numbers of a table
TITLE = "title"  # of a section, among the texts of a sheet


@dataclass(frozen=True)
class Latex:
    """A formula in LaTeX."""

    latex: str


@dataclass(frozen=True)
class Heading:
    """The heading of a part of a section."""

    text: str


@dataclass(frozen=True)
class Folded:
    """A text or formulas that open on a click, with a title."""

    title: str
    text: str = ""
    formulas: tuple[Latex, ...] = ()


@dataclass(frozen=True)
class Controls:
    """The place for a section's sliders, if they are not to be under its title."""


_KINDS = {
    str: "words",
    pd.DataFrame: "table",
    Latex: "formula",
    Heading: "heading",
    Folded: "folded",
    Controls: "controls",
}
Thing: TypeAlias = draw.Drawn | pd.DataFrame | Latex | Heading | Folded | Controls | str


@dataclass(frozen=True, eq=False)
class Item:
    """An item of a section with its caption; `key` is its name in paths, empty if no slider changes it."""

    thing: Thing
    caption: str = ""
    key: str = ""

    @property
    def kind(self) -> str:
        """The kind of the item, as templates name it."""
        if isinstance(self.thing, draw.Drawn):
            return "figure"
        return _KINDS[type(self.thing)]


@dataclass(frozen=True)
class Rests:
    """The data of a screen: title, facts about the loaded collection (with its fingerprint), and stated provenance."""

    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Section:
    """A screen in a document: its title, finding, content, settings, link, and a note.

    `headline` holds the sentences of the finding, by key. `link` is an address, or a path within an app whose address
    the reader knows; a path is printed as text. `about` names data, measures and settings, and ends every caption.
    `measures` are the texts of the measures shown. `paths` are the sliders; figures whose keys are in `unmoved` are not
    expected to follow them. `mark` identifies the section, also after it is renamed or moved.
    """

    title: str
    items: Sequence[Item] = ()
    headline: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    note: str = ""
    about: str = ""
    data: Rests = field(default_factory=Rests)
    measures: Sequence[str] = ()
    paths: Sequence[Path] = ()
    unmoved: Sequence[str] = ()
    mark: str = field(default_factory=lambda: secrets.token_hex(4))

    def caption(self, item: Item) -> str:
        """Return the caption of an item, with `about` at its end."""
        return under(item.caption, self.about)

    def sheet(self, *, captions: bool = False) -> Sheet:
        """Return the items and texts that a slider can change, as a sheet; `captions` adds the title and captions."""
        texts = {f"{item.key} caption": self.caption(item) for item in self.items if captions and self.caption(item)}
        return sheet(self.items, {**({TITLE: self.title} if captions else {}), **self.headline, **texts})


@dataclass(frozen=True)
class Document:
    """Screens in order, under a title and an introduction."""

    title: str
    sections: Sequence[Section] = ()
    introduction: str = ""

    def html(self, made: str = "", *, stage: bool = False) -> str:
        """Return the document as the text of one HTML file.

        It names the data of each section (with a fingerprint), every setting, the versions, and the link that reopens
        each section. `made` is the date to print, by default now. To keep a section, apart from plotly.js, within 2 MB,
        its sliders get fewer positions or, if needed, are left out with a note. If `stage`, the file opens as slides.
        """
        from evalcore.figures import writer

        return writer.one_file(self, made, stage)

    def pages(self) -> dict[str, str]:
        """Return the document as a folder of pages that share plotly.js: the text of each file, by its name.

        `index.html` links to the pages, and each page to the next. The pages fetch only files of the folder.
        """
        from evalcore.figures import writer

        return writer.folder(self)


def rests_on(collection: Collection | None) -> Rests:
    """Return the title, facts and provenance of a collection as `Rests`; without a collection, they are empty.

    If systems lack topics, the facts name these systems and how means treat them.
    """
    if collection is None:
        return Rests()
    facts = {"Collection": collection.title, "Loaded": collection.summary, "Fingerprint": collection.fingerprint}
    lacked = lacked_text(collection.rankings, collection.topics)
    facts = {**facts, "Means": lacked} if lacked else facts
    return Rests(collection.title, facts, dict(collection.report.provenance))


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that computed the numbers."""
    from evalcore import __version__

    listed = {"Python": platform.python_version(), "evalcore": __version__}
    return listed | {name: version(name) for name in PACKAGES}


def sheet(items: Sequence[Item], texts: Mapping[str, str] | None = None) -> Sheet:
    """Return the items that have keys as one sheet of a path, together with other `texts`.

    >>> sheet([Item("Words", key="said"), Item("No slider moves these")], {"finding": "First: a"})["texts"]
    {'finding': 'First: a', 'said': 'Words'}
    """
    parts: dict[str, dict[str, Any]] = {"figures": {}, "tables": {}, "texts": dict(texts or {})}
    for item in items:
        if not item.key:
            continue
        if isinstance(item.thing, draw.Drawn):
            parts["figures"][item.key] = draw.as_spec(item.thing).to_dict()
        elif isinstance(item.thing, pd.DataFrame):
            parts["tables"][item.key] = cells(item.thing)
        elif isinstance(item.thing, str | Folded):
            parts["texts"][item.key] = item.thing if isinstance(item.thing, str) else item.thing.text
    return parts


def cells(frame: pd.DataFrame) -> dict[str, Any]:
    """Return a table as a part of a sheet: its headers, the names of its rows, and its columns under "0", "1", ...

    A column holds numbers, rounded as shown, if 32 bits are exact enough for them, else texts.
    """
    names = {"heads": [str(name) for name in frame.columns], "rows": [str(name) for name in frame.index]}
    return {**names, **{str(at): _column(frame.iloc[:, at]) for at in range(frame.shape[1])}}


def _column(column: pd.Series) -> Any:
    if pd.api.types.is_float_dtype(column.dtype):
        numbers = column.to_numpy(dtype=float)
        finite = np.isfinite(numbers)
        if not finite.any() or np.abs(numbers[finite]).max() <= EXACT:
            # rounded here, because a browser would round ties and 32-bit numbers differently
            return np.array([float(f"{number:.{DECIMALS}f}") for number in numbers])
    return [cell(value) for value in column]


def in_texts(
    frame: pd.DataFrame, decimals: Mapping[str, int] | None = None, index: bool = True
) -> tuple[list[str], list[list[str]]]:
    """Return the headers and the rows of a table as texts; the names of its rows come first.

    >>> in_texts(pd.DataFrame({"AP": [0.5, None]}, index=pd.Index(["a", "b"], name="system")))
    (['system', 'AP'], [['a', '0.5000'], ['b', '']])
    """
    digits, levels = decimals or {}, range(frame.index.nlevels if index else 0)
    columns = [[str(name) for name in frame.index.get_level_values(at)] for at in levels]
    columns += [
        [cell(value, digits.get(str(name), DECIMALS)) for value in frame.iloc[:, at]]
        for at, name in enumerate(frame.columns)
    ]
    heads = ["" if name is None else str(name) for name in [*(frame.index.names if index else ()), *frame.columns]]
    if index and frame.columns.name is not None:  # the corner names both
        heads[len(levels) - 1] = " / ".join(filter(None, [heads[len(levels) - 1], str(frame.columns.name)]))
    return heads, [list(row) for row in zip(*columns, strict=True)]


def cell(value: Any, decimals: int = DECIMALS) -> str:
    """Return a cell of a table as text; a missing value is empty."""
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    return score_text(float(value), decimals) if isinstance(value, float | np.floating) else str(value)
