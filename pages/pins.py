"""What differs between the settings I kept? All pins side by side."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.meta import best_first, ranks, winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.address.settings import LINK_ICON
from ui.computing.first import code as first_code
from ui.computing.first import decimals, first_of, tables, with_doubt
from ui.computing.tau import code as tau_code
from ui.computing.tau import intervals
from ui.data import open_collection, pins
from ui.data.as_python import as_python
from ui.pins.controls import PinsSettings
from ui.screen.items import Figure, Headline, Table
from ui.screen.text import markdown
from ui.stage import show
from ui.widgets.beside import two_columns

MOST_LINKS = 3  # to who moved


def main() -> None:
    collection = open_collection.current()
    site.title("pins")
    page, highlight = PinsSettings.now(collection), Highlight.now(collection)
    collection = page.collection
    left, right = two_columns()
    with left:
        page.draw("keep")
        highlight.draw("systems")
    pins.bar(collection, [ec.parse(page.keep)])
    for name, error in page.unfit.items():
        st.warning(f"{markdown(name)} does not fit this collection: {markdown(error)}", icon=LINK_ICON)
    means = page.means
    if page.against is None:
        with right:
            nothing_yet()
        return
    if lack := open_collection.lacks_a_ranking(collection, "Comparing pins"):
        right.info(lack, icon=":material/info:")
        return
    with left:
        page.draw("against")
        agreement(page, page.against)
    with right:
        lines = (f"First by {markdown(name)}: {first_of(one)}" for name, one in page.frames.items())
        show.put(Headline("  \n".join(lines)))
        styles, doubt = open_collection.styles(collection), tables(*page.frames.values())
        figure = figures.bump(means, styles, highlight.systems, doubt)
        alt = f"Ranks of the systems under {', '.join(means)}; values are in the table below"
        show.put(Figure(figure, "pinned", alt, on_select=highlight.take, modes=("points",)))
        texts = {pin.name: str(pin.measures[-1]) for pin in page.pins if pin.name in means}
        for name in [one for one in texts if one != page.against][:MOST_LINKS]:
            between = f" from {markdown(page.against)} to {markdown(name)}"
            site.moved(texts[page.against], texts[name], between)
    show.explain(
        "Each column is a pin, each line a system: its rank under the pin's last measure.",
        "Lines that cross are pairs of systems that the two settings order differently; τ counts them.",
        "Pin a setting on any page (sidebar, Pins), come back here, and send the link: the pins are in it.",
    )
    by = [f" by {name}" for name in means]
    show.put(Table(side_by_side(page), "pins", height=420, decimals=decimals(by)))
    as_python(
        collection,
        "from evalcore import figures",
        "from evalcore.meta import winner",
        "",
        f"pinned = {texts!r}",
        "scores = {name: ec.evaluate(text, c) for name, text in pinned.items()}",
        "means = {name: one.mean() for name, one in scores.items()}",
        *first_code("scores.values()", *page.frames.values()),
        f"against = means[{page.against!r}]",
        "tau = {name: ec.tau(against, one) for name, one in means.items()}",
        "tau_ap = {name: ec.tau_ap(one, against) for name, one in means.items()}  # reference second",
        *tau_code(*((f"scores[{name!r}]", f"scores[{page.against!r}]") for name in means if name != page.against)),
        "first = {name: winner(one) for name, one in means.items()}",
        "ranks = {name: ec.ranks(one) for name, one in means.items()}",
        *families.code(collection),
        f"figures.bump(means, styles{', doubt=doubt' if doubt else ''})",
    )


def nothing_yet() -> None:
    st.info(
        "Nothing is pinned yet that fits. Choose a measure here, or set up any page as you like it, open **Pins** in "
        "the sidebar and press **Pin this setting**. Two pins or more are then compared here.",
        icon=":material/keep:",
    )


def agreement(page: PinsSettings, reference: str) -> None:
    """How alike each pin's ranking is to the reference's, and who is first."""
    means = page.means
    rows = {
        name: {"τ": ec.tau(means[reference], one), "τ_AP": ec.tau_ap(one, means[reference]), "first": winner(one)}
        for name, one in means.items()
    }
    table = pd.DataFrame(rows).T.astype({"τ": float, "τ_AP": float}).rename_axis("pin")
    show.put(Table(table, "agreement of pins", decimals={"τ": 3, "τ_AP": 3}))
    others = {name: one for name, one in page.frames.items() if name != reference}
    pairs = {f"τ of {markdown(name)}": ("tau", one, page.frames[reference]) for name, one in others.items()}
    show.screen(intervals(pairs))
    if ties := ec.ties_in_words("tau_ap", means[reference], means[reference]):
        st.caption(f"By {markdown(reference)}, {markdown(ties)}.")


def side_by_side(page: PinsSettings) -> pd.DataFrame:
    means = page.means
    table = pd.DataFrame(means)
    for name, one in means.items():
        table[f"rank by {name}"] = ranks(one).astype(int)
        table = with_doubt(table, page.frames[name], after=f"rank by {name}", by=f" by {name}")
    return table.loc[best_first(next(iter(means.values()))).index]


main()
