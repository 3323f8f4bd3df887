"""The view Ranks: the ranks of all systems under the tuned measure and the measures compared with it, with a table."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing.doubt import decimals, doubt_calls, doubt_of, with_doubt
from ui.computing.measures import averaged
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.screen.calls import call, line, mapped, record
from ui.screen.items import Figure, Item, Sentence, Table
from ui.screen.text import markdown, score_text
from ui.tune import texts
from ui.tune.scatter import headline, names_of
from ui.tune.state import Tuned


def answer(page: Tuned, highlight: Highlight, styles: Styles) -> Iterator[Item]:
    """Yield the leader under each measure, τ of each ranking with the tuned measure's ranking, and the ranks."""
    yield from headline(page)
    scored, names = page.ranked, names_of(page.ranked)
    own_name = names[page.own_name]
    means = line("means", {names[text]: averaged(one).it for text, one in scored.items()})
    if len(scored) > 2:
        taus = line("taus", mapped(means.it, lambda mean: record(ec.tau)(mean, means.it[own_name])))
        others = (f"**{score_text(tau, 3)}** for {markdown(one)}" for one, tau in taus.value.items() if one != own_name)
        words = f"τ with the ranking under {markdown(own_name)}: {', '.join(others)}."
        yield Sentence(words, caption=True, calls=(taus,))
    doubt, own = doubt_of(*scored.values()), families.styles_of(page.collection)
    made = call("", figures.bump, means.it, styles=own, doubt=doubt.it if doubt else ())
    figure = made.here(styles=styles, selected=highlight.systems)
    yield Figure(figure, "bump", texts.RANKS, highlight.take, ("points",))


def numbers(page: Tuned) -> Iterator[Item]:
    """Yield the table of mean scores and ranks under each measure, sorted by the rank under the tuned measure."""
    own, scored = page.own_name, page.ranked
    means = line("means", {name: averaged(one).it for name, one in scored.items()})
    places = line("ranks", mapped(means.it, lambda mean: record(ec.ranks)(mean)))
    table = pd.DataFrame(means.value)
    for name, ranks in places.value.items():
        table[f"rank by {name}"] = ranks.astype(int)
    rank = f"rank by {own}"
    table = with_doubt(table, scored[own].value, after=rank, by=f" by {own}")
    beside = unassessed(page.variants[0], page.collection)
    table = with_unassessed(table, beside).sort_values(rank, kind="stable")
    digits = decimals([f" by {own}"]) | unassessed_decimals(table)
    calls = (means, places, *beside, *doubt_calls(scored[own]))
    yield Table(table, "scores", decimals=digits, height=480, calls=calls)
