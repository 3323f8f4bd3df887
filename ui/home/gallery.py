"""The pictures of the page Home: a question each, a small figure, and where it leads; the first one moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore import figures
from evalcore.common.rounding import less, percent
from evalcore.data import Collection
from evalcore.direction import directed, upwards
from evalcore.errors import InputError
from evalcore.labels.judges import NoiseCurve, noise_curve, source_agreement
from evalcore.labels.judges.noise import way_of
from evalcore.leaderboard import standings
from evalcore.measures import CAM, MM, RBP, TOMA, Measure, nDCG, short_names
from evalcore.measures.catalogue import COMBINED, combined_aspects
from evalcore.meta import EQUIVALENT, best_first, correlation_matrix, leaders, shared_part, winners
from evalcore.notation.display_names import reading_name
from ui.address import families, site
from ui.address.coverage import on_covered_topics
from ui.address.families import short
from ui.computing.cached import cached
from ui.computing.measures import scores, suggested
from ui.screen.items import Figure
from ui.stage import show

HEIGHT = 230
WRONG = tuple(round(0.05 * step, 2) for step in range(9))  # shares of labels
MOST_LEADERS = 10
SEEN = 0.01  # a difference of scores that is one to look at
FEW_SYSTEMS = 3  # of fewer, two rankings are the same or reversed: a correlation says too little


@dataclass(frozen=True)
class Picture:
    """One entry of the gallery: the question, where it leads, and a small figure with its text alternative."""

    key: str
    question: str
    page: str
    settings: dict[str, str | list[str]]
    draw: Callable[[Collection], tuple[go.Figure, str]]


def fits(picture: Picture, collection: Collection) -> bool:
    if not site.works(picture.page, collection):
        return False
    if picture.key == "judges":
        return "runs" not in collection.has and len(judges(collection)[1]) > 1
    if picture.key == "labels":
        return bool(graded(collection)) and len(collection.systems) >= FEW_SYSTEMS
    if picture.key == "toma" and COMBINED not in suggested(collection):
        return False
    if picture.key == "leaders":
        return len(collection.systems) > 1 and "scores" in collection.has
    return len(collection.systems) > 1 and (len(collection.aspects) > 1 or picture.key in ("agree", "apart"))


def show_picture(picture: Picture, collection: Collection) -> None:
    aspects = {"aspects": list(weighed(collection))} if picture.key == "weights" else {}
    lead(picture.page, picture.question, picture.settings | aspects)
    show.put(small(*picture.draw(collection), picture.key))


def lead(page: str, question: str, settings: Mapping[str, str | list[str]]) -> None:
    """What a card asks, and the way to the page that answers."""
    site.link(page, question, ":material/arrow_forward:", **settings)


def small(figure: go.Figure | Callable[[], go.Figure], alt: str, key: str, height: int = HEIGHT) -> Figure:
    """A figure as small as a card."""
    layout = {"height": height, "showlegend": False, "dragmode": False, "margin": {"t": 8}}
    return Figure(figure, f"home {key}", alt, layout=layout)


def tables(collection: Collection, measures: Sequence[Measure]) -> dict[str, pd.DataFrame]:
    """Scores, topics x systems, under each measure by its short name."""
    shorts = short_names(map(str, measures))
    collection = on_covered_topics(collection, shorts)
    return shared_part({shorts[str(measure)]: scores(collection, measure) for measure in measures})


def first_look(collection: Collection) -> list[Measure]:
    return next(iter(suggested(collection).values()))


def weighed(collection: Collection) -> tuple[str, str]:
    """The two aspects that the card of weights sets against each other: those that tell something apart, if two do."""
    telling = combined_aspects(collection.assessments)
    first, second = (telling if len(telling) > 1 else collection.assessments.leading_first)[:2]
    return first, second


def weights(collection: Collection) -> tuple[go.Figure, str]:
    """The best systems as weight moves from relevance to the second aspect."""
    first, second = weighed(collection)
    shares = np.linspace(0, 1, 41)
    read = [nDCG(aspect=name) for name in (first, second)]
    shared = on_covered_topics(collection, map(str, read))
    parts = [scores(shared, measure).mean().to_numpy() for measure in read]
    mixed = np.outer(shares, parts[0]) + np.outer(1 - shares, parts[1])
    table = directed(pd.DataFrame(mixed, columns=list(collection.systems)), "high")
    shown = list(dict.fromkeys([*winners(table), *best_first(table.iloc[20]).index[:4]]))
    styles = families.styles(collection)
    figure = figures.weight_strip(shares, table, 0.5, styles, [first, second], shown, HEIGHT)
    figure.update_xaxes(title_text=f"weight of {figures.plain(first)}")
    return figure, f"Mean scores of the best systems as weight moves from {second} to {first}"


def graded(collection: Collection) -> str:
    """The first aspect whose labels can go wrong: with two grades or more; "" where there is none."""
    for name in collection.assessments.leading_first:
        with suppress(InputError):
            way_of(collection, name)
            return name
    return ""


def wrong_labels(collection: Collection) -> tuple[go.Figure, str]:
    """How far the ranking stands when labels go wrong at random."""
    curve = noise(collection, graded(collection))
    falls = curve.level_where(EQUIVALENT)
    last = float(curve.table.index[-1])
    figure = figures.noise_levels(curve.table, last if np.isnan(falls) else falls)
    figure.update_xaxes(title_text=f"wrong labels of {figures.plain(curve.aspect)}")
    figure.update_yaxes(title_text="τ (dashed: winner stays)", title_font_size=12)
    where = "at no share shown" if np.isnan(falls) else f"at {percent(falls)}"
    by = reading_name(curve.measure)
    return figure, f"τ with the ranking by {by} over the share of wrong labels; below {EQUIVALENT} {where}"


@cached(8)
def noise(collection: Collection, aspect: str) -> NoiseCurve:
    """Few draws at few levels. Not to be written to."""
    return noise_curve(RBP(aspect=aspect), collection, levels=WRONG, aspect=aspect, n_draws=20)


def bump(collection: Collection) -> tuple[go.Figure, str]:
    listed = suggested(collection)[COMBINED]
    kinds = {
        kind.__name__: next(measure for measure in listed if isinstance(measure, kind)) for kind in (CAM, TOMA, MM)
    }
    shared = on_covered_topics(collection, map(str, kinds.values()))
    means = {name: scores(shared, measure).mean() for name, measure in kinds.items()}
    best = best_first(means["TOMA"]).index[:12]
    three = {name: means[name][best] for name in kinds}
    figure = figures.bump(three, families.styles(collection))
    figure.update_yaxes(showticklabels=False).update_layout(
        meta={"names": True}
    )  # where there is more room than on a card
    return figure.update_xaxes(tickangle=0), f"Ranks of the best systems by {', '.join(three)}"


def agreement(collection: Collection) -> tuple[go.Figure, str]:
    """tau of every pair of measures of the first look; of two systems, how many measures put each first."""
    compared = tables(collection, first_look(collection))
    if len(collection.systems) < FEW_SYSTEMS:
        return firsts(collection, compared)
    matrix = correlation_matrix(compared)
    names = ", ".join(matrix.measures)
    return figures.small_matrix(matrix.values), f"Kendall's tau_b between the rankings of systems by {names}"


def firsts(collection: Collection, compared: Mapping[str, pd.DataFrame]) -> tuple[go.Figure, str]:
    """How many measures put each system first, and how many several."""
    leading = [leaders(frame.mean()) for frame in compared.values()]
    counts = {name: leading.count([name]) for name in collection.systems}
    counts |= {"tied": tied} if (tied := len(leading) - sum(counts.values())) else {}
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    return figures.first_places(
        pd.Series(counts).rename(index=short)
    ), f"How many of {len(leading)} measures put a system first: {listed}"


def apart(collection: Collection) -> tuple[go.Figure, str]:
    """How two close systems differ topic by topic; of two that return the same first results there is little to see."""
    measure = first_look(collection)[0]
    frame = scores(on_covered_topics(collection, [str(measure)]), measure)
    first, *others = best_first(frame.mean()).index
    better = upwards(frame)
    gaps = better[others].rsub(better[first], axis=0)
    second = next((name for name in others if gaps[name].abs().max() >= SEEN), others[0])
    one, other = better[first], better[second]
    differ = less(one, other) | less(other, one)
    difference = gaps[second].where(differ, 0.0).sort_values(ascending=False)
    figure = figures.difference_bars(difference, f"{short(first)} better", f"{short(second)} better")
    return figure, f"Difference of two of the best systems, {first} and {second}, on every topic"


def best_systems(collection: Collection) -> tuple[go.Figure, str]:
    """The best by the mean of the first score, with their intervals over topics."""
    measure = first_look(collection)[0]
    table = standings(scores(collection, measure)).head(MOST_LEADERS)
    figure = figures.standing_lines(table, families.styles(collection), title="", height=HEIGHT)
    return figure, f"The best {len(table)} systems by their mean of {measure}, with 95% intervals"


def judges(collection: Collection) -> tuple[str, list[str]]:
    """The first aspect that several sources labelled, and who they are; ("", []) where there is none."""
    having = (
        (name, [*sources.labels]) for name, sources in collection.assessments.sources.items() if len(sources.labels) > 1
    )
    return next(having, ("", []))


def two_judges(collection: Collection) -> tuple[go.Figure, str]:
    """The labels of the source that is read unasked and of the next one."""
    kappa = source_agreement(collection, (), judges(collection)[0])
    order = [*kappa.grades[::-1]]
    figure = figures.confusion_matrix(kappa.confusion().loc[order, order], [*kappa.names[::-1]])
    first, second = kappa.sources
    return figure, f"Documents by the labels of {first}, downwards, and of {second}, across"


GALLERY = (
    Picture("leaders", "Who leads, by which rule?", "leaderboard", {}, best_systems),
    Picture("weights", "How much should an aspect count?", "aspect_weights", {"mean": "MM"}, weights),
    Picture(
        "labels",
        "How many labels may be wrong?",
        "labels",
        {"look": "Pool and noise", "pool_take": "Wrong labels"},
        wrong_labels,
    ),
    Picture("toma", "Which document is better?", "toma", {"look": "Systems"}, bump),
    Picture("agree", "Which measures agree?", "correlations", {}, agreement),
    Picture("apart", "Which systems differ?", "discriminative_power", {}, apart),
    Picture("judges", "Do two judges agree?", "labels", {}, two_judges),
)
