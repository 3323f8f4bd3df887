"""Unanimity and intuitiveness: against slow loops over topics and pairs of systems."""

from __future__ import annotations

from itertools import combinations
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.direction import directed
from evalcore.meta import intuitiveness, skyline, unanimity, worth


@st.composite
def frames(draw: st.DrawFn) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    """Three measures and two simple ones of the same systems on the same topics, with ties and gaps."""
    topics, systems = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    score = st.one_of(st.integers(0, 3).map(lambda one: one / 3), st.just(np.nan))
    rows = st.lists(st.lists(score, min_size=systems, max_size=systems), min_size=topics, max_size=topics)
    names = [f"t{at}" for at in range(topics)], [f"s{at}" for at in range(systems)]
    first, *others = [pd.DataFrame(draw(rows), *names) for _ in range(5)]
    first.iloc[0] = 0.5  # a topic and all systems are shared by all
    listed = [first, *(other.fillna(0) for other in others)]
    return dict(zip("xyz", listed[:3], strict=True)), dict(zip("ab", listed[3:], strict=True))


def decided(scores: dict[str, pd.DataFrame], simple: dict[str, pd.DataFrame]) -> list[tuple[dict[str, int], ...]]:
    """Who is ahead on each topic, by each, of each pair that all score: 1, -1 or 0."""
    found = []
    every = {name: frame.to_dict("index") for name, frame in (scores | simple).items()}
    for topic in scores["x"].index:
        for one, other in combinations(scores["x"].columns, 2):
            pairs = {name: (table[topic][one], table[topic][other]) for name, table in every.items()}
            if not any(np.isnan(pair).any() for pair in pairs.values()):
                signs = {name: int(a > b) - int(a < b) for name, (a, b) in pairs.items()}
                found.append(tuple({name: signs[name] for name in part} for part in (scores, simple)))
    return found


@given(frames())
def test_unanimity_by_a_loop(drawn):
    scores, simple = drawn
    asked = [(signs, all_of) for signs, all_of in decided(*drawn) if set(all_of.values()) in ({1}, {-1})]
    found = unanimity(scores, simple)
    for name in scores:
        likewise = [0.5 + signs[name] * all_of["a"] / 2 for signs, all_of in asked]
        assert found.loc[name, "pairs"] == len(asked)
        if not asked:
            assert np.isnan(found.loc[name, "agrees"])
            continue
        assert found.loc[name, "agrees"] == pytest.approx(sum(likewise) / len(asked))
        expected = log2(2 * sum(likewise) / len(asked)) if sum(likewise) else -np.inf
        assert found.loc[name, "unanimity"] == pytest.approx(expected)


@given(frames())
def test_intuitiveness_by_a_loop(drawn):
    scores, simple = drawn
    rows = {(row["test"], row["reference"]): row for row in intuitiveness(scores, simple).to_dict("records")}
    compared = decided(*drawn)
    for one, other in combinations(scores, 2):
        apart = [(signs, all_of) for signs, all_of in compared if signs[one] * signs[other] < 0]
        row = rows[one, other]
        assert row["disagreements"] == len(apart)
        for name, column in ((one, "test_right"), (other, "reference_right")):
            right = [all(signs[name] * sign >= 0 for sign in all_of.values()) for signs, all_of in apart]
            expected = sum(right) / len(right) if right else np.nan
            assert row[column] == pytest.approx(expected, nan_ok=True)


@given(frames())
def test_worth_adds_the_pairs_up(drawn):
    table, pairs = worth(*drawn), intuitiveness(*drawn)
    for name in "xyz":
        rows = pairs.to_dict("records")
        mine = [(row["disagreements"], row["test_right"]) for row in rows if row["test"] == name]
        mine += [(row["disagreements"], row["reference_right"]) for row in rows if row["reference"] == name]
        count = sum(n for n, _ in mine)
        assert table.loc[name, "disagreements"] == count
        expected = sum(n * share for n, share in mine if n) / count if count else np.nan
        assert table.loc[name, "right"] == pytest.approx(expected, nan_ok=True)


@given(frames())
def test_the_skyline_by_peeling(drawn):
    """Layer by layer: what no remaining system dominates; tau_b of a measure's means with minus the layer."""
    scores, simple = drawn
    shared = [
        column for column in simple["a"].columns if not any(frame[column].isna().any() for frame in simple.values())
    ]
    means = {one: tuple(frame[one].mean() for frame in simple.values()) for one in shared}
    left, layers, layer = dict(means), dict[object, int](), 0
    while left:
        layer += 1
        top = [
            one
            for one, own in left.items()
            if not any(all(x >= y for x, y in zip(other, own, strict=True)) and other != own for other in left.values())
        ]
        layers |= dict.fromkeys(top, layer)
        left = {one: own for one, own in left.items() if one not in top}
    assert skyline(simple).to_dict() == layers
    order = -pd.Series(layers)
    expected = ec.tau(scores["y"].mean()[order.index], order)
    assert worth(scores, simple).loc["y", "skyline"] == pytest.approx(expected, nan_ok=True)


def test_the_skyline_of_all_tuples_is_manhattan_by_equal_steps():
    """The order that the code of Maistro et al. 2021 calls skyline: one label less on one aspect is a layer down."""
    tuples = [(a, b, c) for a in range(3) for b in range(2) for c in range(4)]
    simple = {str(at): pd.DataFrame({one: [one[at]] for one in map(tuple, tuples)}) for at in range(3)}
    names = [f"d{at}" for at in range(len(tuples))]
    simple = {name: frame.set_axis(names, axis=1) for name, frame in simple.items()}
    layers = skyline(simple)
    assert layers.to_dict() == {name: 1 + 6 - sum(one) for name, one in zip(names, tuples, strict=True)}


def test_a_simple_measure_is_unanimous_with_itself_alone():
    x = pd.DataFrame({"a": [0.1, 0.4], "b": [0.2, 0.3], "c": [0.3, 0.3]})
    assert unanimity({"x": x}, {"x": x}).to_numpy().tolist() == [[5, 1.0, 1.0]]


def test_a_low_score_may_be_the_good_one():
    x = pd.DataFrame({"a": [0.1], "b": [0.2]})
    found = unanimity({"cost": directed(x, "low")}, {"gain": -x})
    assert found.loc["cost", "agrees"] == 1.0


def test_a_mean_of_all_aspects_never_contradicts_them_all():
    """CAM orders as they do wherever all of them agree: on a real form of scores."""
    c = ec.load("sample_data/health")
    single = {name: ec.evaluate(f'nDCG(aspect="{name}")', c) for name in c.aspects}
    combined = ec.evaluate("CAM(nDCG, aspects=[{}])".format(", ".join(f'"{name}"' for name in c.aspects)), c)
    assert unanimity({"CAM": combined}, single).loc["CAM", "agrees"] == 1.0
