"""The app: page configuration, navigation, and what belongs to every page.

Streamlit runs this file for every visit. Its server imports it once before, and serves what is called `app`.
"""

from pathlib import Path

import streamlit as st

from ui.server import connections, door, headers, library, network
from ui.shell import ready
from ui.stage import paths

UI = Path(__file__).parent / "ui"


def main() -> None:
    # Not before a server runs: components say to it that they are there.
    from evalcore import InputError
    from ui.address import doubt, settings, site, teaching
    from ui.collection import label_table
    from ui.computing import unfinished, work
    from ui.data import as_python, open_collection
    from ui.shell import gone, live, mended, present, report_box, this_view
    from ui.stage import report
    from ui.stage.show import show_error

    st.set_page_config(page_title="evalcore", page_icon=UI / "icon.svg", layout="wide", initial_sidebar_state=270)
    st.html(UI / "style.css")
    sections = site.pages()
    page = st.navigation(sections, position="hidden")
    settings.begin(page.url_path or "home")
    menu = st.container(key="menu", horizontal=True, vertical_alignment="center")
    unfinished.begin()
    work.above(st.container(key="work"))
    teaching.Teaching.now(None)  # so that what does not fit is said
    collection = open_collection.pick()
    with menu:
        site.menu(sections, page, collection)
    messages = st.container()
    if not open_collection.gone():
        settings.misfits_in(messages)
    report.begin(page.title)
    live.begin()
    with open_collection.in_the_app():
        if open_collection.gone() and not site.is_of_its_own(page.url_path):
            gone.nothing_to_show(page.url_path)
        elif not site.works(page.url_path or "home", collection):
            site.lacking(page.url_path, collection)
        else:
            try:
                page.run()
                as_python.box()
            except open_collection.NothingToShowError as lack:
                st.info(str(lack), icon=":material/info:")
            except InputError as error:
                show_error(error)
    live.box()
    settings.remember(page.url_path or "home")
    report_box.box()
    if site.ranks_systems(page.url_path):
        doubt.box(collection)
    present.box(collection)
    this_view.box()
    files = open_collection.uploaded()
    if files:
        gone.remember(files)
    mended.mend(key="mended")
    with messages:
        if open_collection.gone():
            gone.box()
        else:
            settings.misfits()
            this_view.say_other_data(open_collection.whole())
        if files:
            label_table.ask(page.url_path)
    unfinished.end()


if __name__ == "__main__":
    main()
else:
    connections.install()
    app = st.App(
        __file__,
        middleware=headers.MIDDLEWARE + network.MIDDLEWARE + door.MIDDLEWARE + library.MIDDLEWARE,
        routes=paths.ROUTES + library.ROUTES,
        lifespan=ready.lifespan,
    )
