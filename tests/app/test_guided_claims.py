"""Every statement of a step of the guided path, held against its numbers wherever its controls stand.

A step says statements: a kind, and values that its English is made of. Here the values are recomputed, by slow loops
over pairs and ranks where that is possible. All that a step says must be asked for, so that what nobody checks fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from odd_support import write
from scipy.special import stdtrit
from scipy.stats import kendalltau

import evalcore as ec
from app_support import SAMPLE
from evalcore.data import Collection, Scale
from evalcore.data.small_collections import small_collection
from evalcore.explain import upper_bounds
from evalcore.focused.overlay import overlay
from evalcore.labels.combining import LINES, TwoSources
from evalcore.labels.judges import Noise, source_agreement
from evalcore.measures import InverseEffort, iAP, iP, ranked_documents
from evalcore.navigation.browsing import hand_walk
from evalcore.navigation.ideals import expected_effort
from evalcore.navigation.tables import walkthrough
from evalcore.navigation.topic_graphs import topic_graphs, traverse
from ui.address.families import styles
from ui.teaching.guided_path.base import LessonContent, LessonSettings, second_aspect
from ui.teaching.guided_path.combining import both_ways
from ui.teaching.guided_path.ideal import measures
from ui.teaching.guided_path.lessons import LESSONS
from ui.teaching.guided_path.statements import Statement
from ui.widgets.fields import Choice, Switch


class Unchecked:
    """What a step says, of which statements are taken one by one, by their kinds."""

    def __init__(self, content: LessonContent) -> None:
        unchecked = (*content.answer, *content.caption)
        self.left = {one.kind: one for one in unchecked}
        assert len(self.left) == len(unchecked)
        self.drawn: Any = self.left.pop("drawn", None)
        for one in unchecked:
            numbers_are_values(one)

    def take(self, kind: str) -> Statement | None:
        """A statement, which is then said no more; None where it is not said."""
        return self.left.pop(kind, None)

    def must(self, kind: str, **values: Any) -> Statement:
        """The same, which must be said, with these values among others."""
        found = self.take(kind)
        assert found is not None, f"{kind} is not among {list(self.left)}"
        for name, value in values.items():
            assert same(found[name], value), (kind, name, found[name], value)
        return found


LITERAL = re.compile(
    r"\[.*?\]\(/glossary.*?\"\)|\{.*?\}|rank 10|under 0\.1%|uRBP1|section 6\.1|[dD][123]|P@10|ep\\\[1\\\]|"
    r"0 / 0 is 0|are 0|is 0|scores 0|times 1 − ρ|it is 1 − ρᵏ|allows? a 1|allow a 1|a 1 would|to 1\)|0\.01|95%|30%|"
    r"0\.4|0\.3"
)


def numbers_are_values(statement: Statement) -> None:
    """What is written in digits is a value that a check sees, but for what is true of every reader."""
    assert not re.search(r"\d", LITERAL.sub("", statement.template)), statement.template
    assert statement.text


def same(value: Any, expected: Any) -> bool:
    if isinstance(expected, float | np.floating):
        return bool(value == pytest.approx(float(expected), abs=1e-9, nan_ok=True))
    return bool(value == expected)


def called(content: LessonContent, label: str) -> Any:
    """What makes a number of a step."""
    return next(number for number in content.numbers if number.name == label).calls[0].value


def picture(content: LessonContent, at: int) -> go.Figure:
    """A figure of a step."""
    made = content.pictures[at].figure
    assert callable(made)
    return made()


# --- second opinions --------------------------------------------------------------------------------------------------


@cache
def means(text: str, collection: Collection) -> pd.Series:
    return ec.evaluate(text, collection).mean().round(12)


def swaps(x: pd.Series, y: pd.Series) -> int:
    both = list(zip(x.tolist(), y[x.index].tolist(), strict=True))
    return sum((x_a - x_b) * (y_a - y_b) < 0 for (x_a, y_a), (x_b, y_b) in combinations(both, 2))


def best(scores: pd.Series) -> set[str]:
    return set(scores.index[scores == scores.max()])


def kendall(x: pd.Series, y: pd.Series) -> float:
    return float(kendalltau(x, y)[0])


def holds_first(unchecked: Unchecked, x: pd.Series, y: pd.Series) -> None:
    """Who is said to be first by two measures is."""
    statement = unchecked.must("first")
    assert (set(statement["first"]), set(statement["other"])) == (best(x), best(y))
    assert ("both" in statement.text) == (best(x) == best(y))


def holds_alike(unchecked: Unchecked, x: pd.Series, y: pd.Series) -> None:
    """How alike two measures of all systems are, and who is first by each."""
    statement = unchecked.must("alike", count=len(x), tau=kendall(x, y))
    assert ("cannot be compared" in statement.text) == (x.nunique() == 1 or y.nunique() == 1)
    holds_first(unchecked, x, y)


# --- the steps --------------------------------------------------------------------------------------------------------


def reader(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c, rho = page.data, page.rho
    caption = unchecked.drawn or unchecked.left["nothing returned"]
    system = caption["system"]
    assert page.field("system").usual in best(means("RBP(rho=0.8)", c))
    assert system == page.system
    at = c.systems.index(system), c.topics.index(page.topic)
    places, rows = c.rankings.hits(*at, int(c.rankings.length[at]))
    border, grades = c.assessments.scale("relevance").border, c.assessments.column("relevance")
    ranks = [int(place) + 1 for place, row in zip(places, rows, strict=True) if grades[row] >= border]

    def rbp_to(depth: float) -> float:
        return (1 - rho) * sum(rho ** (rank - 1) for rank in ranks if rank <= depth)

    rbp = rbp_to(np.inf)
    assert same(called(content, "RBP of this ranking"), rbp)
    assert same(called(content, "documents read on average"), 1 / (1 - rho))
    bars = {trace.name: trace for trace in picture(content, 0).data if trace.type == "bar"}
    assert list(bars["relevant"].x) == [rank for rank in ranks if rank <= 20]
    assert same(float((1 - rho) * sum(bars["relevant"].y)), rbp_to(20))
    count = min(20, int(c.rankings.length[at]))
    assert sum(len(bar.x) for bar in bars.values()) == count
    if not count:
        unchecked.must("nothing returned")
    elif f"{rbp_to(20):.3f}" == f"{rbp:.3f}":
        unchecked.must("all is drawn")
    else:
        unchecked.must("more is below", drawn=rbp_to(20), score=rbp)
    assert not count or unchecked.drawn["count"] == count
    half = holding(0.5, rho)
    unchecked.must("half", ranks=half, share=1 - rho**half)
    unchecked.must("read", documents=1 / (1 - rho), tenth=rho**9)
    other = unchecked.must("another reader")
    assert other["ranks"] == holding(0.5, other["rho"])
    scored = unchecked.take("half of the score")
    assert (scored is None) == (not ranks)
    if scored:
        down = scored["ranks"]
        assert rbp_to(down - 1) < rbp / 2 - 1e-12 <= rbp_to(down) + 1e-12


def holding(share: float, rho: float) -> int:
    """The fewest first ranks with this share of the weight."""
    rank, held = 0, 0.0
    while held < share - 1e-12:
        held += (1 - rho) * rho**rank
        rank += 1
    return rank


def aspects(page: Any, _: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    x, y = means("RBP", c), means(str(page.urbp), c)
    assert (y <= x + 1e-12).all()  # "how far a mark lies below it is what is not"
    nearest, pair = unchecked.take("not alike"), unchecked.must("the two")
    a, b = pair["a"], pair["b"]
    assert set(page.alike.split(" and ")) == {a, b}
    gap = abs(x[a] - x[b])
    assert (gap > 0.01 + 1e-12) == (nearest is not None)
    assert page.field("alike").label.startswith("The two" if nearest else "Two systems alike")
    if nearest:
        assert gap <= min(abs(x[one] - x[other]) for one, other in combinations(x.index, 2)) + 1e-12
    assert pair["better"] == (y[a] > y[b])
    assert [pair[name] for name in ("x_a", "x_b", "y_a", "y_b")] == pytest.approx([x[a], x[b], y[a], y[b]])
    kept = unchecked.take("understood")
    assert (kept is None) == (not (x[a] and x[b]))
    if kept:
        assert (kept["a"], kept["b"]) == pytest.approx((y[a] / x[a], y[b] / x[b]))
    holds_first(unchecked, x, y)


@cache
def swept(name: str, signal: str, grid: tuple[float, ...], collection: Collection) -> pd.DataFrame:
    return pd.DataFrame({at: means(f"{name}(aspect={signal!r}, threshold={at!r})", collection) for at in grid})


@cache
def on_the_way(name: str, signal: str, grid: tuple[float, ...], collection: Collection) -> int:
    table = swept(name, signal, grid, collection)
    return sum(swaps(table[a], table[b]) for a, b in pairwise(grid))


@cache
def first_most_often(name: str, signal: str, grid: tuple[float, ...], collection: Collection) -> set[str]:
    table = swept(name, signal, grid, collection)
    often = pd.Series([one for at in grid for one in best(table[at])]).value_counts()
    return set(often.index[often == often.max()])


def change(page: Any, border: str, low: float, high: float) -> float:
    """How far the gains of relevant documents move, one by one: uRBP1 is 1 below its threshold, uRBP2 Eq. 7."""
    pool = page.data.assessments

    def gain(value: float, threshold: float) -> float:
        if border == "step":
            return float(value < threshold)
        return 0.5 - np.arctan(value - threshold) / np.pi

    relevant = pool.column("relevance") >= pool.scale("relevance").border
    values = [one for one, good in zip(pool.column(page.signal), relevant, strict=True) if good and one == one]
    pairs = [(gain(one, low), gain(one, high)) for one in values]
    total = sum(u + v for u, v in pairs) / 2
    return sum(abs(v - u) for u, v in pairs) / total if total else np.nan


def thresholds(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    grid, models = tuple(page.grid.tolist()), {"step": "uRBP1", "smooth": "uRBP2"}
    tables = {one: swept(name, page.signal, grid, c) for one, name in models.items()}
    passed = {one: on_the_way(name, page.signal, grid, c) for one, name in models.items()}
    at = int(np.argmin(np.abs(np.array(grid) - page.threshold)))
    low, high = grid[at - 2], grid[at + 2]
    moved = {one: swaps(table[low], table[high]) for one, table in tables.items()}
    changed = {f"{model}_change": change(page, model, low, high) for model in models}
    swap = unchecked.must("swaps", low=low, high=high, **moved, **changed)
    fewer = moved["step"] - moved["smooth"]
    calmer = changed["step_change"] - changed["smooth_change"]
    assert ("**The smooth border**" in swap.text, "**The step**" in swap.text) == (fewer > 0, fewer < 0)
    if swap["why"]:
        assert (swap["why"] == "less change") == (fewer * calmer > 0)
    rbp = means("RBP", c)
    taus = {one: kendall(rbp, table[grid[at]]) for one, table in tables.items()}
    tied = unchecked.must("with RBP", at=grid[at], **taus).text.endswith("all systems are tied by one of the two.")
    assert tied == all(map(np.isnan, taus.values()))
    unchecked.must("swaps on the way", **passed)
    same_as_rbp = [one for one in grid if (tables["step"][one] - rbp).abs().max() < 1e-11]
    end = unchecked.take("all is understood")
    assert (end is not None) == bool(same_as_rbp and rbp.any())
    assert not end or same_as_rbp == [one for one in grid if one >= end["threshold"]]
    assert unchecked.drawn["measure"] == models[page.border]
    coloured = {trace.name for trace in picture(content, 0).data if trace.name in c.systems}
    assert coloured & best(rbp)
    assert coloured & first_most_often(models[page.border], page.signal, grid, c)


def combining(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    labels = {"both": (1, 1), "neither": (0, 0), "on topic": (1, 0), "readable": (0, 1)}
    tops = {"A": ["both", "neither"], "B": ["on topic", "readable"]}
    parts = {name: [np.mean([labels[one][at] for one in top]) for at in (0, 1)] for name, top in tops.items()}
    heights = {trace.name[0]: dict(zip(trace.x, trace.y, strict=True)) for trace in picture(content, 0).data}
    w = page.weight
    for name, (r, u) in parts.items():
        assert heights[name]["CAM"] == pytest.approx(w * r + (1 - w) * u)
        assert heights[name]["MM"] == pytest.approx(1 / (w / r + (1 - w) / u))
        assert heights[name]["Product"] == np.mean([labels[one] == (1, 1) for one in tops[name]])
        least = 2 if page.good == "both aspects" else 1  # of two labels of 0 or 1
        assert heights[name]["TOMA"] == np.mean([sum(labels[one]) >= least for one in tops[name]])
    blind = [name for name in heights["A"] if heights["A"][name] == pytest.approx(heights["B"][name])]
    unchecked.must("blind", measures=blind, score=heights["A"]["CAM"], weight=w)
    better = "A" if heights["A"]["TOMA"] > heights["B"]["TOMA"] else "B"
    unchecked.must("prefers", good=page.good, better=better)
    holds_alike(unchecked, *(means(str(way), page.data) for way in both_ways(page.data)))


@cache
def limits(text: str, collection: Collection) -> pd.Series:
    pair = ["relevance", second_aspect(collection)]
    return upper_bounds(text, collection.assessments, pair).max(axis=1)


def ideal(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c, name = page.data, page.measure
    text, aspect = str(measures(second_aspect(c))[name]), second_aspect(c)
    raw, most = ec.evaluate(text, c), limits(text, c)
    found = most > 0
    if not found.any():
        unchecked.must("nothing")
        return
    share = raw.div(most.where(found, np.inf), axis=0)
    x, y = raw.mean().round(12), share.mean().round(12)
    lowest = unchecked.must("lowest")
    system, topic = lowest["system"], lowest["topic"]
    assert system in best(x)
    scores = raw[system][found].round(12)
    assert topic in scores.index[scores == scores.min()]
    assert lowest["also"] == (scores == scores.min()).sum() - 1
    assert lowest["score"] == pytest.approx(scores.min())
    figure = picture(content, 0)
    assert re.sub("<.*?>", "", figure.layout.annotations[0].text) == topic
    mark = next(trace for trace in figure.data if trace.name == system)
    assert figure.layout.annotations[0].y == mark.y[list(mark.x).index(topic)]
    here = {"limit": most[topic], "share": share[system][topic]}
    if found.sum() == 1:
        unchecked.must("the one topic", **here)
    else:
        usual = share[system][found].mean()
        there, own = most[topic] / most[found].mean(), share[system][topic] / usual if usual else 1.0
        lower = {(True, True): "both", (True, False): "there", (False, True): "own"}
        smaller = round(min(there, own), 2)
        which = lower[round(there, 2) == smaller, round(own, 2) == smaller] if smaller < 1 else "neither"
        unchecked.must("lowered", which=which, there=there, own=own, **here)
    reach(unchecked, name, most[found], c, aspect)
    divided = unchecked.must("divided", tau=kendall(x, y))
    assert (set(divided["first"]), set(divided["then"])) == (best(x), best(y))


def reach(unchecked: Unchecked, name: str, most: pd.Series, collection: Collection, aspect: str) -> None:
    ends = {"low": most.min(), "high": most.max()}
    if name in ("DCG", "RBP"):
        unchecked.must(name, **ends)
        return
    reached = most > 1 - 1e-9
    if reached.all():
        unchecked.must("all reach 1")
        return
    empty = (limits("nDCG", collection) <= 0) | (limits(f"nDCG(aspect={aspect!r})", collection) <= 0)
    rest = empty[most.index[~reached]]
    text = unchecked.must("reach", share=reached.mean(), lacking=rest.mean(), **ends).text
    assert ("elsewhere" in text) == bool(reached.any())
    assert ("no order pleases both aspects" in text) == (not rest.all())
    assert ("nothing to find" in text) == rest.any()


def correlation(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    n, tie = min(8, len(c.systems)), page.event == "tie"
    pairs = n * (n - 1) // 2
    curve = {trace.name: list(trace.y) for trace in picture(content, 1).data}
    tau = (pairs - 1) / (pairs * (pairs - 1)) ** 0.5 if tie else 1 - 2 / pairs
    assert curve["τ"] == pytest.approx([tau] * (n - 1))
    assert same(called(content, "τ"), tau)
    assert same(called(content, "τ_AP"), curve["τ_AP"][page.place - 1])
    if tie:
        unchecked.must("a tie", pairs=pairs, tau=tau, tau_a=(pairs - 1) / pairs)
    else:
        unchecked.must("a swap", pairs=pairs, tau=tau)
    falls = unchecked.must("falls", end=curve["τ_AP"][-1], top=curve["τ_AP"][0])
    assert falls["end"] > falls["top"]
    assert curve["τ_AP"] == sorted(curve["τ_AP"])
    holds_alike(unchecked, means("RBP", c), means("nDCG", c))
    assert unchecked.drawn["count"] == n


VERDICTS: dict[str, Callable[[float, float, float], bool]] = {
    "in all": lambda holds, fails, undecided: holds == 1,
    "in none, reversed in all": lambda holds, fails, undecided: fails == 1,
    "undecided in all": lambda holds, fails, undecided: undecided == 1,
    "in some, reversed in others": lambda holds, fails, undecided: min(holds, fails) > 0,
    "in none, reversed in some": lambda holds, fails, undecided: holds == 0 < fails < 1,
    "in some": lambda holds, fails, undecided: fails == 0 < min(holds, undecided),
}


def claim(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    first, second = page.pair
    (kind,) = VERDICTS.keys() & unchecked.left.keys()
    shares = [called(content, label) for label in ("holds", "is reversed", "undecided")]
    assert VERDICTS[kind](*shares)
    assert sum(shares) == pytest.approx(1)
    unchecked.must(kind, better=first, worse=second, holds=shares[0], fails=shares[1], undecided=shares[2])
    count = unchecked.drawn["count"]
    sentence = unchecked.must("in full", count=count)["sentence"]
    assert sentence.startswith(f"{first} > {second} ")
    assert f" {count:,} specifications" in sentence if count > 1 else "the one specification" in sentence
    joint = unchecked.must("together", better=first, p=called(content, "joint p"), alpha=0.05)
    assert 0 < joint["p"] <= 1
    assert joint.text.startswith("**Yes**" if joint["p"] < 0.05 else "**No**")
    assert f"number {min(8, len(page.data.systems))}" in page.field("pair").help


@cache
def noise(way: str, pair: tuple[str, str] | None, collection: Collection) -> Noise:
    return Noise.of("RBP", collection, way, aspect="relevance", sources=pair)


@cache
def noise_at(level: float, way: str, pair: tuple[str, str] | None, collection: Collection) -> dict[str, float]:
    return noise(way, pair, collection).at(level)


def labels(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    if unchecked.take("tied"):
        assert means("RBP", c).nunique() == 1
        assert np.isnan(called(content, "τ"))
        return
    draws = noise(*page.way, c)
    if round(100 * page.level) % 10 == 0:  # drawn anew, which takes a while
        here = noise_at(page.level, *page.way, c)
        for label, name in (("τ", "tau"), ("winner stays", "winner_stays"), ("κ", "kappa")):
            assert called(content, label) == pytest.approx(here[name], abs=1e-9)
    curve = {trace.name: (np.array(trace.x), np.array(trace.y)) for trace in picture(content, 0).data if trace.name}
    levels, taus = curve["τ to the original ranking, mean"]
    if (taus >= 0.9).all():
        unchecked.must("stays equivalent", level=levels[-1], wanted=0.9)
    else:
        at = levels_below(levels, taus, 0.9)
        assert unchecked.must("falls", level=at, wanted=0.9)["kappa"] == pytest.approx(
            draws.way.kappa(at, draws.shares), abs=0.01
        )
    stays = curve["share of draws in which the winner stays"][1]
    if (stays >= 0.5).all():
        first = unchecked.must("always first", level=levels[-1])
    else:
        first = unchecked.must("first until", level=levels_below(levels, stays, 0.5))
    assert set(first["first"]) == best(means("RBP", c))
    if page.judge:
        beside_chance(unchecked, page, levels)


def levels_below(levels: np.ndarray[Any, Any], values: np.ndarray[Any, Any], wanted: float) -> float:
    """Where a line through points first falls to a value."""
    at = int(np.argmax(values < wanted))
    share = (values[at - 1] - wanted) / (values[at - 1] - values[at])
    return float(levels[at - 1] + share * (levels[at] - levels[at - 1]))


def beside_chance(unchecked: Unchecked, page: Any, levels: np.ndarray[Any, Any]) -> None:
    c, judge = page.data, page.judge
    found = source_agreement(c, (c.assessments.sources["relevance"].default, judge), "relevance")
    table = found.counts.sum(axis=0)
    differs = 1 - np.trace(table) / table.sum()
    tau = kendall(means("RBP", c), means(f"RBP(source={judge!r})", c))
    values = {"judge": judge, "differs": differs, "kappa": found.coefficient("kappa").estimate, "tau": tau}
    if differs > levels[-1] or np.isnan(tau):
        unchecked.must("judge", **values)
        return
    statement = unchecked.must("judge beside chance", **values)
    assert statement["random"] == pytest.approx(noise_at(float(differs), *page.way, c)["tau"], abs=0.01)
    own = round(tau, 3)
    assert statement["harm"] == ("less" if own > statement["high"] else "more" if own < statement["low"] else "as much")


def links(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    assert unchecked.drawn["gain"] == 0
    assert [number.value for number in content.numbers] == ["0", "0.000", "none", "none"]
    unchecked.left.clear()  # the walk that has not begun is the first of those below
    first = page.with_(edits=(f"{page.line}next",)).walk
    along = ["next", f"follow:{first.ways[0][0]}", "next"] if first.ways else ["next"]
    for steps in ([], ["next"], ["next"] * 3, along) if page.system is None else (["next"] * 3, along):
        walks_hold(page, steps)


def walks_hold(page: Any, steps: list[str]) -> None:
    """What is said of a walk, by what each of its steps costs and shows, and by section 6.1 written out."""
    made = page.with_(edits=tuple(page.line + step for step in steps))
    assert not made.misfits
    unchecked = Unchecked(LESSONS[8].show(made, {}))
    graph, users, topic, system = made.walked
    effort = sum(1.0 if step == "next" else made.click for step in steps)
    pool = graph.assessments
    grades = {
        str(one): grade
        for one, at, grade in zip(pool.documents, pool.topic, pool.column("relevance"), strict=True)
        if pool.topics[at] == topic and grade > 0
    }
    listed = [str(graph.navigation.components.ids[one]) for one in graph.navigation.runs.ranking(
        graph.systems.index(system), graph.topics.index(topic))]  # fmt: skip
    seen = {*listed[: steps.count("next")], *(step.removeprefix("follow:") for step in steps if step != "next")}
    gain = float(sum(grades.get(one, 0.0) for one in seen))
    second = walkthrough(graph, users, topic, system, len(listed))
    expected = second.expected[int((second.effort <= effort + 1e-9).sum()) - 1]
    if not steps:
        unchecked.must("not begun")
    elif not gain:
        unchecked.must("no gain", spent=effort, expected=expected)
    else:
        measure = InverseEffort(navigation=users.navigation, effort=users.effort, level=gain)
        inverse, ideal = ec.evaluate(measure, graph, topics="all")[system][topic], ideal_effort(made, gain)
        values = {"gain": gain, "spent": effort, "ideal": ideal, "precision": ideal / effort}
        past_links(unchecked, made, steps, gain, ideal)
        one = unchecked.must("gained", users=ideal * inverse, expected=expected, **values)
        more = int(np.sign(round(one["users"], 3) - round(one["precision"], 3)))
        assert one["beside"] == {0: "as you", 1: "more than you", -1: "less than you"}[more]
    if page.system is None:
        unchecked.must("printed", along=0.63, along_printed=0.63, without=1 / 3, without_printed=0.3)
    else:
        whole = {"worth": second.expected[-1], "total": float(sum(grades.values())), "effort": second.effort[-1]}
        unchecked.must("in general", **whole)
    assert unchecked.drawn["gain"] == pytest.approx(gain)
    assert unchecked.drawn["total"] == pytest.approx(sum(grades.values()))
    assert not unchecked.left


def past_links(unchecked: Unchecked, page: Any, steps: list[str], gain: float, ideal: float) -> None:
    """Consulting result after result, until as much is gained, or to the end of the list."""
    if not any(step.startswith("follow:") for step in steps):
        unchecked.must("no link")
        return
    graph, users, topic, system = page.walked
    walk = hand_walk(graph, users, topic, system, ["next"] * len(page.walk.results))
    effort = next((spent for spent, gained in zip(walk.effort, walk.gain, strict=True) if gained > gain - 1e-9), np.inf)
    mine = float(page.walk.effort[-1])
    if np.isinf(effort):
        assert "Along the link" in unchecked.must("past links never", spent=mine).text
        return
    better = "Both alike" if mine == pytest.approx(effort) else "Along the link" if mine < effort else "Past it"
    values = {"spent": mine, "mine": ideal / mine, "effort": effort, "past": ideal / effort}
    unchecked.must("past links", better=better, **values)


def ideal_effort(page: Any, gain: float) -> float:
    """E[ce] to a gain of the list of all that is worth something in order of gain, by section 6 written out."""
    graph, users, topic, _ = page.walked
    scene = topic_graphs(graph, users)[graph.topics.index(topic)]
    order = sorted(
        range(len(scene.gains)), key=lambda at: (-scene.gains[at], round(scene.consulting[scene.target[at]], 9))
    )
    return float(expected_effort(traverse(scene, scene.target[order]), np.array([gain]))[0])


def passages(page: Any, _: LessonContent, unchecked: Unchecked) -> None:
    unchecked.left.clear()  # no marks are the first of those below
    row = ranked_documents(page.passages, page.system, page.topic).set_index("document").loc[page.document]
    start, size, end = int(row["start"]), int(row["size"]), page.length
    states = [
        [],
        [f"mark:0:{min(end, 50)}", "entry:0"],
        [f"mark:{start}:{min(start + max(size // 2, 1), end)}"],
        [f"mark:0:{end}", f"entry:{start}"],
        [f"mark:{start}:{start + 1}", f"erase:{start}:{start + 1}"],
    ]
    at = sum(map(len, map(str, (page.topic, page.system, page.document, page.A))))  # all of them where all is usual
    for state in states if not page.address() else [states[at % len(states)]]:
        marks_hold(page, state)


def marks_hold(page: Any, steps: list[str]) -> None:
    """What is said of marks, by counting characters one by one."""
    made = page.with_(edits=tuple(page.line + step for step in steps))
    assert not made.misfits
    content = LESSONS[9].show(made, {})
    unchecked = Unchecked(content)
    mine, entry = set[int](), -1
    for kind, *places in (step.split(":") for step in steps):
        if kind == "entry":
            entry = int(places[0])
        else:
            mine = (mine | set(range(*map(int, places)))) if kind == "mark" else mine - set(range(*map(int, places)))
    kept, system = page.passages, page.passages.parts.systems.index(page.system)
    found = overlay(kept, page.system, page.topic, page.document)
    returned = {at for stretch in found.stretches if stretch.rank for at in range(stretch.start, stretch.end)}
    theirs = {at for stretch in found.stretches if stretch.highlighted for at in range(stretch.start, stretch.end)}
    both = len(returned & mine)
    p, r = both / len(returned), both / len(mine) if mine else 0.0
    row = called(content, "P").iloc[0]
    assert (row["P"], row["R"], row["F"]) == pytest.approx((p, r, 2 * p * r / (p + r) if both else 0.0))
    unchecked.must("characters", returned=len(returned), marked=len(mine), both=both)
    if entry < 0:
        unchecked.must("no entry point")
    else:
        away = abs(found.begun - entry)
        near = {"near": page.A * page.length / (page.A * page.length + away), "screen": max(1000 - away, 0) / 1000}
        unchecked.must("entry point", system=page.system, away=away, n=1000, **near)
    if not mine:
        unchecked.must("nothing marked")
    elif not both:
        unchecked.must("nothing returned")
    elif p == r:
        unchecked.must("the same")
    else:
        vain, missed = len(returned - mine), len(mine - returned)
        lower, more = ("P", "more was returned in vain than was missed") if p < r else ("R", "more was missed than")
        assert (vain > missed) == (lower == "P")
        assert more in unchecked.must("lower", lower=lower).text
    at = system, kept.highlights.topics.index(page.topic)
    early, average = (float(one.score_passages(kept)[at]) for one in (iP(recall=0.01), iAP()))
    hit, size = len(returned & theirs), len(theirs)
    shares = {"P": hit / len(returned), "R": hit / size if size else 0.0}
    unchecked.must("assessor", size=size, early=early, average=average, **shares)
    if not mine:
        unchecked.must("compare")
    else:
        shared = len(mine & theirs)
        unchecked.must("shared", size=len(mine), both=shared, alike=2 * shared / (len(mine) + size))
        if entry >= 0 and found.best_entry >= 0:
            unchecked.must("apart", apart=abs(entry - found.best_entry))
    assert not unchecked.left


def assessor(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c, two = page.data, TwoSources.of("RBP", page.data)
    truth = means("RBP", c)
    found = ec.combine("RBP", c, kept=f"KeptLabels(share={page.share}, seed={page.draw_of})")
    by = {line: found.scores[line].mean().round(12) for line in LINES}
    for line, label in (("combined", "both together"), ("human alone", "people alone"), ("model alone", "model alone")):
        assert called(content, f"τ, {label}") == pytest.approx(kendall(by[line], truth))
    same_tau = kendall(means("RBP(source='llm')", c), truth)
    agrees = unchecked.must("agrees", model="llm", human="assessors", tau=same_tau)
    kept = two.kept(page.kept)
    both = ~np.isnan(kept.human) & ~np.isnan(kept.model)  # of what both labelled, and is kept
    one, other = ((labels[both][:, None] == two.scorer.grades) for labels in (kept.human, kept.model))
    same_grade, chance = (
        float(np.mean(kept.human[both] == kept.model[both])),
        float(one.mean(axis=0) @ other.mean(axis=0)),
    )
    assert agrees["kappa"] == pytest.approx((same_grade - chance) / (1 - chance))
    first = unchecked.must("first")
    assert [set(first[one]) for one in ("first", "model")] == [best(truth), best(by["model alone"])]
    assert [set(first[one]) for one in ("people", "both")] == [best(by["human alone"]), best(by["combined"])]
    if kept.n_labels == two.labels.n_labels:
        unchecked.must("all labels")
        return
    if not unchecked.take("no help"):
        both, alone = ((found.errors[line][1] ** 2).sum() for line in ("combined", "human alone"))
        unchecked.must("worth", worth=alone / both)
    half = {line: stdtrit(found.freedom[line], 0.975) * found.errors[line] for line in LINES}
    held = (by["combined"] - truth).abs() <= half["combined"][1]
    beside = (by["model alone"] - truth).abs() <= half["model alone"][0]
    unchecked.must("held", count=32, held=int(held.sum()), beside=int(beside.sum()))


CHECKS: dict[str, Callable[[Any, LessonContent, Unchecked], None]] = {
    "1 Reader": reader,
    "2 Aspects": aspects,
    "3 Thresholds": thresholds,
    "4 Combining": combining,
    "5 Ideal": ideal,
    "6 Correlation": correlation,
    "7 Claim": claim,
    "8 Labels": labels,
    "9 Links": links,
    "10 Passages": passages,
    "11 Assessor": assessor,
}


QUICK = set(CHECKS) - {"9 Links", "10 Passages", "11 Assessor"}  # looked at everywhere


# --- everywhere -------------------------------------------------------------------------------------------------------


def one_topic(_: Path) -> Collection:
    """A readability, two aspects with gaps, a tie, a list that finds nothing."""
    grades = {"relevance": [1, 0, 2, 0, 1, np.nan], "understandability": [0, 1, 2, 3, np.nan, 1]}
    given = pd.DataFrame({**grades, "fog": [8.0, 9, 14, 15, 15, 20]}, index=list("abcdef"))
    runs = {"one": list("abcdef"), "two": list("fedcba"), "tied": list("fedcba"), "none": ["x"]}
    return small_collection(given, runs, [Scale("fog", kind="signal", good="low")])


DATA: dict[str, Callable[[Path], Collection]] = {
    "sample": lambda _: ec.load(SAMPLE),
    "0 to 100": lambda folder: ec.load(write(folder / "odd", "0 to 100")),
    "nothing relevant": lambda folder: ec.load(write(folder / "odd", "nothing relevant")),
    "one topic": one_topic,
}


def values(page: LessonSettings, name: str, every: int) -> list[Any]:
    """All that a setting may be; of the places of a slider each so many."""
    field = page.field(name)
    if isinstance(field, Choice):
        return list(field.options)
    if isinstance(field, Switch):
        return [False, True]
    return list(field.sliders(page.key(name), getattr(page, name))[0].values)[::every] if field else [None]


def one_by_one(page: Any, names: list[str], every: int) -> Iterator[Any]:
    """The page at all of each control, the others as they are at first."""
    yield from (page.with_(**{name: one}) for name in names for one in values(page, name, every))


def everywhere(page: Any, names: list[str], every: int) -> Iterator[Any]:
    """The page at all its settings; where they are many, at all of each control, the others as they are at first."""
    listed = {name: values(page, name, every) for name in names}
    if np.prod([len(one) for one in listed.values()]) > 100:
        yield from one_by_one(page, names, every)
    elif not names:
        yield page
    else:  # what a control may be can depend on those before it
        first, *rest = names
        for one in listed[first]:
            yield from everywhere(page.with_(**{first: one}), rest, every)


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.name for lesson in LESSONS])
@pytest.mark.parametrize(
    "data", [one if one == "one topic" else pytest.param(one, marks=pytest.mark.slow) for one in DATA]
)
def test_every_statement_of_a_step_is_borne_out_by_its_numbers(data: str, lesson: Any, tmp_path: Path) -> None:
    assert lesson.name in CHECKS, "expected a function in CHECKS that takes each statement of the step, found none"
    collection = DATA[data](tmp_path)
    page = lesson.settings.read(collection, {} if data == "sample" else {"guided_path.own": ["true"]})
    if page.lack and data != "sample":
        pytest.skip(page.lack)
    assert page.data is collection or data == "sample"
    looks = styles(page.data)
    names, quick = list(lesson.controls), lesson.name in QUICK
    places = everywhere(page, names, 1 if data == "sample" else 5) if quick else one_by_one(page, names, 8)
    for other in places:
        assert not other.misfits
        content = lesson.show(other, looks)
        unchecked = Unchecked(content)
        CHECKS[lesson.name](other, content, unchecked)
        assert list(unchecked.left) == []
