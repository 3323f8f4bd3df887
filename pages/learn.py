"""What can I learn here, and where? The contents of the pages for learning."""

from __future__ import annotations

import streamlit as st

from ui.address import site
from ui.data import open_collection
from ui.screen.items import Text
from ui.stage import show

CONTENTS = {
    "To begin with": {
        "guided_path": "Steps from one reader and one number to whose labels to trust. Each is a figure to move and a "
        "question that it answers; a class can take them one by one, on a screen or from a folder without a server.",
        "worked_examples": "Every step of the arithmetic of a measure, on the papers' three documents, on RBP by hand, "
        "on a small ranking for each measure, or on one that you type or paste.",
    },
    "To practise": {
        "exercises": "Questions on the open data or of your own: guess first, then see the figure, with a hint for "
        "each wrong guess.",
        "measures": "What a measure is made of: gain, discount and what it is divided by. Build one, and see where it "
        "puts the systems.",
    },
    "To look up": {
        "glossary": "Every term and every measure in a few lines, with its formula, parameters and source.",
        "papers": "Tables and examples of the papers, printed values beside computed ones, and where they differ why.",
    },
}


def main() -> None:
    open_collection.titled("learn")
    for column, (heading, listed) in zip(st.columns(len(CONTENTS), gap="medium"), CONTENTS.items(), strict=True):
        with column:
            show.put(Text(heading, "heading"))
            for stem, text in listed.items():
                page = site.PAGES[stem]
                site.link(stem, f"**{page.name}**", f":material/{page.icon}:")
                show.put(Text(f"*{page.question}* {text}"))


main()
