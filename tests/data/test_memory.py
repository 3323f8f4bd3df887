"""Collections in memory: every form gives what files with that content give; errors name argument and row."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
import pytest
import pytrec_eval
from data.forms import Qrels, Run, pyterrier, qrel_rows, run_rows, same, trec, trec_qrels

import evalcore as ec

RUN: Run = {"1": {"d1": 3.0, "d2": 2.5, "d3": 0.1}, "2": {"d9": 1.25, "d1": -1e-05}}
QRELS: Qrels = {"1": {"d1": 0, "d2": 2, "d4": 1}, "2": {"d9": 1, "d1": -1}}


def expected(run: Run = RUN, qrels: Qrels = QRELS) -> ec.Collection:
    return ec.load_files([("a.run", trec(run)), ("qrels.txt", trec_qrels(qrels))])


def trec_like(run: Run) -> pd.DataFrame:
    return pd.DataFrame(run_rows(run), columns=["topic", "document", "rank", "score"])


def scored_docs(run: Run) -> Any:
    return (ir_measures.ScoredDoc(topic, document, score) for topic, document, _, score in run_rows(run))


def qrel_tuples(qrels: Qrels) -> Any:
    return (ir_measures.Qrel(*row) for row in qrel_rows(qrels))


def parsed_run(run: Run) -> Any:
    return pytrec_eval.parse_run(io.StringIO(trec(run).decode()))


def parsed_qrels(qrels: Qrels) -> Any:
    return pytrec_eval.parse_qrel(io.StringIO(trec_qrels(qrels).decode()))


def ir_measures_frame(run: Run) -> pd.DataFrame:
    return pd.DataFrame(scored_docs(run))


def ir_measures_qrels(qrels: Qrels) -> pd.DataFrame:
    return pd.DataFrame(qrel_tuples(qrels))


def pyterrier_qrels(qrels: Qrels) -> pd.DataFrame:
    return pd.DataFrame(qrel_rows(qrels), columns=["qid", "docno", "label"])


def indexed(run: Run) -> pd.DataFrame:
    return trec_like(run).set_index(["topic", "document"])


def ranx_run(run: Run) -> Any:
    return importlib.import_module("ranx").Run(run)


def ranx_qrels(qrels: Qrels) -> Any:
    return importlib.import_module("ranx").Qrels(qrels)


RUNS: tuple[Callable[[Run], Any], ...] = (
    dict,
    parsed_run,
    ranx_run,
    pyterrier,
    trec_like,
    indexed,
    ir_measures_frame,
    scored_docs,
)
ASSESSMENTS: tuple[Callable[[Qrels], Any], ...] = (
    dict,
    parsed_qrels,
    ranx_qrels,
    pyterrier_qrels,
    ir_measures_qrels,
    qrel_tuples,
)


def test_data_in_memory_give_the_same_as_files(subtests):
    for run, qrels in [*((one, dict) for one in RUNS), *((dict, one) for one in ASSESSMENTS)]:
        with subtests.test(f"{run}, {qrels}"):
            same(ec.collection({"a": run(RUN)}, {"relevance": qrels(QRELS)}), expected())


def test_what_ranx_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # Not compiled, ranx keeps names and scores as numpy's.
    monkeypatch.setattr(orjson, "OPT_INDENT_2", orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY)
    for ending in ("json", "parquet", "trec"):
        folder = tmp_path / ending
        folder.mkdir()
        ranx_run(RUN).save(str(folder / f"a.{ending}"), kind=ending)
        ranx_qrels(QRELS).save(str(folder / f"qrels.{ending}"), kind=ending)
        same(ec.load(folder), expected())


def test_one_run_and_one_frame_of_several_systems():
    assert ec.collection(RUN, QRELS).systems == ("run",)
    both = pd.concat([trec_like(RUN).assign(system=name) for name in ("b", "a")])
    assert ec.collection(both, QRELS).systems == ("a", "b")


def test_several_aspects_and_signals():
    wide = pd.DataFrame({"qid": [1, 1], "docno": ["d1", "d2"], "relevance": [1, 0], "credibility": [2, np.nan]})
    c = ec.collection({"a": RUN}, wide, {"fog": {"d1": 9.5}, "spam": pd.Series({"d2": 3})}, good={"spam": "low"})
    assert (c.aspects, c.signals) == (("relevance", "credibility"), ("fog", "spam"))
    np.testing.assert_array_equal(c.assessments.column("credibility"), [2, np.nan])
    np.testing.assert_array_equal(c.assessments.column("spam"), [np.nan, 3])
    assert [c.assessments.scale(name).good for name in c.signals] == ["low", "low"]


def test_a_declared_scale_and_what_belongs_to_topics_and_documents():
    c = ec.collection(
        {"a": RUN},
        {"relevance": {"1": {"d1": 1}}},
        scales=[ec.Scale("relevance", grades=(0, 1, 2))],
        title="Mine",
        queries={"1": "what"},
        texts={"d1": "A text."},
    )
    assert c.assessments.scale("relevance").grades == (0, 1, 2)
    assert (c.title, c.queries, c.texts) == ("Mine", {"1": "what"}, {"d1": "A text."})


def test_subtopics_in_memory():
    frame = pd.DataFrame(
        {"qid": ["1"] * 3, "iteration": ["1", "2", "2"], "docno": ["d1", "d1", "d2"], "label": [0, 2, 1]}
    )
    c = ec.collection({"a": RUN}, frame)
    assert c.assessments.column("relevance").tolist() == [2, 1]
    assert c.subtopics is not None
    assert c.subtopics["subtopic"].tolist() == ["1", "2", "2"]


def frame(**columns: Any) -> pd.DataFrame:
    return pyterrier(RUN).assign(**columns)


NUMBER = "expected a finite number as"
BROKEN: dict[str, tuple[Any, Any, str]] = {
    "a NaN in a dict": ({"a": {"1": {"d1": np.nan}}}, QRELS, f"runs['a']['1']['d1']: {NUMBER} score, found 'nan'"),
    "a truth in a dict": ({"a": {"1": {"d1": True}}}, QRELS, f"runs['a']['1']['d1']: {NUMBER} score, found 'True'"),
    "an infinite grade": ({"a": RUN}, {"1": {"d1": np.inf}}, f"aspects['1']['d1']: {NUMBER} relevance, found 'inf'"),
    "a NaN in a frame": (
        {"a": frame(score=[1, 2, np.nan, 4, 5])},
        QRELS,
        f"runs['a'] row 3: {NUMBER} score, found 'nan'",
    ),
    "an empty id": (
        {"a": {"1": {"": 1.0}}},
        QRELS,
        "runs['a']['1']['']: expected a document id without spaces, found an empty cell",
    ),
    "a decimal id": (
        {"a": frame(qid=1.5)},
        QRELS,
        "runs['a'] row 1: expected a topic id as text or a whole number, found '1.5'",
    ),
    "two grades": (
        {"a": RUN},
        pd.DataFrame({"qid": ["1", "1"], "docno": ["d1", "d1"], "label": [0, 1]}),
        "aspects row 2: expected one relevance label for topic '1', document 'd1', found 1 after 0 in row 1",
    ),
    "plain tuples": (
        [("1", "d1", 2.0)],
        QRELS,
        "runs row 1: expected a frame, a dict of dicts, or (topic, document, number) records such as those of "
        "ir_measures, found \"('1', 'd1', 2.0)\"",
    ),
    "no run": ({}, QRELS, "runs: expected at least one run, found none"),
    "an empty run": ({"a": {}}, QRELS, "runs['a']: expected documents with a score, found none"),
    "a system without a name": ({"": RUN}, QRELS, "runs: expected a name for each system, found an empty one"),
    "no grades": ({"a": RUN}, frame()[["qid", "docno"]], "aspects: expected a column of grades, found topic, document"),
    "no score": (
        {"a": frame()[["qid", "docno"]]},
        QRELS,
        "runs['a']: expected a column rank or score, found neither",
    ),
    "no topic in common": (
        {"a": {"7": {"d1": 1.0}}},
        QRELS,
        "runs['a']: expected runs and assessments on the same topics, found '7' in the runs and '1' in the assessments",
    ),
}


def test_errors_in_memory_are_named(subtests):
    for case in BROKEN:
        with subtests.test(str(case)):
            runs, aspects, message = BROKEN[case]
            with pytest.raises(ec.InputError) as refused:
                ec.collection(runs, aspects)
            assert str(refused.value) == message


def test_an_aspect_and_a_signal_of_one_name():
    with pytest.raises(ec.InputError, match="different names for aspects and signals, found relevance, relevance"):
        ec.collection({"a": RUN}, QRELS, {"relevance": {"d1": 1}})


def test_arrow_tables_and_what_gives_them_are_frames():
    """polars, pyarrow and DuckDB give their tables by `__arrow_c_stream__`."""

    class Stream:
        def __init__(self, table: pa.Table) -> None:
            self.table = table

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.table.__arrow_c_stream__(requested_schema)

    run = pa.table({"qid": ["1", "1"], "docno": ["d1", "d2"], "score": [2.0, 1.0]})
    labels = pa.table({"qid": [1.0, 1.0], "docno": ["d1", "d2"], "label": [0, 1]})  # topic 1 was made 1.0
    for form in (lambda table: table, Stream):
        c = ec.collection({"a": form(run)}, form(labels))
        assert (c.topics, c.aspects) == (("1",), ("relevance",))
        assert ec.evaluate("RR", c).loc["1", "a"] == 0.5


# Headers of one frame

JUDGED = pd.DataFrame(
    [(topic, document, at % 3, at % 2, "w1", 2.5) for topic in ("101", "102") for at, document in enumerate("abcdefg")],
    columns=["qid", "docno", "topical_relevance", "readability", "worker_id", "seconds"],
)
RANKED = {"bm25": {"101": {"a": 2.0, "b": 1.0}, "102": {"b": 2.0}}}


def aspect_notes(c: ec.Collection) -> list[str]:
    return [f"{note.kind} {note.text}" for note in c.report.notes if note.where.startswith("aspects")]


def test_the_column_named_after_the_aspect_is_read():
    c = ec.collection(RANKED, {"understandability": JUDGED})
    assert c.assessments.columns["understandability"].tolist() == JUDGED["readability"].tolist()
    assert any("not read: topical_relevance, seconds" in note for note in aspect_notes(c))


@pytest.mark.parametrize(
    "options", [{"scales": [ec.Scale("readability", grades=(0, 1))]}, {"good": {"readability": "low"}}]
)
def test_a_header_that_is_declared_keeps_its_name(options: dict[str, Any]):
    assert ec.collection(RANKED, JUDGED, **options).aspects == ("relevance", "readability")
