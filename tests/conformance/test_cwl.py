"""Every user model against cwl_eval's: its expected utility, total utility, cost, total cost and depth, and residuals.

On random rankings with documents that nobody assessed, grades below 0, lists of nothing but such, and costs of which
some are not known. Where they differ:

| cwl_eval | here |
|---|---|
| U-measure gives the last rank there is no weight | a horizon that is one shorter |
| TBG and U-measure stop for certain at the last rank | C is as above it: total utility and cost differ |
| BPM's dynamic form adds the change of K to T | K changes: compared with hc = 0, and with a loop where it is not |
| compares sums of gains as they come: 1 + 2/3 + 1/3 < 2 | by `evalcore.common.rounding`; grades of 1, 2, 4 |
| AP counts as relevant what the ranking holds | so does its user model; AP itself divides by all relevant documents |
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cwl.ruler.measures.cwl_ap import APCWLMetric
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric, BPMDCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_nerr import (
    NERReq8CWLMetric,
    NERReq9CWLMetric,
    NERReq10CWLMetric,
    NERReq11CWLMetric,
)
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
from cwl.ruler.measures.cwl_umeasure import UMeasureCWLMetric
from cwl.ruler.ranking import Ranking

import evalcore as ec
from evalcore.data.small_collections import small_collection
from evalcore.measures.cwl.user_models import NUMBERS
from evalcore.structures.documents import Collection, Scale

EXACT = 1e-9
HORIZON = 60
RELEVANCE = Scale("relevance", grades=(0, 1, 2, 4))
SECONDS = Scale("seconds", kind="signal")
GRADED = "max_rel=4, horizon=60"
COSTLY = 'max_rel=4, horizon=60, cost="seconds", other_cost=5'

# Ours, theirs, and what turns a grade into a gain.
BINARY = {
    "RBP(rho=0.8)": RBPCWLMetric(0.8),
    "RBP(rho=0.3)": RBPCWLMetric(0.3),
    "P@5": PrecisionCWLMetric(5),
    "P@1": PrecisionCWLMetric(1),
    "RR": RRCWLMetric(),
    "AP": APCWLMetric(),
}
OF_SHARES = {
    "GradedRBP(rho=0.8, max_rel=4)": RBPCWLMetric(0.8),
    "SDCG(max_rel=4)@10": NDCGCWLMetric(10),
    "SDCG(max_rel=4)@1": NDCGCWLMetric(1),
    f"INSQ(T=1, {GRADED})": INSQCWLMetric(1.0),
    f"INSQ(T=2.5, {GRADED})": INSQCWLMetric(2.5),
    f"INST(T=1, {GRADED})": INSTCWLMetric(1.0),
    f"INST(T=0.5, {GRADED})": INSTCWLMetric(0.5),
    f"INST(T=3, {GRADED})": INSTCWLMetric(3.0),
    "NERR8(max_rel=4)@10": NERReq8CWLMetric(10),
    "NERR9(max_rel=4)@10": NERReq9CWLMetric(10),
    f"NERR10(p=0.9, {GRADED})": NERReq10CWLMetric(0.9),
    f"NERR11(T=2, {GRADED})": NERReq11CWLMetric(2.0),
    f"BPM(T=1, {GRADED})@10": BPMCWLMetric(1.0, 10),
    f"BPM(T=2, hb=1, median=0.5, {GRADED})@7": BPMDCWLMetric(2.0, 7, 1.0, 0.0, 0.5),
    f"IFTGoal(T=2, b1=0.9, R1=1, {GRADED})": IFTGoalCWLMetric(2.0, 0.9, 1.0),
    f"IFTGoal(T=1, b1=0.2, R1=10, {GRADED})": IFTGoalCWLMetric(1.0, 0.2, 10.0),
    f"IFTGoal(T=1, b1=0, R1=10, {GRADED})": IFTGoalCWLMetric(1.0, 0.0, 10.0),
    f"IFTRate(A=0.2, b2=0.9, R2=10, {GRADED})": IFTRateCWLMetric(0.2, 0.9, 10.0),
    f"IFT(T=2, b1=0.9, R1=1, A=0.2, b2=0.9, R2=10, {GRADED})": IFTGoalRateCWLMetric(2.0, 0.9, 1.0, 0.2, 0.9, 10.0),
}  # fmt: skip
WITH_COSTS = {
    f"BPM(T=2, {COSTLY})@30": BPMCWLMetric(2.0, 30),
    f"IFTRate(A=0.02, b2=0.9, R2=10, {COSTLY})": IFTRateCWLMetric(0.02, 0.9, 10.0),
    f"IFT(T=2, b1=0.9, R1=1, A=0.02, b2=0.9, R2=1, {COSTLY})": IFTGoalRateCWLMetric(2.0, 0.9, 1.0, 0.02, 0.9, 1.0),
    f"TBG(halflife=22.4, {COSTLY})": TBGCWLMetric(22.4),
    f"U(L=100, {COSTLY.replace('60', '59')})": UMeasureCWLMetric(100),
}
OWN_STOP = ("TBG", "U(")  # total utility and cost differ by what they take the last rank for


def small(seed: int) -> tuple[Collection, pd.DataFrame, dict[str, list[str]]]:
    """One topic and four rankings of it, the labels, and the documents from rank 1 on."""
    random = Random(seed)
    documents = [f"d{at}" for at in range(40)]
    labelled = random.sample(documents, random.randint(3, 30))
    table = pd.DataFrame(
        {
            "relevance": [float(random.choice((-1, 0, 0, 0, 1, 2, 4))) for _ in labelled],
            "seconds": [random.choice((np.nan, 0.5, 3.0, 20.0)) for _ in labelled],
        },
        index=labelled,
    )
    lists = {f"s{at}": random.sample(documents, random.randint(1, 40)) for at in range(4)}
    return small_collection(table, lists, (RELEVANCE, SECONDS)), table, lists


WORLDS = [small(seed) for seed in range(15)]


def theirs(metric: Any, table: pd.DataFrame, listed: list[str], gain: Any, costs: bool) -> dict[str, float]:
    """Numbers of cwl_eval for one ranking, and their residuals."""
    known = table[table["relevance"] >= 0]
    gains = np.array([gain(known["relevance"][d]) if d in known.index else np.nan for d in listed])
    cost = np.array([table["seconds"].get(d, np.nan) if costs else 1.0 for d in listed])
    metric.residuals = True
    metric.measure(Ranking("t", gains, cost, max_cost=5.0 if costs else 1.0, min_cost=1.0, max_n=HORIZON))
    names = ("utility", "total_utility", "cost", "total_cost", "items")
    values = {f"expected_{name}": getattr(metric, f"expected_{name}") for name in names}
    values |= {f"residual_{name}": getattr(metric, f"residual_expected_{name}") for name in names}
    return dict(zip([*NUMBERS, *(f"residual {name}" for name in NUMBERS)], values.values(), strict=True))


def ours(text: str, collection: Collection) -> dict[str, pd.DataFrame]:
    model = ec.user_model(text, horizon=None if "horizon" in text else HORIZON)
    residual = model.numbers(collection, residual=True)
    return {**model.numbers(collection), **{f"residual {name}": one for name, one in residual.items()}}


def compare(text: str, metric: Any, gain: Any, costs: bool = False) -> None:
    """Compare all numbers of all rankings; and the scores, if the measure is an expected utility."""
    for collection, table, lists in WORLDS:
        own, scores = ours(text, collection), ec.evaluate(text, collection)
        for system, listed in lists.items():
            expected = theirs(metric, table, listed, gain, costs)
            for name, value in expected.items():
                if "total" in name and text.startswith(OWN_STOP):
                    continue
                assert own[name][system].iloc[0] == pytest.approx(value, rel=EXACT, abs=EXACT), (name, system, table)
            if not text.startswith(("AP", "RBP", "GradedRBP")):  # these two have no last rank
                assert scores[system].iloc[0] == pytest.approx(expected["utility"], rel=EXACT, abs=EXACT)


def test_binary_gains(subtests):
    for text in BINARY:
        with subtests.test(str(text)):
            compare(text, BINARY[text], lambda grade: float(grade > 0))


def test_gains_that_are_shares(subtests):
    for text in OF_SHARES:
        with subtests.test(str(text)):
            compare(text, OF_SHARES[text], lambda grade: grade / 4)


def test_documents_that_cost_time(subtests):
    for text in WITH_COSTS:
        with subtests.test(str(text)):
            compare(text, WITH_COSTS[text], lambda grade: grade / 4, costs=True)


def test_curves(subtests):
    for text, metric in [*OF_SHARES.items()]:
        with subtests.test(f"{text}, {metric}"):
            _, table, lists = WORLDS[3]
            model = ec.user_model(text, horizon=None if "horizon" in text else HORIZON)
            for listed in lists.values():
                known = [table["relevance"].get(d, np.nan) for d in listed]
                gains = np.array([grade / 4 if grade >= 0 else np.nan for grade in known])
                ranking = Ranking("t", gains, np.ones(len(gains)), max_n=HORIZON)
                reading = model.of([grade if grade >= 0 else None for grade in known])
                np.testing.assert_allclose(reading.weight, metric.w_vector(ranking), atol=EXACT)
                np.testing.assert_allclose(reading.last, metric.l_vector(ranking), atol=EXACT)
                read = reading.survival > 0  # of a rank that nobody reads, C says nothing
                np.testing.assert_allclose(reading.continuation[read], metric.c_vector(ranking)[read], atol=EXACT)
