"""Parts of a page that follow sliders: the browser updates them during a move, the server on release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as File
from typing import Any, TypeVar, cast

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.data import Collection
from evalcore.figures.path import Path, Sheet
from ui.address import families
from ui.address.settings import MADE_ON, Settings, address
from ui.computing import work
from ui.screen.items import Item, Screen, written
from ui.server.limits import LIMITS
from ui.stage import paths, report, show
from ui.stage.screen_cache import Kept, bytes_of
from ui.widgets import fields
from ui.widgets.callback import callback
from ui.widgets.component import component
from ui.widgets.fields import Slider

_mount = component("live", File(__file__).parent / "following" / "hand.js", "<div></div>")
_FOLLOWED, _UNMOVED, _OFFERED = "what follows sliders", "figures that no slider moves", "paths offered"
_RUNS, _DRAWN, _KEPT = "runs answered", "parts drawn", "screens seen"
UNSEEN = ("present", "entry")  # settings that do not change a screen

Page = TypeVar("Page", bound=Settings)


@dataclass(frozen=True)
class Followed:
    """A part of a page that follows sliders: its settings, the function that draws it, and the keys of its figures."""

    page: Settings
    draw: Callable[[Any], Screen]
    figures: list[str]
    names: Sequence[str]
    curves: dict[str, str]  # keys of the metrics drawn along a slider, with their labels

    def follows(self, name: str) -> bool:
        """Return True if the part follows the sliders of the setting with this name."""
        return name in self.names if self.names else self.page.field(name) is not None


def follow(
    page: Page,
    draw: Callable[[Page], Screen | Iterable[Item]],
    *names: str,
    curve: str = "",
    places: Mapping[str, DeltaGenerator] = show.NOWHERE,
) -> None:
    """Show a part of a page, and make it follow the sliders of the page's settings, or only those in `names`.

    `draw` makes the screen from settings alone and reads no other state, because it is also called for other slider
    positions, and is not called at all if the page returns to a view that it has shown. Bind all other data to `draw`
    beforehand. Sliders that the part does not follow take effect on release. `curve` is the label of a metric whose
    values are drawn along the track of each slider. `places` maps names to the containers for items with these names.
    """
    before, first = dict(report.taken()), len(report.figures())
    show.screen(_seen(page, draw, names).items, places)
    figures = [figure.key for figure in report.figures()[first:]]

    def again(other: Page) -> Screen:
        return replace(Screen.of(draw(other)), taken=before, places=tuple(places))

    curved = {place: name for place, name in report.taken().items() if name == curve and place not in before}
    st.session_state[_FOLLOWED].append(Followed(page, again, figures, names, curved))


def still(page: Page, draw: Callable[[Page], Screen | Iterable[Item]]) -> None:
    """Show a part of a page that changes only when a slider is released."""
    show.screen(_seen(page, draw, ()).items)


def _seen(page: Page, draw: Callable[[Page], Screen | Iterable[Item]], names: tuple[str, ...]) -> Screen:
    """Return the screen of a part of a page, from the session's cache or drawn now."""
    drawn = st.session_state[_DRAWN] = st.session_state[_DRAWN] + 1
    part = drawn, cast(Any, getattr(draw, "func", draw)).__code__, names
    here = ((key, *texts) for key, texts in address().items() if key not in (MADE_ON, *UNSEEN))
    data: Collection = page.collection
    known_by = part, *here, data.fingerprint
    size = bytes_of(data, len(page.measured()))
    kept: Kept = st.session_state.setdefault(_KEPT, Kept())
    return kept.get(known_by, families.fingerprint(), lambda: Screen.of(draw(page)), work.unheld, size)


@contextmanager
def unmoved() -> Iterator[None]:
    """Mark figures drawn while the context is open as independent of sliders.

    These figures do not turn pale while a slider moves.
    """
    first = len(report.figures())
    yield
    st.session_state[_UNMOVED] += [figure.key for figure in report.figures()[first:]]


def begin() -> None:
    """Clear the lists of followed parts and of figures that no slider moves, at the beginning of a run of a page."""
    st.session_state[_FOLLOWED], st.session_state[_UNMOVED], st.session_state[_DRAWN] = [], [], 0
    fields.begin()


def box() -> None:
    """Tell the browser, after the page is drawn, what to request when a slider is about to move."""
    followed: list[Followed] = st.session_state[_FOLLOWED]
    pages = {id(view.page): view.page for view in followed}.values()
    thumbs = {slider.key: (page, name, slider) for page in pages for name, slider in page.sliders()}
    here = _Here.now()
    moved = {key: _moved(followed, page, name) for key, (page, name, _) in thumbs.items() if fields.on_screen(key)}
    offered = [_offer(*thumbs[key], followed, moved[key], here) for key in moved]
    st.session_state[_OFFERED] = [path for _, path in offered]  # keep a reference, so that the paths stay alive
    moving = [(*thumbs[path.key], path) for _, path in offered if moved[path.key]]
    now = {path.key: st.session_state.get(path.key) for *_, path in moving}
    report.sliding(
        lambda: [path for one in moving if (path := _in_document(*one, now[one[-1].key]))], st.session_state[_UNMOVED]
    )

    @callback
    def dragged() -> None:
        _move(followed, **st.session_state["live"]["dragged"])

    if (run := get_script_run_ctx()) is not None:
        paths.drawn(run.session_id)
    # This tells the browser that a run has ended, even if no path changed.
    runs = st.session_state[_RUNS] = st.session_state.get(_RUNS, 0) + 1
    info = {"sliders": [offer for offer, _ in offered], "unmoved": st.session_state[_UNMOVED], "runs": runs}
    _mount(key="live", data=info, on_dragged_change=dragged)


def _move(followed: list[Followed], key: str, place: float) -> None:
    """Set the slider with this key to `place`, because its thumb in a figure was released there."""
    result = ((view.page, name, one) for view in followed for name, one in view.page.sliders() if one.key == key)
    if (moved := next(result, None)) is None:
        return  # the page has changed in the meantime
    page, name, slider = moved
    if key in st.session_state:  # as if its control had been moved
        st.session_state[key] = type(st.session_state[key])(place)
        field, value = page.field(name), getattr(page, name)
        page.change(**{name: field.taken(page.key(name), value) if field else value})
    else:
        page.change(**{name: slider.values[int(np.argmin(np.abs(np.array(slider.places) - place)))]})


def _in_document(page: Settings, name: str, slider: Slider, offered: paths.Path, thumb: Any) -> Path | None:
    """Return the path of a slider for a document, with the current position; None if the position cannot be added."""
    field, now = page.field(name), getattr(page, name)
    through = slider.through(now, thumb)
    if field is None or through is None:
        return None
    own, values = slider.key == page.key(name), through.values
    there = paths.Path(offered.key, through.places, values, offered.draw, offered.address, offered.session)

    def draw(at: int) -> Sheet | None:
        with suppress(Exception):  # an error at one position must not break the others or the report
            return there.sheet_at(at, partial(written, rows=int(LIMITS.rows)))
        return None

    texts = [field.words(values[at]) if own else f"{through.places[at]:g}" for at in range(len(values))]
    return Path(page.label_of(name, slider), texts, values.index(now), draw)


def _moved(followed: list[Followed], page: Settings, name: str) -> list[Followed]:
    """Return the followed parts that the sliders of this setting change."""
    return [view for view in followed if type(view.page) is type(page) and view.follows(name)]


@dataclass(frozen=True)
class _Here:
    """The context for drawing at a different slider position: address, session, and a key that identifies both."""

    address: Mapping[str, list[str]]
    session: Mapping[str, Any]
    known_by: tuple[object, ...]

    @classmethod
    def now(cls) -> _Here:
        return cls(address(), families.state(), (families.all_short(),))


def _offer(
    page: Settings, name: str, slider: Slider, followed: list[Followed], moved: list[Followed], here: _Here
) -> tuple[dict[str, Any], paths.Path]:
    """Return the slider's data for the browser, and its path.

    The path is marked as too costly (`dear`) if no part follows the slider, or if paths are switched off.
    """

    def draw(value: Any) -> list[Screen]:
        pages = {id(view.page): view.page for view in moved}
        there = {at: page.with_(**{name: value}) for at, page in pages.items()}
        return [view.draw(there[id(view.page)]) for view in moved]

    field = page.field(name)
    elsewhere = field.write(slider.values[0]) if field else []  # the other parts of the setting
    rest = sorted(item for item in here.address.items() if item[0] not in (page.key(name), MADE_ON))
    known_by = (slider.key, elsewhere, rest, page.collection.fingerprint, *here.known_by)
    dear = not moved or not LIMITS.path
    path = paths.Path(slider.key, slider.places, slider.values, draw, here.address, here.session, dear=dear)
    word, path = paths.offer(path, known_by)
    figures = [key for view in moved or followed for key in view.figures]
    curves = {place: label for view in moved for place, label in view.curves.items()}
    return {"key": slider.key, "word": word, "dear": path.dear, "figures": figures, "curves": curves}, path
