"""Edits of a collection: each against a slow rebuild from edited runs and labels."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalcore as ec
from app_support import SAMPLE
from evalcore.data import Collection, Scale
from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError
from evalcore.explain.what_if import (
    Edit,
    Insert,
    MoveTo,
    Regrade,
    Remove,
    Reorder,
    edited,
    fitting,
    parse_edit,
    what_if,
)

DOCUMENTS = [f"d{at}" for at in range(6)]
UNASSESSED = ["u1", "u2"]  # in no pool
ASPECTS = ("relevance", "ease")
SCALES = [Scale(name, grades=(0, 1, 2)) for name in ASPECTS]
MEASURES = ["RBP(rho=0.8)", "AP", "nDCG@3", "Bpref", "infAP", 'uRBP(aspect="ease")', "P@2"]
Lists = dict[str, dict[str, list[str]]]  # system -> topic -> documents
Labels = dict[str, dict[str, dict[str, int | None]]]  # aspect -> topic -> document -> grade; None: taken away


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Lists, Labels]:
    """Up to 3 systems on up to 2 topics: gaps, empty lists, negative grades, one label, nothing relevant."""
    topics = [f"t{at}" for at in range(draw(st.integers(1, 2)))]
    names = draw(st.lists(st.sampled_from(["a", "b:1", "c%"]), min_size=1, unique=True))
    listed = st.lists(st.sampled_from([*DOCUMENTS, *UNASSESSED]), unique=True)
    lists = {name: {t: draw(listed) for t in topics} for name in names}
    for one in lists.values():
        one["t0"] = one["t0"] or ["always"]
    grades: st.SearchStrategy[int | None] = st.sampled_from((-1, 0, 1, 2))
    graded = st.dictionaries(st.sampled_from(DOCUMENTS), grades)
    always: dict[str, int | None] = {"always": 0}
    labels = {aspect: {t: always | draw(graded) for t in topics} for aspect in ASPECTS}
    return lists, labels


def made(lists: Lists, labels: Labels) -> Collection:
    runs = {s: {t: {d: -float(k) for k, d in enumerate(found)} for t, found in o.items()} for s, o in lists.items()}
    kept = {
        aspect: {t: {d: g for d, g in found.items() if g is not None} for t, found in by_topic.items()}
        for aspect, by_topic in labels.items()
    }
    return ec.collection(runs, kept, scales=SCALES)


@st.composite
def edits_of(draw: st.DrawFn, lists: Lists, labels: Labels) -> list[Edit]:
    """Make a few edits, also on the lists and labels: as a reader would with a pencil."""
    found: list[Edit] = []
    for _ in range(draw(st.integers(1, 4))):
        system, topic = draw(st.sampled_from(list(lists))), draw(st.sampled_from(list(labels["ease"])))
        line, pool = lists[system][topic], [d for d in DOCUMENTS if any(d in labels[a][topic] for a in ASPECTS)]
        new = [d for d in pool if d not in line]
        kind = draw(st.sampled_from(["move", "order", "insert", "remove", "regrade"]))
        if kind == "move" and line:
            rank, to = draw(st.tuples(*[st.integers(1, len(line))] * 2))
            found.append(MoveTo(topic, system, rank, to))
            line.insert(to - 1, line.pop(rank - 1))
        elif kind == "order" and line:
            count = draw(st.integers(1, len(line)))
            ranks = draw(st.permutations(range(1, count + 1)))
            found.append(Reorder(topic, system, tuple(ranks)))
            line[:count] = [line[rank - 1] for rank in ranks]
        elif kind == "insert" and new:
            document, rank = draw(st.sampled_from(new)), draw(st.integers(1, len(line) + 1))
            found.append(Insert(topic, system, document, rank))
            line.insert(rank - 1, document)
        elif kind == "remove" and len(line) > 1:  # a system without any document is no run
            rank = draw(st.integers(1, len(line)))
            found.append(Remove(topic, system, rank))
            del line[rank - 1]
        elif kind == "regrade" and pool:
            document, aspect = draw(st.sampled_from(pool)), draw(st.sampled_from(ASPECTS))
            grade = draw(st.sampled_from((None, 0, 1, 2)))
            found.append(Regrade(topic, document, aspect, grade))
            labels[aspect][topic][document] = grade
    return found


@settings(max_examples=20, deadline=None)
@given(st.data(), worlds())
def test_edits_are_what_a_rebuild_from_edited_runs_and_labels_gives(data, world):
    lists, labels = world
    before = made(lists, labels)
    edits = data.draw(edits_of(lists, labels))
    after, rebuilt = edited(before, map(str, edits)), made(lists, labels)
    for measure in MEASURES:
        pd.testing.assert_frame_equal(ec.evaluate(measure, after), ec.evaluate(measure, rebuilt), check_exact=True)
    assert after.rankings.length.tolist() == rebuilt.rankings.length.tolist()
    assert (after.fingerprint == before.fingerprint) == (not edits)


@given(st.data(), worlds())
@settings(max_examples=20, deadline=None)
def test_an_edit_is_its_text(data, world):
    for edit in data.draw(edits_of(*world)):
        assert parse_edit(str(edit)) == edit


def small() -> Collection:
    """By hand: a is relevant, b is not, x was not assessed."""
    labels = pd.DataFrame({"relevance": [1, 0, 1]}, index=["a", "b", "c"])
    return small_collection(labels, {"s": ["b", "x", "a"], "z": ["a", "b"]})


def test_a_regrade_changes_all_systems_and_a_move_one():
    c = small()
    moved = what_if("RBP(rho=0.5)", c, ["move:topic:s:3:1"])
    regraded = what_if("RBP(rho=0.5)", c, ["regrade:topic:b:relevance:1"])
    # By hand: s is b x a, 1/8; a first, 1/2; b relevant too, 1/2 + 1/8. z is a b, 1/2, or 3/4.
    assert moved.after.loc["topic"].to_dict() == {"s": 0.5, "z": 0.5}
    assert regraded.after.loc["topic"].to_dict() == {"s": 0.625, "z": 0.75}


def test_of_one_system_there_is_no_tau():
    c = small_collection(pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"]), {"s": ["a"]})
    found = what_if("AP", c, ["regrade:topic:a:relevance:-"])
    assert math.isnan(found.tau)
    assert found.after.loc["topic", "s"] == 0.0


def test_a_label_is_that_of_the_source_which_is_read():
    c = ec.load(SAMPLE)
    sources = c.assessments.sources["relevance"]
    other = next(name for name in sources.labels if name != sources.default)
    row = 0
    topic, document = c.topics[c.assessments.topic[row]], c.assessments.documents[row]
    grade = 2.0 if sources.labels[other][row] != 2.0 else 1.0
    edit = Regrade(topic, document, "relevance", grade)
    of = edited(ec.judged_by(c, other), [edit]).assessments
    at = np.flatnonzero((of.documents == document) & (of.topic == of.topics.index(topic)))[0]
    assert of.column("relevance")[at] == of.sources["relevance"].labels[other][at] == grade
    unasked = edited(c, [edit]).assessments.sources["relevance"].labels
    assert unasked[sources.default][row] == grade
    assert np.array_equal(unasked[other], sources.labels[other], equal_nan=True)


def test_an_edit_that_does_not_fit_is_refused_with_what_would(subtests):
    for edit, expected in [
        ("move:topic:s:4:1", "expected a rank from 1 to 3, found 4"),
        ("move:topic:s:1:0", "expected a rank from 1 to 3, found 0"),
        ("move:nowhere:s:1:2", "expected a topic of this collection, found 'nowhere'"),
        ("move:topic:nobody:1:2", "expected a system of this collection, found 'nobody'"),
        ("order:topic:s:1.1", "expected each rank from 1 to 2 once"),
        ("order:topic:s:1.2.3.4", "expected a rank from 1 to 3, found 4"),
        ("insert:topic:s:a:1", "expected a document that is not in the ranking, found 'a' at rank 3"),
        ("insert:topic:s:x:1", "expected a document of the pool of topic 'topic', found 'x'"),
        ("insert:topic:s:c:5", "expected a rank from 1 to 4, found 5"),
        ("remove:topic:z:3", "expected a rank from 1 to 2, found 3"),
        ("regrade:topic:a:relevance:7", "expected a grade of relevance \\(0, 1\\) or -, found 7"),
        ("regrade:topic:a:relevance:nan", "expected an edit, move:"),
        ("regrade:topic:a:relevance:1e999", "found inf"),
        ("regrade:topic:x:relevance:1", "expected a document of the pool"),
        ("regrade:topic:a:beauty:1", "expected an aspect of this collection, found 'beauty'"),
        ("move:topic:s:1", "expected an edit, move:TOPIC:SYSTEM:RANK:TO"),
        ("move:topic:s:one:2", "expected an edit, move:"),
        ("move:topic:s:9999999999999:2", "expected an edit, move:"),
        ("order:topic:s:", "expected an edit, move:"),
        ("", "expected an edit, move:"),
    ]:
        with subtests.test(f"{edit}, {expected}"), pytest.raises(InputError, match=expected):
            edited(small(), [edit])


def test_an_edit_that_does_not_fit_is_left_out_and_those_after_it_are_made():
    edits, problems = fitting(small(), ["move:topic:s:9:1", "move:topic:s:3:1"])
    assert edits == (MoveTo("topic", "s", 3, 1),)
    assert len(problems) == 1
    assert "found 9" in problems[0]


def test_a_signal_is_no_label_to_change():
    c = ec.load(SAMPLE)
    document = c.assessments.documents[0]
    with pytest.raises(InputError, match="expected an aspect of this collection"):
        edited(c, [Regrade(c.topics[0], document, c.signals[0], 1.0)])


@pytest.mark.parametrize(("name", "what"), [("manual", "passages"), ("site", "links")])
def test_passages_and_links_are_refused(name, what):
    with pytest.raises(InputError, match=f"found a collection with {what}"):
        edited(ec.load(SAMPLE.parent / name), ["move:1:s:1:2"])
