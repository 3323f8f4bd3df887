"""Limits on what may be asked for at once: there is none unless somebody sets it, and then it has a name."""

from __future__ import annotations

import math

import pytest

import evalcore as ec
from evalcore.common.progress import checkpoint, part, telling
from evalcore.errors import InputError
from evalcore.limits import Limits, of_resamples, of_settings


def test_nothing_is_limited_by_default() -> None:
    Limits().check(**dict.fromkeys(Limits.words(), 1e300))
    Limits().check_measure(ec.parse("CAM(nDCG)"))
    assert set(vars(Limits()).values()) == {math.inf}


def test_what_is_too_much_is_named_with_its_limit() -> None:
    with pytest.raises(
        InputError, match=r"^expected at most 20 parameters varied at once, found 480 \(limit parameters\)$"
    ):
        Limits(parameters=20).check(parameters=480)


def test_limits_are_written_as_names_and_numbers() -> None:
    changed = Limits(memory=10).changed("seconds = 60, memory=none,")
    assert changed == Limits(seconds=60)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("memroy=1", "expected NAME=NUMBER, where NAME is one of values, .*did you mean memory"),
        ("seconds", "expected a number above 0 or none, found ''"),
        ("seconds=soon", "expected a number above 0 or none, found 'soon'"),
        ("seconds=0", "found '0'"),
        ("seconds=nan", "found 'nan'"),
    ],
)
def test_what_is_no_limit(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Limits().changed(text, "EVALCORE_LIMITS")


@pytest.mark.parametrize(
    ("text", "parts", "values"),
    [
        ("AP", 0, 0),
        ("nDCG(gains={1: 2, 3: 4})@5", 0, 5),  # four numbers and the cut-off
        ("CAM([AP, RR, P@5])", 3, 1),
        ('CAM(RBP(rho=0.5), aspects=["a", "b", "c"])', 3, 4),  # RBP of each of three aspects; their names and rho
        ("CAM([CAM([AP, RR]), P])", 4, 0),
        ("TOMA(AP)", 1, 0),
    ],
)
def test_a_measure_is_as_large_as_what_it_holds(text: str, parts: int, values: int) -> None:
    measure = ec.parse(text)
    Limits(parts=max(parts, 0.5), values=max(values, 0.5)).check_measure(measure)
    if parts:
        with pytest.raises(InputError, match=rf"found {parts} \(limit parts\)"):
            Limits(parts=parts - 0.5).check_measure(measure)
    if values:
        with pytest.raises(InputError, match=rf"found {values} \(limit values\)"):
            Limits(values=values - 0.5).check_measure(measure)


def test_what_sweeps_and_resamples_ask_for() -> None:
    assert of_settings(1000, 50, 2) == {"parameters": 2, "memory": pytest.approx(1000 * (50 * 48 + 16) / 1e6)}
    assert of_resamples(1000, 50, 4, 3) == {"tests": 1000 * 6 * 3, "memory": 1.2}


# --- progress without a function handed down --------------------------------------------------------------------------


def test_checkpoints_tell_the_share_of_the_whole() -> None:
    shares: list[float] = []
    with telling(shares.append):
        for at in range(2):
            with part(at, 2):
                checkpoint(0.5)
    assert shares == [0.25, 0.5, 0.75, 1.0]
    checkpoint(0.5)
    assert len(shares) == 4  # nobody listens any more


def test_a_composite_measure_tells_after_each_part_and_may_end_there() -> None:
    shares: list[float] = []
    collection = ec.load("sample_data/health")
    with telling(shares.append):
        ec.evaluate("CAM([AP, RR, P@5, nDCG])", collection)
    assert shares == [0.25, 0.5, 0.75, 1.0, 1.0]  # the measure itself is all there is

    class EndedError(Exception): ...

    def end(share: float) -> None:
        raise EndedError

    with pytest.raises(EndedError), telling(end):
        ec.evaluate("CAM([AP, RR])", collection)
