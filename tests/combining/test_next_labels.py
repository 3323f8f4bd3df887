"""What to label next, against slow loops and against labels at random."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from judges.made import judged
from scipy.stats import binom, norm

import evalcore as ec
from benchmarks.coverage.combined import Model
from benchmarks.coverage.next_labels import decided
from evalcore.combining import ORDERS, KeptLabels, TwoSources, label_next, labelling_curve
from evalcore.combining.next_labels import Beliefs
from evalcore.data import Collection

REAL = Path(__file__).parents[3] / "shared" / "data" / "dl2021judges"


@pytest.fixture(scope="module")
def two() -> Collection:
    return judged(1)


@pytest.fixture(scope="module")
def beliefs(two: Collection) -> Beliefs:
    sources = TwoSources.of("RBP(rho=0.8)", two)
    return Beliefs(sources, sources.kept(KeptLabels(0.2, seed=1)))


def test_scores_and_spread_are_those_of_a_slow_loop(beliefs: Beliefs) -> None:
    rankings, means, variances = beliefs.two.collection.rankings, beliefs.means, beliefs.variances
    gains = {}
    for system in (0, 7):
        gains[system] = np.zeros(len(means))
        for topic in range(24):
            for place, row in zip(*rankings.hits(system, topic, 10**6), strict=True):
                gains[system][row] += 0.2 * 0.8**place / 24
        assert beliefs.scores[system] == pytest.approx(float(gains[system] @ means))
    expected = sum((a - b) ** 2 * v for a, b, v in zip(gains[0], gains[7], variances, strict=True))
    assert beliefs.spread[0, 7] == pytest.approx(expected)
    z = abs(beliefs.scores[0] - beliefs.scores[7]) / np.sqrt(expected)
    assert beliefs.chance[0, 7] == pytest.approx(norm.sf(z))


def test_values_are_those_of_a_slow_loop(beliefs: Beliefs) -> None:
    pairs = np.ones((12, 12)) - np.eye(12)
    found = beliefs.values(pairs)
    for row in (0, 100, 999):
        expected = 0.0
        for a in range(12):
            for b in range(a):
                part = (beliefs.weights[a, row] - beliefs.weights[b, row]) ** 2 * beliefs.variances[row]
                expected += beliefs.chance[a, b] * part / beliefs.spread[a, b]
        assert found[row] == pytest.approx(expected)


def test_what_people_labelled_is_known(beliefs: Beliefs) -> None:
    labelled = ~np.isnan(beliefs.labels.human)
    assert beliefs.variances[labelled].max() == 0
    np.testing.assert_allclose(beliefs.means[labelled], beliefs.labels.human[labelled])


def test_how_many_labels_a_pair_needs_is_counted_one_by_one(two: Collection) -> None:
    found = label_next("RBP(rho=0.8)", two, kept=KeptLabels(0.1), aim=("ann_3", "ben_3"), n=2000, level=0.99)
    pair = found.pairs.iloc[0]
    sources = TwoSources.of("RBP(rho=0.8)", two)
    known = Beliefs(sources, sources.kept(KeptLabels(0.1)))
    a, b = (two.systems.index(pair[name]) for name in ("system_a", "system_b"))
    parts = sorted(((known.weights[a] - known.weights[b]) ** 2 * known.variances).tolist(), reverse=True)
    w, r, _ = _told(known, a, b, ~np.isnan(known.labels.human))
    w_drawn, r_drawn, _ = _told(known, a, b, known.labels.drawn_ones)
    count, lead = 0, pair["difference"]
    while parts:
        v = sum(parts)
        seen, surprise = (w, r) if w >= 2 * v else (w_drawn, r_drawn)
        ends = lead / np.sqrt(v), (lead + surprise * v / seen) / np.sqrt(v + v**2 / seen)
        if norm.cdf(min(ends)) >= 0.99:
            break
        w += parts.pop(0)
        count += 1
    assert (pair["needed"], found.needed) == (count, count)


def _told(beliefs: Beliefs, a: int, b: int, among: np.ndarray) -> tuple[float, float, float]:
    """W, R and the sum of the squares of W's terms, of two systems, document by document."""
    w = r = squares = 0.0
    for row in np.flatnonzero(among):
        kind, place = beliefs.kinds[row], beliefs.places[row]
        counts = beliefs.counts.copy()
        chances, gains = beliefs.believed(counts)[kind], beliefs.gains[row]
        mean = float(chances @ gains)
        term = (beliefs.weights[a, row] - beliefs.weights[b, row]) ** 2 * float(chances @ gains**2 - mean**2)
        counts[kind, place] -= 1
        without = float(beliefs.believed(counts)[kind] @ gains)
        w, squares = w + term, squares + term**2
        r += (beliefs.weights[a, row] - beliefs.weights[b, row]) * (gains[place] - without)
    return w, r, squares


def test_what_labels_tell_of_a_favour_is_that_of_a_slow_loop(beliefs: Beliefs) -> None:
    for told, among in ((beliefs.told, beliefs.places >= 0), (beliefs.told_by_drawn, beliefs.labels.drawn_ones)):
        w, r, squares = _told(beliefs, 2, 9, among)
        assert [told.seen[2, 9], told.surprise[2, 9], told.squares[2, 9]] == pytest.approx([w, r, squares])
    v, lead = beliefs.spread[2, 9], beliefs.leads[2, 9]
    assert w**2 >= 10 * squares
    z = np.sign(lead) * (lead + r * v / w) / np.sqrt(v + v**2 / w)
    assert beliefs.wrong[2, 9] == pytest.approx(max(norm.sf(z), beliefs.chance[2, 9]))


def test_few_labels_decide_nothing_that_is_open(two: Collection) -> None:
    """The order of many pairs is sure if the model errs alike on the documents of all; few labels do not tell."""
    sources = TwoSources.of("RBP(rho=0.8)", two)
    few = Beliefs(sources, sources.kept(KeptLabels(0.01)))
    assert (few.chance <= 0.05).sum() > 12
    assert few.wrong[few.spread > 0].min() >= 0.5


def test_labels_that_were_chosen_do_not_speak_for_others(two: Collection) -> None:
    """The first documents of each system have labels: what is decided takes that they hold most of the doubt."""
    sources = TwoSources.of("RBP(rho=0.8)", two)
    drawn = sources.kept(KeptLabels(0.2))
    chosen = dataclasses.replace(drawn, drawn=False)
    assert not chosen.drawn_ones.any()
    beliefs = Beliefs(sources, chosen)
    open_ = beliefs.told.seen < 2 * beliefs.spread
    assert open_.any()
    assert beliefs.wrong[open_].min() >= 0.5
    assert (Beliefs(sources, drawn).wrong[open_] <= 0.05).any()


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["RBP(rho=0.8)", "nDCG@10"])
def test_a_model_that_favours_a_team_decides_no_more_than_is_right(measure: str) -> None:
    favouring = Model("agrees well, favours a team", 0.7, likes=0.6)
    found = decided(measure, favouring, 0.1, 0, 150, seed=1)
    assert found.before > 0.15
    assert found.times <= binom.isf(1e-4, found.trials, 0.06)
    assert found.trials > 5


def test_more_is_sure_where_the_model_is_taken_to_favour_nobody(two: Collection) -> None:
    found = label_next("nDCG@10", two, kept="KeptLabels(share=0.1, seed=2)")
    at_all = labelling_curve("nDCG@10", two, orders=["random"], pilot=0.1, most=1, steps=1, seed=2).iloc[0]
    assert (found.decided, found.sure) == (at_all["decided"], at_all["sure"])
    assert found.decided < found.sure < found.of_pairs


def test_with_all_labels_everything_is_decided(two: Collection) -> None:
    found = label_next("nDCG@10", two)
    assert (found.decided, found.sure, found.of_pairs, found.needed, len(found.documents)) == (66, 66, 66, 0, 0)
    truth = ec.evaluate("nDCG@10", two).mean()
    assert found.pairs["system_a"].tolist() == ec.best_first(truth).index[:-1].tolist()


@pytest.mark.parametrize(("aim", "of_pairs"), [("order", 66), ("first", 11), (("ann_0", "eve_3"), 1)])
def test_an_aim_decides_which_pairs_count(two: Collection, aim: str | tuple[str, str], of_pairs: int) -> None:
    found = label_next("P@10", two, aim=aim, n=20, kept=KeptLabels(0.1))
    assert (found.of_pairs, len(found.documents)) == (of_pairs, 20)
    assert found.documents["value"].is_monotonic_decreasing


def test_a_template_is_a_qrels_file_of_what_nobody_judged(two: Collection, tmp_path: Path) -> None:
    found = label_next("P@10", two, n=5, kept=KeptLabels(0.1))
    path = tmp_path / "next.qrels"
    path.write_text(found.template(3))
    lines = [line.split() for line in path.read_text().splitlines()]
    assert [(line[0], line[2]) for line in lines] == list(
        found.documents[["topic", "document"]].head(3).itertuples(index=False, name=None)
    )
    assert {line[3] for line in lines} == {"-1"}


def test_right_pairs_and_wrong_ones_are_counted(two: Collection) -> None:
    found = labelling_curve("RBP(rho=0.8)", two, most=200, steps=2)
    assert found.index.get_level_values("order").unique().tolist() == list(ORDERS)
    assert (found["right"] + found["wrong"] == found["decided"]).all()
    whole = labelling_curve("RBP(rho=0.8)", two, orders=["random"], most=1440, steps=1)
    assert whole["right"].iloc[-1] == 66
    assert (found["sure_right"] + found["sure_wrong"] == found["sure"]).all()
    assert (found["decided"] <= found["sure"]).all()


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"measure": "AP"}, "expected human labels of whole topics for AP"),
        ({"aim": "last"}, "expected an aim of order, first, or the names of two systems, found last"),
        ({"aim": ("ann_0", "nobody")}, "found ann_0, nobody"),
        ({"aim": ("ann_0", "ann_0")}, "found ann_0, ann_0"),
    ],
)
def test_what_cannot_be_decided_is_refused(two: Collection, how: dict, why: str) -> None:
    with pytest.raises(ec.InputError, match=why):
        label_next(**{"measure": "P@5", "collection": two, "kept": KeptLabels(0.1), **how})


def test_an_unknown_order_is_refused(two: Collection) -> None:
    with pytest.raises(ec.InputError, match="expected an order of decisive, random, pooled, uncertain, found 'best'"):
        labelling_curve("P@5", two, orders=["best"])


@pytest.mark.slow
@pytest.mark.skipif(not REAL.exists(), reason="the runs of TREC Deep Learning 2021 are not here")
def test_it_beats_labels_at_random_on_real_judges() -> None:
    """On pairs that are sure and right if the judge errs alike on the documents of all, after 200 labels, by 63 real
    runs: in at least 8 of 10 seeds. What is decided is right."""
    collection = ec.load(REAL)
    better = 0
    for seed in range(10):
        orders = ["decisive", "random"]
        found = labelling_curve("RBP(rho=0.8)", collection, orders=orders, most=200, steps=2, seed=seed)
        last = found["sure_right"].xs(200, level="labels")
        better += bool(last["decisive"] > last["random"])
        assert found["wrong"].sum() <= 0.05 * found["decided"].sum()
    assert better >= 8


def test_systems_that_return_the_same_are_no_question() -> None:
    runs = {name: {"t": {"x": 2.0, "y": 1.0}} for name in ("a", "b")}
    labels = {"people": {"t": {"y": 0}}, "machine": {"t": {"x": 1, "y": 0}}}
    found = label_next("P@1", ec.collection(runs, {"relevance": labels}))
    assert (found.needed, found.pairs["decided"].tolist()) == (0, [True])
    assert isinstance(found.documents, pd.DataFrame)
