"""Every number in a measure is scored or refused quickly, also at the ends of its range and beyond."""

from __future__ import annotations

import os
import resource
import time
from contextlib import suppress

import pytest
from bounded_support import printed_within
from measures.ends_support import CPU, MEMORY, drawn, pairs, samples, wrong

import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import TOMA
from evalcore.measures.tuple_orders import Minkowski

FUZZ = int(os.environ.get("FUZZ", "1"))  # factor of the number of tries; FUZZ=100 needs a quarter of an hour
SEED = int(os.environ.get("SEED", "3"))
ORDERS = ("20000000", "1e9", "1e100", "100.5", "1000", "1e999")
SCORED = f"""
import evalcore as ec
c = ec.collection({{"s": {{"1": {{"a": 2, "b": 1}}}}}}, {{"1": {{"a": 1, "b": 2}}}})
for order in {ORDERS}:
    try:
        ec.evaluate(f"TOMA(aspects=['relevance'], distance=Minkowski(order={{order}}))", c)
    except ec.InputError as error:
        print(error)
"""


def test_a_useless_order_is_refused_immediately() -> None:
    """Exact fractions to that power once held Python's lock for half a minute, or needed 846 MB."""
    said = printed_within({resource.RLIMIT_CPU: 10, resource.RLIMIT_AS: 2 * 10**9}, SCORED).splitlines()
    assert len(said) == len(ORDERS)
    assert all(line.startswith("Minkowski(order=...): expected a number") for line in said)
    assert sum("in [1, 100], found" in line for line in said) >= 4


@pytest.mark.parametrize("order", [97, 98.5, 100])
@pytest.mark.parametrize("place", [1e15, 2e-100, 0.123456789012345, 1 / 997])
def test_powers_take_no_time_however_large_their_numbers(order: float, place: float) -> None:
    """The size of powers is estimated before they are computed exactly, for any number of labels."""
    many = tuple(1 + at * place / 7 for at in range(4))
    measure = TOMA(
        aspects=("relevance", "understandability"),
        distance=Minkowski(order),
        embedding={"relevance": (0.0, place / 2, place), "understandability": many},
    )
    begun = time.process_time()
    with suppress(InputError):
        ec.evaluate(measure, samples()[0])
    assert time.process_time() - begun < 1


def test_powers_that_overflow_are_refused_in_words() -> None:
    measure = TOMA(distance=Minkowski(100), embedding={"relevance": (0.0, 1.0, 1e15)})
    with pytest.raises(InputError, match=r"expected gaps with finite powers above 0, found 1e\+15 to the power 100"):
        ec.evaluate(measure, samples()[0])


MANY = """
import resource, time
import evalcore as ec
from evalcore.errors import InputError
from evalcore.measures import TOMA
def taken():
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run = {"s": {"1": {"a": 2, "b": 1}}}
ec.evaluate("TOMA(AP)", ec.collection(run, {"x": {"1": {"a": 1, "b": 0}}, "y": {"1": {"a": 1}}}))
for count, grades in [(10, 4), (11, 5), (13, 4), (60, 5), (200, 3)]:
    names = [f"a{at}" for at in range(count)]
    labels = {n: {"1": {d: (at + i) % grades for i, d in enumerate("abcdefgh")}} for at, n in enumerate(names)}
    c, importance = ec.collection(run, labels), {n: (at + 2) ** 0.5 for at, n in enumerate(names)}
    for power in ("", "distance=Manhattan", "distance=Minkowski(order=3.5)", "distance=Minkowski(order=99)"):
        measure = ec.parse(f"TOMA({power})").with_(aspects=names, importance=importance)
        begun = taken()
        try:
            ec.evaluate(measure, c)
        except InputError as error:
            assert "list the tuples" in str(error), error
        print(*(now - before for now, before in zip(taken(), begun)))
"""


def test_many_aspects_need_no_more_than_few() -> None:
    """Eleven aspects of five labels, whose sums are all different, once needed 18 s and 3 GB."""
    lines = printed_within({resource.RLIMIT_CPU: 60}, MANY).splitlines()
    assert len(lines) == 20
    for line in lines:
        seconds, kilobytes = map(float, line.split())
        assert (seconds < CPU, kilobytes < MEMORY / 1000) == (True, True), line


@pytest.mark.parametrize("number", [1e300, -1e16, 1e-320, float("inf")])
@pytest.mark.parametrize("name", ["min_rel", "other_cost"])
def test_a_number_out_of_range_is_named(name: str, number: float) -> None:
    with pytest.raises(InputError, match=r"expected a number (of at most 1e\+15 in size|in \(0, inf\)), .*found"):
        ec.parse("BPM").with_(**{name: number})


@pytest.mark.parametrize(
    "text",
    ["IFTGoal(T=1e9, b1=1e9)", "IFT(b1=1e15, R1=1000, b2=1e15, R2=1000)", "IFTRate(horizon=100000, other_cost=1e-100)"],
)
def test_readers_who_never_stop_take_no_time_and_overflow_nothing(text: str) -> None:
    """Once, odds of 1e9 overflowed, and a reader of free documents read a million of each ranking for 4 s."""
    measure = ec.parse(text)
    samples()
    assert wrong((type(measure), measure.arguments())) == ""


def test_a_sample_of_numbers_at_the_ends_of_every_range_is_scored_or_refused_quickly() -> None:
    """Each gives scores or an InputError, within 2 s of CPU and 200 MB, without a warning."""
    assert [(one, problem) for one in drawn(1)[:600] if (problem := wrong(one))] == []


@pytest.mark.slow
def test_all_numbers_at_the_ends_of_every_range_are_scored_or_refused_quickly() -> None:
    assert [(one, problem) for one in drawn(2) if (problem := wrong(one))] == []


@pytest.mark.slow
def test_two_numbers_at_the_ends_of_every_range_are_scored_or_refused_quickly() -> None:
    assert [(one, problem) for one in pairs(SEED, 300 * FUZZ) if (problem := wrong(one))] == []
