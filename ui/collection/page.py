"""The page Data on the open collection: the meaning of its files, and the loading report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.data import Collection
from evalcore.data.source_labels import source_table
from evalcore.errors import counted
from ui.address import families
from ui.address.settings import Settings, setting
from ui.collection import texts
from ui.collection.label_table import label_table
from ui.data import open_collection
from ui.data.as_python import download_files
from ui.screen.items import Metric, Table
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.download import download
from ui.widgets.fields import Choice, Field

URGENCY = {"question": -1, "warning": 0, "dropped": 1, "repaired": 2, "inferred": 3}
COUNTED = ("question", "warning")  # kinds of notes with a plural ("2 questions"); other kinds are participles


def _file(page: CollectionSettings) -> Field | None:
    files = list(page.collection.report.provenance)
    return Choice("File", files) if len(files) > 1 else None


@dataclass(frozen=True)
class CollectionSettings(Settings, page="collection"):
    """Settings of the page: the file whose comment lines are shown."""

    file: str | None = setting(_file)


def main() -> None:
    collection = open_collection.titled("collection")
    page = CollectionSettings.now(collection)
    if collection.description:
        st.markdown(markdown(collection.description))
    headline(collection)
    st.header("Meaning of the files", anchor=False)
    label_table(open_collection.whole())
    with st.expander("The full description: collection.toml", icon=":material/description:"):
        description(collection)
    report(page)
    draw_names(collection)


def headline(collection: Collection) -> None:
    systems = collection.report.systems
    numbers = {"systems": f"{len(collection.systems):,}"} if collection.systems else {}
    numbers["topics"] = f"{len(collection.topics):,}"
    if not collection.systems and collection.n_judges:
        numbers["judges"] = f"{collection.n_judges:,}"
    has = collection.has
    if "labels" in has:
        numbers["assessed documents"] = f"{int(collection.assessments.judged.sum()):,}"
    if "runs" in has:
        numbers |= {
            "lines read": f"{int(systems['lines'].sum()):,}",
            "assessed @10": f"{systems['assessed@10'].median():.0%}",
            "assessed @100": f"{systems['assessed@100'].median():.0%}",
        }
    if "scores" in has:
        given = collection.rankings.given
        cells = np.array([scores.values for scores in given.values()])
        numbers |= {"measures": f"{len(given):,}", "scores": f"{int((~np.isnan(cells)).sum()):,}"}
        numbers["missing"] = f"{np.isnan(cells).mean():.0%}"
    for place, (label, number) in zip(st.columns(len(numbers)), numbers.items(), strict=True):
        with place:
            show.put(Metric(label, number, None, "Median over systems" if "@" in label else None))


def draw_names(collection: Collection) -> None:
    """Show the names and colours of the systems in figures, if people can choose them or have chosen them."""
    if families.can_choose(collection) or families.shown(collection):
        st.header("Names and colours of systems in figures", anchor=False)
        families.draw(collection)
        show.put(Table(families.names_table(collection), "names in figures", height=240))


def report(page: CollectionSettings) -> None:
    st.header("Loading report", anchor=False)
    collection = page.collection
    notes = collection.report.notes
    counts = Counter(note.kind for note in notes)
    origin = "reopened from the cache" if collection.report.from_cache else "read"
    kinds = sorted(counts, key=URGENCY.__getitem__)
    summary = ", ".join(counted(counts[kind], kind) if kind in COUNTED else f"{counts[kind]} {kind}" for kind in kinds)
    st.caption(
        f"{origin.capitalize()} in {collection.report.seconds:.2f} s. Notes: {summary or 'none'}. "
        f"Fingerprint {collection.fingerprint[:12]}."
    )
    if notes:
        ordered = sorted(notes, key=lambda note: URGENCY[note.kind])
        show.put(Table(pd.DataFrame([vars(note) for note in ordered]), "notes", index=False, height=320))
    with st.expander("Aspects, signals and sources of labels"):
        ends = {end: st.column_config.NumberColumn(format="%.4g") for end in ("lowest", "highest")}
        show.put(Table(collection.report.columns, "aspects", columns=ends))
        draw_sources(collection)
    if collection.systems:
        with st.expander("Systems"):
            table = collection.report.systems.drop(columns=["dropped_example"], errors="ignore")
            show.put(Table(table, "systems", decimals={"assessed@10": 2, "assessed@100": 2}, height=420))
    if sources := collection.report.provenance:
        with st.expander(f"Comment lines of {counted(len(sources), 'file')}"):
            provenance(page)


def draw_sources(collection: Collection) -> None:
    """Show how many documents each source labelled; nothing if every aspect has only one source of labels."""
    table = source_table(collection.assessments)
    if table.empty:
        return
    columns = {
        "read": st.column_config.CheckboxColumn("default"),
        "shared": st.column_config.NumberColumn(help=texts.SHARED),
        "alike": st.column_config.NumberColumn(help=texts.ALIKE),
    }
    show.put(Table(table, "sources", index=False, columns=columns))
    st.caption(texts.SOURCES)


def provenance(page: CollectionSettings) -> None:
    """Show the comment lines of files, one file at a time."""
    st.caption(texts.COMMENTS)
    page.draw("file")
    sources = page.collection.report.provenance
    name = page.file or next(iter(sources))
    st.code(sources[name], language="yaml" if "ir_metadata." in sources[name] else None, height=420)


def description(collection: Collection) -> None:
    st.caption(texts.DESCRIPTION)
    text = st.text_area(
        "collection.toml",
        collection.manifest,
        height=320,
        key=f"manifest {collection.fingerprint}",
        label_visibility="collapsed",
    )
    again, keep, pack, _ = st.columns([1, 1, 2, 2])
    with keep:
        download("Download", text, "collection.toml", width="stretch")
    with pack:
        download_files("described")
    with again:
        same = text == collection.manifest
        pressed = st.button("Read again", icon=":material/refresh:", disabled=same, width="stretch")
    if pressed:
        with show.errors():
            open_collection.reopen(text)
