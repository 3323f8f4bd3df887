"""Frame of every page of Tune: the choice of a view, above a shared layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore as ec
from evalcore.data import Collection
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.data import open_collection
from ui.screen.items import Item, Latex
from ui.shell import live
from ui.stage import show
from ui.tune import along, maps, ranks, scatter, texts
from ui.tune.state import ALONG, MAP, RANKS, SCATTER, Tuned

Page = TypeVar("Page", bound=Tuned)
Words = tuple[str, str, str]


@dataclass(frozen=True)
class Family(Generic[Page]):
    """The parts of a page of Tune that differ between families of measures: controls, own view, texts, formulas."""

    knobs: Callable[[Page], None]
    more: Callable[[Page], None] | None = None  # further settings, behind a button
    own: Callable[[Page, DeltaGenerator, DeltaGenerator], None] | None = None  # draws its own view, left and right
    words: Callable[[Page], Words] | None = None  # for its own view: what it shows, how to read it, what to try
    words_of_scatter: Callable[[Page], Words] | None = None
    formulas: Callable[[Page], Iterable[Item]] | None = None
    why: Callable[[Page], None] | None = None  # drawn only if people ask


def draw(page: Page, highlight: Highlight, family: Family[Page]) -> None:
    """Draw the page of a family, with the chosen view."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strip"):
        with st.container(width=280):
            site.choose("tune", open_collection.current())
        page.draw("look")
    left, right = show.two_columns()
    varies = page.look in (ALONG, MAP)
    with left:
        left = st.container()  # controls of the varied parameter go above the settings of the measure
        with left if page.ALWAYS_ALONG or not varies else st.expander("Settings of the measure"):
            family.knobs(page)
        if page.look in (SCATTER, RANKS):
            page.draw("other")
        with st.expander("More settings", icon=":material/tune:"):
            if family.more:
                family.more(page)
            highlight.draw("systems")
    with show.errors():
        try:
            _ = page.variants
        except ec.InputError as error:
            with right:
                show.show_error(error)
            return
        if varies:
            _varied(page, highlight, left, right)
        elif page.look == page.OWN and family.own is not None:
            family.own(page, left, right)
            if family.words:
                show.explain(*family.words(page))
        else:
            _compared(page, highlight, family, right)
        _behind(page, family)


def lack(collection: Collection, what: str) -> str:
    """Return a text on what a page of Tune needs that the collection lacks, and how to get it."""
    return texts.lack(what, (*collection.aspects, *collection.signals), len(collection.systems))


def _varied(page: Tuned, highlight: Highlight, left: DeltaGenerator, right: DeltaGenerator) -> None:
    """Draw the view along one parameter, or the map of two."""
    if not page.known:
        right.info(texts.nothing_varies(page.own_name), icon=":material/info:")
    elif page.look == ALONG:
        along.draw(page, highlight, left, right)
    else:
        maps.draw(page, left, right)


def _compared(page: Page, highlight: Highlight, family: Family[Page], right: DeltaGenerator) -> None:
    """Draw the measure against a different one, as a scatter or as ranks."""
    other, own = page.other, page.variants[0]
    styles = families.styles(page.collection)
    with right:
        if page.look == RANKS:
            live.follow(page, lambda page: ranks.answer(page, highlight, styles), curve="τ")
        else:
            live.follow(page, lambda page: scatter.answer(page, highlight, styles), curve="τ")
        site.moved(other, own)
        site.drill(own, highlight.systems)
    if page.look != RANKS and family.words_of_scatter:
        show.explain(*family.words_of_scatter(page))
    else:
        show.explain(*(texts.READING_RANKS if page.look == RANKS else texts.READING_SCATTER))
    show.numbers(lambda: live.still(page, lambda page: ranks.numbers(page)))


def _behind(page: Page, family: Family[Page]) -> None:
    """Draw the formula with the current values and, if the family has them, the reasons behind the figure."""
    if not page.collection.aspects:
        return
    show.formula(lambda: _formula(page, family))
    if why := family.why:
        show.why(lambda: why(page))


def _formula(page: Page, family: Family[Page]) -> None:
    """Draw the formula, and the measure as the text that `ec.parse` reads."""
    live.still(page, family.formulas or _latex)
    written = str(page.variants[0])
    st.code(written, language=None, wrap_lines=True, height=140 if len(written) > 600 else "content")


def _latex(page: Tuned) -> Iterable[Item]:
    yield Latex(page.variants[0].latex(page.collection.assessments.scales))
