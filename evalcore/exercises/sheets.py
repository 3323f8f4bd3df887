"""Answer sheets: what a student entered, as JSON with a digest.

The digest tells that a sheet was changed by accident, or by hand without care. It is no signature: whoever reads this
file can compute another one. So a sheet says what was entered, and is graded anew from the data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.data.json_text import parse_json
from evalcore.errors import InputError, shorten
from evalcore.exercises.model import Entered, Exercise
from evalcore.structures.documents import Collection

FORM = "evalcore answer sheet 1"
LONGEST = 2_000_000  # characters of a sheet
MOST_TRIES = 200  # at a question
MOST_TEXT = 500  # characters of a name, of an option


@dataclass(frozen=True)
class Try:
    """What was entered, and when (UTC, as 2026-11-22T10:00:00Z)."""

    entered: Entered
    at: str


@dataclass(frozen=True)
class Given:
    """What was given to one question: all tries in their order, and when the answer was shown, "" if it was not."""

    question: str
    tries: tuple[Try, ...] = ()
    shown: str = ""


@dataclass(frozen=True)
class Sheet:
    """An answer sheet as it was read."""

    name: str
    title: str  # of the exercise
    exercise: str  # its digest
    fingerprint: str  # of the collection
    version: str  # of evalcore
    given: tuple[Given, ...]
    intact: bool  # the digest fits


def sheet_text(
    name: str,
    exercise: Exercise,
    collection: Collection,
    given: Iterable[Given],
    settings: Mapping[str, Sequence[str]],
    at: str,
    version: str,
) -> str:
    """An answer sheet. `settings` are those of the address at the time `at`."""
    by_id = {one.question: one for one in given}
    content: dict[str, Any] = {
        "form": FORM,
        "name": name.strip()[:MOST_TEXT],
        "at": at,
        "evalcore": version,
        "exercise": {"title": exercise.title, "digest": exercise.digest},
        "collection": {"title": collection.title, "fingerprint": collection.fingerprint},
        "settings": {key: list(texts) for key, texts in settings.items()},
        "answers": [
            {**_written(by_id.get(question.id, Given(question.id))), "view": question.view}
            for question in exercise.questions
        ],
    }
    return json.dumps({**content, "digest": digest(content)}, ensure_ascii=False, indent=1) + "\n"


def digest(content: Mapping[str, Any]) -> str:
    """The SHA-256 of all of a sheet but its digest, in canonical JSON: keys sorted, no blanks."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    written = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(written.encode()).hexdigest()


def read_sheet(text: str, where: str = "sheet") -> Sheet:
    """Read an answer sheet. Raises InputError where it is none."""
    content = _json(text, where, "an answer sheet", dict)
    if content.get("form") != FORM:
        raise InputError(
            f"expected an answer sheet of the form {FORM!r}, found {shorten(str(content.get('form')))}", where
        )
    exercise, collection = (_table(content.get(key), f"{where}, {key}") for key in ("exercise", "collection"))
    return Sheet(
        name=_text(content.get("name"), f"{where}, name"),
        title=_text(exercise.get("title"), f"{where}, exercise"),
        exercise=_text(exercise.get("digest"), f"{where}, exercise"),
        fingerprint=_text(collection.get("fingerprint"), f"{where}, collection"),
        version=_text(content.get("evalcore"), f"{where}, evalcore"),
        given=_given(content.get("answers"), f"{where}, answers"),
        intact=content.get("digest") == digest(content),
    )


# --- progress: the answers of a sheet that is not yet one -----------------------------------------------------------


def progress_text(given: Iterable[Given]) -> str:
    """What was given so far, for a browser to keep."""
    return json.dumps([_written(one) for one in given if one.tries or one.shown], ensure_ascii=False)


def read_progress(text: str, where: str = "progress") -> tuple[Given, ...]:
    """What a browser kept. Raises InputError where it is none: anything may stand there.

    >>> read_progress(progress_text([Given("q", (Try(0.5, "2026-11-22T10:00:00Z"),))]))
    (Given(question='q', tries=(Try(entered=0.5, at='2026-11-22T10:00:00Z'),), shown=''),)
    """
    return _given(_json(text, where, "answers", list), where)


def merged(before: Iterable[Given], after: Iterable[Given]) -> tuple[Given, ...]:
    """What was given in two visits, each try once, by time; of too many the last, among which the right one is.

    >>> a, b = Try(1.0, "2026-01-01T00:00:00Z"), Try(2.0, "2026-01-02T00:00:00Z")
    >>> [one.entered for one in merged([Given("q", (b,))], [Given("q", (a, b))])[0].tries]
    [1.0, 2.0]
    """
    found: dict[str, Given] = {}
    for one in [*before, *after]:
        other = found.get(one.question, Given(one.question))
        tries = tuple(sorted(dict.fromkeys([*other.tries, *one.tries]), key=lambda each: each.at))
        shown = min(filter(None, (other.shown, one.shown)), default="")
        found[one.question] = Given(one.question, tries[-MOST_TRIES:], shown)
    return tuple(found.values())


def _written(given: Given) -> dict[str, Any]:
    tries = [{"entered": entry.entered, "at": entry.at} for entry in given.tries]  # JSON has tuples as lists
    return {"question": given.question, "tries": tries, "shown": given.shown}


def _json(text: str, where: str, what: str, kind: type) -> Any:
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, found {len(text):,}", where)
    return parse_json(text, where, what=what, kind=kind)


def _table(said: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(said, dict):
        raise InputError(f"expected a table, found {shorten(str(said))}", where)
    return said


def _text(said: Any, where: str) -> str:
    if not isinstance(said, str) or len(said) > MOST_TEXT:
        raise InputError(f"expected a text of at most {MOST_TEXT} characters, found {shorten(str(said))}", where)
    if any("\ud800" <= letter <= "\udfff" for letter in said):  # JSON can say it, no file can hold it
        raise InputError(f"expected a text, found half a character in {shorten(ascii(said))}", where)
    return said


def _given(said: Any, where: str) -> tuple[Given, ...]:
    if not isinstance(said, list):
        raise InputError(f"expected a list of answers, found {shorten(str(said))}", where)
    found: dict[str, Given] = {}
    for entry in said:
        table = _table(entry, where)
        name = _text(table.get("question"), f"{where}, question")
        if name in found:
            raise InputError(f"expected each question once, found {name!r} again", where)
        tries = table.get("tries")
        if not isinstance(tries, list) or len(tries) > MOST_TRIES:
            raise InputError(f"expected a list of at most {MOST_TRIES} tries", f"{where}, {name}")
        shown = _text(table.get("shown", ""), f"{where}, {name}")
        found[name] = Given(name, tuple(_try(one, f"{where}, {name}") for one in tries), shown)
    return tuple(found.values())


def _try(said: Any, where: str) -> Try:
    table = _table(said, where)
    entered = table.get("entered")
    if isinstance(entered, list):
        return Try(tuple(_text(one, where) for one in entered), _text(table.get("at"), where))
    if isinstance(entered, bool) or not isinstance(entered, str | int | float):
        raise InputError(f"expected a number, a text or a list of texts, found {shorten(str(entered))}", where)
    try:
        return Try(_text(entered, where) if isinstance(entered, str) else float(entered), _text(table.get("at"), where))
    except OverflowError:
        raise InputError("expected a number, found one that is too large", where) from None
