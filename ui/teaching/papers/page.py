"""Can the papers' numbers be recomputed? Every table and figure that can, published beside computed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from evalcore.common.latex import caption
from evalcore.data import Collection
from evalcore.teaching.papers import Exhibit, exhibit_of, exhibits
from ui.address import site
from ui.computing.cached import cached_call
from ui.data import open_collection
from ui.screen.calls import Call, line, record
from ui.screen.items import Headline, Height, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show
from ui.teaching.papers.controls import NAMES, PapersSettings

# Where the same thing is alive: exhibit -> page and settings.
ALIVE: dict[str, tuple[str, dict[str, str | list[str]]]] = {
    "zuccon-3": ("measures", {"start": "ERRlike", "other": "ERR"}),
    "zuccon-table-1": (
        "understandability",
        {"column": "fog", "model": "step", "also": ["10", "20"]},
    ),
    "zuccon-table-2": ("understandability", {"column": "fog", "model": "step", "look": "Along one parameter"}),
    "zuccon-6": ("understandability", {}),
    "palotti-forms": ("aspect_weights", {"mean": "MM", "base": "RBP", "positive": "set by hand"}),
    "palotti-zeros": ("aspect_weights", {}),
    "maistro-table-1": ("toma", {}),
    "maistro-table-3-ap": ("worked_examples", {}),
    "maistro-table-3-ndcg": ("worked_examples", {}),
    "maistro-table-4-measures": ("correlations", {"look": "Measures of aspects"}),
    "maistro-table-4-aspects": ("correlations", {"look": "Measures of aspects"}),
    "maistro-table-4-power": ("discriminative_power", {}),
    "maistro-table-5": ("discriminative_power", {"look": "What the top systems return"}),
    "maistro-table-6": ("discriminative_power", {"look": "What the top systems return"}),
    "inex-entry": ("focused_retrieval", {}),
    "inex-ap": ("focused_retrieval", {}),
    "navigation-6-1": ("navigation", {}),
}


def main() -> None:
    collection = open_collection.titled("papers")
    page = PapersSettings.now(collection)
    left, right = st.columns([0.42, 0.58], gap="medium")
    with left:
        table = overview(collection)
        page.draw("exhibit")
        shown = pd.DataFrame({"table or figure": list(NAMES.values()), "here": table["here"]})
        widths = {
            "table or figure": st.column_config.TextColumn(width=270),
            "here": st.column_config.TextColumn(width=130),
        }
        show.put(Table(shown, "exhibits", index=False, height=36 * len(table) + 38, columns=widths, download=table))
    with right:
        show_exhibit(collection, exhibit_of(page.exhibit))
    show.explain(
        "All tables and figures that can be recomputed, and whether the open collection has the data.",
        "Where our value is not the printed one, the text says why: other data, or a misprint. Nothing is made to fit.",
        "Open CLEF eHealth 2015 or your own runs in the sidebar and look at the same tables for them.",
    )


def overview(collection: Collection) -> pd.DataFrame:
    """One row per exhibit: what it is, and how it stands with what is loaded."""
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
    if lack := exhibit.lacks(collection):
        return f"lacks {lack}"
    return "recomputed" if exhibit.same_data(collection) else "on other data"


def show_exhibit(collection: Collection, exhibit: Exhibit) -> None:
    show.put(Text(f"{exhibit.document}, {exhibit.place}", "heading"))
    show.put(Text(f"{exhibit.about[:1].upper()}{exhibit.about[1:]}."))
    if lack := exhibit.lacks(collection):
        needed = (
            f"This needs **{markdown(lack)}**, which {markdown(collection.title)} does not have. To recompute it, put "
            f"{exhibit.needs} into one folder and open that folder with `make run DATA=folder`, or upload the files."
        )
        lacks = line("", record(exhibit_of)(exhibit.key).lacks(collection))
        show.put(Text(needed, "info", (lacks,)))
    else:
        with show.errors():
            show.screen(values(collection, exhibit))
    show.put(Text(f"**What to make of it.** {exhibit.explains}"))
    if exhibit.key in ALIVE:
        page, settings = ALIVE[exhibit.key]
        site.link(page, "Open the live version", ":material/arrow_forward:", **settings)


def values(collection: Collection, exhibit: Exhibit) -> Iterator[Item]:
    """The published values beside the computed ones."""
    made: Call[pd.DataFrame] = line("table", record(exhibit_of)(exhibit.key).compared(collection))
    table = cached_call(made, collection, "Recomputing").value
    printed = table.dropna(subset=["published", "computed"])
    if exhibit.same_data(collection) and len(printed):
        met = f"**{int(printed['agrees'].sum())} of {len(printed)}** printed value" + "s" * (len(printed) > 1)
        yield Headline(f"{met} met to the last printed digit.", (made,))
    elif len(printed):
        yield Text(f"Computed on **{markdown(collection.title)}**; the published values are from other data.")
    shown = table if exhibit.same_data(collection) else table.drop(columns=["difference", "agrees"])
    height: Height = 380 if len(shown) > 9 else "auto"
    words = caption(f"{exhibit.document}, {exhibit.place}: printed and computed", collection.title, drawn=exhibit.drawn)
    frame = shown.rename_axis("value")
    yield Table(frame, exhibit.key, height=height, drawn=exhibit.drawn, caption=words, calls=(made,))
