from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from math import atan, pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import Small, collections

import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import RBP, uRBP, uRBP1, uRBP2, uRBPgr

BOTH = ("relevance", "understandability", "fog")
UNDERSTANDING = [
    (uRBP(), lambda d: float(d["understandability"] >= 2)),
    (uRBP(threshold=3), lambda d: float(d["understandability"] >= 3)),
    (uRBPgr(), lambda d: [0, 0.4, 0.8, 1][int(d["understandability"])]),
    (uRBPgr(gains=(0, 0, 0, 1)), lambda d: [0, 0, 0, 1][int(d["understandability"])]),
    (uRBP1(threshold=12), lambda d: float(d["fog"] < 12)),
    (uRBP1(threshold=20), lambda d: float(d["fog"] < 20)),
    (uRBP2(threshold=12), lambda d: 0.5 - atan(d["fog"] - 12) / pi),
    (uRBP2(threshold=20), lambda d: 0.5 - atan(d["fog"] - 20) / pi),
]


@pytest.mark.parametrize(("measure", "u"), UNDERSTANDING, ids=lambda one: str(one) if isinstance(one, uRBP) else "")
@given(small=collections(columns=BOTH), rho=st.sampled_from([0.3, 0.8]), cutoff=st.none() | st.integers(1, 9))
def test_every_variant_of_urbp_equals_a_loop(measure, u, small, rho, cutoff):
    expected = [
        [
            (1 - rho)
            * sum(
                rho**at * (small.judged[t][d]["relevance"] >= 1) * u(small.judged[t][d])
                for at, d in enumerate(ranking[:cutoff])
                if d in small.judged[t]
            )
            for t, ranking in enumerate(system)
        ]
        for system in small.lists
    ]
    np.testing.assert_allclose(small.scores(measure.with_(rho=rho, cutoff=cutoff)), expected, atol=1e-12)


FAMILY = [uRBP, uRBPgr, uRBP1, uRBP2]


@given(small=collections(columns=BOTH), cutoff=st.none() | st.integers(1, 9))
def test_an_endless_threshold_gives_rbp(small, cutoff):
    readers = [uRBP(threshold=-1), uRBPgr(gains=(1, 1, 1, 1)), uRBP1(threshold=1e9)]
    for reader in readers:
        expected = small.scores(RBP(cutoff=cutoff))
        np.testing.assert_array_equal(small.scores(reader.with_(cutoff=cutoff)), expected)


@pytest.mark.parametrize("kind", FAMILY)
def test_the_formula_ends_at_the_cut_off(kind):
    assert kind(cutoff=10).latex() == kind().latex().replace("^{K}", "^{10}") != kind().latex()


@pytest.mark.parametrize("kind", FAMILY)
@given(small=collections(columns=BOTH), cutoff=st.none() | st.integers(1, 9))
def test_the_residual_is_what_unassessed_documents_could_add(kind, small, cutoff):
    measure = kind(rho=0.5, cutoff=cutoff)

    def missing(ranking, judged):
        endless = [*ranking, *["never retrieved"] * 100][:cutoff]
        return 0.5 * sum(0.5**at for at, d in enumerate(endless) if d not in judged)

    expected = [[missing(*pair) for pair in zip(system, small.judged, strict=True)] for system in small.lists]
    np.testing.assert_allclose(measure.residual(small.pool, small.rankings), expected, atol=1e-9)


def test_a_list_of_columns_must_have_two_that_fit():
    with pytest.raises(InputError, match=r"for each of relevance, understandability, found one of length 2$"):
        uRBP().of([1, 0])
    with pytest.raises(InputError, match=r"expected a list of equal length .* of length 2 and one of length 1$"):
        uRBP().of([1, 0], [1])
    with pytest.raises(InputError, match="expected two different columns, found 'relevance' twice"):
        uRBP(aspect="relevance").of([1], [1])


def test_a_signal_without_a_border_needs_a_threshold():
    small = Small(({"d": {"relevance": 1.0, "fog": 9.0}},), ((("d",),),))
    with pytest.raises(InputError, match="expected a threshold for fog"):
        small.scores(uRBP(aspect="fog"))
    assert small.scores(uRBP(aspect="fog", threshold=10, rho=0.5)) == [[0.5]]


def test_latex_shows_both_gains():
    assert uRBP1(threshold=15).latex() == (
        r"\mathrm{uRBP1} = (1 - 0.8) \sum_{k=1}^{K} 0.8^{k - 1} \cdot "
        r"\left[\, \mathrm{relevance}_k > 0 \,\right] \cdot \left[\, \mathrm{fog}_k < 15 \,\right]"
    )


def test_scores_equal_those_of_the_organisers_of_clef_2015(data_folder: Path):
    """RBP, uRBP and uRBPgr of 40 runs by topic, to 4 decimals (HALF_UP), with the order and lookup of their tool."""
    clef = data_folder / "clef2015"
    tables = ec.evaluate(
        [RBP(rho=0.8), uRBP(rho=0.8), uRBPgr(rho=0.8)],
        ec.load(clef, order="urbp-tool", labels="by-document", use_cache=False),
    )
    ours = dict(zip(("RBP", "uRBP", "uRBPgr"), tables.values(), strict=True))
    wrong: list[tuple[str, str, float]] = []
    read = 0
    for path in sorted((clef / "official").glob("*.urbp")):
        for line in path.read_text().splitlines():
            measure, topic, *_, value = line.split()
            name = measure.partition("(")[0]
            if topic != "all" and name in ours:
                score = float(ours[name][path.name.removesuffix(".urbp")][topic])
                rounded = Decimal(round(score, 12)).quantize(Decimal("0.0001"), ROUND_HALF_UP)
                read += 1
                wrong += [(path.name, line, score)] * (rounded != Decimal(value))
    assert read == 3 * 40 * 66
    assert not wrong
