"""The sliders of a view in the report: what they show is drawn beside the pages, after the view was kept.

To keep a view takes no longer for them: one thread of the server draws places of all that was kept, one after the
other, and pages go first. A download waits for unfinished positions. A slider has at most `PLACES` places, and a
view `SECONDS` of work: what has fewer than `FEWEST` places by then is left out, and the report says so.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any, cast
from weakref import ref

import pandas as pd

from evalcore.figures import offline
from evalcore.figures.draw import Drawn
from evalcore.figures.offline import FEWEST, Thumb
from evalcore.figures.path import sharing
from evalcore.figures.report import View
from ui.screen.items import Headline, Metric, Seen, lines_of
from ui.screen.text import plain
from ui.server import held
from ui.server.turns import SHARE, turns
from ui.stage import paths

SECONDS = 10.0  # of this machine's work for all sliders of a view
FIRST = 3.0  # seconds that the page which is drawn after a view was kept has for itself, at most


@dataclass(frozen=True)
class Offer:
    """A slider of the page on the screen: its label, what it is set to at a place, at which it is now, and its path."""

    label: str
    text: Callable[[int], str]
    start: int
    path: paths.Path


@dataclass(frozen=True)
class Named:
    """What a page knows of the things it showed: their keys, in the order in which the report has them.

    `lines` are the headline: sentences and metrics with their keys. `unmoved` are the keys of figures that no slider
    moves.
    """

    things: Sequence[str]
    lines: Sequence[tuple[str, Headline | Metric]]
    unmoved: Sequence[str] = ()

    def sheet(self, drawn: Seen) -> dict[str, Any]:
        """What was drawn at a place of a slider, as the report knows its things."""
        result: dict[str, Any] = {"figures": {}, "tables": {}, "texts": {offline.HEADLINE: self._headline(drawn)}}
        for at, name in enumerate(self.things):
            if name in drawn.figures:
                result["figures"][str(at)] = drawn.figures[name]
            elif name in drawn.tables:
                result["tables"][str(at)] = offline.cells(drawn.tables[name])
            elif name in drawn.texts:
                result["texts"][str(at)] = plain(drawn.texts[name])
        return result

    def _headline(self, drawn: Seen) -> str:
        moved = (line if key not in drawn.texts else at_place(line, drawn.texts[key]) for key, line in self.lines)
        return "\n".join(text for line in moved for text in lines_of(line))


def at_place(line: Headline | Metric, text: str) -> Headline | Metric:
    """A line of the headline as a browser has its text at another place."""
    if isinstance(line, Headline):
        return Headline(text)
    value, _, change = text.partition("\n")
    return Metric(line.label, value, change or None)


@dataclass(eq=False)
class _Slider:
    """A slider of which some places are drawn."""

    offer: Offer
    left: list[int]  # the numbers of its places, the next one last
    seen: dict[int, dict[str, Any]] = field(default_factory=dict)
    spent: float = 0.0


class Work:
    """The sliders of a view: drawn place by place, by whoever comes first; together they fit the view of a report."""

    def __init__(self, offers: Sequence[Offer], named: Named, shown: Sequence[Any]) -> None:
        self._named, self._lock = named, threading.Lock()
        self._drawable = [at for at, item in enumerate(shown) if isinstance(item, Drawn | pd.DataFrame)]
        self._left = [_Slider(offer, _order(offer)) for offer in offers]
        self._given = SECONDS / max(len(offers), 1)
        self._thumbs: list[Thumb] = []
        self._worked, self._waited = 0.0, 0.0  # seconds
        self.of = sum(len(work.left) for work in self._left)

    @property
    def done(self) -> int:
        """How many places are drawn, or given up."""
        return self.of - sum(len(work.left) for work in list(self._left))

    @property
    def reserved_bytes(self) -> int:
        """How many bytes they take at most, once they are drawn."""
        return offline.MOST_BYTES if self.of else 0

    @property
    def complete(self) -> bool:
        return not self._left

    def step(self) -> bool:
        """Draw one more place; whether there is more to do."""
        with self._lock:
            if self._left:
                self._draw(self._left[0])
            return bool(self._left)

    def thumbs(self) -> list[Thumb]:
        """The sliders, once all of them are drawn."""
        while self.step():
            self.give_way()
        return self._thumbs

    def give_way(self) -> None:
        """Pause while pages are drawn, in all no longer than `SHARE` of what was worked."""
        self._waited += turns().give_way(SHARE * self._worked - self._waited)

    def _draw(self, slider: _Slider) -> None:
        at, begun = slider.left.pop(), time.thread_time()
        try:
            drawn = slider.offer.path.seen_at(at)
        except Exception:  # a place that fails takes neither the other places nor the report with it
            drawn = None
        if drawn is not None:
            first = next(iter(slider.seen.values()), None)
            slider.seen[at] = sharing(self._named.sheet(drawn), first)
        spent = time.thread_time() - begun
        slider.spent += spent
        self._worked += spent
        if slider.spent > self._given:
            slider.left.clear()
        if not slider.left:
            self._left.pop(0)  # and with it what it would draw of
            self._thumbs.append(self._packed(slider))
        if not self._left:
            self._thumbs = offline.within(self._thumbs, offline.MOST_BYTES)

    def _packed(self, slider: _Slider) -> Thumb:
        try:
            return self._made(slider)
        except Exception:  # nor does a slider
            return offline.lacking(slider.offer.label, "what it moves could not be written")

    def _made(self, slider: _Slider) -> Thumb:
        offer, places = slider.offer, sorted(slider.seen)
        if offer.start not in places:
            return offline.lacking(offer.label, "where the view was made it could not be drawn once more")
        if len(places) < min(FEWEST, len(offer.path.places)):
            return offline.lacking(offer.label, f"to draw its places takes more than {self._given:.0f} s")
        sheets = [slider.seen[at] for at in places]
        known = {key for kind in ("figures", "tables") for key in sheets[0][kind]}
        unmoved = [str(at) for at, name in enumerate(self._named.things) if name in self._named.unmoved]
        stays = [str(at) for at in self._drawable if str(at) not in known and str(at) not in unmoved]
        texts = list(map(offer.text, places))
        return offline.thumb(offer.label, texts, places.index(offer.start), sheets, stays)


def _order(offer: Offer) -> list[int]:
    """The places to draw, last one first: where the view is, then from coarse to fine."""
    shown = offline.chosen(len(offer.path.places), offer.start)
    coarse = [shown[at] for at in paths.coarse_to_fine(len(shown))]
    return list(reversed(list(dict.fromkeys([offer.start, *coarse]))))


def new_mark() -> str:
    """What a view that is kept is known by from now on."""
    return secrets.token_hex(4)


@dataclass(frozen=True, eq=False)
class KeptView(View):
    """A view that was kept, the work on its sliders, and its mark: the same wherever it is, whatever is said to it."""

    work: Work | None = None
    mark: str = field(default_factory=new_mark)

    def saying(self, what: str, text: str) -> KeptView:
        """The same view with another title or note."""
        return replace(self, **cast(dict[str, Any], {what: text}))

    def finished(self) -> View:
        """The view with its sliders, which are waited for."""
        if self.work is None:
            return self
        return replace(self, sliders=[thumb for thumb in self.work.thumbs() if thumb.lacks or offline.moves(thumb)])


def begin(view: KeptView) -> KeptView:
    """Have the sliders of a view drawn beside the pages."""
    if view.work is not None:
        _queue().put(ref(view.work))
    return view


@held.once
def _queue() -> SimpleQueue[Callable[[], Work | None]]:
    """What is to be drawn on this server, by one thread; the server's end does not wait for it."""
    waiting: SimpleQueue[Callable[[], Work | None]] = SimpleQueue()
    threading.Thread(target=_draw_all, args=(waiting,), name="report", daemon=True).start()
    return waiting


def _draw_all(waiting: SimpleQueue[Callable[[], Work | None]]) -> None:
    while True:
        with suppress(Exception):  # of one view: others wait
            _go_on(waiting.get())


def _go_on(work_of: Callable[[], Work | None]) -> None:
    """Draw while somebody keeps the view."""
    turns().give_way(FIRST)
    while (work := work_of()) is not None and work.step():
        work.give_way()
        del work  # who lets go of it now is not held up


def progress(views: Sequence[KeptView]) -> tuple[int, int]:
    """How many places of the sliders of these views are drawn, and of how many."""
    works = [view.work for view in views if view.work is not None]
    return sum(work.done for work in works), sum(work.of for work in works)
