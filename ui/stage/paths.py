"""Paths: the screens of a page at other positions of a slider, computed when a browser asks for them.

No script run waits for a path: the browser requests it at a separate address, with a secret word that only the page
has. A path is computed from coarse to fine, for at most `LIMITS.path` seconds per answer, and shared by all who see the
same view.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evalcore import InputError
from evalcore.figures.path import Sheet, coarse_to_fine, packed, sharing
from ui.screen.drawing_ahead import drawing
from ui.screen.items import Screen, followed
from ui.server.limits import LIMITS
from ui.server.turns import SHARE, is_open, turns

SMOOTH = 9  # positions that are enough for smooth motion between them
CLASS = 5  # active people from which on paths stop at SMOOTH positions
HERE = 10.0  # seconds after a page run in which a person counts as active
FEW = 5  # a path with fewer positions is not shown...
TRIED = 4  # ...and given up after this many answers
UNKNOWN = 0.25  # seconds before an unknown word is answered
_SECRET = secrets.token_bytes(16)
_WORKER = ThreadPoolExecutor(1, "path")

Draw = Callable[[Any], Sequence[Screen]]
Read = Callable[[Sequence[Screen]], Sheet]


@dataclass(eq=False)
class Path:
    """A slider of a page, with the screens known at its positions."""

    key: str  # key of the slider
    places: Sequence[float]
    values: Sequence[Any]
    draw: Draw  # makes the screens for a value
    address: Mapping[str, Sequence[str]]
    session: Mapping[str, Any] = field(default_factory=dict)  # session state that drawing reads
    seen: dict[int, Sheet | None] = field(default_factory=dict)  # sheets by position; None if nothing can be shown
    dear: bool = False
    _spent: float = 0.0  # seconds of processor time
    _whole: bytes = b""  # the encoded path when it is complete
    _left: list[tuple[int, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        # All positions without rank intervals first, then with them, because the intervals take longest.
        self._left = [(at, doubt) for doubt in (True, False) for at in reversed(coarse_to_fine(len(self.places)))]

    @property
    def enough(self) -> bool:
        """True if the screens are known at enough positions to show the path."""
        return bool(self._whole) or len(self.seen) >= min(FEW, len(self.places))

    @property
    def complete(self) -> bool:
        """True if there is nothing more to compute."""
        return self.dear or not self._left

    def go_on(self, seconds: float) -> None:
        """Compute more positions, for `seconds` of this thread's processor time; finish the position that was begun.

        While many people are active (`a_class_works`), stop as soon as there are enough positions for smooth motion;
        the numbers between those positions are then pale. Drawing pages has priority.
        """
        begun, given = time.thread_time(), 0.0  # processor time, which excludes other work
        while self._left and time.thread_time() - begun < seconds:
            if a_class_works() and len(self.seen) >= SMOOTH:
                break
            given += turns().give_way(SHARE * seconds - given)
            at, doubt = self._left.pop()
            drawn = (self.seen.get(at) or {}).get("figures", {})
            shown, whole = self._drawn(at, doubt, partial(followed, known=drawn))
            first = next(filter(None, self.seen.values()), None)
            self.seen[at] = shown and sharing(shown, first)  # share equal parts with the first sheet, to save memory
            if whole and not doubt:
                self._left.remove((at, True))
        self._spent += time.thread_time() - begun
        self.dear = not self.enough and self._spent > TRIED * seconds
        if not self._left:  # keep only the encoded path, which needs a tenth of the memory
            self._whole, self.seen = self.packed(), {}

    def packed(self) -> bytes:
        """Return the known positions and their sheets, encoded for the browser."""
        if self._whole:
            return self._whole
        result = [(self.places[at], sheet) for at, sheet in sorted(self.seen.items()) if sheet is not None]
        return packed([place for place, _ in result], [sheet for _, sheet in result])

    def sheet_at(self, place: int, read: Read = followed) -> Sheet | None:
        """Return the sheet of the position with index `place`, made by `read` from its screens.

        None if the page raises InputError there.
        """
        return self._drawn(place, True, read)[0]

    def _drawn(self, place: int, doubt: bool, read: Read) -> tuple[Sheet | None, bool]:
        """Return the sheet at a position, and True if the sheet is final; it is not if rank intervals were left out."""
        with drawing(self.address, self.session, doubt) as there:
            try:
                return read(self.draw(self.values[place])), not there.lacks_doubt
            except InputError:
                return None, True


# --- offered by a page, requested by a browser ------------------------------------------------------------------------

_OFFERED: WeakValueDictionary[str, Path] = WeakValueDictionary()  # kept while a session shows them
_DRAWN: dict[str, float] = {}  # time when a page was last drawn, by session
_LOCK = threading.Lock()
_AWAITED: Counter[str] = Counter()  # unanswered requests, by word


def offer(path: Path, known_by: object) -> tuple[str, Path]:
    """Return the secret word that a browser sends to request a path, and the path itself.

    `known_by` identifies the view; all who see the same view share one path.
    """
    word = hmac.new(_SECRET, repr(known_by).encode(), hashlib.sha256).hexdigest()[:32]
    return word, _OFFERED.setdefault(word, path)


def drawn(session: str) -> None:
    """Record that a page was drawn now for this session."""
    now = time.monotonic()
    with _LOCK:
        _DRAWN[session] = now
        for person in [person for person, at in _DRAWN.items() if at <= now - HERE]:
            del _DRAWN[person]


def people() -> int:
    """Return the number of sessions with an open browser for which a page was drawn recently."""
    with _LOCK:
        lately = [person for person, at in _DRAWN.items() if at > time.monotonic() - HERE]
    return sum(map(is_open, lately))


def a_class_works() -> bool:
    """Return True if so many people are active that computing paths would slow them down.

    This is the case if `CLASS` or more sessions had a page drawn recently, or if `CLASS` or more paths are being
    requested.
    """
    return max(people(), len(_AWAITED)) >= CLASS


async def answer(request: Request) -> Response:
    """Answer a request for a path; the answer is empty if no page on a screen has this path any more."""
    if "ahead" in request.query_params and a_class_works():
        return Response(status_code=204, headers={"X-Path": "later"})  # asked again when the slider moves
    word = request.path_params["word"]
    if word not in _OFFERED:  # an invented word does not count as activity, and delays its connection
        await asyncio.sleep(UNKNOWN)
        return answered(word)
    _AWAITED[word] += 1
    try:  # one path at a time, outside the threads that send pages
        return await asyncio.get_running_loop().run_in_executor(_WORKER, answered, word)
    finally:
        if _AWAITED[word] == 1:
            del _AWAITED[word]
        else:
            _AWAITED[word] -= 1


def answered(word: str) -> Response:
    """Compute more of the path with this token (`word`), and return a response with the positions computed so far.

    The body is empty if these are too few to draw, if computing them takes too long, or if the path no longer exists.
    """
    path = _OFFERED.get(word)
    if path is None:
        return Response(status_code=204, headers={"X-Path": "gone"})  # the page now has other settings
    if not path.complete:
        path.go_on(LIMITS.path)
    smooth = path.complete or (a_class_works() and len(path.seen) >= SMOOTH)
    state = "dear" if path.dear else "complete" if smooth else "coarse" if path.enough else "begun"
    data = path.packed() if path.enough and not path.dear else b""
    headers = {"X-Path": state, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(data, headers=headers, media_type="application/octet-stream")


ROUTES = (Route("/path/{word}", answer),)
