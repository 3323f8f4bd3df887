"""Novelty and diversity: equal to values that ndeval printed, and to loops over ranks and subtopics."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pandas as pd
import pytest

import evalcore as ec
from evalcore.errors import InputError
from evalcore.structures.documents import Collection

Grades = list[tuple[str, str, str, int]]  # topic, subtopic, document, grade


def loaded(folder, grades: Grades, lists: dict[str, list[str]]) -> Collection:
    """Load a collection from files: qrels with subtopics in their second column, and runs."""
    (folder / "runs").mkdir()
    (folder / "qrels.txt").write_text("".join(f"{t} {s} {d} {g}\n" for t, s, d, g in grades))
    lines = [f"{t} Q0 {d} 0 {100 - k} mine\n" for t, listed in lists.items() for k, d in enumerate(listed)]
    (folder / "runs" / "mine.txt").write_text("".join(lines))
    return ec.load(folder, use_cache=False)


def score(text: str, collection: Collection) -> dict[str, float]:
    return {str(topic): score for topic, score in ec.evaluate(text, collection).iloc[:, 0].items()}


SMALL: Grades = [("1", "1", "a", 1), ("1", "2", "b", 1), ("1", "2", "a", 0), ("1", "3", "c", 0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ERRIA@5", 0.30257186081694404),
        ("nERRIA@5", 0.5555555555555556),
        ("alphaDCG@5", 0.37238930758385547),
        ("alphanDCG@5", 0.6934264036172707),
        ("NRBP", 0.28125),
        ("nNRBP", 0.5),
        ("IA(AP)", 0.41666666666666663),
        ("IA(P@5)", 0.2),
        ("STREC@5", 1.0),
    ],
)
def test_scores_equal_those_that_ndeval_printed(text, expected, tmp_path):
    """pyndeval 0.0.8 for x, a, b: a covers subtopic 1, b covers 2, and no document covers 3."""
    assert score(text, loaded(tmp_path, SMALL, {"1": ["x", "a", "b"]}))["1"] == pytest.approx(expected, abs=1e-12)


def random_world(seed: int, topics: int) -> tuple[Grades, dict[str, list[str]]]:
    """Make random grades and rankings, with ties in the ideal order, grades below 0, and unassessed documents."""
    random = Random(seed)
    grades: Grades = []
    lists = {}
    for topic in map(str, range(1, topics + 1)):
        documents = [f"d{at:02}" for at in range(14)]
        for subtopic in map(str, range(1, random.randint(2, 6))):
            grades += [
                (topic, subtopic, d, random.choice((0, 0, 1, 1, 2, -1)))
                for d in random.sample(documents, random.randint(1, 8))
            ]
        grades.append((topic, "9", "d00", 1))
        lists[topic] = random.sample([*documents, f"x{topic}"], random.randint(1, 15))
    return grades, lists


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> tuple[Grades, dict[str, list[str]], Collection]:
    grades, lists = random_world(3, 60)
    return grades, lists, loaded(tmp_path_factory.mktemp("diversity"), grades, lists)


def by_subtopic(grades: Grades, topic: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for t, subtopic, document, grade in grades:
        if t == topic:
            found.setdefault(subtopic, {})[document] = grade
    return {subtopic: own for subtopic, own in found.items() if max(own.values()) > 0}


def slow_novelty(listed: list[str], subtopics: dict[str, dict[str, int]], alpha: float, depth: int) -> float:
    seen = dict.fromkeys(subtopics, 0)
    total = 0.0
    for k, document in enumerate(listed[:depth], start=1):
        for subtopic, grades in subtopics.items():
            if grades.get(document, 0) > 0:
                total += (1 - alpha) ** seen[subtopic] / math.log2(k + 1)
                seen[subtopic] += 1
    most = sum((1 - alpha) ** (k - 1) / math.log2(k + 1) for k in range(1, depth + 1))
    return total / (len(subtopics) * most)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_novelty_as_a_loop_over_ranks_and_subtopics(alpha, world):
    grades, lists, collection = world
    ours = score(f"alphaDCG(alpha={alpha})@7", collection)
    for topic, listed in lists.items():
        expected = slow_novelty(listed, by_subtopic(grades, topic), alpha, 7)
        assert ours[topic] == pytest.approx(expected, abs=1e-12)


def test_d_sharp_is_recall_of_subtopics_and_ndcg_of_global_gains(world):
    """Sakai and Song 2011: the global gain of a document is its mean grade over subtopics."""
    grades, lists, collection = world
    ours = score("DSharp(nDCG@5, gamma=0.25)", collection)
    for topic, listed in lists.items():
        subtopics = by_subtopic(grades, topic)
        documents = {document for own in subtopics.values() for document in own}
        gain = {d: sum(max(own.get(d, 0), 0) for own in subtopics.values()) / len(subtopics) for d in documents}
        found = sum(gain.get(d, 0) / math.log2(k + 1) for k, d in enumerate(listed[:5], start=1))
        best = sum(g / math.log2(k + 1) for k, g in enumerate(sorted(gain.values(), reverse=True)[:5], start=1))
        recall = sum(any(own.get(d, 0) > 0 for d in listed[:5]) for own in subtopics.values()) / len(subtopics)
        assert ours[topic] == pytest.approx(0.25 * recall + 0.75 * found / best, abs=1e-12)


def test_with_one_subtopic_the_intent_aware_form_equals_the_measure():
    assert ec.parse("IA(nDCG)").of([0, 1, 2]) == ec.parse("nDCG").of([0, 1, 2])


def test_a_base_of_several_aspects_is_refused():
    with pytest.raises(InputError, match="a measure of one aspect"):
        ec.parse("IA(uRBP)").of([1])


# --- weights of subtopics ---------------------------------------------------------------------------------------------

WEIGHTED = ["STREC@2", "alphanDCG@3", "alphaDCG@3", "IA(P@2)", "ERRIA@3", "DSharp(nDCG@3)"]


def of_two_subtopics() -> ec.Collection:
    """Make a topic: document x covers the first subtopic, y and z the second, and none the third."""
    lines = [("t", "1", "x", 1), ("t", "2", "y", 1), ("t", "2", "z", 1), ("t", "3", "z", 0)]
    table = pd.DataFrame(lines, columns=["topic", "iteration", "document", "grade"])
    runs = {"one": {"t": {"x": 3.0, "y": 2.0}}, "other": {"t": {"y": 3.0, "z": 2.0}}}
    return ec.collection(runs, table)


def test_a_subtopic_counts_as_much_as_its_weight():
    """By hand: the first subtopic has weight 3/4, the second 1/4."""
    c = of_two_subtopics()
    scores = {name: ec.evaluate(ec.parse(name).with_(weights=(3.0, 1.0)), c).T["t"] for name in WEIGHTED}
    assert scores["STREC@2"].tolist() == pytest.approx([1, 0.25])
    assert scores["IA(P@2)"].tolist() == pytest.approx([0.5, 0.25])  # 3/4 * 1/2 + 1/4 * 1/2, and 1/4 * 1
    log = 1 / np.log2(3)
    best = 0.75 + 0.25 * log + 0.125 / 2  # x, y, z
    assert scores["alphanDCG@3"].tolist() == pytest.approx([(0.75 + 0.25 * log) / best, (0.25 + 0.125 * log) / best])


def test_weights_are_matched_by_subtopic_and_others_have_weight_1():
    c = of_two_subtopics()
    first, second = (ec.evaluate(ec.parse("STREC@1").with_(weights=one), c).loc["t", "one"] for one in ((3.0,), (0.0,)))
    assert (first, second) == (0.75, 0.0)
    assert ec.evaluate(ec.parse("STREC@2").with_(weights=(0.0, 0.0)), c).loc["t", "one"] == 0.0


def test_weights_of_subtopics_are_sliders():
    known = [one.path for one in ec.sensitivity.parameters_of("alphanDCG@10", of_two_subtopics())]
    assert {"alpha", "cutoff", "weights[0]", "weights[1]"} <= set(known)
