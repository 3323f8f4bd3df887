"""Closer looks: scatter, leaderboard, zeros, upper bounds."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.rounding import first_largest
from evalcore.figures.style import Styles
from evalcore.measures import MM
from ui.address import families, site
from ui.address.highlight import Highlight
from ui.aspect_weights.ground import Ground
from ui.aspect_weights.weighting import MEANS, Weighting
from ui.computing.cached import cached_call
from ui.computing.doubt import decimals, doubt_calls, doubt_of, intervals_of_tau, with_doubt
from ui.computing.measures import averaged
from ui.computing.unassessed import unassessed, unassessed_decimals, with_unassessed
from ui.data import pins
from ui.screen.calls import Call, call, each, line, mapped, record
from ui.screen.items import Figure, Item, Sentence, Table, Text
from ui.screen.text import markdown, score_text, sentence
from ui.shell import live
from ui.stage import show


def details(page: Weighting, ground: Ground, highlight: Highlight, before: list[pd.Series] | None) -> None:
    """One of four closer looks; only the open one is computed."""
    page.draw("look")
    if page.look == "Scatter":
        page.draw_in_row("across", "up", shares=(1, 1, 2))
        styles = families.styles(page.collection)
        live.follow(page, lambda page: scatter(page, ground, highlight, styles))
        site.moved(page.named(page.across), page.named(page.up))
    elif page.look == "Leaderboard":
        show.screen(leaderboard(page, ground, before))
    elif page.look == "Zeros":
        show.screen(zeros(page, ground))
    else:
        show.screen(bounds(page))


def scatter(page: Weighting, ground: Ground, highlight: Highlight, styles: Styles) -> Iterator[Item]:
    """Any two combinations of the same aspect scores against each other, and how alike the two rankings are."""
    across, up = (ground.scored(page, name) for name in (page.across, page.up))
    x, y = averaged(across), averaged(up)
    doubt, own = doubt_of(across, up), families.styles_of(page.collection)
    known = doubt.it if doubt else ()
    made = call(
        "", figures.scatter, x.it, {page.up: y.it}, styles=own, doubt=known, x_title=page.across, y_title=page.up
    )
    figure = made.here(styles=styles, selected=highlight.systems, x_title=figures.plain(page.across))
    alt = f"Scatter of {len(page.collection.systems)} systems, {page.across} across and {page.up} up"
    yield Figure(figure, "combined", alt, highlight.take)
    tau = call("tau", ec.tau, x.it, y.it)
    tau_ap = call("tau_ap", ec.tau_ap, y.it, x.it)
    ties = ec.ties_in_words("tau_ap", y.value, x.value)
    yield Sentence(
        f"Kendall's tau_b of the two rankings: **{score_text(tau.value, 3)}**; "
        f"τ_AP with reference {markdown(page.across)}: **{score_text(tau_ap.value, 3)}**."
        f"{f' {sentence(markdown(ties))}' if ties else ''}",
        caption=True,
        calls=(tau, tau_ap),
    )
    yield from intervals_of_tau({"τ": ("tau", up, across), "τ_AP": ("tau_ap", up, across)})


def leaderboard(page: Weighting, ground: Ground, before: list[pd.Series] | None) -> Iterator[Item]:
    """All systems by each mean and by each aspect alone."""
    both = zip(page.parts, page.combinations[len(MEANS) :], strict=True)
    names = {**{name: name for name in MEANS}, **{str(part): alone for part, alone in both}}
    scored = {title: ground.scored(page, name) for title, name in names.items()}
    means = line("table", {title: averaged(frame).it for title, frame in scored.items()})
    places = line("ranks", mapped(means.it, lambda mean: record(ec.ranks)(mean)))
    ranks = {title: frame.astype(int) for title, frame in places.value.items()}
    table = pd.DataFrame({name: means.value[name] for name in MEANS})
    for name, part in zip(page.aspects, map(str, page.parts), strict=True):
        table[part] = means.value[part]
        table[f"rank by {name}"] = ranks[part]
    table.insert(0, "rank", ranks[page.mean])
    pinned = pins.compared(before, page.collection, averaged(scored[page.mean]))
    if pinned:
        _, won, tau = pinned
        table.insert(1, "places won since the pin", won.value[0].astype(int))
        text = f"Kendall's tau_b with the pinned ranking: **{score_text(tau.value[0], 3)}**"
        yield Text.note(text, calls=pinned)
    beside = unassessed(page.measure, page.collection)
    table = with_doubt(table, scored[page.mean].value, after="rank")
    table = with_unassessed(table, beside).sort_values("rank", kind="stable")
    calls = (means, places, *beside, *doubt_calls(scored[page.mean]))
    yield Table(table, "leaderboard", height=480, decimals=decimals() | unassessed_decimals(table), calls=calls)


def zeros(page: Weighting, ground: Ground) -> Iterator[Item]:
    """Where an aspect scores 0: MM is then 0 whatever the others say (Maistro et al. 2021, Problem 1)."""
    rankings, parts = record(page.collection).rankings, ground.parts.it
    combined = record(MM).combine(parts, page.parsed.it.shares)
    mm_is_0 = line("mm_is_0", rankings.topic_means((combined == 0).astype(float)))
    is_0 = line("is_0", each(parts, lambda part: rankings.topic_means((part == 0).astype(float))))
    share = line("share", (parts == 0).any(axis=0)[rankings.counted()].mean())
    named = zip([f"{name} is 0" for name in page.aspects], is_0.value, strict=True)
    systems = pd.Index(page.collection.systems, name="system", dtype=object)
    table = pd.DataFrame({"MM is 0": mm_is_0.value, **dict(named)}, index=systems)
    count = page.collection.rankings.counted().sum()
    yield Text(
        f"In **{share.value:.1%}** of {count:,} ranking{'' if count == 1 else 's'} some aspect scores 0. The harmonic "
        "mean is then set to 0, whatever the other aspects score; an aspect of weight 0 is left out and does no harm.",
        calls=(share,),
    )
    ordered = table.sort_values("MM is 0", ascending=False)
    yield Table(ordered, "zeros", decimals=dict.fromkeys(table.columns, 3), height=420, calls=(mm_is_0, is_0))


def bounds(page: Weighting) -> Iterator[Item]:
    """The best attainable score of each topic, by ideal rankings of several strategies."""
    table = bounds_call(page)
    best = line("best", table.it.max(axis=1))
    reach = line("reach_1", (best.it > 1 - 1e-9).mean())
    below = line("below_9", (best.it < 0.9).mean())
    lowest = best.value.index[first_largest(-best.value.to_numpy())]
    yield Text(
        f"**{reach.value:.0%}** of the topics can reach 1; for **{below.value:.0%}** even the best known ranking stays "
        f"below 0.9. Lowest: {best.value.min():.3f} (topic {markdown(lowest)}).",
        calls=(reach, below),
    )
    figure = call("", figures.bound_boxes, table.it, page.mean)
    yield Figure(figure, "bounds", "Scores of the candidate ideal rankings by topic")
    yield Text.note(
        "For each topic all assessed documents are ranked by every order of the aspects, by the sum of the labels, by "
        "the sum of their squares and by the largest label; each box holds the scores of these rankings. A measure "
        "with an ideal ranking of its own would reach 1 everywhere (Maistro et al. 2021, section 4.2)."
    )


def bounds_call(page: Weighting) -> Call[pd.DataFrame]:
    """The scores of the candidate ideal rankings, topics x strategies; kept for the next run."""
    pool = record(page.collection).assessments
    made = call("bounds", ec.upper_bounds, page.parsed.it, pool, list(page.aspects))
    return cached_call(made, page.collection, "Building ideal rankings")
