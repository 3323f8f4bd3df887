"""Every statement of a step of the guided path is checked against its numbers, at all positions of its controls.

A statement has a kind, and the values in its sentence. Here the values are recomputed, by slow loops over pairs and
ranks where possible. Every statement of a step must be requested by a check, so a statement without a check fails.
Steps of a subject are checked by CHECKS in its `lesson_checks.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from odd_support import write
from scipy.special import stdtrit
from subject_support import of_subjects
from teaching.lesson_support import (
    Unchecked,
    best,
    called,
    holds_alike,
    holds_first,
    kendall,
    means,
    picture,
    same,
    swaps,
)

import evalcore as ec
from app_support import SAMPLE
from evalcore.data import Collection, Scale
from evalcore.data.small_collections import small_collection
from evalcore.explain import upper_bounds
from ui.address.families import styles
from ui.teaching.guided_path.base import LessonContent, LessonSettings, second_aspect
from ui.teaching.guided_path.combining import both_ways
from ui.teaching.guided_path.ideal import measures
from ui.teaching.guided_path.lessons import LESSONS
from ui.widgets.fields import Choice, Switch

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
    """Return the smallest number of first ranks with this share of the weight."""
    rank, held = 0, 0.0
    while held < share - 1e-12:
        held += (1 - rho) * rho**rank
        rank += 1
    return rank


def aspects(page: Any, _: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    x, y = means("RBP", c), means(str(page.urbp), c)
    assert (y <= x + 1e-12).all()  # the drop below the line is credit lost
    nearest, pair = unchecked.take("not alike"), unchecked.must("the two")
    a, b = pair["a"], pair["b"]
    assert set(page.alike.split(" and ")) == {a, b}
    gap = abs(x[a] - x[b])
    assert (gap > 0.01 + 1e-12) == (nearest is not None)
    assert page.field("alike").label.startswith("The two" if nearest else "Two systems with equal RBP")
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
    """Relative difference of relevant documents' gains: 1 below the threshold for uRBP1, Eq. 7 for uRBP2."""
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
    assert ("**The smooth threshold**" in swap.text, "**The step**" in swap.text) == (fewer > 0, fewer < 0)
    if swap["why"]:
        assert (swap["why"] == "less change") == (fewer * calmer > 0)
    rbp = means("RBP", c)
    taus = {one: kendall(rbp, table[grid[at]]) for one, table in tables.items()}
    tied = unchecked.must("with RBP", at=grid[at], **taus).text.endswith("τ with RBP is undefined due to ties.")
    assert tied == all(map(np.isnan, taus.values()))
    unchecked.must("swaps on the way", **passed)
    same_as_rbp = [one for one in grid if (tables["step"][one] - rbp).abs().max() < 1e-11]
    end = unchecked.take("all is understood")
    assert (end is not None) == bool(same_as_rbp and rbp.any())
    assert not end or same_as_rbp == [one for one in grid if one >= end["threshold"]]
    assert (unchecked.drawn["measure"], unchecked.drawn["signal"]) == (models[page.border], page.signal)
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
    assert ("no order is best for both aspects" in text) == (not rest.all())
    assert ("no relevant documents" in text) == rest.any()


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


def ranked_by_hand(page: Any) -> list[float]:
    """Return the grades from rank 1 on, read from the text of the ranking and moved one by one."""
    rows = [line.split() for line in page.GIVEN.split("---")[0].splitlines()[1:]]
    grades = [float(row[1]) for row in rows]
    for edit in page.made:
        kind, _, _, *places = edit.split(":")
        if kind == "move":
            grades.insert(int(places[1]) - 1, grades.pop(int(places[0]) - 1))
        else:
            grades = [grades[int(rank) - 1] for rank in places[0].split(".")]
    return grades


def average_precision(grades: list[float], relevant: int) -> float:
    hits = [rank for rank, grade in enumerate(grades, start=1) if grade]
    return sum(at / rank for at, rank in enumerate(hits, start=1)) / relevant


def precision(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    grades, k, relevant = ranked_by_hand(page), page.cutoff, 4
    above = sum(grades[:k])
    ap = average_precision(grades, relevant)
    assert called(content, f"P@{k}") == pytest.approx(above / k)
    assert called(content, f"R@{k}") == pytest.approx(above / relevant)
    assert called(content, "AP") == pytest.approx(ap)
    curves = {trace.name: list(trace.y) for trace in picture(content, 0).data}
    assert curves["precision"] == pytest.approx([sum(grades[:at]) / at for at in range(1, 9)])
    assert curves["recall"] == pytest.approx([sum(grades[:at]) / relevant for at in range(1, 9)])
    places = [at for at in range(2, k + 1) if grades[at - 1] and not grades[at - 2]]
    if not places:
        unchecked.must("cannot rise", k=k, before=ap)
    else:
        at = places[-1]
        moved = [*grades[: at - 2], grades[at - 1], grades[at - 2], *grades[at:]]
        after = average_precision(moved, relevant)
        assert after > ap
        assert sum(moved[:k]) == above
        unchecked.must("only AP", k=k, place=at, before=ap, after=after)
    unchecked.must("counted", above=above, k=k, relevant=relevant)
    unchecked.must("missing", relevant=relevant, missing=relevant - sum(grades))


def ndcg(grades: list[float], k: int, way: str) -> float:
    """nDCG by its definition; page i, of grade 2, is in the pool but not in the ranking."""

    def dcg(some: list[float]) -> float:
        gains = [grade if way == "the grade" else 2**grade - 1 for grade in some]
        return sum(gain / np.log2(1 + rank) for rank, gain in enumerate(gains[:k], start=1))

    return dcg(grades) / dcg(sorted([*grades, 2.0], reverse=True))


def gain(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    grades, k = ranked_by_hand(page), page.cutoff
    assert called(content, f"nDCG@{k}") == pytest.approx(ndcg(grades, k, page.gain))
    assert called(content, f"DCG@{k}") / called(content, "ideal") == pytest.approx(ndcg(grades, k, page.gain))
    place = max(at for at, grade in enumerate(grades, start=1) if grade == 3)
    moved = [grades[place - 1], *grades[: place - 1], *grades[place:]]
    low, high, exp_low, exp_high = (
        ndcg(some, k, way) for way in ("the grade", "2^grade − 1") for some in (grades, moved)
    )
    said = unchecked.must("to the top", place=place, k=k, low=low, high=high, exp_low=exp_low, exp_high=exp_high)
    rise, exp_rise = round(high - low, 12), round(exp_high - exp_low, 12)
    more = "both alike" if rise == exp_rise else "the grade" if rise > exp_rise else "2^grade − 1"
    assert said["more"] == more
    unchecked.must("discount", k=k, share=1 / np.log2(1 + k))


def chance(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    frame = ec.evaluate("nDCG", page.data)
    (a, b), n = page.pair, len(frame)
    d = (frame[a] - frame[b]).to_numpy()
    assert called(content, "lead") == pytest.approx(d.mean())
    dots = next(iter(picture(content, 0).data)).customdata
    drawn = np.array([float(lead) for _, lead in dots])
    assert len(drawn) == page.draws
    assert called(content, "last draw") == drawn[-1]
    if page.how == "other topics":
        # Each topic stands in a resample a whole number of times.
        counts = ec.meta.topic_resamples(n, 100, 0)[: page.draws]
        again = np.array([np.repeat(d, row).mean() for row in counts])
        unchecked.must(
            "other topics", topics=n, ahead=int((again > 1e-12).sum()), lead=d.mean(), draws=page.draws, a=a, b=b
        )
        assert drawn == pytest.approx(again)
    else:
        assert (np.abs(drawn) <= np.abs(d).mean() + 1e-12).all()
        extreme = int((np.abs(drawn) >= abs(d.mean()) - 1e-12).sum())
        unchecked.must("chance alone", topics=n, extreme=extreme, lead=d.mean(), draws=page.draws, a=a, b=b)
    if unchecked.take("no interval"):
        assert n < 2 or np.ptp(d) < 1e-12
        return
    half = stdtrit(n - 1, 0.975) * d.std(ddof=1) / n**0.5
    interval = unchecked.must("interval", low=d.mean() - half, high=d.mean() + half, real=bool(abs(d.mean()) > half))
    assert interval["p"] == pytest.approx(called(content, "p"))
    if n <= 13:
        signs = np.array(list(product([-1, 1], repeat=n)))
        assert interval["p"] == pytest.approx((np.abs(signs @ d) >= abs(d.sum()) - 1e-12).mean())
    assert unchecked.must("of all systems")["pages"] == who_leads(page.data)


@cache
def who_leads(collection: Collection) -> str:
    return ec.first_in_words(ec.rank_intervals(ec.evaluate("nDCG", collection)))


CHECKS: dict[str, Callable[[Any, LessonContent, Unchecked], None]] = {
    "Precision": precision,
    "Gain": gain,
    "Chance": chance,
    "Reader": reader,
    "Aspects": aspects,
    "Thresholds": thresholds,
    "Combining": combining,
    "Ideal": ideal,
    "Correlation": correlation,
}
LONG = {"Chance"}  # steps whose controls are moved one by one
for module in of_subjects("lesson_checks"):
    CHECKS |= module.CHECKS
    LONG |= module.LONG


# --- everywhere -------------------------------------------------------------------------------------------------------


def one_topic(_: Path) -> Collection:
    """Return a collection of one topic: readability, two aspects with gaps, tied systems, and a run without hits."""
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
    """Return all values of a setting; of a slider's positions only every n-th (`every`)."""
    field = page.field(name)
    if isinstance(field, Choice):
        return list(field.options)
    if isinstance(field, Switch):
        return [False, True]
    return list(field.sliders(page.key(name), getattr(page, name))[0].values)[::every] if field else [None]


def one_by_one(page: Any, names: list[str], every: int) -> Iterator[Any]:
    """Yield the page with all values of each control, the others at their defaults."""
    pages = [page]
    if any(page.field(name) is None for name in names):
        pages.append(page.with_(**{names[0]: values(page, names[0], 1)[-1]}))
    yield from (one.with_(**{name: value}) for one in pages for name in names for value in values(one, name, every))


def everywhere(page: Any, names: list[str], every: int) -> Iterator[Any]:
    """Yield the page with all combinations of values; if there are many, with all values of one control at a time."""
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
    assert lesson.name in CHECKS, (
        "expected a function in CHECKS that takes each statement of the step, found none: here, or for a step of a "
        "subject in tests/SUBJECT/lesson_checks.py"
    )
    collection = DATA[data](tmp_path)
    page = lesson.settings.read(collection, {} if data == "sample" else {"guided_path.own": ["true"]})
    if page.lack and data != "sample":
        pytest.skip(page.lack)
    assert page.data is collection or data == "sample"
    looks = styles(page.data)
    names, quick = list(lesson.controls), lesson.name not in LONG
    places = list(everywhere(page, names, 1 if data == "sample" else 5) if quick else one_by_one(page, names, 8))
    if lesson.in_text and data == "sample":  # what may be done by hand; the checks of others do it
        places += [other.with_(edits=edits) for edits in lesson.moves(page).values() for other in places[::3]]
    for other in places:
        assert not other.misfits
        content = lesson.show(other, looks)
        unchecked = Unchecked(content)
        CHECKS[lesson.name](other, content, unchecked)
        unchecked.all_checked()
    if data == "sample":
        for name in names:
            stood = {getattr(other, name) for other in places} - {None}
            offered = {one for other in places[:1] + places[-1:] for one in values(other, name, 1)} - {None}
            assert len(stood) >= min(3, len(offered)), name
