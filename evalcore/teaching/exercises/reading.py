"""Read exercises from TOML, which any text editor can write; docs/exercises.md has a full example."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from evalcore.common.schema import ANY, FILLED, NUMBER, SWITCH, TABLE, TEXT, Expected, check, list_of
from evalcore.data.toml_text import read_toml, read_utf8
from evalcore.errors import InputError, did_you_mean, either, shorten
from evalcore.teaching.exercises.answers import MAKES, read_answer, read_number, read_text, read_texts
from evalcore.teaching.exercises.model import (
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
_NUMBERS = ("tolerance", "relative", "low", "high")
_QUESTIONS = list_of(TABLE, f"1 to {MOST_QUESTIONS} tables [[question]]", 1, MOST_QUESTIONS)
_TOP = {"title": FILLED, "intro": FILLED, "question": _QUESTIONS}
_ANSWER = Expected("an answer, or how to compute it", lambda value: True)
_QUESTION = {
    "id": TEXT,
    "title": FILLED,
    "text": FILLED,
    "view": FILLED,
    "look_first": SWITCH,
    "kind": TEXT,
    "answer": _ANSWER,
    "hint": list_of(TABLE, "tables [[question.hint]]"),
    "explanation": FILLED,
}
_OF_NUMBER = dict.fromkeys(("tolerance", "relative", "low", "high"), NUMBER) | {"unit": FILLED, "along": ANY}
_OF_KIND: Mapping[str, Mapping[str, Expected]] = {"number": _OF_NUMBER, "choice": {"options": ANY}, "ranking": {}}
_OF_HINT: Mapping[str, Mapping[str, Expected]] = {
    "number": dict.fromkeys(("above", "below", "near"), _ANSWER),
    "choice": {"choice": FILLED},
    "ranking": {"swapped": ANY},
}


def shipped() -> Exercise:
    """Return the exercises of the guided path, on the sample data."""
    return parse_exercise(SHIPPED.read_text(encoding="utf-8"), SHIPPED.name)


def read_exercise(path: str | Path) -> Exercise:
    """Read exercises from a file.

    Raises InputError if the file is unreadable or has a mistake; the message names the question with the mistake.
    """
    return parse_exercise(read_utf8(path, "the file of exercises"), str(path))


def parse_exercise(text: str, where: str = FILE_NAME) -> Exercise:
    """Read exercises from a text.

    Raises InputError for a mistake; the message gives `where` as the name of the text, and names the question.
    CRLF line ends and a byte order mark, which some editors write, do not change the digest.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    content = read_toml(text, where)
    check(content, _TOP, where, "title", "question")
    questions = tuple(_question(entry, at, where) for at, entry in enumerate(content["question"], start=1))
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InputError(f"expected a different id for each question, found {question.id!r} again", where)
        seen.add(question.id)
    return Exercise(content["title"], questions, text, content.get("intro", ""))


def _question(entry: Mapping[str, Any], at: int, where: str) -> Question:
    name = entry.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        expected = "expected an id of at most 40 letters, digits, . _ and -"
        raise InputError(f"{expected}, found {shorten(str(name)) if name else 'none'}", f"{where}, question {at}")
    place = f"{where}, question {name!r}"
    kind = entry.get("kind")
    if kind not in KINDS:
        raise InputError(f"expected `kind` to be {either(KINDS)}, found {shorten(str(kind))}", place)
    check(entry, {**_QUESTION, **_OF_KIND[kind]}, place, "text", "answer")
    options = read_texts(entry.get("options"), f"{place}, options", 2) if kind == "choice" else ()
    numbers = _numbers(entry, place)
    texts: dict[str, Any] = {key: entry[key] for key in _TEXTS if key in entry}
    hints = entry.get("hint", [])
    answer = _answer(entry["answer"], kind, options, f"{place}, answer")
    return Question(
        id=name,
        text=entry["text"],
        kind=cast(Kind, kind),
        answer=answer,
        where=place,
        view=_view(entry["view"], f"{place}, view") if "view" in entry else "",
        look_first=entry.get("look_first", False),
        options=options,
        hints=tuple(_hint(hint, kind, options, f"{place}, hint {at}") for at, hint in enumerate(hints, start=1)),
        along=_along(entry["along"], answer, f"{place}, along") if "along" in entry else None,
        **texts,
        **numbers,
    )


def _numbers(entry: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the numbers of a question: tolerance or relative, low and high. Raises InputError if they conflict."""
    value = {key: float(entry[key]) for key in _NUMBERS if key in entry}
    if value.get("low", -math.inf) >= value.get("high", math.inf):
        raise InputError(f"expected `low` below `high`, found {value['low']:g} and {value['high']:g}", place)
    off = [value.get(key, 0.0) for key in ("tolerance", "relative")]
    if min(off) < 0 or (off[0] and off[1]):
        raise InputError("expected either `tolerance` or `relative`, of 0 or more", place)
    return value


def _answer(value: Any, kind: str, options: tuple[str, ...], where: str) -> Answer:
    """Return the given answer, or, for a table, the answer to compute. Raises InputError if it does not fit `kind`."""
    if isinstance(value, dict):
        answer = read_answer(value, where)
        if MAKES[answer.word] != kind:
            words = [word for word, makes in MAKES.items() if makes == kind]
            raise InputError(f"expected one of {either(words)} for a {kind}, found {answer.word}", where)
        return answer
    if kind == "number":
        return read_number(value, where)
    if kind == "choice":
        names = read_texts(value if isinstance(value, list) else [value], where)
        return Names(tuple(_option(name, options, where) for name in names))
    if not isinstance(value, list) or len(value) < 2:
        raise InputError(f"expected a list of items, the best first, found {shorten(str(value))}", where)
    groups = tuple(read_texts(group if isinstance(group, list) else [group], where) for group in value)
    if len({item for group in groups for item in group}) < sum(map(len, groups)):
        raise InputError(f"expected each item once, found {shorten(str(value))}", where)
    return Order(groups)


def _option(value: str, options: tuple[str, ...], where: str) -> str:
    if value not in options:
        raise InputError(f"expected one of the options, found {value!r}{did_you_mean(value, options)}", where)
    return value


def _hint(entry: Mapping[str, Any], kind: str, options: tuple[str, ...], where: str) -> Hint:
    check(entry, {"say": FILLED, **_OF_HINT[kind]}, f"{where}, of a {kind}", "say")
    numbers = {key: _answer(entry[key], "number", (), f"{where}, {key}") for key in _OF_HINT["number"] if key in entry}
    return Hint(
        entry["say"],
        **numbers,
        choice=_option(entry["choice"], options, where) if "choice" in entry else "",
        swapped=read_texts(entry["swapped"], f"{where}, swapped", 2, 2) if "swapped" in entry else (),
    )


def _along(given: Any, answer: Answer, where: str) -> Along:
    if not isinstance(given, dict) or set(given) != {"parameter", "values"} or not isinstance(answer, Computed):
        raise InputError("expected { parameter, values } with a computed answer", where)
    values = given["values"]
    if not isinstance(values, list) or not 2 <= len(values) <= 100:
        raise InputError(f"expected a list of 2 to 100 numbers, found {shorten(str(values))}", where)
    numbers = tuple(read_number(value, where) for value in values)
    return Along(read_text(given["parameter"], where), numbers)


def _view(value: Any, where: str) -> str:
    """Return a path of the app with its settings. Raises InputError for any other address."""
    text = read_text(value, where)
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = None
    if parts is None or parts.scheme or parts.netloc or parts.fragment or not _PATH.fullmatch(parts.path):
        raise InputError(f"expected a path of the app such as /guided_path?..., found {shorten(text)}", where)
    return text
