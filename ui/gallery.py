"""The pictures of the page Home: a question each, a small figure, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from evalcore import figures
from evalcore.data import Collection
from evalcore.direction import directed, upwards
from evalcore.measures import CAM, MM, TOMA, Measure, short_names
from evalcore.measures.suggestions import COMBINED
from evalcore.meta import best_first, correlation_matrix, winners
from ui import collections, show, site
from ui.measures import scores, suggested

HEIGHT = 230


@dataclass(frozen=True)
class Picture:
    """One entry of the gallery: the question, where it leads, and a small figure with its text alternative."""

    key: str
    question: str
    page: str
    settings: dict[str, str | list[str]]
    draw: Callable[[Collection], tuple[go.Figure, str]]


def fits(picture: Picture, collection: Collection) -> bool:
    if picture.key == "toma" and COMBINED not in suggested(collection):
        return False
    return len(collection.systems) > 1 and (len(collection.aspects) > 1 or picture.key in ("agree", "apart"))


def show_picture(picture: Picture, collection: Collection) -> None:
    site.link(picture.page, picture.question, ":material/arrow_forward:", **picture.settings)
    figure, alt = picture.draw(collection)
    figure.update_layout(height=HEIGHT, showlegend=False, dragmode=False, margin={"t": 8})
    show.figure(figure, f"home {picture.key}", alt)


def tables(collection: Collection, measures: Sequence[Measure]) -> dict[str, pd.DataFrame]:
    """Scores, topics x systems, under each measure by its short name."""
    shorts = short_names(map(str, measures))
    return {shorts[str(one)]: scores(collection, one) for one in measures}


def first_look(collection: Collection) -> list[Measure]:
    return next(iter(suggested(collection).values()))


def scatter(collection: Collection) -> tuple[go.Figure, str]:
    pair = tables(collection, suggested(collection)["RBP and uRBP"][:2])
    (x_name, x), (y_name, y) = ((name, frame.mean()) for name, frame in pair.items())
    across, up = figures.plain(x_name), figures.plain(y_name)
    figure = figures.scatter(x, {y_name: y}, collections.styles(collection), x_title=across, y_title=up)
    return figure, f"Scatter of {len(x)} systems, {x_name} across, {y_name} up"


def weights(collection: Collection) -> tuple[go.Figure, str]:
    """The best systems as weight moves from relevance to the second aspect."""
    first, second = collection.aspects[:2]
    shares = np.linspace(0, 1, 41)
    parts = [scores(collection, f'nDCG(aspect="{name}")').mean().to_numpy() for name in (first, second)]
    mixed = np.outer(shares, parts[0]) + np.outer(1 - shares, parts[1])
    table = directed(pd.DataFrame(mixed, columns=list(collection.systems)), "high")
    shown = list(dict.fromkeys([*winners(table), *best_first(table.iloc[20]).index[:4]]))
    figure = figures.weight_strip(shares, table, 0.5, collections.styles(collection), [first, second], shown)
    figure.update_xaxes(title_text=f"weight of {figures.plain(first)}")
    return figure, f"Mean scores of the best systems as weight moves from {second} to {first}"


def bump(collection: Collection) -> tuple[go.Figure, str]:
    listed = suggested(collection)[COMBINED]
    kinds = {kind.__name__: next(one for one in listed if isinstance(one, kind)) for kind in (CAM, TOMA, MM)}
    means = {name: scores(collection, one).mean() for name, one in kinds.items()}
    best = best_first(means["TOMA"]).index[:12]
    three = {name: means[name][best] for name in kinds}
    figure = figures.bump(three, collections.styles(collection))
    figure.update_yaxes(showticklabels=False)
    return figure.update_xaxes(tickangle=0), f"Ranks of the best systems by {', '.join(three)}"


def agreement(collection: Collection) -> tuple[go.Figure, str]:
    """tau of every pair of measures of the first look."""
    matrix = correlation_matrix(tables(collection, first_look(collection)))
    names = ", ".join(matrix.measures)
    return figures.small_matrix(matrix.values), f"Kendall's tau_b between the rankings of systems by {names}"


def apart(collection: Collection) -> tuple[go.Figure, str]:
    """How two close systems differ topic by topic."""
    frame = scores(collection, first_look(collection)[0])
    first, second = best_first(frame.mean()).index[:2]
    better = upwards(frame)
    difference = (better[first] - better[second]).sort_values(ascending=False)
    figure = figures.difference_bars(difference, f"{first} better", f"{second} better")
    return figure, f"Difference of the two best systems, {first} and {second}, on every topic"


GALLERY = (
    Picture("urbp", "Does readability change who wins?", "understandability", {"rho": "0.8"}, scatter),
    Picture("weights", "How much should an aspect count?", "aspect_weights", {"mean": "MM"}, weights),
    Picture("toma", "Which document is better?", "toma", {"closer": "Systems"}, bump),
    Picture("agree", "Which measures agree?", "correlations", {}, agreement),
    Picture("apart", "Which systems differ?", "discriminative_power", {}, apart),
)
