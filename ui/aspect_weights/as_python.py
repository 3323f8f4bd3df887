"""What recomputes the numbers of the page Aspect weights."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ui.address import families
from ui.aspect_weights.controls import MEANS, Weighting
from ui.computing.first import code as first_code
from ui.computing.tau import code as tau_code
from ui.computing.unassessed import unassessed_code


def code(page: Weighting, scores: pd.DataFrame, pinned: Sequence[str]) -> list[str]:
    """The headline, the closer look that is open, what was pinned, the figure."""
    look = {"Scatter": _scatter, "Leaderboard": _leaderboard, "Zeros": _zeros, "Upper bounds": _bounds}[page.look]
    figure = "by_weights, at=shares" if len(page.aspects) <= 3 else "share_won"
    doubt = first_code("[scores]", scores)
    return [
        "from evalcore.explain.weightings import means_by_weighting, nearest_change, weightings",
        "from evalcore.meta import winner, winners",
        "",
        f"measure = ec.parse({str(page.measure)!r})",
        "scores = ec.evaluate(measure, c)",
        "means = scores.mean()",
        *doubt,
        "first = ec.best_first(means).head(1)",
        f"grid = weightings({len(page.aspects)}, {page.steps})",
        "by_weights = means_by_weighting(measure, c.assessments, c.rankings, grid)",
        "firsts = by_weights.columns.get_indexer(winners(by_weights))",
        "n_winners = len(set(firsts))",
        "change = nearest_change(grid, firsts, measure.shares, c.systems.index(winner(means)))",
        "shares = measure.shares  # of each aspect",
        "share_won = by_weights.columns[firsts].value_counts(normalize=True)",
        "",
        *look(page, ", doubt=[ec.rank_intervals(one).table for one in both]" if doubt else ""),
        *pinned,
        *families.plot_code(page.collection, figure),
    ]


def _scatter(page: Weighting, doubt: str) -> list[str]:
    names = [page.across, page.up]
    drawn = f"{{{page.across!r}: both[0], {page.up!r}: both[1]}}" if page.across != page.up else "both[1]"
    return [
        f"both = [ec.evaluate(text, c) for text in {[str(page.named(name)) for name in names]!r}]",
        "x, y = (one.mean() for one in both)",
        *tau_code(("both[1]", "both[0]")),
        "tau = ec.tau(x, y)",
        "tau_ap = ec.tau_ap(y, x)  # reference second",
        'ties = ec.ties_in_words("tau_ap", y, x)',
        *families.plot_code(page.collection, f"{drawn}{doubt}", "closer"),
    ]


def _leaderboard(page: Weighting, doubt: str) -> list[str]:
    listed = {**{name: str(page.named(name)) for name in MEANS}, **{str(part): str(part) for part in page.parts}}
    return [
        f"listed = {listed!r}",
        "table = {name: ec.evaluate(text, c).mean() for name, text in listed.items()}",
        "ranks = {name: ec.ranks(scores) for name, scores in table.items()}",
        *unassessed_code(page.measure, page.collection),
    ]


def _zeros(page: Weighting, doubt: str) -> list[str]:
    return [
        "from evalcore.measures import MM",
        "",
        "parts = measure.part_scores(c.assessments, c.rankings)  # aspects x systems x topics",
        "share = (parts == 0).any(axis=0)[c.rankings.counted()].mean()",
        "mm_is_0 = c.rankings.topic_means((MM.combine(parts, measure.shares) == 0).astype(float))",
        "is_0 = [c.rankings.topic_means((part == 0).astype(float)) for part in parts]",
    ]


def _bounds(page: Weighting, doubt: str) -> list[str]:
    return [
        "from evalcore.explain import upper_bounds",
        "",
        f"bounds = upper_bounds(measure, c.assessments, {list(page.aspects)!r})",
        "best = bounds.max(axis=1)",
        "reach_1, below_9 = (best > 1 - 1e-9).mean(), (best < 0.9).mean()",
        f"closer = ec.plot(bounds, title={page.mean!r})",
    ]
