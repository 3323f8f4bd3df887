"""The app: page configuration, navigation, and the frame of every page.

Streamlit runs this file at every visit and after every change of a control. Before that, its server imports it once and
serves the object `app`.
"""

from pathlib import Path

import streamlit as st

from ui.server import tested

with tested.in_words():
    from ui import subjects
    from ui.address import old_paths
    from ui.server import connections, door, headers, library, network
    from ui.shell import warm_up
    from ui.stage import paths

UI = Path(__file__).parent / "ui"


def main() -> None:
    # Imported only after the server has started, because components register with it.
    from ui.address import settings, site, teaching
    from ui.collection import label_table
    from ui.computing import doubt, work
    from ui.data import open_collection
    from ui.shell import mended, missing_files, page_part, report_box

    st.set_page_config(page_title="evalcore", page_icon=UI / "icon.svg", layout="wide", initial_sidebar_state=270)
    st.html(UI / "style.css")
    entries = site.menu_pages()
    entry = st.navigation(entries, position="hidden")
    settings.begin(site.place_of(entry))
    menu = st.container(key="menu", horizontal=True, vertical_alignment="center")
    page_part.say_unfinished(st.empty())
    work.above(st.container(key="work"))
    teaching.Teaching.now(None)  # for its message if the setting does not fit
    collection = open_collection.pick()
    with menu:
        link = site.menu(entries, entry, collection)
    page = site.opened(site.place_of(entry), collection)
    messages = st.container()
    with st.sidebar:
        report_place = report_box.box()
        if site.ranks_systems(page):
            doubt.box(collection)
    page_part.show(entry, collection, link, report_place)
    files = open_collection.uploaded()
    if files:
        missing_files.remember(files)
    mended.mend(key="mended")
    with messages:
        if open_collection.gone():
            missing_files.box()
        if files:
            label_table.ask(page.stem)
    page_part.complete()


if __name__ == "__main__":
    main()
else:
    connections.install()
    with tested.in_words():
        app = st.App(
            __file__,
            middleware=[
                *headers.MIDDLEWARE,
                *network.MIDDLEWARE,
                *door.MIDDLEWARE,
                *old_paths.MIDDLEWARE,
                *library.MIDDLEWARE,
            ],
            routes=(*paths.ROUTES, *library.ROUTES, *subjects.added("ROUTES")),
            lifespan=warm_up.lifespan,
        )
