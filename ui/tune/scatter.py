"""The view Scatter: the leaders under two measures, τ and τ_AP of the rankings, and the systems as marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import short_names
from evalcore.meta import ranks, winner
from ui.address import families
from ui.address.highlight import Highlight
from ui.computing.doubt import doubt_of, first_calls, firsts, intervals_of_tau
from ui.computing.measures import averaged
from ui.screen.calls import call
from ui.screen.items import Columns, Figure, Headline, Item, Metric, in_row
from ui.screen.text import markdown, measure_name, sentence, text_named
from ui.tune import texts
from ui.tune.state import Tuned

LONGEST = 70  # longest measure written in full beside an axis


def answer(page: Tuned, highlight: Highlight, styles: Styles) -> Iterator[Item]:
    """Yield the leaders, τ and τ_AP of the rankings with their intervals, and the scatter."""
    yield from headline(page)
    x, y = page.scores[:2]
    yield from intervals_of_tau({"τ": ("tau", y, x), "τ_AP": ("tau_ap", y, x)})
    yield _scatter(page, highlight, styles)


def headline(page: Tuned) -> tuple[Headline, Columns]:
    """Return the headline with the leaders under both measures, and the metrics τ and τ_AP of the rankings."""
    known = names_of([page.other, page.own_name])
    x, y = page.scores[:2]
    x_means, y_means = averaged(x), averaged(y)
    tau = Metric.of("τ", call("tau", ec.tau, x_means.it, y_means.it), texts.TAU)
    ties = ec.ties_in_words("tau_ap", y_means.value, x_means.value)
    help = texts.TAU_AP.format(measure_name(page.other)) + (f". {sentence(markdown(ties))}" if ties else "")
    tau_ap = Metric.of("τ_AP", call("tau_ap", ec.tau_ap, y_means.it, x_means.it), help)
    names = [markdown(known[text]) for text in (page.other, page.own_name)]
    lines = firsts({name: result.value for name, result in zip(names, (x, y), strict=True)})
    changes = call("changes", ec.rank_changes, x_means.it, y_means.it)
    rank = ranks(x_means.value)[winner(y_means.value)]
    if page.other == page.own_name:
        lines.append(texts.SAME)
    elif rank > 1:
        lines.insert(2, f"The leader under {names[1]} has rank {rank} under {names[0]}")
    first = Headline("  \n".join(lines), (*first_calls(x, y), changes))
    return first, in_row(tau, tau_ap)


def short(text: str) -> str:
    """Return the name of a measure without its parameters.

    >>> short("RBP(rho=0.8)"), short("CAM(nDCG@10)"), short('Score("RBP(rho=0.8)")')
    ('RBP', 'CAM', 'RBP(rho=0.8)')
    """
    return text_named(text).split(",")[0].split(" (")[0]


def names_of(texts: Iterable[str]) -> dict[str, str]:
    """Map measures to names without parameters; if names would be equal, they keep the parameters that differ.

    >>> names_of(["RBP(rho=0.8)", "uRBP(rho=0.8)"])
    {'RBP(rho=0.8)': 'RBP', 'uRBP(rho=0.8)': 'uRBP'}
    >>> list(names_of(["nDCG", 'nDCG(aspect="credibility")']).values())
    ['nDCG(relevance)', 'nDCG(credibility)']
    """
    names = {text: short(text) for text in texts}
    if len(set(names.values())) == len(names):
        return names
    return {text: text_named(name) for text, name in short_names(names).items()}


def _title(text: str) -> str:
    """Return the title of an axis for a measure's text; if the text is too long, without the parameters."""
    return figures.measure_title(text) if len(text) <= LONGEST else figures.plain(short(text))


def _scatter(page: Tuned, highlight: Highlight, styles: Styles) -> Figure:
    """Return the scatter of the systems: the other measure is horizontal, the tuned one or its variants vertical."""
    across, up = page.other, page.own_name
    names = page.variant_names if len(page.variants) > 1 else [up]
    upwards = [f"{name} " if name == across else name for name in names]  # two names if both axes show one measure
    tables = dict(zip([across, *upwards], (made.it for made in page.scores), strict=True))
    doubt = doubt_of(*page.scores)
    here: dict[str, Any] = {"selected": highlight.systems, "styles": styles, "x_title": _title(across)}
    options: dict[str, Any] = {"doubt": doubt.it if doubt else None}
    if len(names) > 1:
        options["y_title"] = figures.plain(short(up))
    else:
        here["y_title"] = _title(up)
    options |= page.scatter_options()
    figure = families.plotted("", page.collection, tables, across=across, **options).here(**here)
    return Figure(figure, "scatter", texts.SCATTER.format(len(page.collection.systems), up, across), highlight.take)
