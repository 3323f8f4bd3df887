"""What is kept is counted by the memory that it takes."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import pytest

import evalcore as ec
from ui.server.weight import bytes_of

KB = 1000


@dataclass
class Holder:
    name: str
    held: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Slotted:
    held: bytes


class Estimated:
    """That says itself what it will take."""

    nbytes = 77 * KB


TEXT = "x" * 50 * KB


def test_a_thing_takes_what_is_in_it(subtests: pytest.Subtests) -> None:
    for thing, size in [
        (b"x" * 10 * KB, 10 * KB),
        ("é" * 10 * KB, 10 * KB),  # a byte a letter, as Python holds Latin
        ("\u0431" * 10 * KB, 20 * KB),
        (np.zeros(10 * KB), 80 * KB),
        (np.array(["x" * KB + str(at) for at in range(100)], dtype=object), 100 * KB),
        (np.array([TEXT] * 100, dtype=object), 50 * KB),  # one text, 100 times
        ([TEXT, {"again": TEXT}, (TEXT,)], 50 * KB),
        (Holder("ab", (np.zeros(20 * KB, dtype=np.int8), None)), 20 * KB),
        (Slotted(b"x" * 20 * KB), 20 * KB),
        (np.zeros(100 * KB)[:10], 800 * KB),  # a part keeps the whole
        (pd.DataFrame({"a": np.zeros(10 * KB)}), 80 * KB),
        (pd.DataFrame({"a": [f"{at:05}" + "x" * KB for at in range(100)]}), 100 * KB),
        (pd.DataFrame({"a": pd.Series([f"{at:05}" + "x" * KB for at in range(100)], dtype=object)}), 100 * KB),
        (pd.Series(np.zeros(100), index=[f"{at:05}" + "x" * KB for at in range(100)]), 100 * KB),
        (pd.Series(pd.Categorical(["x" * KB, "y" * KB] * KB)), 4 * KB),
        (pa.array(["x" * KB] * 100), 100 * KB),
        (go.Figure(go.Scatter(y=np.zeros(100 * KB))), 800 * KB),
        ([Estimated(), Estimated()], 2 * 77 * KB),
    ]:
        with subtests.test(f"{thing}, {size}"):
            assert size <= bytes_of(thing) <= 1.1 * size + 12 * KB


def test_what_holds_itself_is_counted_once() -> None:
    ring: list[object] = [b"x" * 10 * KB]
    ring.append(ring)
    assert 10 * KB <= bytes_of(ring) <= 11 * KB


def test_modules_classes_and_functions_are_nobodys() -> None:
    assert bytes_of([sys, Holder, bytes_of, len]) < KB


# --- whole collections, beside what the process has grown by ----------------------------------------------------------


def named(topic: int, document: int, length: int) -> str:
    return f"{topic}-{document}-".ljust(length, "x")


def judged(length: int, documents: int) -> list[tuple[str, bytes]]:
    """Assessments of documents with long ids, of which the run has few."""
    qrels = [f"{topic} 0 {named(topic, at, length)} {at % 3}" for topic in range(50) for at in range(documents)]
    run = [f"{topic} Q0 {named(topic, at, length)} {at + 1} {-at} r" for topic in range(50) for at in range(3)]
    return [("qrels.txt", "\n".join(qrels).encode()), ("a.run", "\n".join(run).encode())]


def texts(count: int, length: int) -> list[tuple[str, bytes]]:
    qrels = "\n".join(f"1 0 d{at} {at % 2}" for at in range(count))
    run = "\n".join(f"1 Q0 d{at} {at + 1} {-at} r" for at in range(count))
    held = [(f"documents/d{at}.txt", (f"word{at} " * (length // 6)).encode()) for at in range(count)]
    return [("qrels.txt", qrels.encode()), ("a.run", run.encode()), *held]


@pytest.fixture
def grown() -> Iterator[Callable[[], int]]:
    """The bytes that the process holds more than when the test began."""
    ec.load_files(texts(2, 600))  # what all collections share
    gc.collect()
    tracemalloc.start()
    arrow = pa.total_allocated_bytes()

    def more() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0] + pa.total_allocated_bytes() - arrow

    yield more
    tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [lambda: judged(12, 200), lambda: judged(500, 60), lambda: texts(30, 12_000)],
    ids=["short", "long", "texts"],
)
def test_a_collection_counts_what_the_process_grows_by(
    make: Callable[[], list[tuple[str, bytes]]], grown: Callable[[], int]
) -> None:
    before = grown()
    files = make()
    between = grown()
    collection = ec.load_files(files)
    growth = grown() - between
    assert between > before
    assert 0.75 * growth <= bytes_of(collection) <= 1.25 * growth
