"""Measures that read the labels of one of several sources."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from invented_support import invented
from measures.small import SCALES, collections
from measures.test_every_measure import OF_DOCUMENTS
from sources_support import FIRST, with_sources

import evalcore as ec
from evalcore.common.constants import COMBINED
from evalcore.data import judged_by
from evalcore.data.small_collections import small_collection
from evalcore.errors import InputError
from evalcore.explain.arithmetic import arithmetic
from evalcore.measures import parse
from evalcore.measures.base import JudgedBy
from evalcore.measures.catalogue import short_names
from evalcore.measures.evaluation import mean_scores
from evalcore.measures.paths import leaves, with_path
from evalcore.measures.unassessed import with_unassessed
from evalcore.notation.values import Value
from evalcore.sensitivity import parameters_of, written_out
from evalcore.structures.sources import Sources

LABELS = pd.DataFrame(
    {"relevance": [0.0, 1.0, 2.0, 1.0, 0.0, 2.0], "understandability": [2.0, 0.0, 1.0, 2.0, 1.0, 0.0]},
    index=list("abcdef"),
)
RUNS = {"one": list("axcbde"), "two": list("cbadfe"), "three": list("fxyeb"), "four": list("bdfac")}
SECOND = np.array([2.0, 0.0, np.nan, 1.0, 1.0, 0.0])


@pytest.fixture
def c():
    return with_sources(small_collection(LABELS, RUNS), umbrela=SECOND)


@pytest.mark.slow
@settings(max_examples=10)
@given(small=collections(columns=tuple(SCALES)), data=st.data())
def test_every_measure_with_a_source_scores_as_on_the_collection_with_its_labels(small, data):
    """A topic without labels of the source scores like one with an empty column."""
    pool = small.pool
    given_one = [*map(float, SCALES["relevance"].grades), np.nan]
    second = np.array(data.draw(st.lists(st.sampled_from(given_one), min_size=len(pool), max_size=len(pool))))
    two = replace(pool, sources={"relevance": Sources({FIRST: pool.columns["relevance"], "second": second}, FIRST)})
    replaced = replace(pool, columns={**pool.columns, "relevance": second})
    for measure in OF_DOCUMENTS:
        note(str(measure))
        named, of_first = measure.with_(source="second"), measure.with_(source=FIRST)
        rankings = small.rankings
        np.testing.assert_array_equal(named.scores(two, rankings), measure.scores(replaced, rankings))
        np.testing.assert_array_equal(of_first.scores(two, rankings), measure.scores(pool, rankings))


@pytest.fixture(scope="module")
def invented_with_two():
    """Make eleven topics; the second judge labelled none of the first two, and not every document of the others."""
    collection = invented(3)
    rng = np.random.default_rng(0)
    pool = collection.assessments
    second = np.where(rng.random(len(pool)) < 0.2, np.nan, rng.choice(SCALES["relevance"].grades, len(pool)))
    return with_sources(collection, second=np.where(pool.topic < 2, np.nan, second.astype(float)))


@pytest.mark.parametrize("text", ["RBP(rho=0.5)", "nDCG@2", "AP", "ERR", "Bpref", "CAM([RBP(rho=0.5), AP])"])
def test_a_topic_without_labels_of_the_source_has_no_score(invented_with_two, text):
    scores = ec.evaluate(parse(text).with_(source="second"), invented_with_two)
    assert scores.iloc[:2].isna().all().all()
    assert (scores.iloc[2:] > 0).any().any()


# --- its text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'nDCG(source="umbrela")@10',
        'uRBP(rho=0.8, threshold=2, source="umbrela")',
        'CAM(RBP(rho=0.8), aspects=["relevance", "understandability"], source="majority")',
        'CAM(RBP(rho=0.8, source="majority"), aspects=["relevance", "understandability"])',
        'CAM(base=[nDCG(source="a"), P(aspect="understandability")@10], aspects=["relevance", "understandability"])',
        'CAM(base=[nDCG(source="a"), P@10], aspects=["relevance", "understandability"], source="b")',
    ],
)
def test_a_source_is_written_in_the_parentheses_of_the_measure(text):
    assert str(parse(text)) == text


def test_a_source_is_given_by_name_and_once():
    with pytest.raises(InputError, match="at most"):
        parse('AP(None, "relevance", 1, 2, "umbrela", "x", "y")')
    with pytest.raises(InputError, match="source"):
        parse("AP(source=3)")
    with pytest.raises(InputError, match="at most once, found 'source' again"):
        parse('AP(source="a", source="b")')
    assert parse('AP(source="")') == parse("AP")


@pytest.mark.parametrize("text", ['TOMA(nDCG(source="a"))', 'Product(AP(source="a"))'])
def test_a_part_of_a_measure_cannot_have_a_source(text):
    with pytest.raises(InputError, match="give the source of labels for the whole measure"):
        parse(text)


def test_only_measures_have_a_source():
    with pytest.raises(InputError, match="found 'source'"):
        parse('TOMA(nDCG, distance=Euclidean(source="a"))')


def test_one_measure_cannot_have_two_sources():
    with pytest.raises(InputError, match="one source of labels"):
        JudgedBy(parse('AP(source="a")'), "b")


def test_parameters_of_a_measure_with_a_source_can_be_changed():
    named = parse('RBP(rho=0.8, source="a")@5')
    assert str(named.with_(rho=0.5, source="b")) == 'RBP(rho=0.5, source="b")@5'
    assert str(named) == 'RBP(rho=0.8, source="a")@5'
    with pytest.raises(InputError, match="expected one of"):
        named.with_(row=1)
    with pytest.raises(AttributeError):
        _ = named.residual  # type: ignore[attr-defined]  # that of the collection's own labels


def test_a_measure_with_a_source_can_be_copied_and_pickled():
    named = parse('CAM([nDCG(source="a"), AP], source="b")')
    assert pickle.loads(pickle.dumps(named)) == copy.deepcopy(named) == named


def test_a_measure_with_a_source_registers_no_name():
    assert "JudgedBy" not in Value.registry


def test_short_names_include_the_source_if_two_measures_differ_in_it():
    texts = ['RBP(rho=0.8, source="a")', "RBP(rho=0.8)", 'AP(source="a")']
    assert list(short_names(texts).values()) == ['RBP(source="a")', "RBP", "AP"]


# --- its scores -------------------------------------------------------------------------------------------------------


def test_the_innermost_source_counts(c):
    outer = parse('CAM([RBP(rho=0.5, source="nist"), RBP(rho=0.5)], source="umbrela")')
    each = [parse('RBP(rho=0.5, source="nist")'), parse('RBP(rho=0.5, source="umbrela")')]
    first, second = (ec.evaluate(one, c) for one in each)
    pd.testing.assert_frame_equal(ec.evaluate(outer, c), (first + second) / 2, check_exact=False)


def test_a_measure_can_name_a_source_other_than_that_of_the_collection(c):
    judged = judged_by(c, "umbrela")
    pd.testing.assert_frame_equal(ec.evaluate('AP(source="nist")', judged), ec.evaluate("AP", c))


@pytest.mark.parametrize("how", list(COMBINED))
def test_a_combination_of_all_sources_is_a_source_too(c, how):
    expected = ec.evaluate("nDCG", judged_by(c, how))
    pd.testing.assert_frame_equal(ec.evaluate(f'nDCG(source="{how}")', c), expected)


def test_an_unknown_source_is_refused_by_all_functions_that_score(c):
    named = parse('RBP(rho=0.5, source="gpt")')
    known = "nist, umbrela, majority, median, mean, union, agreed"
    tries = (
        lambda: ec.evaluate(named, c),
        lambda: ec.residual(named, c),
        lambda: mean_scores([named], c),
        lambda: mean_scores([named, named.with_(rho=0.7)], c),
        lambda: ec.sweep("RBP(rho=0.5)", "source", ["nist", "gpt"], c),
        lambda: arithmetic(named, c.assessments, c.rankings),
    )
    for scoring in tries:
        with pytest.raises(InputError, match=known):
            scoring()


def test_if_each_aspect_has_one_source_no_source_can_be_named():
    with pytest.raises(InputError, match="one for each aspect"):
        ec.evaluate('AP(source="nist")', small_collection(LABELS, RUNS))


def test_means_of_rank_biased_measures_with_several_sources_equal_those_one_by_one(c):
    texts = [
        f"{kind}(rho={rho}{of})" for kind in ("RBP", "uRBP") for rho in (0.5, 0.8) for of in ("", ', source="umbrela"')
    ]
    measures = [parse(text) for text in texts]
    expected = [measure.scores_on(c).mean(axis=1) for measure in measures]
    np.testing.assert_allclose(mean_scores(measures, c), expected, rtol=1e-12)


def test_the_residual_is_for_documents_that_the_source_did_not_label(c):
    found = ec.residual('RBP(rho=0.5, source="umbrela")', c)
    pd.testing.assert_frame_equal(found, ec.residual("RBP(rho=0.5)", judged_by(c, "umbrela")))
    more = found.iloc[0] - ec.residual("RBP(rho=0.5)", c).iloc[0]
    assert more.tolist() == [0.125, 0.5, 0.0, 0.03125]  # umbrela lacks c, at ranks 3, 1, none and 5
    with pytest.raises(InputError, match="rank-biased"):
        ec.residual('AP(source="umbrela")', c)


@pytest.mark.parametrize("worth", ["left out", "1"])
def test_what_is_unassessed_depends_on_the_source(c, worth):
    """The collection's own labels are used first on the same rankings; cached lists must not be those of the source."""
    measure = parse("RBP(rho=0.5)")
    with_unassessed(measure, worth).scores_on(c)
    found = with_unassessed(measure.with_(source="umbrela"), worth).scores_on(c)
    np.testing.assert_array_equal(found, with_unassessed(measure, worth).scores_on(judged_by(c, "umbrela")))


# --- code that looks inside -------------------------------------------------------------------------------------------


def test_a_measure_with_a_source_has_the_numbers_of_the_measure_inside(c):
    named = parse('CAM(RBP(rho=0.8, source="nist"), weights=[1, 2], source="umbrela")')
    plain = parse("CAM(RBP(rho=0.8), weights=[1, 2])")
    assert [leaf.path for leaf in leaves(named)] == [leaf.path for leaf in leaves(plain)]
    changed = with_path(with_path(named, "base.rho", 0.5), "weights[0]", 3)
    assert changed == parse('CAM(RBP(rho=0.5, source="nist"), weights=[3, 2], source="umbrela")')
    assert [one.path for one in parameters_of(named, c)] == [one.path for one in parameters_of(plain, c)]
    assert str(written_out('CAM(AP, source="umbrela")', c)).endswith('weights=[1, 1], source="umbrela")')
