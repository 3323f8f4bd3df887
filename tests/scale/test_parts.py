"""Collections in parts: the same scores to the last bit, whatever the parts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from measures.test_every_measure import FORMS
from scale.invented import assert_same, assert_scores_equal, invented

import evalcore as ec
from evalcore import sensitivity
from evalcore.data.small import small_collection
from evalcore.measures import Measure, suggestions
from evalcore.notation.values import Value

CLASSES = [
    cls for cls in Value.registry.values() if issubclass(cls, Measure) and cls.__module__.startswith("evalcore.")
]
LOOK_AROUND = [
    "TOMA(nDCG, tuples=\"observed\", weights=ByDistance)",
    "CAM([TOMA(AP, tuples=\"observed\"), nDCG], weights=[1, 3])",
    "MM([GM([TOMA(nDCG, tuples=\"observed\"), AP]), nDCG])",
    "uRBPgr(rho=0.8, aspect=\"fog\")",
    "Product(nDCG, gains={\"relevance\": Share, \"fog\": Table([0, 0.1, 1])})",
]  # fmt: skip
EVERY = [cls() for cls in CLASSES] + [ec.parse(text) for text in [*FORMS, *LOOK_AROUND]]


@pytest.fixture(scope="module", params=[1, 3, 4, 100], ids="{}-topics".format)
def both(request, tmp_path_factory):
    whole = invented(request.param, systems=1 if request.param == 1 else 5)
    folder = ec.partition(whole, tmp_path_factory.mktemp("parts") / "new", topics_per_part=request.param)
    return whole, ec.open_partitions(folder)


def test_parts_put_together_are_the_collection(both):
    whole, parts = both
    assert_same(whole, parts.in_memory())
    assert [topic for part in parts for topic in part.topics] == list(whole.topics)
    pools = pd.concat([part.assessments.frame() for part in parts], ignore_index=True)
    pd.testing.assert_frame_equal(pools, whole.assessments.frame())
    assert (parts.topics, parts.systems, parts.aspects, parts.signals) == (
        whole.topics,
        whole.systems,
        whole.aspects,
        whole.signals,
    )
    assert parts.fingerprint == whole.fingerprint
    np.testing.assert_array_equal(parts.rankings.length, whole.rankings.length)
    assert (parts.rankings.depth, parts.rankings.n_pool) == (whole.rankings.depth, whole.rankings.n_pool)
    pd.testing.assert_frame_equal(parts.assessments.frame(), whole.assessments.frame())
    pd.testing.assert_frame_equal(parts.assessed_share([1, 5]), whole.assessed_share([1, 5]))


@pytest.fixture(scope="module")
def of_whole(both):
    """Scores by every measure, or what it expected."""
    return {str(measure): scores_or_error(measure, both[0]) for measure in EVERY}


@pytest.fixture(scope="module")
def of_parts(both, of_whole):
    """Scores by every measure that the whole has scores by: for all of them together each part is read once."""
    return ec.evaluate([text for text, found in of_whole.items() if not isinstance(found, str)], both[1])


@pytest.mark.parametrize("measure", [str(measure) for measure in EVERY])
def test_every_measure_scores_parts_as_it_scores_the_whole(both, of_whole, of_parts, measure):
    expected = of_whole[measure]
    if isinstance(expected, str):
        assert scores_or_error(measure, both[1]) == expected
    else:
        pd.testing.assert_frame_equal(of_parts[measure], expected, check_exact=True)


def scores_or_error(measure, collection):
    """Scores, or what was expected of a collection that the measure cannot be used on."""
    try:
        return ec.evaluate(measure, collection)
    except ec.InputError as error:
        return str(error).split(" found")[0]


def test_many_measures_at_once_and_their_means(both):
    whole, parts = both
    measures = [one for listed in suggestions(whole).values() for one in listed]
    assert [str(one) for listed in suggestions(parts).values() for one in listed] == list(map(str, measures))
    assert_scores_equal(ec.evaluate(measures, parts), ec.evaluate(measures, whole))


def test_the_residual(both):
    whole, parts = both
    pd.testing.assert_frame_equal(ec.residual("uRBP", parts), ec.residual("uRBP", whole), check_exact=True)


def test_some_systems_and_topics(both):
    whole, parts = both
    chosen = {"systems": whole.systems[:3], "topics": whole.topics[2:9:2]}
    less, expected = ec.restrict(parts, **chosen), ec.restrict(whole, **chosen)
    assert less.fingerprint == expected.fingerprint
    for measure in ("nDCG", 'TOMA(AP, tuples="observed")'):
        pd.testing.assert_frame_equal(ec.evaluate(measure, less), ec.evaluate(measure, expected), check_exact=True)
    np.testing.assert_array_equal(less.rankings.length, expected.rankings.length)
    assert list(less.report.systems.index) == list(expected.systems)
    assert ec.restrict(parts) is parts
    with pytest.raises(ec.InputError, match="expected topics of this collection, found 'x'"):
        ec.restrict(parts, topics=["x"])


@pytest.mark.parametrize(
    ("measure", "parameter", "values"),
    [("ERR", "cutoff", [1, 3, 9]), ("CAM(nDCG)", "weights", [[1.0, 2.0], [0.3, 0.1]]), ("Q", "beta", [0.5, 2.0])],
)
def test_sweeps_are_the_same(both, measure, parameter, values):
    whole, parts = both
    expected = ec.sweep(measure, parameter, values, whole)
    pd.testing.assert_frame_equal(ec.sweep(measure, parameter, values, parts), expected, check_exact=True)


def test_a_sweep_of_a_rank_biased_measure_is_the_mean_of_its_scores(both):
    whole, parts = both
    rhos = [0.3, 0.5, 0.8, 0.95]
    swept = ec.sweep("uRBP", "rho", rhos, parts)
    scored = [ec.evaluate(f"uRBP(rho={rho})", whole).to_numpy().T.mean(axis=1) for rho in rhos]
    assert (swept.to_numpy() == np.array(scored)).all()
    # In memory the sums over topics are taken in another order.
    np.testing.assert_allclose(swept, ec.sweep("uRBP", "rho", rhos, whole), rtol=0, atol=4e-16)


@pytest.mark.parametrize("measure", ["MM(nDCG)", "TOMA(nDCG)", "RBP"])
def test_sensitivity(both, measure):
    whole, parts = both
    paths = [one.path for one in sensitivity.parameters_of(measure, whole)][:2]
    assert sensitivity.parameters_of(measure, parts) == sensitivity.parameters_of(measure, whole)
    values = [sensitivity.parameter_of(measure, path, whole).values(3) for path in paths]
    asked = (measure, paths[0], values[0], paths[1], values[1])
    shares: list[float] = []
    found, expected = sensitivity.grid(*asked, parts, tell=shares.append), sensitivity.grid(*asked, whole)
    np.testing.assert_allclose(found.means, expected.means, rtol=0, atol=4e-16 if measure == "RBP" else 0)
    np.testing.assert_array_equal(found.winner, expected.winner)
    assert max(shares) == 1


def test_what_looks_at_single_documents_is_refused_on_parts(both):
    parts = both[1]
    with pytest.raises(ec.InputError, match=r"expected a collection in memory, found one in parts.*in_memory"):
        ec.cut_rankings(parts, 5)


def test_map(both):
    whole, parts = both
    assert sum(parts.map(hits_of)) == len(whole.rankings.rank)


def hits_of(part):
    return len(part.rankings.rank)


def test_the_measures_of_an_undefined_setting(both):
    parts = both[1]
    found = sensitivity.grid("CAM(nDCG)", "weights[0]", [0.0, 1.0], "weights[1]", [0.0, 1.0], parts)
    assert np.isnan(found.means[0, 0]).all()
    assert np.isfinite(found.means[1]).all()


def test_meta_evaluation_sees_the_same_frames(both):
    mine, theirs = (ec.evaluate(["nDCG", "AP"], one) for one in both[::-1])
    if len(both[0].systems) < 2:
        for tables in (mine, theirs):
            with pytest.raises(ValueError, match="expected at least 2 systems, found 1"):
                ec.discriminative_power(tables, n_resamples=50)
        return
    one, other = (ec.discriminative_power(tables, n_resamples=50) for tables in (mine, theirs))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ec.InputError, match="expected a new or an empty folder"):
        ec.partition(invented(1), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_failure_leaves_nothing(tmp_path):
    with pytest.raises(ec.InputError, match="expected a folder or zip"):
        ec.partition(None, tmp_path / "new")
    with pytest.raises(ec.InputError, match="expected at least 1 topic in a part"):
        ec.partition(invented(1), tmp_path / "new", topics_per_part=0)
    assert list(tmp_path.iterdir()) == []


def test_a_collection_without_a_report(tmp_path):
    labels = pd.DataFrame({"relevance": [1, 0]}, index=["a", "b"])
    whole = small_collection(labels, {"one": ["a"], "other": ["b", "a"]})
    parts = ec.open_partitions(ec.partition(whole, tmp_path / "new"))
    assert ec.evaluate("AP", parts).to_numpy().tolist() == [[1.0, 0.5]]
    assert "2 systems · 1 topic ·" in repr(parts)
    assert list(parts.report.systems.index) == ["one", "other"]
