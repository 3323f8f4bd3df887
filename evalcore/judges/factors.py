"""Many judges, which differ by model, prompt, scale or repeat: which of these choices turns the verdict?

Each judge is one way to label. What its ranking shares with the reference's is told judge by judge, and what each
factor explains of it by an analysis of variance of tau on every topic (`evalcore.meta.component_anova`).

Shapes: J judges, P pool rows, S systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.arrays import BoolArray, FloatArray
from evalcore.constants import COMBINED, MATRICES
from evalcore.data.judge_table import COST, JUDGE, factors_in, lines_for, read_judge_table
from evalcore.data.sources import from_path
from evalcore.direction import directed
from evalcore.errors import InputError
from evalcore.judges.agreement import agreement_weights, kappa, pair_counts, source_labels, usual_pair
from evalcore.judges.ranking import SourceRankings, given_sources, source_rankings
from evalcore.judges.rescoring import Rescorer, grade_places, graded_aspect, known_grades
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.meta import Anova, best_first, by_topic, component_anova, correlation_matrix, ranks, tau, tau_ap
from evalcore.meta.order import ahead
from evalcore.progress import checkpoint, part
from evalcore.rounding import TIE
from evalcore.shown import shown
from evalcore.structures.documents import Collection
from evalcore.structures.sources import combined

MOST_PANELS = 500
SIZES = (1, 3)  # of panels


def read_judges(path: str | Path) -> pd.DataFrame:
    """A table of judges from a file, as a collection has it (`evalcore.data.judge_table`).

    Raises InputError with file and line.
    """
    (source,) = from_path(path)
    return read_judge_table(source)[0]


@shown
@dataclass(frozen=True, eq=False)
class Multiverse:
    """Judges set against a reference: `table` has a row for each, the lowest tau first, as a specification curve.

    Its columns: tau, Kendall's tau_b of the systems' means with the reference's; tau_ap, down the judge's list; kappa,
    Cohen's, of the labels; winner; same_winner, whether the reference has it first, too; rank_of_winner by the
    reference; and the factors. `by_topic` is tau on each topic, topics x judges, nan where a judge ties all systems.
    """

    measure: str
    reference: str
    factors: pd.DataFrame
    table: pd.DataFrame
    by_topic: pd.DataFrame
    rankings: SourceRankings
    kappas: pd.DataFrame

    @property
    def shared_factors(self) -> list[str]:
        """The factors that put some of the judges together and others apart."""
        return [str(name) for name in self.factors if 1 < self.factors[name].nunique() < len(self.table)]

    def anova(self, interactions: bool = False) -> Anova:
        """What topics and each factor explain of tau on a topic. Raises ValueError where no factor varies."""
        return component_anova(self.by_topic, self.factors, interactions=interactions)

    def levels(self) -> pd.DataFrame:
        """A row for each factor and level: judges, tau (their mean), kappa, same_winner (in which share of them)."""
        rows = {}
        for factor in self.factors:
            for level, judges in self.table.groupby(str(factor), sort=False):
                means = judges[["tau", "kappa", "same_winner"]].astype(float).mean()
                rows[str(factor), str(level)] = {"judges": len(judges), **means.to_dict()}
        index = pd.MultiIndex.from_tuples(list(rows), names=["factor", "level"])
        return pd.DataFrame(list(rows.values()), index, ["judges", "tau", "kappa", "same_winner"])

    def turning(self) -> pd.Series:
        """By factor: how far its levels are apart in the share of judges that find the winner, the largest first.

        0: no level of it turns the verdict; 1: one level always finds the winner, another never.
        """
        spread = (
            self.levels()["same_winner"]
            .groupby(level="factor", sort=False)
            .agg(lambda shares: shares.max() - shares.min())
        )
        return spread.sort_values(ascending=False, kind="stable")

    def matrix(self, kind: str = "tau") -> pd.DataFrame:
        """Judges x judges, the reference among them: tau of their rankings, kappa of their labels, or same winner (1).

        Raises InputError for another kind.
        """
        if kind not in MATRICES:
            raise InputError(f"expected a matrix of {', '.join(MATRICES)}, found {kind!r}")
        if kind == "kappa":
            return self.kappas
        if kind == "tau":
            return correlation_matrix(self.rankings.scores, "tau").values
        first = [str(best_first(frame.mean()).index[0]) for frame in self.rankings.scores.values()]
        same = np.equal.outer(np.array(first, dtype=object), np.array(first, dtype=object)).astype(float)
        return pd.DataFrame(same, self.kappas.index, self.kappas.columns)

    @cached_property
    def map(self) -> pd.DataFrame:
        """A place for every judge, x and y, so that distances are about 1 - tau of their rankings.

        Classical scaling (Torgerson 1952); judges with one ranking stand in one place.
        """
        apart = 1 - self.matrix("tau").fillna(0.0).to_numpy()
        count = len(apart)
        centre = np.eye(count) - 1 / count
        values, vectors = np.linalg.eigh(-centre @ apart**2 @ centre / 2)
        order = np.argsort(-values)[:2]
        spread = np.where(values[order] > TIE, values[order], 0.0)  # what is left of rounding is none
        places = vectors[:, order] * np.sqrt(spread)
        turned = places * np.where(places[np.abs(places).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
        return pd.DataFrame(turned, self.kappas.index, ["x", "y"])


def multiverse(
    measure: Measure | str,
    collection: Collection,
    reference: str | None = None,
    factors: pd.DataFrame | None = None,
    *,
    aspect: str | None = None,
) -> Multiverse:
    """All judges of an aspect set against a reference, with the factors by which they differ.

    `reference`: the aspect's own source by default. `factors` has a row for each judge, such as `read_judges` gives;
    judges that it lacks are left out; None: those of the collection (`judge_table`). Over the topics that all of them
    labelled. Raises InputError for fewer than two judges, unknown sources, and as `source_rankings` does.
    """
    known = as_measure(measure)
    name = graded_aspect(known, collection, aspect)
    given = given_sources(known, collection)
    people = reference or usual_pair(collection.assessments, name)[0]
    judges = [judge for judge in given if judge != people and (factors is None or judge in factors.index)]
    if len(judges) < 2:
        raise InputError(f"expected at least two judges beside {people!r}, found {', '.join(judges) or 'none'}")
    table = factors_in(lines_for(collection, judges) if factors is None else factors.loc[judges])
    with part(0, 3):
        rankings = source_rankings(known, collection, [people, *judges], n_resamples=1)
    with part(1, 3):
        kappas = _kappas(collection, name, rankings.sources)
    truth = rankings.scores[people]
    rows, on_topics = {}, {}
    with part(2, 3):
        for judge in judges:
            rows[judge] = _row(rankings.scores[judge], truth) | {"kappa": float(kappas[judge].to_dict()[people])}
            on_topics[judge] = by_topic(tau, rankings.scores[judge], truth)
            checkpoint(len(rows) / len(judges))
    by_judge = pd.DataFrame.from_dict(rows, orient="index").rename_axis(JUDGE).join(table)
    order = ["tau", "tau_ap", "kappa", "winner", "same_winner", "rank_of_winner", *map(str, table)]
    return Multiverse(
        str(known),
        people,
        table,
        by_judge[order].sort_values("tau", kind="stable"),
        directed(pd.DataFrame(on_topics), "high"),
        rankings,
        kappas,
    )


def _row(scores: pd.DataFrame, truth: pd.DataFrame) -> dict[str, float | str | bool]:
    x, y = scores.mean(), truth.mean()
    winner = str(best_first(x).index[0])
    rank = int(ranks(y)[winner])
    return {
        "tau": float(tau(x, y)),
        "tau_ap": float(tau_ap(x, y)),
        "winner": winner,
        "same_winner": rank == 1,
        "rank_of_winner": rank,
    }


def _kappas(collection: Collection, aspect: str, sources: Sequence[str]) -> pd.DataFrame:
    """Cohen's kappa of every two sources, over all documents that both labelled."""
    pool = collection.assessments
    labels = np.array([source_labels(pool, aspect, name) for name in sources])
    grades = np.unique(labels[~np.isnan(labels)])
    places = grade_places(labels, grades)
    none = np.zeros(len(pool), dtype=int)
    kappas = np.ones((len(sources), len(sources)))
    every_two = list(combinations(range(len(sources)), 2))
    for at, (a, b) in enumerate(every_two):
        checkpoint(at / len(every_two))
        counts = pair_counts(places[a], places[b], none, (1, len(grades)))[0]
        kappas[a, b] = kappas[b, a] = float(kappa(counts, agreement_weights(grades.tolist(), "none")))
    names = pd.Index(list(sources), dtype=object)
    return pd.DataFrame(kappas, names, names)


def panels(
    measure: Measure | str,
    collection: Collection,
    reference: str | None = None,
    costs: Mapping[str, float] | None = None,
    *,
    sizes: Sequence[int] | None = None,
    how: str = "majority",
    most: int = MOST_PANELS,
    aspect: str | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """What several judges together tell, by what they cost: a row for each panel, the cheapest first.

    `sizes`: of 1 and of 3 by default, the latter where there are so many. `how`: a key of COMBINED, by which one label
    is made of theirs. `costs`: of a label of each judge, by default as the
    collection's table says, of those of which it does, or 1 for each; a panel costs the sum. Of a size with more than
    `most` panels as many are drawn. Columns: judges (with + between), size, cost, tau with the reference, same_winner,
    frontier (no panel as cheap has a higher tau, and none of that tau is cheaper). Raises InputError for an unknown
    way, a size that cannot be, and as `multiverse` does.
    """
    if how not in COMBINED:
        raise InputError(f"expected one of {', '.join(COMBINED)}, found {how!r}")
    known = as_measure(measure)
    name = graded_aspect(known, collection, aspect)
    pool = collection.assessments
    people = reference or usual_pair(pool, name)[0]
    judges = [source for source in given_sources(known, collection) if source != people]
    price = dict.fromkeys(judges, 1.0) | dict(costs) if costs else costs_of(collection, judges)
    judges = [judge for judge in judges if judge in price]
    sizes = SIZES[: 1 + (len(judges) >= SIZES[-1])] if sizes is None else sizes
    if not sizes or min(sizes) < 1 or max(sizes) > len(judges):
        raise InputError(f"expected sizes from 1 to {len(judges)}, found {', '.join(map(str, sizes)) or 'none'}")
    given = np.array([source_labels(pool, name, judge) for judge in [people, *judges]])
    grades = known_grades(collection, name, *given)
    scorer = Rescorer(known, collection, name, grades)
    chosen = [panel for size in sizes for panel in _some_panels(len(judges), size, most, seed)]
    scale = pool.scale(name)
    labels = []
    for at, panel in enumerate(chosen):
        labels.append(combined(given[1:][list(panel)], how, grades.tolist(), scale.good))
        checkpoint(at / len(chosen) / 2)
    with part(1, 2):
        means = scorer.means(grade_places(np.array([given[0], *labels]), grades).T)
    sign = 1.0 if known.good == "high" else -1.0
    truth, of_panels = sign * means[0], sign * means[1:]
    first = ahead(truth) == 0
    table = pd.DataFrame(
        {
            "judges": [" + ".join(judges[at] for at in panel) for panel in chosen],
            "size": [len(panel) for panel in chosen],
            "cost": [sum(price[judges[at]] for at in panel) for panel in chosen],
            "tau": [float(tau(panel, truth)) for panel in of_panels],
            "same_winner": [bool(first[int(np.argmin(ahead(panel)))]) for panel in of_panels],
        }
    )
    table = table.sort_values(["cost", "tau"], ascending=[True, False], kind="stable", ignore_index=True)
    return table.assign(frontier=_frontier(table["tau"].to_numpy()))


def costs_of(collection: Collection, judges: Sequence[str]) -> dict[str, float]:
    """What a label of each of these judges costs: as the table says, of those of which it does; without one 1."""
    table = collection.judge_table
    if table is None or COST not in table:
        return dict.fromkeys(judges, 1.0)
    known = table[COST].dropna()
    return {name: float(known[name]) for name in judges if name in known.index}


def _some_panels(judges: int, size: int, most: int, seed: int) -> list[tuple[int, ...]]:
    if comb(judges, size) <= most:
        return list(combinations(range(judges), size))
    random = np.random.default_rng(seed)
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < most:
        drawn.add(tuple(sorted(random.choice(judges, size, replace=False).tolist())))
    return sorted(drawn)


def _frontier(values: FloatArray) -> BoolArray:
    """Which of the values, the cheapest first, are higher than all before."""
    before = np.append(-np.inf, np.fmax.accumulate(values)[:-1])
    return np.asarray(values > before + TIE)
