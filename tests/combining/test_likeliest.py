"""The likeliest order of systems by few human labels and many of a model: on known truth, and on real runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from judges.made import judged

import evalcore as ec
from benchmarks.hidden_labels import SETTINGS, judged_by_models
from evalcore.combining import COMBINED, HUMAN, LIKELIEST, MODEL, Combined, combine, hidden_draws
from evalcore.data.restricting import restrict

REAL = judged_by_models(Path(__file__).parents[2].parent / "shared" / "data")
DRAWS = 40


def slowly(found: Combined) -> dict[str, float]:
    """A loop over systems: distances from the mean, the part that the model tells, and a share of the rest."""
    both, model = (found.scores[name].to_numpy().tolist() for name in (COMBINED, MODEL))
    systems = range(len(both[0]))
    d, m = ([[row[s] - sum(row) / len(row) for row in rows] for s in systems] for rows in (both, model))
    mean, told = ([sum(distance) / len(distance) for distance in distances] for distances in (d, m))
    b = max(sum(mean[s] * told[s] for s in systems) / sum(told[s] ** 2 for s in systems), 0)
    rest = [[x - b * y for x, y in zip(d[s], m[s], strict=True)] for s in systems]
    noise = sum(float(np.var(one, ddof=1)) for one in rest) / len(rest) / len(both)
    left = [sum(one) / len(one) for one in rest]
    kept = max(0, 1 - noise / (sum(one**2 for one in left) / (len(left) - 2)))
    level = sum(map(sum, both)) / len(both) / len(both[0])
    return {name: level + b * told[s] + kept * left[s] for s, name in enumerate(found.likeliest.index)}


@pytest.mark.parametrize("kept", ["KeptLabels(share=0.2)", "KeptLabels(topics=0.3)"])
def test_it_is_the_model_s_order_corrected_by_what_is_no_noise(kept):
    found = combine("nDCG@10", judged(1), kept=kept)
    assert found.likeliest.to_dict() == pytest.approx(slowly(found))
    assert found.table["likely_rank"].to_dict() == ec.ranks(found.likeliest).to_dict()


def test_of_two_systems_and_of_a_model_that_cannot_tell_them_apart_it_is_that_of_both():
    c = judged(2)
    two = restrict(c, systems=c.systems[:2])
    found = combine("P@5", two, kept="KeptLabels(share=0.3)")
    means = found.scores[COMBINED].mean()
    assert ec.ranks(found.likeliest).to_dict() == ec.ranks(means).to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["KeptLabels(share=0.1)", "KeptLabels(topics=0.2)"])
def test_it_errs_less_than_both_together_where_the_truth_is_known(kept):
    tables = [hidden_draws("nDCG@10", judged(seed), kept=kept, draws=10) for seed in range(1, 7)]
    error = pd.DataFrame([table["error"] for table in tables]).mean()
    assert error[LIKELIEST] < error[COMBINED] < error[HUMAN]


@pytest.mark.slow
@pytest.mark.skipif(REAL is None, reason="the runs judged by people and models are not here")
@pytest.mark.parametrize(("model", "measure", "kept"), SETTINGS)
def test_both_together_are_no_worse_than_people_alone_on_real_runs(model, measure, kept):
    """The figures of docs/how-to/few-labels.md, of fewer draws."""
    found = hidden_draws(measure, real(), model, "assessors", kept=kept, draws=DRAWS)
    winner, tau, error = (found[name].to_dict() for name in ("winner", "tau", "error"))
    assert winner[COMBINED] >= winner[HUMAN]
    assert tau[LIKELIEST] > tau[COMBINED] > tau[HUMAN]
    assert error[LIKELIEST] < error[COMBINED] < error[HUMAN]


_KNOWN: list[ec.Collection] = []


def real() -> ec.Collection:
    if not _KNOWN:
        assert REAL is not None
        _KNOWN.append(ec.load(REAL))
    return _KNOWN[0]
