"""What differs between the settings I kept? All pins side by side."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import RBP
from evalcore.meta import best_first, winner
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.address.settings import LINK_ICON
from ui.computing.doubt import decimals, doubt_calls, doubt_of, first_calls, firsts, intervals_of_tau, with_doubt
from ui.data import open_collection, pins
from ui.pins.comparison import Comparison
from ui.screen.calls import call, line, mapped, record
from ui.screen.items import Figure, Headline, Item, Table, Text
from ui.screen.text import markdown
from ui.stage import show

EXAMPLE = (pins.Pin("impatient", (RBP(rho=0.5),)), pins.Pin("patient", (RBP(rho=0.95),)))
EXAMPLE_HELP = "Two readers: an impatient one, who reads 2 documents on average, and a patient one, who reads 20"
MOST_LINKS = 3  # to who moved


def main() -> None:
    collection = open_collection.titled("pins")
    page, highlight = Comparison.now(collection), Highlight.now(collection)
    collection = page.collection
    left, right = show.two_columns()
    with left:
        page.draw("keep")
        highlight.draw("systems")
    pins.bar(collection, [ec.parse(page.keep)])
    for name, error in page.unfit.items():
        st.warning(f"{markdown(name)} does not fit this collection: {markdown(error)}", icon=LINK_ICON)
    if page.against is None:
        with right:
            nothing_yet(page)
        return
    if lack := open_collection.lacks_a_ranking(collection, "Comparing pins"):
        right.info(lack, icon=":material/info:")
        return
    with left:
        page.draw("against")
        show.screen(agreement(page, page.against))
    with right:
        show.screen(ranks_by_pin(page, highlight, families.styles(collection)))
        texts = {pin.name: str(pin.measures[-1]) for pin in page.pins if pin.name in page.scores}
        for name in [text for text in texts if text != page.against][:MOST_LINKS]:
            site.moved(texts[page.against], texts[name], f" from {markdown(page.against)} to {markdown(name)}")
    show.explain(
        "Each column is a pin, each line a system: its rank under the pin's last measure.",
        "Lines that cross are pairs of systems that the two settings order differently; τ counts them.",
        "Pin a setting on any page (sidebar, Pins), come back here, and send the link: the pins are in it.",
    )
    show.put(side_by_side(page))


def nothing_yet(page: Comparison) -> None:
    st.info(
        "Nothing is pinned yet that fits. Choose a measure here, or set up any page as you like it, open **Pins** in "
        "the sidebar and press **Pin this setting**. Two pins or more are then compared here.",
        icon=":material/keep:",
    )
    if not page.unfit:
        st.button(
            "Pin an example", icon=":material/lightbulb:", on_click=pins.pin_all, args=(EXAMPLE,), help=EXAMPLE_HELP
        )


def agreement(page: Comparison, reference: str) -> Iterator[Item]:
    """How alike each pin's ranking is to the reference's, and who is first."""
    means = page.means
    other = means.it[reference]
    tau = line("tau", mapped(means.it, lambda mean: record(ec.tau)(other, mean)))
    tau_ap = line("tau_ap", mapped(means.it, lambda mean: record(ec.tau_ap)(mean, other)))
    first = line("first", mapped(means.it, lambda mean: record(winner)(mean)))
    table = pd.DataFrame({"τ": tau.value, "τ_AP": tau_ap.value, "first": first.value}).rename_axis("pin")
    yield Table(table, "agreement of pins", decimals={"τ": 3, "τ_AP": 3}, calls=(tau, tau_ap, first))
    others = {name: frame for name, frame in page.scores.items() if name != reference}
    yield from intervals_of_tau(
        {f"τ of {markdown(name)}": ("tau", result, page.scores[reference]) for name, result in others.items()}
    )
    if ties := ec.ties_in_words("tau_ap", means.value[reference], means.value[reference]):
        yield Text.note(f"By {markdown(reference)}, {markdown(ties)}.")


def ranks_by_pin(page: Comparison, highlight: Highlight, styles: Styles) -> Iterator[Item]:
    """Who is first under each pin, and the ranks of all."""
    scores = list(page.scores.values())
    lines = firsts({markdown(name): result.value for name, result in page.scores.items()})
    yield Headline("  \n".join(lines), first_calls(*scores))
    doubt, own = doubt_of(*scores), families.styles_of(page.collection)
    made = call("", figures.bump, page.means.it, styles=own, doubt=doubt.it if doubt else ())
    figure = made.here(styles=styles, selected=highlight.systems)
    alt = f"Ranks of the systems under {', '.join(page.scores)}; values are in the table below"
    yield Figure(figure, "pinned", alt, highlight.take, ("points",))


def side_by_side(page: Comparison) -> Table:
    """The means and ranks of all systems under each pin."""
    means = page.means
    places = line("ranks", mapped(means.it, lambda mean: record(ec.ranks)(mean)))
    table = pd.DataFrame(means.value)
    for name, one in page.scores.items():
        table[f"rank by {name}"] = places.value[name].astype(int)
        table = with_doubt(table, one.value, after=f"rank by {name}", by=f" by {name}")
    ordered = table.loc[best_first(next(iter(means.value.values()))).index]
    by = [f" by {name}" for name in page.scores]
    calls = (places, *doubt_calls(*page.scores.values()))
    return Table(ordered, "pins", height=420, decimals=decimals(by), calls=calls)
