"""What differs between the settings I kept? All pins side by side."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import DataError, figures
from evalcore.data import Collection
from evalcore.meta import best_first, ranks, winner
from ui import collections, pins, show
from ui.code import as_python
from ui.controls import LINK_ICON, choose, choose_many
from ui.measures import choose_measure, scores
from ui.pins import Pin
from ui.text import markdown


def main() -> None:
    collection = collections.current()
    st.title("What differs between the settings I kept?", anchor=False)
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        measure = choose_measure(collection, "keep", label="A setting to keep")
        pins.bar([measure])
        kept = pins.pinned()
        selected = choose_many("Highlight systems", "systems", collection.systems, placeholder="all")
    if not kept:
        with right:
            nothing_yet()
        return
    means = pinned_means(collection, kept)
    if not means:
        return
    with left:
        reference = choose("Set against", "against", list(means), next(iter(means)))
        agreement(means, reference)
    with right:
        figure = figures.bump(means, collections.styles(collection), selected)
        show.figure(figure, "pinned", f"Ranks of the systems under {', '.join(means)}; values are in the table below")
    show.explain(
        "Each column is a pin, each line a system: its rank under the pin's last measure.",
        "Lines that cross are pairs of systems that the two settings order differently; τ counts them.",
        "Pin a setting on any page (sidebar, Pins), come back here, and send the link: the pins are in it.",
    )
    show.table(side_by_side(means), "pins", height=420)
    texts = {pin.name: str(pin.measures[-1]) for pin in kept if pin.name in means}
    as_python(
        collection,
        f"pinned = {texts!r}",
        "means = {name: ec.evaluate(text, c).mean() for name, text in pinned.items()}",
    )


def nothing_yet() -> None:
    st.info(
        "Nothing is pinned yet. Choose a measure here, or set up any page as you like it, open **Pins** in the sidebar "
        "and press **Pin this setting**. Two pins or more are then compared here.",
        icon=":material/keep:",
    )


def pinned_means(collection: Collection, kept: list[Pin]) -> dict[str, pd.Series]:
    """Mean scores under the last measure of each pin: the one its page is about."""
    means: dict[str, pd.Series] = {}
    for pin in kept:
        try:
            means[pin.name] = scores(collection, pin.measures[-1]).mean()
        except DataError as error:
            st.warning(f"{markdown(pin.name)} does not fit this collection: {markdown(error)}", icon=LINK_ICON)
    return means


def agreement(means: dict[str, pd.Series], reference: str) -> None:
    """How alike each pin's ranking is to the reference's, and who is first."""
    rows = {
        name: {"τ": ec.tau(means[reference], one), "τ_AP": ec.tau_ap(one, means[reference]), "first": winner(one)}
        for name, one in means.items()
    }
    table = pd.DataFrame(rows).T.astype({"τ": float, "τ_AP": float}).rename_axis("pin")
    show.table(table, "agreement of pins", decimals={"τ": 3, "τ_AP": 3})


def side_by_side(means: dict[str, pd.Series]) -> pd.DataFrame:
    table = pd.DataFrame(means)
    for name, one in means.items():
        table[f"rank by {name}"] = ranks(one).astype(int)
    return table.loc[best_first(next(iter(means.values()))).index]


main()
