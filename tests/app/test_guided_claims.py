"""Every sentence that a step of the guided path says, held against its numbers wherever its controls stand.

A step's claims are listed here as patterns. All it says must be among them, so that a sentence nobody checks fails.
Numbers are recomputed by slow loops over pairs and ranks where that is possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from odd_support import write
from scipy.stats import kendalltau

import evalcore as ec
from app_support import SAMPLE
from evalcore.data import Collection, Scale
from evalcore.data.overlay import overlay
from evalcore.data.small import small_collection
from evalcore.explain import upper_bounds
from evalcore.explain.navigation import walkthrough
from evalcore.judges import Noise, source_agreement
from evalcore.measures import InverseEffort, iAP, iP, ranked_documents
from evalcore.measures.navigation.ideals import expected_effort
from evalcore.measures.navigation.topics import topic_graphs, traverse
from ui.data.open_collection import styles
from ui.guided_path import LESSONS, LessonContent
from ui.guided_path.base import LessonSettings, second_aspect
from ui.guided_path.combining import both_ways
from ui.guided_path.ideal import measures
from ui.widgets.fields import Choice, Switch

NAME, NUMBER = r"[\w.-]+", r"-?\d+(?:\.\d+)?"
WHO = rf"(?:{NAME}|{NAME} and {NAME}|\d+ tied systems)"
FIRST = rf"({WHO}) (?:is|are) first by (?:(both)|{NAME}, ({WHO}) by {NAME})"


@dataclass
class Said:
    """A text of which claims are taken one by one."""

    left: str

    @classmethod
    def of(cls, text: str) -> Said:
        return cls(re.sub(r"\[(.*?)\]\(/glossary.*?\"\)", r"\1", text).replace("\\", "").replace("*", ""))

    def take(self, pattern: str) -> tuple[str, ...] | None:
        """The groups of a sentence, which is then said no more; None where it is not said."""
        found = re.search(pattern, self.left)
        if found is None:
            return None
        self.left = (self.left[: found.start()] + self.left[found.end() :]).strip()
        return tuple(one or "" for one in found.groups()) or ("",)

    def must(self, pattern: str) -> tuple[str, ...]:
        found = self.take(pattern)
        assert found is not None, f"{pattern}\nis not in\n{self.left}"
        return found


# --- second opinions --------------------------------------------------------------------------------------------------


@cache
def means(text: str, collection: Collection) -> pd.Series:
    return ec.evaluate(text, collection).mean().round(12)


def swaps(x: pd.Series, y: pd.Series) -> int:
    both = list(zip(x.tolist(), y[x.index].tolist(), strict=True))
    return sum((x_a - x_b) * (y_a - y_b) < 0 for (x_a, y_a), (x_b, y_b) in combinations(both, 2))


def best(scores: pd.Series) -> set[str]:
    return set(scores.index[scores == scores.max()])


def holds_first(groups: tuple[str, ...], x: pd.Series, y: pd.Series) -> None:
    """Who is said to be first by two measures is."""
    one, both, other = groups
    for said, scores in ((one, x), (one if both else other, y)):
        counted = re.fullmatch(r"(\d+) tied systems", said)
        assert len(best(scores)) == int(counted[1]) if counted else set(said.split(" and ")) == best(scores)
    assert bool(both) == (best(x) == best(y))


def holds_tau(said: str, x: pd.Series, y: pd.Series, digits: int = 3) -> None:
    assert float(said) == pytest.approx(kendalltau(x, y)[0], abs=0.51 * 10**-digits)


def near(said: str, value: float) -> None:
    """A number as written is the value, rounded."""
    if said == "none":
        assert np.isnan(value)
        return
    number = said.rstrip("% ")
    off = 0.5001 * 10 ** -len(number.partition(".")[2])
    assert float(number) == pytest.approx(100 * value if said.endswith("%") else value, abs=off), said


def near_percent(said: str, share: float) -> None:
    if said.startswith("under"):
        assert 0 < share < 0.01
    elif said.startswith("over"):
        assert 0.99 < share < 1
    else:
        near(said, share)


def holds_to(said: str, value: float) -> None:
    """The same of a number to four digits, which may be large."""
    assert float(said) == pytest.approx(value, rel=5.1e-4, abs=5.1e-4)


PERCENT = r"((?:under |over )?\d+%)"


# --- the steps --------------------------------------------------------------------------------------------------------


def picture(shown: LessonContent, at: int) -> go.Figure:
    """A figure of a step."""
    found = shown.pictures[at].figure
    assert isinstance(found, go.Figure)
    return found


def reader(page: Any, shown: LessonContent) -> None:
    c, rho = page.data, page.rho
    scores = means(f"RBP(rho={rho!r})", c)
    caption, answer = Said.of(shown.caption), Said.of(shown.answer)
    bars = {one.name: one for one in picture(shown, 0).data if one.type == "bar"}
    drawn = sum(len(one.x) for one in bars.values())
    ((system, tied),) = re.findall(rf"({NAME}), (?:the best system|one of the (\d+) best systems) by", caption.left)
    assert system in best(scores)
    assert int(tied or 1) == len(best(scores))
    at = c.systems.index(system), c.topics.index(page.topic)
    places, rows = c.rankings.hits(*at, int(c.rankings.length[at]))
    relevant = c.assessments.scale("relevance").border
    ranks = [
        place + 1 for place, row in zip(places, rows, strict=True) if c.assessments.column("relevance")[row] >= relevant
    ]
    rbp = (1 - rho) * sum(rho ** (rank - 1) for rank in ranks)
    near(shown.numbers[1][1], rbp)
    blue = (1 - rho) * sum(bars["relevant"].y)
    assert list(bars["relevant"].x) == [rank for rank in ranks if rank <= 20]
    if not drawn:
        caption.must(r"^.*, returned nothing for this topic\.")
    else:
        count = caption.must(rf"The first (\d+ )?ranks? of {NAME}, .*? by .*?\), and how likely each is read\.")[0]
        assert int(count or 1) == drawn == min(20, c.rankings.length[at])
        if caption.take(r"RBP is the sum of the blue bars, times 1 − ρ\."):
            assert f"{blue:.3f}" == f"{rbp:.3f}"
        else:
            sums = caption.must(
                rf"The sum of the blue bars, times 1 − ρ, is ({NUMBER}); what stands below them .*? ({NUMBER})\."
            )
            near(sums[0], blue)
            near(sums[1], rbp)
            assert sums[0] != sums[1]
            assert any(rank > 20 for rank in ranks)
    half = holding(0.5, rho)
    count, held = answer.must(r"The first (\d+ )?ranks? holds? (\d+%) of the weight: down to rank k it is 1 − ρᵏ\.")
    assert int(count or 1) == half
    near(held, 1 - rho**half)
    looked, tenth = answer.must(
        rf"The reader looks at ({NUMBER}) documents on average, and at rank 10 with probability (.*?%)\."
    )
    assert looked == f"{1 / (1 - rho):.3g}"
    if tenth == "under 0.1%":
        assert rho**9 < 0.001
    else:
        near(tenth, rho**9)
    other, takes = answer.must(rf"With ρ = ({NUMBER}) half of the weight takes (\d+) ranks?\.")
    assert int(takes) == holding(0.5, float(other))
    scored = answer.take(r"This ranking has half of its score from its first (\d+ )?ranks?\.")
    assert (scored is None) == (not ranks)
    if scored:
        down = int(scored[0] or 1)
        reached = [(1 - rho) * sum(rho ** (one - 1) for one in ranks if one <= rank) for rank in (down - 1, down)]
        assert reached[0] < rbp / 2 - 1e-12 <= reached[1] + 1e-12
    assert (caption.left, answer.left) == ("", "")


def holding(share: float, rho: float) -> int:
    """The fewest first ranks with this share of the weight."""
    rank, held = 0, 0.0
    while held < share - 1e-12:
        held += (1 - rho) * rho**rank
        rank += 1
    return rank


def aspects(page: Any, shown: LessonContent) -> None:
    c, answer = page.data, Said.of(shown.answer)
    x, y = means("RBP", c), means(str(page.urbp), c)
    assert (y <= x + 1e-12).all()  # "how far a mark lies below it is what is not"
    nearest = answer.take(r"^No two systems are alike by RBP here; these are the nearest\.")
    start = answer.must(
        rf"({NAME}): RBP gives (it|{NAME}) ({NUMBER}) and ({NAME}) ({NUMBER}), uRBP ({NUMBER}) and ({NUMBER})\."
    )
    a, b = (start[0] if start[1] == "it" else start[1]), start[3]
    assert page.alike == f"{a} and {b}"
    gap = abs(x[a] - x[b])
    assert (gap > 0.01 + 1e-12) == (nearest is not None)
    assert page.field("alike").label.startswith("The two" if nearest else "Two systems alike")
    if nearest:
        assert gap <= min(abs(x[one] - x[other]) for one, other in combinations(x.index, 2)) + 1e-12
    assert (start[1] == "it") == (y[a] > y[b])
    assert start[1] == "it" or start[0] == "Either"
    for said, value in zip((*start[2::2][:2], *start[5:]), (x[a], x[b], y[a], y[b]), strict=True):
        near(said, value)
    kept = answer.take(r"uRBP / RBP is the share of the credit that a reader understands: (\d+%) and (\d+%)\.")
    assert (kept is None) == (not (x[a] and x[b]))
    for said, name in zip(kept or (), (a, b), strict=False):
        near(said, y[name] / x[name])
    holds_first(answer.must(rf"Of all systems {FIRST}\."), x, y)
    assert answer.left == ""


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


def thresholds(page: Any, shown: LessonContent) -> None:
    c, answer = page.data, Said.of(shown.answer)
    grid, models = tuple(page.grid.tolist()), {"step": "uRBP1", "smooth": "uRBP2"}
    tables = {one: swept(name, page.signal, grid, c) for one, name in models.items()}
    passed = {one: on_the_way(name, page.signal, grid, c) for one, name in models.items()}
    low, high, step, smooth = answer.must(
        rf"From ({NUMBER}) to ({NUMBER}) the step swaps (\d+) pairs? of systems, the smooth border (\d+)"
    )
    at = int(np.argmin(np.abs(np.array(grid) - page.threshold)))
    assert (float(low), float(high)) == (grid[at - 2], grid[at + 2])
    for said, table in zip((step, smooth), tables.values(), strict=True):
        assert int(said) == swaps(table[grid[at - 2]], table[grid[at + 2]])
    if answer.take(r"^, for it lets a document just beyond the threshold count a little"):
        assert int(smooth) < int(step)
        assert passed["smooth"] < passed["step"]
    elif few := answer.take(
        rf"^, for only {PERCENT} of the documents change sides here, while a slope moves the gain of all"
    ):
        assert int(smooth) > int(step)
        values = c.assessments.column(page.signal)
        share = sum(grid[at - 2] <= one < grid[at + 2] for one in values) / sum(values == values)
        assert share < 0.05
        near_percent(few[0], share)
    rbp = means("RBP", c)
    taus = answer.must(
        rf"^\. At {page.threshold:g}, (all systems are tied by one of the two|τ with RBP is (?:.*?\))+)\. "
    )[0]
    for one, table in tables.items():
        told = re.findall(rf"({NUMBER}) \({one}\)", taus)
        if told:
            holds_tau(told[0], rbp, table[grid[at]])
        else:
            assert rbp.nunique() == 1 or table[grid[at]].nunique() == 1
    totals = answer.must(r"Over all thresholds, one after the other, the two swap (\d+) and (\d+) pairs\.")
    assert [int(one) for one in totals] == list(passed.values())
    same = [one for one in grid if (tables["step"][one] - rbp).abs().max() < 1e-11]
    end = answer.take(rf"From ({NUMBER}) on all is understood that RBP credits: uRBP1 is RBP\.")
    assert (end is not None) == bool(same and rbp.any())
    if end:
        assert same == [one for one in grid if one >= float(end[0])]
    caption = Said.of(shown.caption)
    caption.must(
        rf"^Above: .*? Below: ranks by {models[page.border]} .*? in colour who is first by RBP and who is first at the "
        r"most thresholds\."
    )
    coloured = {one.name for one in picture(shown, 0).data if one.name in c.systems}
    assert coloured & best(rbp)
    assert coloured & first_most_often(models[page.border], page.signal, grid, c)
    assert answer.left == ""


def combining(page: Any, shown: LessonContent) -> None:
    c, answer = page.data, Said.of(shown.answer)
    labels = {"both": (1, 1), "neither": (0, 0), "on topic": (1, 0), "readable": (0, 1)}
    tops = {"A": ["both", "neither"], "B": ["on topic", "readable"]}
    parts = {name: [np.mean([labels[one][at] for one in top]) for at in (0, 1)] for name, top in tops.items()}
    heights = {one.name[0]: dict(zip(one.x, one.y, strict=True)) for one in picture(shown, 0).data}
    w = page.weight
    for name, (r, u) in parts.items():
        assert heights[name]["CAM"] == pytest.approx(w * r + (1 - w) * u)
        assert heights[name]["MM"] == pytest.approx(1 / (w / r + (1 - w) / u))
        assert heights[name]["Product"] == np.mean([labels[one] == (1, 1) for one in tops[name]])
        least = 2 if page.good == "both aspects" else 1  # of two labels of 0 or 1
        assert heights[name]["TOMA"] == np.mean([sum(labels[one]) >= least for one in tops[name]])
    said = answer.must(
        rf"None\. In both rankings half of the pages are relevant and half readable, so CAM and MM give ({NUMBER}) to "
        r"both, here with (\d+%) on relevance\."
    )
    near(said[0], heights["A"]["CAM"])
    near(said[1], w)
    assert heights["A"]["CAM"] == pytest.approx(heights["B"]["CAM"])
    assert heights["A"]["MM"] == pytest.approx(heights["B"]["MM"])
    good, prefers = answer.must(
        r"Who combines first must say what a half-good page is worth: nothing, says Product; with “(.*?)” as good, "
        r"TOMA prefers (A|B)\."
    )
    other = {"A": "B", "B": "A"}[prefers]
    assert (good, heights[prefers]["TOMA"] > heights[other]["TOMA"]) == (page.good, True)
    x, y = (means(str(one), c) for one in both_ways(c))
    in_practice(answer, r"On P@10, over", x, y, 2)
    assert answer.left == ""


def in_practice(answer: Said, start: str, x: pd.Series, y: pd.Series, digits: int = 3) -> None:
    """Two measures of all systems, and who is first by each."""
    count, tau, joined, *who = answer.must(
        rf"{start} (\d+) systems {NAME} and {NAME} (?:agree to τ = ({NUMBER})|cannot be compared, as one ties all of "
        rf"them), (and|yet) {FIRST}\."
    )
    assert int(count) == len(x)
    assert (tau == "") == (x.nunique() == 1 or y.nunique() == 1)
    if tau:
        holds_tau(tau, x, y, digits)
    assert (joined == "and") == (best(x) == best(y))
    holds_first(tuple(who), x, y)


@cache
def limits(text: str, collection: Collection) -> pd.Series:
    pair = ["relevance", second_aspect(collection)]
    return upper_bounds(text, collection.assessments, pair).max(axis=1)


def ideal(page: Any, shown: LessonContent) -> None:
    c, name, answer = page.data, page.measure, Said.of(shown.answer)
    text, aspect = str(measures(second_aspect(c))[name]), second_aspect(c)
    raw, most = ec.evaluate(text, c), limits(text, c)
    found = most > 0
    if not found.any():
        assert answer.left == "Nothing in these data is worth finding: the best ranking of every topic scores 0."
        return
    share = raw.div(most.where(found, np.inf), axis=0)
    x, y = raw.mean().round(12), share.mean().round(12)
    system, topic, also, score = answer.must(
        rf"^({NAME}) is lowest on ({NAME})(?:, as on (\d+) other topics?,)? with ({NUMBER})\."
    )
    assert system in best(x)
    lowest = raw[system][found].round(12)
    assert topic in lowest.index[lowest == lowest.min()]
    assert int(also or 0) == (lowest == lowest.min()).sum() - 1
    near(score, lowest.min())
    figure = picture(shown, 0)
    assert re.sub("<.*?>", "", figure.layout.annotations[0].text) == topic
    mark = next(one for one in figure.data if one.name == system)
    assert figure.layout.annotations[0].y == mark.y[list(mark.x).index(topic)]
    usual = most[found].mean(), share[system][found].mean()
    blamed(answer, (most[topic], share[system][topic]), usual, one_topic=found.sum() == 1)
    reach(answer, name, most[found], c, aspect)
    who, verb, tau = answer.must(
        rf"Divided by the best, ({WHO}) (stays?|is|are) first(?: \(τ of the two rankings: ({NUMBER})\))?\."
    )
    assert verb.startswith("stay") == (best(x) == best(y))
    counted = re.fullmatch(r"(\d+) tied systems", who)
    assert len(best(y)) == int(counted[1]) if counted else set(who.split(" and ")) == best(y)
    if tau:
        holds_tau(tau, x, y)
    assert answer.left == ""


def blamed(answer: Said, here: tuple[float, float], usual: tuple[float, float], one_topic: bool) -> None:
    if one_topic:
        said = answer.must(rf"The best ranking gets ({NUMBER}) there, so it has (\d+%) of what there is\.")
        near(said[0], here[0])
        near(said[1], here[1])
        return
    fault, *numbers = answer.must(
        rf"(The fault of (?:both|neither)|(?:Mostly )?(?:[Ii]ts own|[Tt]he topic's) fault): the best ranking gets "
        rf"({NUMBER}) there \(({NUMBER}) on average\), and it has (\d+%) of that \((\d+%) on average\)\."
    )
    for number, value in zip(numbers, (here[0], usual[0], here[1], usual[1]), strict=True):
        near(number, value)
    limit, usual_limit, part, usual_part = (float(one.rstrip("%")) for one in numbers)
    assert (limit < usual_limit) == ("both" in fault or "topic's" in fault or ("own" in fault and "Mostly" in fault))
    assert (part < usual_part) == ("both" in fault or "own" in fault or ("topic's" in fault and "Mostly" in fault))
    if "own" in fault:
        assert part / usual_part < limit / usual_limit
    if "topic's" in fault:
        assert part / usual_part > limit / usual_limit


def reach(answer: Said, name: str, most: pd.Series, collection: Collection, aspect: str) -> None:
    if name == "DCG":
        if same := answer.take(rf"The best DCG is ({NUMBER}) on every topic\."):
            low, high = same * 2
        else:
            outvote = "topics with much to find outvote the others"
            low, high = answer.must(rf"The best DCG of a topic goes from ({NUMBER}) to ({NUMBER}): {outvote}\.")
            assert float(low) < float(high)
        near(low, most.min())
        near(high, most.max())
        return
    if answer.take(rf"Every topic allows a 1 by {name}: there is an order that pleases both aspects\."):
        assert most.min() > 1 - 1e-9
        return
    some, low, high, why = answer.must(
        rf"(No topic allows|{PERCENT[1:-1]} of the topics allow) a 1 by {name} \(limits from (.*?) to (.*?)\): (.*?)\."
    )
    one = most > 1 - 1e-9 if name != "RBP" else most > 2
    assert (some == "No topic allows") == (not one.any())
    if one.any():
        near_percent(some.removesuffix(" of the topics allow"), one.mean())
    near(low, most.min())
    if one.any():
        assert high == "1"
    elif high == "just below 1":
        assert most.max() > 0.9999
    else:
        assert float(high) < 1
        near(high, most.max())
    if name == "RBP":
        assert why == "a 1 would take an endless list of relevant documents"
        return
    assert why.startswith("elsewhere ") == bool(one.any())
    empty = (limits("nDCG", collection) <= 0) | (limits(f"nDCG(aspect={aspect!r})", collection) <= 0)
    rest = empty[most.index[~one]]
    assert ("no order pleases both aspects" in why) == (not rest.all())
    assert ("nothing to find" in why) == rest.any()


def correlation(page: Any, shown: LessonContent) -> None:
    c, answer = page.data, Said.of(shown.answer)
    n, tie = min(8, len(c.systems)), page.event == "tie"
    pairs = n * (n - 1) // 2
    curve = {one.name: list(one.y) for one in picture(shown, 1).data}
    tau = (pairs - 1) / (pairs * (pairs - 1)) ** 0.5 if tie else 1 - 2 / pairs
    assert curve["τ"] == pytest.approx([tau] * (n - 1))
    near(shown.numbers[0][1], tau)
    near(shown.numbers[1][1], curve["τ_AP"][page.place - 1])
    if tie:
        said = answer.must(
            rf"A tie orders nothing, so its pair is neither right nor wrong: τ_b, which allows for ties, is "
            rf"({NUMBER}); τ_a, over all (\d+) pairs, ({NUMBER})\."
        )
        near(said[0], tau)
        near(said[2], (pairs - 1) / pairs)
        assert int(said[1]) == pairs
    else:
        said = answer.must(rf"τ_AP\. For τ every pair is one of (\d+), so it is ({NUMBER}) at any place\.")
        assert int(said[0]) == pairs
        near(said[1], tau)
    end, top = answer.must(rf"τ_AP falls from ({NUMBER}) at the end to ({NUMBER}) at the top\.")
    near(end, curve["τ_AP"][-1])
    near(top, curve["τ_AP"][0])
    assert float(end) > float(top)
    assert curve["τ_AP"] == sorted(curve["τ_AP"])
    in_practice(answer, r"A real case: over", means("RBP", c), means("nDCG", c))
    assert Said.of(shown.caption).must(r"^The (\d+) best systems by RBP, and the same list with one change\.") == (
        str(n),
    )
    assert answer.left == ""


def claim(page: Any, shown: LessonContent) -> None:
    answer = Said.of(shown.answer)
    first, second = page.pair
    shares = {label: float(value.rstrip("%")) / 100 for label, value, _ in shown.numbers[:3]}
    holds, fails, undecided = shares.values()
    assert sum(shares.values()) == pytest.approx(1, abs=0.0016)
    beats = rf"({NAME}) beats ({NAME})"
    if said := answer.take(rf"^Yes: {beats} whichever of these ways we measure\."):
        assert (said, holds) == ((first, second), 1)
    elif said := answer.take(rf"^No: {beats} whichever of these ways we measure\."):
        assert (said, fails) == ((second, first), 1)
    elif answer.take(
        r"^Neither way: on these topics no specification tells the two apart, however large the lead looks\."
    ):
        assert undecided == 1
    elif answer.take(r"^It depends on the way: whoever wants either result finds a measure that gives it\."):
        assert min(holds, fails) > 0
    elif said := answer.take(rf"^No: it holds in none of these ways, and in {PERCENT} {beats}\."):
        assert (holds, said[1:]) == (0, (second, first))
        near_percent(said[0], fails)
    else:
        (share,) = answer.must(rf"^In part: it holds in {PERCENT}, and the other ways decide nothing\.")
        near_percent(share, holds)
        assert fails == 0 < undecided
    ways = re.findall(r"one of (\d+) ways", shown.caption)
    assert ways or shown.caption.startswith("The one column stands for all ways to measure, which score alike")
    counted = answer.must(rf"In full: {first} > {second} (.*?)\. (?=All ways)")[0]
    assert re.search(rf"\b{ways[0]} specifications" if ways else r"\bthe one specification\b", counted)
    (p,) = answer.must(
        rf"All ways together: were the two equally good, {first} would lead as clearly by chance with p = ({NUMBER})\."
    )
    assert 0 < float(p) <= 1
    assert p == shown.numbers[3][1]
    assert f"number {min(8, len(page.data.systems))}" in page.field("pair").help
    assert answer.left == ""


@cache
def noise(way: str, pair: tuple[str, str] | None, collection: Collection) -> Noise:
    return Noise.of("RBP", collection, way, aspect="relevance", sources=pair)


@cache
def noise_at(level: float, way: str, pair: tuple[str, str] | None, collection: Collection) -> dict[str, float]:
    return noise(way, pair, collection).at(level)


def labels(page: Any, shown: LessonContent) -> None:
    c, answer = page.data, Said.of(shown.answer)
    if answer.take(r"^All systems are tied: there is no ranking that labels could change\."):
        assert means("RBP", c).nunique() == 1
        assert (answer.left, shown.numbers[0][1]) == ("", "none")
        return
    draws = noise(*page.way, c)
    if round(100 * page.level) % 10 == 0:  # drawn anew, which takes a while
        here = noise_at(page.level, *page.way, c)
        for (_, said, _), name in zip(shown.numbers, ("tau", "winner_stays", "kappa"), strict=True):
            near(said, here[name])
    curve = {one.name: (np.array(one.x), np.array(one.y)) for one in picture(shown, 0).data if one.name}
    levels, taus = curve["τ to the original ranking, mean"]
    if falls := answer.take(rf"On average {PERCENT}: there τ falls below 0\.9, and κ is ({NUMBER})\."):
        at = float(falls[0][:-1]) / 100
        assert np.interp(at - 0.006, levels, taus) >= 0.9 - 1e-9
        assert (taus[levels <= at - 0.005] >= 0.9).all()
        near_percent(falls[0], levels_below(levels, taus, 0.9))
        assert float(falls[1]) == pytest.approx(
            draws.way.kappa(levels_below(levels, taus, 0.9), draws.shares), abs=0.01
        )
    else:
        (most,) = answer.must(rf"τ is still above 0\.9 with {PERCENT} wrong, on average\.")
        assert (taus >= 0.9).all()
        near_percent(most, levels[-1])
    first, until, share = answer.must(
        rf"({WHO}) stays? first in half of the draws or more (until|up to) {PERCENT}(?: are wrong)?\."
    )
    stays = curve["share of draws in which the winner stays"][1]
    holds_first((first, "both", ""), means("RBP", c), means("RBP", c))
    assert (until == "up to") == (stays >= 0.5).all()
    near_percent(share, levels[-1] if until == "up to" else levels_below(levels, stays, 0.5))
    if page.judge:
        beside_chance(answer, page, levels)
    assert answer.left == ""


def levels_below(levels: np.ndarray[Any, Any], values: np.ndarray[Any, Any], wanted: float) -> float:
    """Where a line through points first falls to a value."""
    at = int(np.argmax(values < wanted))
    share = (values[at - 1] - wanted) / (values[at - 1] - values[at])
    return float(levels[at - 1] + share * (levels[at] - levels[at - 1]))


def beside_chance(answer: Said, page: Any, levels: np.ndarray[Any, Any]) -> None:
    c, judge = page.data, page.judge
    name, share, kappa, tau = answer.must(
        rf"({NAME}) gives {PERCENT} of the documents another label \(κ ({NUMBER})\), and τ with its ranking is "
        rf"({NUMBER}|none)"
    )
    own = c.assessments.sources["relevance"].default
    found = source_agreement(c, (own, judge), "relevance")
    table = found.counts.sum(axis=0)
    differ = 1 - np.trace(table) / table.sum()
    assert name == judge
    near_percent(share, differ)
    near(kappa, found.coefficient("kappa").estimate)
    if tau != "none":
        holds_tau(tau, means("RBP", c), means(f"RBP(source={judge!r})", c))
    if said := answer.take(
        rf"^: (less|more|as much) harm (?:than|as) so many errors at random do, ({NUMBER}) "
        rf"\(({NUMBER}) to ({NUMBER})\)\."
    ):
        harm, middle, low, high = said
        assert float(middle) == pytest.approx(noise_at(float(differ), *page.way, c)["tau"], abs=0.01)
        place = "less" if float(tau) > float(high) else "more" if float(tau) < float(low) else "as much"
        assert harm == place
    else:
        answer.must(r"^\.")
        assert differ > levels[-1] or tau == "none"


def links(page: Any, shown: LessonContent) -> None:
    caption, numbers = Said.of(shown.caption), {label: value for label, value, _ in shown.numbers}
    caption.must(rf"^Your gain: 0 of {NUMBER}\. Your steps, what users of the model expect, the ideal list\.")
    if page.system is None:
        caption.must(r"^They follow d1's link to d3 with probability 0\.4, d2's with 0\.3\.")
    else:
        caption.must(
            r"^After each page 30% of them go back to the list; the others follow one of its links, all alike\."
        )
    assert caption.left == ""
    assert (numbers["your effort"], numbers["gain-recall"], numbers["your ep"]) == ("0", "0.000", "none")
    first = page.with_(edits=(f"{page.line}next",)).walk
    along = ["next", f"follow:{first.ways[0][0]}", "next"] if first.ways else ["next"]
    for steps in ([], ["next"], ["next"] * 3, along) if page.system is None else (["next"] * 3, along):
        walks_hold(page, steps)


def walks_hold(page: Any, steps: list[str]) -> None:
    """What is said of a walk, by what each of its steps costs and shows, and by section 6.1 written out."""
    made = page.with_(edits=tuple(page.line + one for one in steps))
    assert not made.misfits
    answer = Said.of(LESSONS[8].show(made, {}).answer)
    graph, users, topic, system = made.walked
    effort = sum(1.0 if one == "next" else made.click for one in steps)
    pool = graph.assessments
    grades = {
        str(one): grade
        for one, at, grade in zip(pool.documents, pool.topic, pool.column("relevance"), strict=True)
        if pool.topics[at] == topic and grade > 0
    }
    listed = [str(graph.navigation.components.ids[one]) for one in graph.navigation.runs.ranking(
        graph.systems.index(system), graph.topics.index(topic))]  # fmt: skip
    seen = {*listed[: steps.count("next")], *(one.removeprefix("follow:") for one in steps if one != "next")}
    gain = sum(grades.get(one, 0.0) for one in seen)
    second = walkthrough(graph, users, topic, system, len(listed))
    afford = int((second.effort <= effort + 1e-9).sum()) - 1
    if not steps:
        answer.must(r"^You have not begun: consult the first result, then follow a link or go on\.")
    elif not gain:
        spent, expected = answer.must(
            rf"^You have spent ({NUMBER}) and gained nothing yet; users have gained ({NUMBER}) by then on average\."
        )
        holds_to(spent, effort)
        near(expected, second.expected[afford])
    else:
        told = answer.must(
            rf"^You gained ({NUMBER}) with effort ({NUMBER}); the ideal list needs ({NUMBER}) for as much: your "
            rf"effort-precision is ({NUMBER})\. Users of the model have ({NUMBER}) at that gain, "
            rf"(as|less than|more than) you, and at your effort they have gained ({NUMBER}) on average\."
        )
        measure = InverseEffort(navigation=users.navigation, effort=users.effort, level=gain)
        inverse, ideal = ec.evaluate(measure, graph, topics="all")[system][topic], ideal_effort(made, gain)
        values = gain, effort, ideal, ideal / effort, ideal * inverse, second.expected[afford]
        for said, value in zip((*told[:5], told[6]), values, strict=True):
            holds_to(said, value)
        assert told[5] == {0: "as", 1: "more than", -1: "less than"}[int(np.sign(float(told[4]) - float(told[3])))]
    if page.system is None:
        answer.must(
            r"^The paper, where a link costs nothing, has ep\[1\] = 0\.63 along links \(printed 0\.63\) and 0\.3333 "
            r"without \(printed 0\.3\)\."
        )
    else:
        worth, total, whole = answer.must(
            rf"^The whole list is worth ({NUMBER}) of ({NUMBER}) to them, at effort ({NUMBER}): a result that is worth "
            r"nothing itself earns what its links lead to\."
        )
        near(worth, second.expected[-1])
        holds_to(total, sum(grades.values()))
        holds_to(whole, second.effort[-1])
    assert answer.left == ""


def ideal_effort(page: Any, gain: float) -> float:
    """E[ce] to a gain of the list of all that is worth something in order of gain, by section 6 written out."""
    graph, users, topic, _ = page.walked
    scene = topic_graphs(graph, users)[graph.topics.index(topic)]
    order = sorted(
        range(len(scene.gains)), key=lambda at: (-scene.gains[at], round(scene.consulting[scene.target[at]], 9))
    )
    return float(expected_effort(traverse(scene, scene.target[order]), np.array([gain]))[0])


def passages(page: Any, shown: LessonContent) -> None:
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
    made = page.with_(edits=tuple(page.line + one for one in steps))
    assert not made.misfits
    shown = LESSONS[9].show(made, {})
    caption, answer = Said.of(shown.caption), Said.of(shown.answer)
    numbers = {label: float(value) for label, value, _ in shown.numbers}
    mine, entry = set[int](), -1
    for kind, *places in (one.split(":") for one in steps):
        if kind == "entry":
            entry = int(places[0])
        else:
            mine = (mine | set(range(*map(int, places)))) if kind == "mark" else mine - set(range(*map(int, places)))
    kept, system = page.passages, page.passages.parts.systems.index(page.system)
    found = overlay(kept, page.system, page.topic, page.document)
    returned = {at for one in found.stretches if one.rank for at in range(one.start, one.end)}
    theirs = {at for one in found.stretches if one.highlighted for at in range(one.start, one.end)}
    both = len(returned & mine)
    p, r = both / len(returned), both / len(mine) if mine else 0.0
    near(f"{numbers['P']:.3f}", p)
    near(f"{numbers['R']:.3f}", r)
    near(f"{numbers['F']:.3f}", 2 * p * r / (p + r) if both else 0.0)
    counted = caption.must(
        r"^Characters: ([\d,]+) returned, ([\d,]+) highlighted, ([\d,]+) both; P = ([\d,]+) / ([\d,]+), "
        r"R = ([\d,]+) / ([\d,]+)(?:\.|, where 0 / 0 is 0\.)"
    )
    values = [len(returned), len(mine), both, both, len(returned), both, len(mine)]
    assert [int(one.replace(",", "")) for one in counted] == values
    if entry < 0:
        caption.must(r"^Without a best entry point s\(x, b\) is 0\.")
    else:
        away = abs(found.begun - entry)
        said, by_length, by_screen = caption.must(
            rf"^{NAME} begins ([\d,]+) characters from your best entry point: s\(x, b\) is ({NUMBER}) by the "
            rf"document's length, ({NUMBER}) by a screen of 1,000\."
        )
        assert int(said.replace(",", "")) == away
        near(by_length, page.A * page.length / (page.A * page.length + away))
        near(by_screen, max(1000 - away, 0) / 1000)
    if not mine:
        answer.must(r"^You have highlighted nothing here, so every score of this document is 0\.")
    elif not both:
        answer.must(r"^Nothing that you highlighted was returned: P and R are 0\.")
    elif p == r:
        answer.must(r"^By your marks P and R are the same: as much was returned in vain as was missed\.")
    else:
        lower, more, less = answer.must(
            r"^By your marks (P|R) is the lower one: more was (returned in vain|missed) than was "
            r"(returned in vain|missed)\."
        )
        vain, missed = len(returned - mine), len(mine - returned)
        assert (lower, vain > missed) == (("P", True) if p < r else ("R", False))
        assert (more, less) == (("returned in vain", "missed") if vain > missed else ("missed", "returned in vain"))
    by_them = answer.must(
        rf"^The assessor highlighted ([\d,]+) characters: by those marks P is ({NUMBER}), R ({NUMBER}), iP\[0\.01\] "
        rf"({NUMBER}), AiP ({NUMBER})\."
    )
    hit = len(returned & theirs)
    at = system, kept.highlights.topics.index(page.topic)
    assert int(by_them[0].replace(",", "")) == len(theirs)
    lists = [float(one.score_passages(kept)[at]) for one in (iP(recall=0.01), iAP())]
    for said, value in zip(
        by_them[1:], [hit / len(returned), hit / len(theirs) if theirs else 0.0, *lists], strict=True
    ):
        near(said, value)
    if not mine:
        answer.must(r"^Highlight what you would, then compare\.")
    else:
        size, also, alike = answer.must(rf"^Of your ([\d,]+) characters ([\d,]+) are also theirs \(F ({NUMBER})\)\.")
        shared = len(mine & theirs)
        assert (int(size.replace(",", "")), int(also.replace(",", ""))) == (len(mine), shared)
        near(alike, 2 * shared / (len(mine) + len(theirs)))
        if entry >= 0 and found.best_entry >= 0:
            (apart,) = answer.must(r"^Your best entry points lie ([\d,]+) characters apart\.")
            assert int(apart.replace(",", "")) == abs(entry - found.best_entry)
    assert (caption.left, answer.left) == ("", "")


CHECKS: dict[str, Callable[[Any, LessonContent], None]] = {
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
}


QUICK = set(CHECKS) - {"9 Links", "10 Passages"}  # looked at everywhere


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


@pytest.mark.parametrize("lesson", LESSONS, ids=list(CHECKS))
@pytest.mark.parametrize("data", DATA)
def test_every_sentence_of_a_step_is_borne_out_by_its_numbers(data: str, lesson: Any, tmp_path: Path) -> None:
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
        CHECKS[lesson.name](other, lesson.show(other, looks))
