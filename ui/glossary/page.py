"""The page Glossary: every term and every measure, with a search and links."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import groupby

import pandas as pd
import streamlit as st

from ui.data import open_collection
from ui.glossary.words import ALL, FEW, Entry, GlossarySettings, entries, find, groups, in_lines, letters_of
from ui.screen.items import Latex, Text
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.callback import callback


def main() -> None:
    page = GlossarySettings.now(open_collection.titled("glossary"))
    listed = page.of(page.term)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        page.draw("term", "group")
        # A search for the exact name of an entry keeps the full list.
        index(page, listed if page.term not in entries() else page.of(""))
    with right:
        if not listed:
            nothing(page)
        elif page.term:
            card(page, listed[0])
            others(listed[1:])
        else:
            by_group(of_a_letter(page, listed))


def index(page: GlossarySettings, listed: list[Entry]) -> None:
    """Show the list of the entries found; a click on an entry searches for it."""
    st.caption(f"{len(listed)} of {len(entries())} entries" + (". Click one to read it." if listed else "."))
    words = [term.name for term in listed]
    if not words:
        return
    st.dataframe(
        pd.DataFrame({"word": words}),
        key="words",
        height=min(38 + 30 * len(words), 470),
        row_height=30,
        hide_index=True,
        on_select=lambda: take(page, words),
        selection_mode="single-cell",
        alt="The words found",
        placeholder=show.EMPTY,
    )


@callback
def take(page: GlossarySettings, words: list[str]) -> None:
    """Search for the clicked word."""
    cells = st.session_state["words"]["selection"]["cells"]
    if cells:
        page.change(term=words[cells[0][0]])


def nothing(page: GlossarySettings) -> None:
    names = {entry.casefold(): entry for entry in entries()}
    near = [names[match] for match in get_close_matches(page.term.casefold(), names, n=5, cutoff=0.5)]
    where = "" if page.group == ALL else f" in the group {markdown(page.group)}"
    st.info(f"No entry{where} contains “{markdown(page.term)}”.", icon=":material/search_off:")
    links(page, near, "Did you mean")


def card(page: GlossarySettings, entry: Entry) -> None:
    """Show one entry in full, with buttons that open related entries."""
    with st.container(border=True):
        show.put(Text(markdown(entry.name), "heading"))
        st.caption(" · ".join(markdown(part) for part in (entry.group, entry.kind, called(entry)) if part))
        show.put(Text(markdown(entry.text)))
        if entry.formula:
            show.put(Latex(in_lines(entry.formula)))
        if entry.details:
            show.put(Text(entry.details))
        if entry.parameters:
            st.markdown(parameters(entry))
        if entry.notation:
            st.code(entry.notation, language=None, wrap_lines=True)
        if entry.source:
            show.put(Text.note(f"Source: {markdown(entry.source)}"))
        links(page, [find(name).name for name in entry.see], "See also")


def called(entry: Entry) -> str:
    return f"also: {', '.join(entry.also)}" if entry.also else ""


def parameters(entry: Entry) -> str:
    rows = [f"| `{name}` | `{default or 'required'}` | {markdown(help)} |" for name, default, help in entry.parameters]
    return "\n".join(["| parameter | default | meaning |", "|---|---|---|", *rows])


def links(page: GlossarySettings, names: list[str], title: str) -> None:
    """Show buttons that open other entries."""
    if names:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(title, width="content")
            for name in names:
                to = {"term": name, "group": ALL}
                st.button(markdown(name), key=f"word {name}", on_click=page.change, kwargs=to, type="tertiary")


def others(listed: list[Entry]) -> None:
    if listed:
        st.markdown(f"**Also found** ({len(listed)})")
        st.markdown("\n".join(f"- **{markdown(term.name)}**: {markdown(term.text)}" for term in listed))


def of_a_letter(page: GlossarySettings, listed: list[Entry]) -> list[Entry]:
    """Return the entries; if there are many, draw a choice of first letters and return those with the chosen one."""
    if len(listed) <= FEW:
        return listed
    field = letters_of(listed)
    letter = page.letter if page.letter in field.options else field.usual
    page.draw_field("letter", field, letter)
    return [term for term in listed if letter in (ALL, term.name[0].upper())]


def by_group(terms: list[Entry]) -> None:
    """Show all entries by group, in alphabetical order. Each group is one element, which keeps the page fast."""
    order = {group: at for at, group in enumerate(groups())}
    ordered = sorted(terms, key=lambda entry: order[entry.group])
    for group, listed in groupby(ordered, key=lambda entry: entry.group):
        st.header(group, anchor=False)
        st.markdown("\n\n".join(map(short, listed)))


def short(entry: Entry) -> str:
    """Return an entry for the list, in Markdown: the word, its meaning, its source and its formula."""
    head = f"**{markdown(entry.name)}**" + (f" ({markdown(entry.kind)})" if entry.kind else "")
    lines = [f"{head}: {markdown(entry.text)}"]
    if entry.source:
        lines[0] += f" :small[:gray[{markdown(entry.source)}]]"
    return "\n\n".join([*lines, *([f"$$\n{in_lines(entry.formula)}\n$$"] if entry.formula else [])])
