"""Efforts to gain levels and ranks of arrival: equal to the paper's example, slow loops, and the measures."""

from __future__ import annotations

import numpy as np
import pytest

import evalcore as ec
from evalcore.measures import MAep
from evalcore.navigation.gain_levels import arrival, effort_curves
from evalcore.navigation.paper_example import example


def measure(text: str) -> MAep:
    maep = ec.parse(text)
    assert isinstance(maep, MAep)
    return maep


MODELS = ["Stay", "Walk(stop=0.3)", "Both([Walk(stop=0.3), Scroll])", "ReadOn"]
TOPIC, SYSTEM = "t01", "hub_distil"


def test_without_navigation_both_curves_equal_a_loop_over_ranks(site):
    """Figure 3 of document 002: the first ranks at which the ideal list and the run have cumulated a gain."""
    curves = effort_curves(measure("MAep(navigation=Stay)"), site, TOPIC, SYSTEM)
    pool, at = site.assessments, site.topics.index(TOPIC)
    grades = {
        str(document): float(grade)
        for document, grade, topic in zip(pool.documents, pool.column("relevance"), pool.topic, strict=True)
        if topic == at
    }
    ids = site.navigation.components.ids
    returned = [str(ids[one]) for one in site.navigation.runs.ranking(site.systems.index(SYSTEM), at)]
    lists = {"ideal": sorted(grades.values(), reverse=True), "run": [grades.get(one, 0.0) for one in returned]}
    for name, gains in lists.items():
        for level, effort in zip(curves.index.tolist(), curves[name].tolist(), strict=True):
            first = next((rank for rank in range(1, len(gains) + 1) if sum(gains[:rank]) >= level), np.inf)
            assert effort == first


@pytest.mark.slow
def test_the_ratio_is_effort_precision(subtests, site):
    for navigation in MODELS:
        for ideal in ['ideal="gain"', 'ideal="effort"', 'interpolation="linear"']:
            with subtests.test(f"{navigation}, {ideal}"):
                setting = f"navigation={navigation}, {ideal}, effort=Effort(rank=2, second=0.5)"
                maep = measure(f"MAep({setting})")
                for recall in (0.15, 0.5, 1.0):
                    row = effort_curves(maep, site, TOPIC, SYSTEM, [recall]).iloc[0]
                    score = ec.evaluate(f"ep({setting}, recall={recall})", site).loc[TOPIC, SYSTEM]
                    assert row["ep"] == pytest.approx(score)
                    assert row["ideal"] / row["run"] == pytest.approx(score)


def test_the_ranks_of_arrival_in_the_example():
    """Section 6.1: 40% see d3 from d1, 30% of the others from d2, and the rest at rank 3."""
    shares = arrival(measure("MAep(navigation=Browse)"), example(), "topic", "d1, d2, d3", recall=1.0)
    assert shares.to_dict() == pytest.approx({1: 0.4, 2: 0.18, 3: 0.42, "later": 0, "never": 0})


@pytest.mark.parametrize("navigation", MODELS)
def test_ranks_of_arrival_give_the_expected_inverse_effort(site, navigation):
    """E[1 / ce[gr]] is the sum of P(m[gr] = i) / i if a rank costs 1; users who never arrive add nothing."""
    maep = measure(f"MAep(navigation={navigation})")
    for topic, system in ((TOPIC, SYSTEM), ("t07", "section_dense")):
        shares = arrival(maep, site, topic, system, 0.4, depth=10_000)
        assert shares.sum() == pytest.approx(1)
        assert (shares >= 0).all()
        assert shares["later"] == 0
        total = sum(share / rank for rank, share in enumerate(shares.iloc[:-2].tolist(), start=1))
        score = ec.evaluate(f"InverseEffort(navigation={navigation}, recall=0.4)", site).loc[topic, system]
        assert total == pytest.approx(score)
