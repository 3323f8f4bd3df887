"""Classes in session, in the memory of one process, with limits on their number and size.

A teacher is recognised by the browser, a phone by its cookie. A class ends when its teacher ends it or after `HOURS`
hours, and leaves nothing on disk.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from evalcore import InputError
from ui.server.browser_store import once
from ui.teaching.classroom.questions import Answer, Asked, Key, Question

MOST_CLASSES, MOST_SEATS, MOST_QUESTIONS, LONGEST_NAME = 5, 60, 100, 40
HOURS = 3.0
LETTERS = "CDFGHJKMNPRTWXY"  # no two look alike, and without vowels they spell no words
LATE = 1.5  # seconds after the time limit in which late answers still count
GONE = 60.0  # seconds without a request after which a seat without answers is free
MOST_KEYS = 10_000  # most networks and seats whose requests are counted
COLUMNS = ["number", "question", "student", "name", "answer", "right"]
_LOCK = threading.RLock()  # phones are served in the event loop, teachers in threads of Streamlit


class RefusedError(InputError):
    """Error for a refused request, with a reason and an HTTP status."""

    def __init__(self, problem: str, status: int) -> None:
        super().__init__(problem)
        self.status = status


class Rates:
    """Limits on requests by key: at most `most` at once, after which `each` more are allowed per second."""

    def __init__(self, most: float, each: float, now: Callable[[], float]) -> None:
        self._most, self._each, self._now = most, each, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def use(self, key: str) -> None:
        """Count a request with this key. Raises RefusedError if there were too many."""
        now = self._now()
        left, at = self._left.pop(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._each)
        self._left[key] = left - (left >= 1), now
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        if left < 1:
            raise RefusedError("Too many requests. Wait a few seconds, then try again.", 429)


@dataclass
class Seat:
    """One student's seat in a class; `number` counts from 1."""

    number: int
    name: str
    seen: float
    answers: dict[int, Answer] = field(default_factory=dict)  # by index of the question
    stuck: bool = False
    changes: int = 0
    waits: int = 0  # number of requests that waited for news


@dataclass(frozen=True)
class Round:
    """A question that was asked; `ends` is the time at which it closes (None: no time limit)."""

    asked: Asked
    key: Key
    ends: float | None = None
    revealed: bool = False

    def fits(self, answer: Answer | None) -> bool | None:
        """Return True if an answer is right, else False; None without an answer, or if no answer can be right."""
        return None if self.key.fits is None or answer is None else bool(self.key.fits(answer))


@dataclass
class Classroom:
    """One class: its seats, its questions, and what its phones show."""

    code: str
    owner: str
    names: bool
    now: Callable[[], float]
    begun: float
    seats: dict[str, Seat] = field(default_factory=dict)  # by digest of the cookie
    rounds: list[Round] = field(default_factory=list)
    shown: dict[str, Any] | None = None  # the teacher's step
    follow: bool = True
    ended: bool = False
    changes: int = 0

    def change(self, **changes: Any) -> None:
        """Set these fields, which all phones show, and announce the change to the phones."""
        with _LOCK:
            vars(self).update(changes)
            self.changes += 1

    def ask(self, question: Question, seconds: float | None = None) -> None:
        """Open a question, with a time limit unless `seconds` is None. Raises InputError for too many questions."""
        with _LOCK:
            if len(self.rounds) >= MOST_QUESTIONS:
                raise InputError(f"A class has at most {MOST_QUESTIONS} questions. End it and open a new one.")
            for seat in self.seats.values():
                seat.stuck = False
            one = Round(*question, None if seconds is None else self.now() + seconds)
            self.change(rounds=[*self.rounds, one])

    def reveal(self) -> None:
        """Close the last question and reveal its answer."""
        with _LOCK:
            self.change(rounds=[*self.rounds[:-1], *(replace(one, revealed=True) for one in self.rounds[-1:])])

    def answers(self) -> list[Answer]:
        """Return all answers to the last question."""
        at = len(self.rounds) - 1
        with _LOCK:
            return [seat.answers[at] for seat in self.seats.values() if at in seat.answers]

    def results(self) -> pd.DataFrame:
        """Return a frame of all answers to all questions, with a row for each answer and the columns `COLUMNS`."""
        with _LOCK:
            rows = [
                (at + 1, one.asked.text, seat.number, seat.name, one.asked.words(answer), one.fits(answer))
                for at, one in enumerate(self.rounds)
                for seat in self.seats.values()
                if (answer := seat.answers.get(at)) is not None
            ]
        return pd.DataFrame(rows, columns=COLUMNS)

    def join(self, known: str, name: str) -> Seat:
        """Return the browser's seat, or a new one. Raises RefusedError if no seat is free or the name is invalid."""
        name = " ".join(name.split()) if self.names else ""
        with _LOCK:
            if known not in self.seats:
                if (self.names and not name) or len(name) > LONGEST_NAME or not name.isprintable():
                    raise RefusedError(f"Type your name, with at most {LONGEST_NAME} characters.", 422)
                self.seats[known] = Seat(self._free(), name, self.now())
            return self.seats[known]

    def _free(self) -> int:
        """Return the lowest free seat number. Raises RefusedError if the class is full.

        In a full class, one seat without answers is freed first if its phone has been gone for `GONE` seconds.
        """
        if len(self.seats) >= MOST_SEATS:
            left = (key for key, seat in self.seats.items() if not seat.answers and seat.seen < self.now() - GONE)
            self.seats.pop(next(left, ""), None)
        taken = {seat.number for seat in self.seats.values()}
        for number in range(1, MOST_SEATS + 1):
            if number not in taken:
                return number
        raise RefusedError(f"This class is full: it has {MOST_SEATS} seats.", 409)

    def take(self, seat: Seat, at: Any, value: Any) -> None:
        """Store an answer, in place of the seat's earlier one.

        Raises RefusedError if the question is closed or the answer is invalid.
        """
        with _LOCK:
            one = self.rounds[-1] if self.rounds else None
            if one is None or one.revealed or at != len(self.rounds) - 1 or self.now() > (one.ends or 1e99) + LATE:
                raise RefusedError("This question is closed.", 409)
            try:
                answer = one.asked.read(value)
            except InputError as error:
                raise RefusedError(str(error), 422) from None
            # A seat's resample depends only on the question, so a second tap draws the same one.
            seat.answers[at] = one.key.draws(MOST_SEATS * at + seat.number) if one.key.draws else answer
            seat.changes += 1

    def mark(self, seat: Seat) -> str:
        """Return a text that changes whenever the phone of a seat has something new to show."""
        return f"{self.changes}.{seat.changes}"

    def seen_by(self, seat: Seat) -> dict[str, Any]:
        """Return everything that the phone of a seat shows.

        Before the reveal, this contains nothing from the key.
        """
        with _LOCK:
            seat.seen = self.now()
            seen = {"seen": self.mark(seat), "seat": seat.number, "name": seat.name, "stuck": seat.stuck}
            seen |= {"follow": self.follow, "shown": self.shown if self.follow else None}
            for at, one in list(enumerate(self.rounds))[-1:]:
                answer = seat.answers.get(at)
                asked = {"at": at, **vars(one.asked), "closed": one.revealed}
                if one.ends is not None:
                    asked["left"] = max(one.ends - self.now(), 0.0)
                if answer is not None:
                    asked["mine"] = one.asked.words(answer)
                if one.revealed:
                    near = one.key.near(self.answers())
                    asked |= {"sentence": one.key.sentence, "near": near, "right": one.fits(answer)}
                seen["question"] = asked
            return seen


class Classrooms:
    """The classes of this process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._held: dict[str, Classroom] = {}  # by code
        self.unknown = Rates(60, 1, now)  # unknown codes, by network
        self.joins = Rates(2 * MOST_SEATS, 2, now)  # by network, as a class often shares one
        self.sent, self.reads = Rates(20, 2, now), Rates(40, 5, now)  # by seat

    def open(self, owner: str, names: bool = False) -> Classroom:
        """Open a class for a teacher, and end the teacher's previous one.

        Raises InputError if there are too many classes.
        """
        with _LOCK:
            self.end(owner)
            if len(self._now_held()) >= MOST_CLASSES:
                raise InputError(f"This server has {MOST_CLASSES} classes already. Try again when one ends.")
            codes = iter(lambda: "".join(secrets.choice(LETTERS) for _ in range(4)), "")
            code = next(code for code in codes if code not in self._held)
            return self._held.setdefault(code, Classroom(code, owner, names, self._now, self._now()))

    def of(self, owner: str) -> Classroom | None:
        """Return the class of a teacher; None without one."""
        return next((one for one in self._now_held().values() if one.owner == owner), None)

    def find(self, code: str, network: str) -> Classroom:
        """Return the class with this code.

        Raises RefusedError if there is none, or if the network has sent too many unknown codes.
        """
        with _LOCK:
            found = self._now_held().get(code.strip().upper())
            if found is None:
                self.unknown.use(network)
                raise RefusedError("There is no class with this code. It may have ended.", 404)
            return found

    def end(self, owner: str) -> None:
        """End the class of a teacher, if there is one."""
        with _LOCK:
            for one in [one for one in self._held.values() if one.owner == owner]:
                self._held.pop(one.code).change(ended=True)

    def _now_held(self) -> dict[str, Classroom]:
        with _LOCK:
            for one in [one for one in self._held.values() if one.begun < self._now() - HOURS * 3600]:
                self.end(one.owner)
            return dict(self._held)


@once
def classrooms() -> Classrooms:
    """Return the classes of this process."""
    return Classrooms()
