"""Factors of judges as choices of a claim: which of them the effect depends on."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from judges.made import of_teams
from sources_support import with_sources

import evalcore as ec
from evalcore.claims import Specifications, measure_choice, source_choice
from evalcore.claims.judge_factors import OVERLAP

MODELS, PROMPTS = {"good": 0.05, "bad": 0.35}, ("short", "long")
JUDGES = [f"{model}-{prompt}" for model, prompt in product(MODELS, PROMPTS)]
SPECS = Specifications((measure_choice(["P@5", "nDCG@10"]), source_choice(JUDGES)))


@pytest.fixture(scope="module")
def four() -> ec.Collection:
    """Two models with two prompts each, beside the assessors."""
    whole = of_teams(1)
    true = whole.assessments.columns["relevance"]
    random = np.random.default_rng(0)
    labels = {
        f"{model}-{prompt}": np.where(random.random(len(true)) < rate, 1 - true, true)
        for (model, rate), prompt in product(MODELS.items(), PROMPTS)
    }
    rows = [{"judge": name, **dict(zip(("model", "prompt"), name.split("-"), strict=True))} for name in labels]
    return replace(with_sources(whole, **labels), judge_table=pd.DataFrame(rows).set_index("judge"))


def studied(collection: ec.Collection, specs: Specifications = SPECS) -> ec.claims.Study:
    a, b = ec.best_first(ec.evaluate("P@5", collection).mean()).index[:2]
    return ec.claim(f"{a} > {b}", specs, collection, resamples=64, permutations=64)


def test_shares_of_variance_are_those_of_a_slow_analysis(four: ec.Collection) -> None:
    """Balanced: the sum of squares of a choice is that of the means of its options, over all specifications."""
    study = studied(four)
    frame, shares = study.frame(), study.sources.table["share"]
    assert len(frame) == 8
    grand = frame["effect"].mean()
    whole = ((frame["effect"] - grand) ** 2).sum() + (study.curve.error**2).sum()
    slow = {}
    for name in ("measure", "judge's model", "judge's prompt", "labels"):
        means = frame.groupby(name)["effect"].transform("mean")
        slow[name] = ((means - grand) ** 2).sum() / whole
    assert shares["judge's model"] == pytest.approx(slow["judge's model"])
    assert shares["judge's prompt"] == pytest.approx(slow["judge's prompt"])
    assert shares["measure"] == pytest.approx(slow["measure"])
    assert shares["labels"] == pytest.approx(slow["labels"] - slow["judge's model"] - slow["judge's prompt"])
    assert shares.sum() == pytest.approx(1)


def test_the_curve_and_the_tables_say_the_levels(four: ec.Collection) -> None:
    study = studied(four)
    assert study.options["judge's model"] == ["good", "bad"]
    frame = study.frame()
    assert (frame["labels"] == frame["judge's model"] + "-" + frame["judge's prompt"]).all()
    assert study.multiverse.taken["judge's prompt"].shape == (8, 2)
    assert OVERLAP not in study.multiverse.design.notes


def test_the_digest_is_that_of_the_choices_alone(four: ec.Collection) -> None:
    assert studied(four).digest == studied(replace(four, judge_table=None)).digest


def test_assessors_have_no_level_and_factors_that_overlap_are_noted(four: ec.Collection) -> None:
    three = Specifications((SPECS.choices[0], source_choice(["nist", "good-short", "good-long", "bad-long"])))
    design = ec.claims.design_of(three, four)
    assert design.columns["judge's model"].tolist() == ["", "good", "good", "bad"] * 2
    assert OVERLAP in design.notes


def test_a_number_among_the_levels_is_where_the_verdict_turns(four: ec.Collection) -> None:
    assert four.judge_table is not None
    with_temperatures = replace(
        four, judge_table=four.judge_table.assign(temperature=[0.0, 0.0, 0.7, 0.7])[["temperature"]]
    )
    design = ec.claims.design_of(SPECS, with_temperatures)
    assert design.factors[0].numbers == (0.0, 0.7)


def test_without_a_table_there_is_no_factor(four: ec.Collection) -> None:
    assert ec.claims.design_of(SPECS, replace(four, judge_table=None)).factors == ()
