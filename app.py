"""The app: page configuration, navigation, and what belongs to every page."""

from pathlib import Path

import streamlit as st

from evalcore import DataError
from ui import collections, gone, present, report, site, views
from ui.controls import link_problems
from ui.show import show_error

UI = Path(__file__).parent / "ui"
st.set_page_config(page_title="evalcore", page_icon=UI / "icon.svg", layout="wide", initial_sidebar_state=270)
st.html(UI / "style.css")

sections = site.pages()
page = st.navigation(sections, position="top")
gone.remember(page.url_path)
collection = collections.pick()
messages = st.container()
report.begin(page.title)
with collections.in_the_app():
    try:
        page.run()
    except DataError as error:
        show_error(error)
report.box(collection)
present.box()
views.box(page.url_path, site.by_place(sections), collection)
gone.names(collection)
with messages:
    views.say_opened()
    if collections.gone():
        gone.box(site.by_place(sections))
    else:
        link_problems()
        views.say_other_data(collection)
