"""The page The papers: every table and figure that can be recomputed, as published and as computed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from evalcore.common.latex import caption
from evalcore.data import Collection
from evalcore.teaching import papers
from evalcore.teaching.papers import Exhibit, exhibit_of, exhibits
from ui.address import site
from ui.computing.cached import cached_call
from ui.data import open_collection
from ui.screen.calls import Call, call, line, record
from ui.screen.items import Headline, Height, Item, Table, Text
from ui.screen.text import sentence
from ui.stage import show
from ui.teaching.papers import texts
from ui.teaching.papers.paper_settings import NAMES, PapersSettings

# The page and its settings that show an exhibit with controls.
ALIVE: dict[str, tuple[str, dict[str, str | list[str]]]] = {
    "zuccon-3": ("measures", {"start": "ERRlike", "other": "ERR"}),
    "zuccon-table-1": ("understandability", {"column": "fog", "model": "step", "also": ["10", "20"]}),
    "zuccon-table-2": ("understandability", {"column": "fog", "model": "step", "look": "Along one parameter"}),
    "zuccon-6": ("understandability", {}),
    "palotti-forms": ("aspect_weights", {"mean": "MM", "base": "RBP", "positive": "set by hand"}),
    "palotti-zeros": ("aspect_weights", {}),
    "maistro-table-1": ("toma", {}),
    "maistro-table-3-ap": ("worked_examples", {"one": "TOMA"}),
    "maistro-table-3-ndcg": ("worked_examples", {"one": "TOMA"}),
    "maistro-table-4-measures": ("correlations", {"look": "Measures of aspects"}),
    "maistro-table-4-aspects": ("correlations", {"look": "Measures of aspects"}),
    "maistro-table-4-power": ("discriminative_power", {}),
    "maistro-table-5": ("top_documents", {}),
    "maistro-table-6": ("top_documents", {}),
    "inex-entry": ("focused_retrieval", {}),
    "inex-ap": ("focused_retrieval", {}),
    "navigation-6-1": ("navigation", {}),
}


def main() -> None:
    collection = open_collection.titled("papers")
    page = PapersSettings.now(collection)
    left, right = st.columns([0.42, 0.58], gap="medium")
    with left:
        show.screen(counted_by_paper(collection))
        page.draw("exhibit")
        table = overview(collection)
        with st.expander("All tables and figures"):
            shown = pd.DataFrame({"table or figure": list(NAMES.values()), "here": table["here"]})
            column = st.column_config.TextColumn
            widths = {"table or figure": column(width=240), "here": column(width=160)}
            show.put(Table(shown, "exhibits", index=False, height=420, columns=widths, download=table))
    with right:
        show_exhibit(collection, exhibit_of(page.exhibit))
    show.explain(*texts.READING)


def overview(collection: Collection) -> pd.DataFrame:
    """Return a frame with a row for each table or figure of the papers.

    Its columns are the document, the location in the document, the subject, the kind of the published values (or the
    data that the open collection lacks), and the key.
    """
    rows = [
        {
            "document": exhibit.document,
            "place": exhibit.place,
            "what": exhibit.about,
            "here": standing(exhibit, collection),
            "key": exhibit.key,
        }
        for exhibit in exhibits()
    ]
    return pd.DataFrame(rows)


def standing(exhibit: Exhibit, collection: Collection) -> str:
    lack = exhibit.lacks(collection)
    return f"lacks {lack}" if lack else exhibit.kind_on(collection)


def counted_by_paper(collection: Collection) -> Iterator[Item]:
    """Yield a headline and a table on how many printed values of each paper are reproduced."""
    made = cached_call(call("counts", papers.tally, collection), collection, "Recomputing")
    total = line("total", made.it.sum())
    yield Headline(f"**{sentence(papers.tally_in_words(total.value))}**", (total,))
    yield Table(line("by_paper", made.it[["printed", "met", "misprints"]]), "printed values by paper")


def show_exhibit(collection: Collection, exhibit: Exhibit) -> None:
    show.put(Text(f"{exhibit.document}, {exhibit.place}", "heading"))
    about = f"{exhibit.about[:1].upper()}{exhibit.about[1:]}"
    show.put(Text(f"{about}. **{exhibit.kind_on(collection).capitalize()}.**"))
    if lack := exhibit.lacks(collection):
        lacks = line("", record(exhibit_of)(exhibit.key).lacks(collection))
        show.put(Text(texts.lacking(exhibit, lack, collection), "info", (lacks,)))
    else:
        with show.errors():
            show.screen(values(collection, exhibit))
    show.put(Text(f"**Interpretation.** {exhibit.explains}"))
    if exhibit.key in ALIVE:
        page, settings = ALIVE[exhibit.key]
        site.link(page, "Open the interactive version", ":material/arrow_forward:", **settings)


def values(collection: Collection, exhibit: Exhibit) -> Iterator[Item]:
    """Yield a headline, and the table of the published values beside the computed ones."""
    made: Call[pd.DataFrame] = line("table", record(exhibit_of)(exhibit.key).compared(collection))
    table = cached_call(made, collection, "Recomputing").value
    both, kind = table.dropna(subset=["published", "computed"]), exhibit.kind_on(collection)
    met = int(both["agrees"].sum())
    if kind == papers.SAME_DATA:
        yield Headline(texts.reproduced(met, len(both)), (made,))
    elif kind == papers.IDENTITY:
        yield Headline(texts.identities(met, len(both)), (made,))
        table = table.rename(columns={"published": "expected"})
    elif len(both):
        yield Text(texts.other_data(exhibit, collection))
    shown = table.drop(columns=["difference", "agrees"]) if kind == papers.OTHER_DATA else table
    height: Height = 380 if len(shown) > 9 else "auto"
    words = caption(f"{exhibit.document}, {exhibit.place}: printed and computed", collection.title, drawn=exhibit.drawn)
    frame = shown.rename_axis("value")
    yield Table(frame, exhibit.key, height=height, drawn=exhibit.drawn, caption=words, calls=(made,))
