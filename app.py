"""The app: page configuration, navigation, the collection picker."""

from pathlib import Path

import streamlit as st

from evalcore import DataError
from ui import collections, report
from ui.controls import link_problems
from ui.show import show_error

ICON = Path(__file__).parent / "ui" / "icon.svg"
st.set_page_config(page_title="evalcore", page_icon=ICON, layout="wide", initial_sidebar_state=270)
st.html(Path(__file__).parent / "ui" / "style.css")

page = st.navigation(
    [
        st.Page(
            "pages/understandability.py",
            title="Understandability",
            icon=":material/menu_book:",
            url_path="understandability",
            default=True,
        ),
        st.Page(
            "pages/aspect_weights.py", title="Aspect weights", icon=":material/balance:", url_path="aspect_weights"
        ),
        st.Page("pages/toma.py", title="TOMA", icon=":material/target:", url_path="toma"),
        st.Page("pages/measures.py", title="Measures", icon=":material/straighten:", url_path="measures"),
        st.Page(
            "pages/worked_examples.py",
            title="Worked examples",
            icon=":material/edit_note:",
            url_path="worked_examples",
        ),
        st.Page("pages/collection.py", title="Collection", icon=":material/folder_open:", url_path="collection"),
    ]
)

collection = collections.pick()
messages = st.container()
report.begin(page.title)
with collections.in_the_app():
    try:
        page.run()
    except DataError as error:
        show_error(error)
report.box(collection)
with messages:
    link_problems()
