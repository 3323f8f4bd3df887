"""The part of the app that a page's own controls change: it alone runs again where one of them is moved.

What stands around it (the collection, the filter, the menu) follows what all pages share. Where a control of the page
changes that, the whole app runs once more.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import InputError
from evalcore.data import Collection
from ui.address import doubt, settings, site
from ui.computing import unfinished, work
from ui.data import as_python, open_collection
from ui.server.streamlit_inside import run_page
from ui.shell import gone, live, present, report_box, this_view
from ui.stage import report
from ui.stage.show import show_error


def show(page: Any, collection: Collection, link: DeltaGenerator, report_place: DeltaGenerator | None) -> None:
    """The page, and what is said of it elsewhere: its own link in the menu, and the report, where that is open."""
    whole = True  # the app runs; later calls are of this part alone
    settings.around_the_page()

    @st.fragment(key="page")
    def part() -> None:
        nonlocal whole
        stopped = st.empty()
        if not whole:
            settings.begin_part()
            unfinished.begin(stopped)
        work.above(st.container(key="work of the page"))
        messages = st.container()
        if not open_collection.gone():
            settings.misfits_in(messages)
        report.begin(page.title)
        live.begin()
        _run(page, collection)
        live.box()
        settings.remember(page.url_path or "home")
        with link:
            site.own_link(page)
        if site.ranks_systems(page.url_path):
            doubt.Doubt.now(collection)
        present.box(collection)
        if report_place is not None:
            with report_place, st.container():  # of its own: of several downloads right in a place outside, one works
                report_box.fill()
        this_view.box()
        if not open_collection.gone():
            with messages:
                settings.misfits()
                this_view.say_other_data(open_collection.whole())
        if not whole:
            unfinished.end()
        whole = False

    part()


def _run(page: Any, collection: Collection) -> None:
    with open_collection.in_the_app():
        if open_collection.gone() and not site.is_of_its_own(page.url_path):
            gone.nothing_to_show(page.url_path)
        else:
            try:
                run_page(page)
                as_python.box()
            except InputError as error:
                show_error(error)
