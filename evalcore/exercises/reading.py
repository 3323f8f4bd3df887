"""Exercises as TOML, so that whoever can write a text file can write them; docs/exercises.md has a full example."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from evalcore.data.manifest import read_toml
from evalcore.errors import InputError, did_you_mean, either, shorten
from evalcore.exercises.answers import MAKES, read_answer, read_number, read_text, read_texts
from evalcore.exercises.model import (
    COLUMNS,
    KINDS,
    Along,
    Answer,
    Computed,
    Exercise,
    Hint,
    Kind,
    Names,
    Order,
    Question,
)

FILE_NAME = "exercises.toml"
SHIPPED = Path(__file__).with_name("guided_path.toml")
MOST_QUESTIONS = 200
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,39}")
_PATH = re.compile(r"/[a-z_]*")
_TEXTS = ("title", "explanation", "unit")
_NUMBERS = ("tolerance", "relative", "low", "high", "points")
_TOP = ("title", "intro", "question")
_NUMBER = ("tolerance", "relative", "low", "high", "unit", "along")
_OF_KIND: Mapping[str, tuple[str, ...]] = {"number": _NUMBER, "choice": ("options",), "ranking": ()}
_OF_HINT: Mapping[str, tuple[str, ...]] = {
    "number": ("above", "below", "near"),
    "choice": ("choice",),
    "ranking": ("swapped",),
}
_ALL = ("id", "title", "text", "view", "look_first", "kind", "answer", "points", "hint", "explanation")


def shipped() -> Exercise:
    """The exercises of the guided path, on the sample data."""
    return parse_exercise(SHIPPED.read_text(encoding="utf-8"), SHIPPED.name)


def read_exercise(path: str | Path) -> Exercise:
    """The exercises of a file. Raises InputError where it cannot be read, with file and question where it is wrong."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8"
        raise InputError(f"expected a readable file of exercises, found: {reason}", str(path)) from None
    return parse_exercise(text, str(path))


def parse_exercise(text: str, where: str = FILE_NAME) -> Exercise:
    """Read exercises. Raises InputError naming file and question, what was expected and what was found.

    How an editor ends its lines and marks UTF-8 is no part of the text: the digest is the same.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    content = read_toml(text, where)
    _only(content, _TOP, where)
    entries = content.get("question")
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_QUESTIONS:
        count = f"{len(entries):,}" if isinstance(entries, list) else "none"
        raise InputError(f"expected 1 to {MOST_QUESTIONS} tables [[question]], found {count}", where)
    questions = tuple(_question(entry, at, where) for at, entry in enumerate(entries, start=1))
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InputError(f"expected an id of its own for each question, found {question.id!r} again", where)
        seen.add(question.id)
    intro = read_text(content["intro"], f"{where}, intro") if "intro" in content else ""
    return Exercise(read_text(content.get("title"), f"{where}, title"), questions, text, intro)


def _only(entry: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise InputError(f"expected only {', '.join(known)}, found {key!r}{did_you_mean(key, known)}", where)


def _question(entry: Any, at: int, where: str) -> Question:
    if not isinstance(entry, dict):
        raise InputError(f"expected a table [[question]], found {shorten(str(entry))}", where)
    name = entry.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name) or name in COLUMNS:
        expected = f"expected an id of at most 40 letters, digits, . _ and -, none of {', '.join(COLUMNS)}"
        raise InputError(f"{expected}, found {shorten(str(name)) if name else 'none'}", f"{where}, question {at}")
    place = f"{where}, question {name!r}"
    kind = entry.get("kind")
    if kind not in KINDS:
        raise InputError(f"expected kind to be {either(KINDS)}, found {shorten(str(kind))}", place)
    _only(entry, (*_ALL, *_OF_KIND[kind]), f"{place}, a {kind}")
    options = read_texts(entry.get("options"), f"{place}, options", 2) if kind == "choice" else ()
    numbers = _numbers(entry, place)
    texts: dict[str, Any] = {key: read_text(entry[key], f"{place}, {key}") for key in _TEXTS if key in entry}
    look_first = entry.get("look_first", False)
    if not isinstance(look_first, bool):
        raise InputError(f"expected look_first to be true or false, found {shorten(str(look_first))}", place)
    answer = _answer(entry.get("answer"), kind, options, f"{place}, answer")
    return Question(
        id=name,
        text=read_text(entry.get("text"), f"{place}, text"),
        kind=cast(Kind, kind),
        answer=answer,
        where=place,
        view=_view(entry["view"], f"{place}, view") if "view" in entry else "",
        look_first=look_first,
        options=options,
        hints=_hints(entry.get("hint", []), kind, options, place),
        along=_along(entry["along"], answer, f"{place}, along") if "along" in entry else None,
        **texts,
        **numbers,
    )


def _numbers(entry: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The numbers that a question says of itself."""
    said = {key: read_number(entry[key], f"{place}, {key}") for key in _NUMBERS if key in entry}
    if said.get("low", -math.inf) >= said.get("high", math.inf):
        raise InputError(f"expected low below high, found {said['low']:g} and {said['high']:g}", place)
    off = [said.get(key, 0.0) for key in ("tolerance", "relative", "points")]
    if min(off) < 0 or (off[0] and off[1]):
        raise InputError("expected tolerance or relative, and neither it nor points below 0", place)
    return said


def _answer(said: Any, kind: str, options: tuple[str, ...], where: str) -> Answer:
    """A table to be computed by, or the answer itself."""
    if isinstance(said, dict):
        answer = read_answer(said, where)
        if MAKES[answer.word] != kind:
            words = [word for word, makes in MAKES.items() if makes == kind]
            raise InputError(f"expected one of {either(words)} for a {kind}, found {answer.word}", where)
        return answer
    if kind == "number":
        return read_number(said, where)
    if kind == "choice":
        names = read_texts(said if isinstance(said, list) else [said], where)
        return Names(tuple(_option(one, options, where) for one in names))
    if not isinstance(said, list) or len(said) < 2:
        raise InputError(f"expected a list of items, the best first, found {shorten(str(said))}", where)
    groups = tuple(read_texts(one if isinstance(one, list) else [one], where) for one in said)
    if len({item for group in groups for item in group}) < sum(map(len, groups)):
        raise InputError(f"expected each item once, found {shorten(str(said))}", where)
    return Order(groups)


def _option(said: str, options: tuple[str, ...], where: str) -> str:
    if said not in options:
        raise InputError(f"expected one of the options, found {said!r}{did_you_mean(said, options)}", where)
    return said


def _hints(said: Any, kind: str, options: tuple[str, ...], where: str) -> tuple[Hint, ...]:
    if not isinstance(said, list):
        raise InputError(f"expected tables [[question.hint]], found {shorten(str(said))}", where)
    return tuple(_hint(one, kind, options, f"{where}, hint {at}") for at, one in enumerate(said, start=1))


def _hint(said: Any, kind: str, options: tuple[str, ...], where: str) -> Hint:
    if not isinstance(said, dict):
        raise InputError(f"expected a table [[question.hint]], found {shorten(str(said))}", where)
    _only(said, ("say", *_OF_HINT[kind]), f"{where}, of a {kind}")
    numbers = {
        key: _answer(said[key], "number", (), f"{where}, {key}") for key in ("above", "below", "near") if key in said
    }
    return Hint(
        read_text(said.get("say"), f"{where}, say"),
        **numbers,
        choice=_option(read_text(said["choice"], where), options, where) if "choice" in said else "",
        swapped=read_texts(said["swapped"], f"{where}, swapped", 2, 2) if "swapped" in said else (),
    )


def _along(said: Any, answer: Answer, where: str) -> Along:
    if not isinstance(said, dict) or set(said) != {"parameter", "values"} or not isinstance(answer, Computed):
        raise InputError("expected { parameter, values } beside an answer that is computed", where)
    values = said["values"]
    if not isinstance(values, list) or not 2 <= len(values) <= 100:
        raise InputError(f"expected a list of 2 to 100 numbers, found {shorten(str(values))}", where)
    numbers = tuple(read_number(one, where) for one in values)
    return Along(read_text(said["parameter"], where), numbers)


def _view(said: Any, where: str) -> str:
    """A path of the app, with its settings; no other place."""
    text = read_text(said, where)
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = None
    if parts is None or parts.scheme or parts.netloc or parts.fragment or not _PATH.fullmatch(parts.path):
        raise InputError(f"expected a path of the app such as /guided_path?..., found {shorten(text)}", where)
    return text
