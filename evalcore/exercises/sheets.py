"""Answer sheets: what a student entered, as JSON with a digest.

The digest tells that a sheet was changed by accident, or by hand without care. It is no signature: whoever reads this
file can compute another one. So a sheet says what was entered, and is graded anew from the data.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.data.json_text import parse_json
from evalcore.errors import InputError, shorten
from evalcore.exercises.model import Entered, Exercise
from evalcore.schema import TABLE, Expected, list_of
from evalcore.structures.documents import Collection

FORM = "evalcore answer sheet 1"
LONGEST = 2_000_000  # characters of a sheet
MOST_TRIES = 200  # at a question
MOST_TEXT = 500  # characters of a name, of an option
_HALF = re.compile("[\ud800-\udfff]")  # of a character: JSON can say it, no file can hold it
_TEXT = Expected(
    f"a text of at most {MOST_TEXT} characters",
    lambda value: isinstance(value, str) and len(value) <= MOST_TEXT and not _HALF.search(value),
)
_TEXTS = list_of(_TEXT, "a list of texts")
_ENTERED = Expected(
    "a number, a text or a list of texts",
    lambda value: type(value) in (int, float) or _TEXT.fits(value) or _TEXTS.fits(value),
)
_ANSWERS = list_of(TABLE, "a list of answers")
_TRIES = list_of(TABLE, f"a list of at most {MOST_TRIES} tries", 0, MOST_TRIES)


@dataclass(frozen=True)
class Try:
    """What was entered, and when (UTC, as 2026-11-22T10:00:00Z)."""

    entered: Entered
    at: str


@dataclass(frozen=True)
class Answered:
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
    given: tuple[Answered, ...]
    intact: bool  # the digest fits


def sheet_text(
    name: str,
    exercise: Exercise,
    collection: Collection,
    given: Iterable[Answered],
    settings: Mapping[str, Sequence[str]],
    at: str,
    version: str,
) -> str:
    """An answer sheet. `settings` are those of the address at the time `at`."""
    by_id = {answer.question: answer for answer in given}
    content: dict[str, Any] = {
        "form": FORM,
        "name": name.strip()[:MOST_TEXT],
        "at": at,
        "evalcore": version,
        "exercise": {"title": exercise.title, "digest": exercise.digest},
        "collection": {"title": collection.title, "fingerprint": collection.fingerprint},
        "settings": {key: list(texts) for key, texts in settings.items()},
        "answers": [
            {**_written(by_id.get(question.id, Answered(question.id))), "view": question.view}
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
        found = shorten(str(content.get("form")))
        raise InputError(f"expected an answer sheet of the form {FORM!r}, found {found}", where)
    exercise, collection = (TABLE.read(content.get(key), f"{where}, {key}") for key in ("exercise", "collection"))
    return Sheet(
        name=_TEXT.read(content.get("name"), f"{where}, name"),
        title=_TEXT.read(exercise.get("title"), f"{where}, exercise"),
        exercise=_TEXT.read(exercise.get("digest"), f"{where}, exercise"),
        fingerprint=_TEXT.read(collection.get("fingerprint"), f"{where}, collection"),
        version=_TEXT.read(content.get("evalcore"), f"{where}, evalcore"),
        given=_given(content.get("answers"), f"{where}, answers"),
        intact=content.get("digest") == digest(content),
    )


# --- progress: the answers of a sheet that is not yet one -----------------------------------------------------------


def progress_text(given: Iterable[Answered]) -> str:
    """What was given so far, for a browser to keep."""
    return json.dumps([_written(answer) for answer in given if answer.tries or answer.shown], ensure_ascii=False)


def read_progress(text: str, where: str = "progress") -> tuple[Answered, ...]:
    """What a browser kept. Raises InputError where it is none: anything may stand there.

    >>> read_progress(progress_text([Answered("q", (Try(0.5, "2026-11-22T10:00:00Z"),))]))
    (Answered(question='q', tries=(Try(entered=0.5, at='2026-11-22T10:00:00Z'),), shown=''),)
    """
    return _given(_json(text, where, "answers", list), where)


def merged(before: Iterable[Answered], after: Iterable[Answered]) -> tuple[Answered, ...]:
    """What was given in two visits, each try once, by time; of too many the last, among which the right one is.

    >>> a, b = Try(1.0, "2026-01-01T00:00:00Z"), Try(2.0, "2026-01-02T00:00:00Z")
    >>> [entry.entered for entry in merged([Answered("q", (b,))], [Answered("q", (a, b))])[0].tries]
    [1.0, 2.0]
    """
    by_question: dict[str, Answered] = {}
    for answer in [*before, *after]:
        other = by_question.get(answer.question, Answered(answer.question))
        tries = tuple(sorted(dict.fromkeys([*other.tries, *answer.tries]), key=lambda each: each.at))
        shown = min(filter(None, (other.shown, answer.shown)), default="")
        by_question[answer.question] = Answered(answer.question, tries[-MOST_TRIES:], shown)
    return tuple(by_question.values())


def _written(given: Answered) -> dict[str, Any]:
    tries = [{"entered": entry.entered, "at": entry.at} for entry in given.tries]  # JSON has tuples as lists
    return {"question": given.question, "tries": tries, "shown": given.shown}


def _json(text: str, where: str, what: str, kind: type) -> Any:
    if len(text) > LONGEST:
        raise InputError(f"expected at most {LONGEST:,} characters, found {len(text):,}", where)
    return parse_json(text, where, what=what, kind=kind)


def _given(answers: Any, where: str) -> tuple[Answered, ...]:
    by_question: dict[str, Answered] = {}
    for answer in _ANSWERS.read(answers, where):
        name = _TEXT.read(answer.get("question"), f"{where}, question")
        if name in by_question:
            raise InputError(f"expected each question once, found {name!r} again", where)
        place = f"{where}, {name}"
        tries = tuple(_try(entry, place) for entry in _TRIES.read(answer.get("tries"), place))
        by_question[name] = Answered(name, tries, _TEXT.read(answer.get("shown", ""), place))
    return tuple(by_question.values())


def _try(entry: Mapping[str, Any], where: str) -> Try:
    entered, at = _ENTERED.read(entry.get("entered"), where), _TEXT.read(entry.get("at"), where)
    if isinstance(entered, str | list):
        return Try(entered if isinstance(entered, str) else tuple(entered), at)
    try:
        return Try(float(entered), at)
    except OverflowError:
        raise InputError("expected a number, found one that is too large", where) from None
