"""The glossary: an entry for every word, an entry for every measure from its docstring, and links to both.

A page links a word with `term("persistence")`: Markdown that shows the explanation on hover and opens the glossary.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import streamlit as st

from evalcore.data import Scale
from evalcore.measures import Aggregate, Measure
from evalcore.measures.parts.discounts import Discount, Normaliser
from evalcore.measures.parts.gains import Gain
from evalcore.measures.toma import ClassWeights
from evalcore.measures.tuple_orders import Distance
from evalcore.notation.values import Value, written
from evalcore.subjects import subjects as known_subjects
from ui import subjects
from ui.address.settings import Settings, setting
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Line

ALL = "all"
FEW = 12  # most entries without a choice of letters
ONE, BEFORE, AFTER = "Measures of one aspect", "Measures that combine labels", "Measures that combine scores"
PARTS = "Parts of measures"
SIZES = {80: r"\scriptsize ", 70: r"\footnotesize ", 44: r"\small "}  # by width in characters
KINDS: dict[type[Value], str] = {
    Gain: "gain",
    Discount: "discount",
    Normaliser: "normaliser",
    Distance: "distance of labels",
    ClassWeights: "weights of classes",
}
_WITH_FORMULA: dict[type[Value], str] = dict(subjects.added("KINDS_OF_VALUES"))
KINDS |= _WITH_FORMULA


@dataclass(frozen=True)
class Entry:
    """One headword and its explanation. `formula` is LaTeX, `details` is Markdown, and other texts are plain."""

    name: str
    text: str
    group: str
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    kind: str = ""  # for a part of measures: gain, discount, ...
    notation: str = ""
    details: str = ""
    parameters: tuple[tuple[str, str, str], ...] = ()  # name, default, meaning


def _term(group: str, also: Sequence[str] = (), see: Sequence[str] = (), **texts: Any) -> Entry:
    return Entry(group=group, also=tuple(also), see=tuple(see), **texts)


_WRITTEN = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
for _of_subject in subjects.written("terms.toml"):
    _WRITTEN["in_words"] |= _of_subject.pop("in_words", {})
    for _group_name, _terms in _of_subject.items():
        _WRITTEN[_group_name] = [*_WRITTEN.get(_group_name, ()), *_terms]
IN_WORDS: dict[str, str] = _WRITTEN.pop("in_words")
"""Each measure in one sentence, for a first reading; its entry shows the docstring and the formula below."""
TERMS = {group: tuple(_term(group, **entry) for entry in listed) for group, listed in _WRITTEN.items()}
"""Terms of the field and of this app by group, each explained once."""


def entries() -> Mapping[str, Entry]:
    """Map each headword to its entry, in alphabetical order regardless of case."""
    return _entries(tuple(Value.registry))


def find(name: str) -> Entry:
    """Return the entry with this headword or synonym. Raises KeyError if there is none."""
    return entries()[_headwords(tuple(Value.registry))[name]]


def search(text: str) -> list[Entry]:
    """Return the entries called `text`, then those whose names contain it, then those whose explanations contain it."""
    names, wanted = _headwords(tuple(Value.registry)), text.strip()
    if wanted in names:
        named = [names[wanted]]
    else:
        named = list(dict.fromkeys(head for name, head in names.items() if name.casefold() == wanted.casefold()))
    low = wanted.casefold()
    held = [head for name, head in names.items() if low in name.casefold()]
    mentioned = [entry.name for entry in entries().values() if low in entry.text.casefold()]
    order = [*named, *sorted(held, key=str.casefold), *mentioned] if low else list(entries())
    return [entries()[head] for head in dict.fromkeys(order)]


def term(name: str, label: str = "") -> str:
    """Return Markdown that links a word to its entry, with the explanation on hover.

    Raises KeyError for an unknown word.

    >>> term("run", "runs")[:43]
    '[runs](/glossary?glossary.term=system "Anyt'
    """
    entry = find(name)
    hover = entry.text.replace("\\", "").replace('"', "'")
    return f'[{label or name}]({address(entry.name)} "{hover}")'


def address(name: str) -> str:
    """Return the link to an entry."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{'/' + base if base else ''}/glossary?glossary.term={quote(name)}"


def in_lines(formula: str) -> str:
    r"""Fit a formula to a column: put each definition on its own line, in a smaller size if the formula is wide.

    >>> in_lines(r"x = y,\quad y = 1")
    '\\begin{gathered}x = y, \\\\[6pt] y = 1\\end{gathered}'
    """
    parts = formula.split(r",\quad ")
    widest = max(len(re.sub(r"\\[a-zA-Z]+|[{}\\ ]", "", part)) for part in parts)
    size = next((name for least, name in SIZES.items() if widest > least), "")
    lines = r", \\[6pt] ".join(parts)
    return size + (rf"\begin{{gathered}}{lines}\end{{gathered}}" if len(parts) > 1 else formula)


@cache
def _entries(registered: tuple[str, ...]) -> Mapping[str, Entry]:
    known = {entry.name: entry for entry in (*map(_from_value, registered), *chain(*TERMS.values()))}
    names = {name for entry in known.values() for name in (entry.name, *entry.also)}
    known |= {
        entry.name: replace(entry, see=tuple(filter(names.__contains__, entry.see))) for entry in known.values()
    }  # leave out entries of subjects that are not installed
    return {name: known[name] for name in sorted(known, key=lambda name: (name.casefold(), name))}


@cache
def _headwords(registered: tuple[str, ...]) -> Mapping[str, str]:
    """Map every name to its headword; a headword always maps to itself, even if it is another entry's synonym."""
    known = _entries(registered)
    others = {also: entry.name for entry in known.values() for also in entry.also}
    return {**others, **{name: name for name in known}}


# --- entries of measures and their parts ------------------------------------------------------------------------------


def _from_value(name: str) -> Entry:
    cls = Value.registry[name]
    summary, *more = _paragraphs(cls)
    in_words = IN_WORDS.get(name, "")
    return Entry(
        name=name,
        text=in_words or summary,
        group=_group(cls),
        formula=_formula(cls),
        source=getattr(cls, "reference", ""),
        also=tuple(other for other, known in Value.aliases.items() if known == name),
        kind=next((kind for base, kind in KINDS.items() if issubclass(cls, base)), ""),
        notation=str(cls()) if _has_defaults(cls) else "",
        details="\n\n".join(map(_prose, [summary, *more] if in_words else more)),
        parameters=tuple(
            (key, "" if _required(parameter) else written(parameter.default), str(parameter.metadata.get("help", "")))
            for key, parameter in cls.parameters().items()
        ),
    )


def _paragraphs(cls: type[Value]) -> list[str]:
    """Return the paragraphs of a class docstring, without examples and sentences about errors."""
    text = inspect.cleandoc(cls.__doc__ or cls.__name__)
    parts = [" ".join(part.split()) for part in text.split("\n\n") if not part.lstrip().startswith(">>>")]
    return list(filter(None, (re.sub(r" ?Raises \w+Error .*?\.(?= [A-Z`]|$)", "", part) for part in parts)))


def _prose(text: str) -> str:
    """Convert the text of a docstring to Markdown: code in backticks stays code, all other text is escaped."""
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"`{part}`" if at % 2 else _escaped(part) for at, part in enumerate(parts))


def _escaped(text: str) -> str:
    """Escape a text for Markdown, but keep one space at each end that had any."""
    inside = markdown(text)
    return " " * text.startswith(" ") + inside + " " * text.endswith(" ") if inside else " "


def _group(cls: type[Value]) -> str:
    if not issubclass(cls, Measure):
        return PARTS
    if subject := known_subjects().get(cls.__module__.split(".")[1]):
        return subject.group_of_measures
    if issubclass(cls, Aggregate):
        return AFTER
    return BEFORE if _has_defaults(cls) and len(cls().columns) > 1 else ONE


def _has_defaults(cls: type[Value]) -> bool:
    return not any(map(_required, cls.parameters().values()))


def _required(parameter: Field[Any]) -> bool:
    return parameter.default is MISSING and parameter.default_factory is MISSING


def _formula(cls: type[Value]) -> str:
    """Return the LaTeX formula of a class with default parameters; "" if it needs parameters or has no formula."""
    if not _has_defaults(cls):
        return ""
    value = cls()
    if isinstance(value, (Measure, *_WITH_FORMULA)):
        return cast(Measure, value).latex()
    if isinstance(value, Gain):
        return "g(x) = " + value.latex("x", Scale("x"))
    return "d(k) = " + value.latex() if isinstance(value, Discount) else ""


def groups() -> list[str]:
    """Return the groups of entries: first the groups of terms, then those of measures and their parts."""
    return [*TERMS, *sorted({entry.group for entry in entries().values()} - set(TERMS))]


@dataclass(frozen=True)
class GlossarySettings(Settings, page="glossary"):
    """Settings of the glossary: the search, the group and the first letter."""

    term: str = setting(Line("Search", placeholder="a word or a measure", help="The page's address keeps your search"))
    group: str = setting(lambda _: Choice("Group", [ALL, *groups()]))
    letter: str = setting(lambda _: letters_of(entries().values()))

    @property
    def works_on(self) -> None:
        """None, because the page needs no collection."""
        return None

    def of(self, text: str) -> list[Entry]:
        """Return the entries of the chosen group that match a search text."""
        return [entry for entry in search(text) if self.group in (ALL, entry.group)]


def letters_of(listed: Iterable[Entry]) -> Choice:
    """Return the field for a first letter of the entries, or for all letters."""
    letters = dict.fromkeys(entry.name[0].upper() for entry in listed)
    return Choice("Letter", [*letters, ALL], segmented=True, hide_label=True)
