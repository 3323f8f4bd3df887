"""The meaning of a grade, through every part: files, measures, presets, and the same in plain lists (see `Scale`)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import evalcore as ec
from evalcore.measures import AP, RBP, Bpref, Measure, nDCG
from evalcore.measures.catalogue import FIRST_LOOK, suggestions
from evalcore.structures.documents import Scale, assumed_grades

TREC_WEB = "1 0 a -2\n1 0 b 0\n1 0 c 1\n1 0 d 0\n1 0 e 2\n"


def collection(qrels: dict[str, str], run: str, manifest: str | None = None) -> ec.Collection:
    """One topic: qrels by aspect as in a file, and the documents of one run from rank 1 on."""
    lines = "\n".join(f"1 Q0 {name} {rank} {100 - rank} r" for rank, name in enumerate(run.split(), start=1))
    names = {"relevance": "qrels.txt", "trustworthiness": "qtrust.txt"}
    files = [("runs/r.run", lines.encode()), *((names[name], text.encode()) for name, text in qrels.items())]
    return ec.load_files(files, manifest=manifest)


def score(measure: Measure | str, c: ec.Collection) -> float:
    return float(ec.evaluate(measure, c).to_numpy()[0, 0])


# --- grades below 0 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["First look", "One aspect, classic", "Each aspect alone", "trec_eval"])
def test_every_set_with_ap_takes_grades_above_0_for_relevant(name):
    web = collection({"relevance": TREC_WEB}, "b d a c x")
    single = [one for one in suggestions(web)[name] if isinstance(one, AP) and one.aspect == "relevance"]
    assert single
    assert score(single[0], web) == 0.125  # trec_eval's map


def test_what_is_not_judged_is_passed_over_like_what_is_not_in_the_pool():
    """A condensed list, Bpref and the residual of RBP take a grade below 0 as unassessed, as trec_eval -J does."""
    below = collection({"relevance": TREC_WEB}, "b d a c x")
    without = collection({"relevance": TREC_WEB.replace("1 0 a -2\n", "")}, "b d a c x")
    for measure in ("AP(judged_only=True)", "nDCG(judged_only=True)", "P(judged_only=True)@3", "Bpref"):
        assert score(measure, below) == score(measure, without)
    assert ec.residual("RBP(rho=0.5)", below).equals(ec.residual("RBP(rho=0.5)", without))


def test_what_is_not_judged_gains_nothing_where_low_is_good():
    """-1 is below every difficulty, and must not pass for the easiest."""
    manifest = 'runs = ["runs/*"]\n[aspects.relevance]\nfile = "qrels.txt"\ngood = "low"\n'
    hard = collection({"relevance": "1 0 a -1\n1 0 b 2\n1 0 c 0\n"}, "a b c", manifest)
    assert score("AP", hard) == pytest.approx(1 / 3)  # c alone is better than the hardest
    assert score("nDCG", hard) == 0.5


# --- no 0 in the file ------------------------------------------------------------------------------------------------


def test_qrels_without_a_0_count_their_lowest_grade_as_relevant():
    ones = collection({"relevance": "1 0 a 1\n1 0 b 2\n1 0 c 1\n"}, "a x b c")
    every = (1 + 2 / 3 + 3 / 4) / 3  # all three are relevant
    assert score("AP", ones) == pytest.approx(every)
    assert all(score(one, ones) == pytest.approx(every) for one in suggestions(ones)[FIRST_LOOK] if one == AP())


def test_toma_knows_the_worst_label_that_no_line_has():
    """The authors' code begins at its minimum_label, 0: nDCG .8739 and AP 1."""
    c = collection(
        {"relevance": "1 0 a 1\n1 0 b 2\n1 0 c 1\n", "trustworthiness": "1 0 a 0\n1 0 b 1\n1 0 c 1\n"}, "a b c"
    )
    toma = 'TOMA({}, aspects=["relevance", "trustworthiness"], embedding="{}")'
    assert score(toma.format("nDCG", "equal steps"), c) == pytest.approx(0.8739, abs=5e-5)
    assert score(toma.format("AP", "equal steps"), c) == 1.0
    for embedding in ("equal steps", "equal ranges"):
        plain = ec.parse(f'TOMA(nDCG, embedding="{embedding}")').of([1, 2, 1], [0, 1, 1])
        assert score(toma.format("nDCG", embedding), c) == pytest.approx(plain)


# --- one label -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [-1, 0, 1, 5])
def test_all_that_is_offered_can_be_computed_where_an_aspect_has_one_label(label):
    trust = f"1 0 a {label}\n1 0 b {label}\n"
    c = collection({"relevance": "1 0 a 1\n1 0 b 0\n", "trustworthiness": trust}, "a b")
    for listed in suggestions(c).values():
        for measure in listed:
            assert np.isfinite(score(measure, c))


# --- scales with another bottom --------------------------------------------------------------------------------------


def test_a_declared_scale_of_1_to_5_is_positive_above_its_worst_label():
    manifest = 'runs = ["runs/*"]\n[aspects.relevance]\nfile = "qrels.txt"\ngrades = [1, 2, 3, 4, 5]\n'
    stars = collection({"relevance": "1 0 a 1\n1 0 b 2\n1 0 c 5\n"}, "a b c", manifest)
    assert score("AP", stars) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert score("AP(rel=1)", stars) == 1.0  # unless rel says otherwise


# --- the rule itself -------------------------------------------------------------------------------------------------

GRADES = st.lists(st.sampled_from([-3.0, -2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0]), min_size=1, max_size=8)


@given(GRADES)
def test_an_undeclared_scale_is_0_and_what_lies_above_it(grades):
    scale = assumed_grades(np.array(grades))
    assert scale[0] == 0
    assert len(scale) > 1
    assert set(scale[1:]) == {grade for grade in grades if grade > 0} or scale == (0, 1)


@given(GRADES, st.floats(0.1, 0.9))
def test_a_label_that_nobody_gave_changes_no_score(grades, rho):
    """Documents score the same whether or not some line carries the grade 0."""
    assume(0.0 not in grades)
    for measure in (AP(), nDCG(), RBP(rho=rho), Bpref(), ec.parse("ERR"), ec.parse("Q")):
        shown = measure.of(grades)
        assert shown == pytest.approx(measure.of([*grades, None]), abs=1e-12)
        assert shown == pytest.approx(measure.of([None if grade < 0 else grade for grade in grades]), abs=1e-12)


def test_zero_is_the_label_that_is_worth_nothing():
    assert Scale("relevance", grades=(-2, 0, 1)).zero == 0
    assert Scale("stars", grades=(1, 2, 3)).zero == 1
    assert Scale("difficulty", good="low", grades=(0, 1, 2)).zero == 2


# --- signals and mistakes --------------------------------------------------------------------------------------------


def test_a_parameter_that_is_varied_starts_where_the_measure_is():
    """One rel for several aspects that begin elsewhere has no present value: none scores as the measure does."""
    manifest = (
        'runs = ["runs/*"]\n[aspects.relevance]\nfile = "qrels.txt"\n'
        '[aspects.trustworthiness]\nfile = "qtrust.txt"\ngrades = [1, 2, 3]\n'
    )
    c = collection({"relevance": "1 0 a 0\n1 0 b 1\n", "trustworthiness": "1 0 a 1\n1 0 b 3\n"}, "a b", manifest)
    both = 'CAM(AP, aspects=["relevance", "trustworthiness"])'
    assert {p.path: p.value for p in ec.parameters_of(both, c)}["base.rel"] is None
    for text in ("AP", 'AP(aspect="trustworthiness")'):
        value = {p.path: p.value for p in ec.parameters_of(text, c)}.get("rel")
        assert value is None or score(ec.parse(text).with_(rel=value), c) == score(text, c)


def test_a_gain_table_refuses_a_grade_that_is_not_on_its_scale():
    with pytest.raises(ec.InputError, match=r"expected a grade of understandability \(0, 1, 2, 3\), found 4"):
        ec.parse("uRBPgr").of([1], [4])


# --- a scale that may begin at 1 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grades", "warned"), [("12345", True), ("11213", True), ("01234", False), ("11111", False), ("11212", False)]
)
def test_where_every_label_is_above_0_the_report_notes_what_that_makes_of_them(grades: str, warned: bool):
    qrels = "".join(f"1 0 {name} {grade}\n" for name, grade in zip("abcde", grades, strict=True))
    notes = collection({"relevance": qrels}, "a b c").report.notes
    found = [note.text for note in notes if note.kind == "warning"]
    assert (
        any("so every assessed document counts as positive; if 1 is the worst label" in text for text in found)
        == warned
    )
