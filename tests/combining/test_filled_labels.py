"""Labels that came back: what each of them has brought."""

from __future__ import annotations

import numpy as np
import pytest
from judges.made import judged

import evalcore as ec
from evalcore.combining import KeptLabels, TwoSources, filled_labels, label_next
from evalcore.combining.next_labels import Beliefs
from evalcore.data import Collection

MEASURE, KEPT = "RBP(rho=0.8)", KeptLabels(0.1)


@pytest.fixture(scope="module")
def two() -> Collection:
    return judged(1)


def filled_in(collection: Collection, n: int, kept: KeptLabels = KEPT, measure: str = MEASURE) -> str:
    """The template of what to label next, with the grades that people gave."""
    template = label_next(measure, collection, n=n, kept=kept).template()
    pool = collection.assessments
    grade = {
        (pool.topics[topic], document): label
        for topic, document, label in zip(pool.topic, pool.documents, pool.columns["relevance"], strict=True)
    }
    lines = [line.split() for line in template.splitlines()]
    return "".join(f"{topic} 0 {document} {grade[topic, document]:g}\n" for topic, _, document, _ in lines)


@pytest.mark.parametrize("measure", [MEASURE, "nDCG@10"])
def test_each_label_leaves_the_doubt_that_beliefs_with_it_have(two: Collection, measure: str) -> None:
    """Beliefs made anew for each label, the last of which corrects one that people had given."""
    sources = TwoSources.of(measure, two)
    labels = sources.kept(KEPT)
    labelled = int(np.flatnonzero(~np.isnan(labels.human))[0])
    corrected = (two.assessments.topics[two.assessments.topic[labelled]], two.assessments.documents[labelled])
    filled = filled_in(two, 12, measure=measure) + f"{corrected[0]} 0 {corrected[1]} {1 - labels.human[labelled]:g}\n"
    found = filled_labels(measure, two, filled=filled, kept=KEPT)
    before = Beliefs(sources, labels).chance.sum() / 2
    assert found.doubt[0] == pytest.approx(before)
    human, chance = labels.human.copy(), labels.chance.copy()
    chance[labelled] = 1.0  # corrected, so that it does not count as drawn at any step
    pool = two.assessments
    for _, row in found.table.iterrows():
        mine = (pool.topic == pool.topics.index(row["topic"])) & (pool.documents == row["document"])
        human[mine] = row["human"]
        chance[mine] = 1.0  # chosen, and not drawn
        then = Beliefs(
            sources, ec.combining.HumanLabels(human.copy(), labels.model, chance.copy(), labels.topics, True)
        )
        assert row["doubt"] == pytest.approx(then.chance.sum() / 2)
        assert row["decided"] == ((then.wrong <= 0.05) & ~np.eye(12, dtype=bool)).sum() // 2
        assert row["worth_it"] == (row["doubt"] < before)
        before = row["doubt"]
    assert found.n_worth_it == found.table["worth_it"].sum()


def test_what_decides_most_decides_more_than_before(two: Collection) -> None:
    found = filled_labels(MEASURE, two, filled=filled_in(two, 200), kept=KEPT)
    assert found.decided[1] > found.decided[0]
    assert found.doubt[1] < found.doubt[0]
    assert (found.of_pairs, len(found.table)) == (66, 200)


def test_lines_that_nobody_filled_in_are_passed_over(two: Collection) -> None:
    rest = label_next(MEASURE, two, n=5, kept=KEPT).template().splitlines(keepends=True)[3:]
    assert len(filled_labels(MEASURE, two, filled=filled_in(two, 3) + "".join(rest), kept=KEPT).table) == 3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("t0 0 nothing 1\n", "line 1: expected a document that 'b' labelled, found 'nothing' of topic 't0'"),
        ("TEMPLATE", "expected a grade in the place of some -1, found none"),
        ("GRADE 7", r"line 1: expected a relevance grade of the declared scale \(0, 1\), found 7"),
        ("t0 d0\n", "line 1: expected"),
    ],
)
def test_what_is_no_filled_in_template_is_refused(two: Collection, text: str, why: str) -> None:
    template = label_next(MEASURE, two, n=2, kept=KEPT).template()
    given = {"TEMPLATE": template, "GRADE 7": template.replace(" -1\n", " 7\n", 1)}.get(text, text)
    with pytest.raises(ec.InputError, match=why):
        filled_labels(MEASURE, two, filled=given, kept=KEPT)
