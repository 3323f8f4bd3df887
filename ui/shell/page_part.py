"""The page inside its frame. If one of its controls moves, only this part runs again.

The frame (collection, filter, menu) depends on settings that all pages share. If a control of the page changes these,
the whole app runs again.
"""

from __future__ import annotations

import runpy
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError
from evalcore.data import Collection
from ui.address import places, settings, site
from ui.address.page import Page
from ui.address.settings import LINK_ICON, MADE_ON, fingerprint, reset_page
from ui.computing import doubt, work
from ui.data import as_python, open_collection
from ui.server.streamlit_inside import run_page
from ui.shell import live, missing_files, present, report_box, texts
from ui.stage import report
from ui.stage.show import show_error

APP = Path(__file__).parents[2] / "app.py"
CITE_BOX, PYTHON_BOX = "cite box", "as python box"
UNFINISHED = "unfinished"  # *Stop* in Streamlit's header leaves an incomplete page
_PLACE = "where an unfinished page says so"


def show(entry: Any, collection: Collection, link: DeltaGenerator, report_place: DeltaGenerator | None) -> None:
    """Show the page, then update what depends on it elsewhere: its link in the menu, and the report if that is open."""
    whole = True  # True while the whole app runs; later calls run only this part
    settings.around_the_page()

    @st.fragment(key="page")
    def part() -> None:
        nonlocal whole
        stopped = st.empty()
        if not whole:
            settings.begin_part()
            say_unfinished(stopped)
        work.above(st.container(key="work of the page"))
        messages = st.container()
        if not open_collection.gone():
            settings.misfits_in(messages)
        page = site.opened(site.place_of(entry), collection)
        report.begin(places.name(page))
        live.begin()
        _run(entry, page)
        live.box()
        settings.remember(page.place)
        with link:
            site.own_link(entry)
        if site.ranks_systems(page):
            doubt.Doubt.now(collection)
        present.box(collection)
        if report_place is not None:
            with report_place, st.container():  # without this container only one download works
                report_box.fill()
        _this_view(collection)
        if not open_collection.gone():
            with messages:
                settings.misfits()
                _say_other_data(open_collection.whole())
        if not whole:
            complete()
        whole = False

    part()


def whole_app() -> None:
    """Run the whole app from the file of a page.

    Until its first `st.navigation`, a new server runs only that file.
    """
    runpy.run_path(str(APP), run_name="__main__")


def _run(entry: Any, page: Page) -> None:
    if open_collection.gone() and not site.is_of_its_own(page):
        missing_files.nothing_to_show(page)
        return
    try:
        run_page(entry, import_module(page.module or f"ui.{page.stem}.page").main)
        _python()
    except InputError as error:
        show_error(error)


def _box(label: str, icon: str, key: str) -> DeltaGenerator | None:
    """Draw a folded box below the page; return it, to be filled, if it is open, else None."""
    box = st.expander(label, icon=icon, key=key, on_change="rerun")
    return box if box.open else None


def _python() -> None:
    """Show the box As Python if the page computes anything.

    The component that shows code is as large as the rest of a page, and would otherwise load before the figures.
    """
    if report.calls_on_screen() and (box := _box("As Python", ":material/code:", PYTHON_BOX)):
        with box:
            as_python.show()


def _this_view(collection: Collection) -> None:
    """Draw, below the page, how to cite the view, the switch to present it, and the button that resets the page."""
    if report.works_on() is not None:
        _cite()
    with st.container(horizontal=True, vertical_alignment="center"):
        present.switch(collection)
        icon = ":material/restart_alt:"
        st.button("Reset this page", icon=icon, on_click=reset_page, key="reset page", help=texts.RESET)


def _cite() -> None:
    if box := _box("Cite this view", ":material/format_quote:", CITE_BOX):
        with box:
            st.caption(texts.CITE)
            st.code(report.methods(), language=None, wrap_lines=True)


def _say_other_data(collection: Collection) -> None:
    """Warn if the address was made with data other than the open data; the next change corrects the address."""
    made_on, now = "".join(st.query_params.get_all(MADE_ON)), fingerprint(collection)
    if made_on and made_on != now:
        own = open_collection.uploaded() is not None
        st.warning(texts.other_data(collection.title, own, made_on, now), icon=LINK_ICON)


def say_unfinished(place: DeltaGenerator) -> None:
    """Draw, at the start of a run, the button that continues a stopped page; library.py hides it while a script runs.

    It must be there from the start, because a stopped run can send nothing more.
    """
    st.session_state[_PLACE] = place
    place.button(texts.STOPPED, key=UNFINISHED, icon=":material/resume:", width="stretch")


def complete() -> None:
    """Remove the button of `say_unfinished`, because the page is complete or states what it waits for."""
    if place := st.session_state.pop(_PLACE, None):
        place.empty()
