"""Tables of a walk down a ranking, curves, ideal lists and approximations: equal to slow loops and the measures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from navigation.small_graphs import users_of

import evalcore as ec
from app_support import ROOT
from evalcore.errors import InputError
from evalcore.measures import MAep, ReadOn
from evalcore.navigation import walk_tables as explained
from evalcore.navigation.paper_example import example

MODELS = ["Walk(stop=0.3)", "Both([Walk(stop=0.3), Scroll])", "ReadOn", "Stay", "Scroll(theta=0.01)"]


def measure(navigation: str) -> MAep:
    maep = ec.parse(f"MAep(navigation={navigation}, effort=Effort(rank=2, second=0.5))")
    assert isinstance(maep, MAep)
    return maep


@pytest.mark.parametrize("navigation", MODELS)
def test_a_walk_adds_up_to_the_expected_gain(site, navigation):
    """E[cg[i]] is the sum of gain times P(c in S_i) over the components shown."""
    maep = measure(navigation)
    for topic, system in (("t01", "hub_distil"), ("t07", "section_dense")):
        walk = explained.walkthrough(site, maep.users, topic, system, depth=12)
        assert walk.seen.shape == (13, len(walk.components))
        np.testing.assert_allclose(walk.seen @ walk.components["gain"], walk.expected, atol=1e-9)
        score = ec.evaluate(f"ECG(navigation={navigation})@12", site).loc[topic, system]
        assert walk.expected[-1] == pytest.approx(score)
        assert (np.diff(walk.seen, axis=0) >= -1e-12).all()
        for rank, component in enumerate(walk.components.index[np.argsort(walk.components["rank"])][:12], start=1):
            assert walk.seen[rank, walk.components.index.get_loc(component)] == 1


def test_the_shown_links_join_shown_components(site):
    walk = explained.walkthrough(site, measure("Both([Walk, Scroll])").users, "t01", "hub_distil", most=30)
    assert len(walk.components) <= 30
    names = walk.components.index
    given = {tuple(sorted(pair)) for pair in pd.read_csv(ROOT / "sample_data" / "site" / "links.csv").to_numpy()}
    for a, b in walk.links:
        same_page = names[a].split("#")[0] == names[b].split("#")[0]
        assert same_page or tuple(sorted((names[a], names[b]))) in given


def test_the_walk_down_the_papers_example_rank_by_rank():
    users = users_of("MAep(navigation=Browse)")
    walk = explained.walkthrough(example(), users, "topic", "d1, d2, d3")
    assert walk.components.index.tolist() == ["d3", "d1", "d2"]
    assert walk.seen[:, 0].tolist() == pytest.approx([0, 0.4, 0.58, 1])
    assert walk.step[:, 0].tolist() == pytest.approx([0.4, 0.3, 1])
    assert walk.effort.tolist() == [0, 1, 2, 3]


def test_curves_equal_effort_precision_at_each_level(site):
    maep = measure("Walk(stop=0.3)")
    curves = explained.precision_curves(maep, site, (0.2, 0.6))
    single = explained.precision_curves(maep, site, (0.6,), topic="t05")
    scores = ec.evaluate("ep(recall=0.6, navigation=Walk(stop=0.3), effort=Effort(rank=2, second=0.5))", site)
    pd.testing.assert_series_equal(curves.T[0.6], scores.mean(), check_names=False)
    pd.testing.assert_series_equal(single.T[0.6], scores.T["t05"], check_names=False)


def test_a_collection_without_links_is_refused():
    collection = ec.load(ROOT / "sample_data" / "health")
    with pytest.raises(
        InputError, match="expected a collection with links or a table of components, found one without"
    ):
        explained.walkthrough(collection, MAep(navigation=ReadOn()).users, "q01", collection.systems[0])
