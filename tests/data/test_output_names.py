"""Folders of outputs that name no system, and of tables by topic: names of files add what content does not say."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import evalcore as ec

FAMILIES, KINDS = ("bm25", "splade", "e5"), ("", "-large", "_v2", ".rerank", "+rm3")
RUNS = [family + kind for family, kind in product(FAMILIES, KINDS)]  # names hold what parts names from judges
JUDGES, TOPICS, MEASURES = ("nist", "gpt-4o"), ("301", "302"), ("map", "P_10")
LAYOUTS = [
    "{run}.{judge}.txt",
    "{judge}_{run}.txt",
    "{run}__{judge}",
    "dl21.{judge}.{run}.res",
    "{run}.trec_eval.{judge}.q.txt",
    "{judge}/{run}.txt",
    "results/{judge}/per_topic/{run}/out.txt",
    "{run}/{run}.{judge}.eval",
]


def value(run: str, judge: str, topic: str, measure: str) -> float:
    """A number of its own for each cell."""
    return (RUNS.index(run) + 20 * JUDGES.index(judge) + 100 * TOPICS.index(topic) + MEASURES.index(measure)) / 1000


def output(run: str, judge: str, measures: tuple[str, ...] = MEASURES, relevant: dict[str, int] | None = None) -> str:
    lines = [f"{m:22s}\t{t}\t{value(run, judge, t, m):.4f}\n" for t in TOPICS for m in measures]
    lines += [f"{'num_rel':22s}\t{t}\t{count}\n" for t, count in (relevant or {}).items()]
    return "".join([*lines, *(f"{m:22s}\tall\t0.5\n" for m in measures)])


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.replace("\n", "\r\n" if len(path.name) % 2 else "\n").encode())


def is_right(c: ec.Collection, measures: tuple[str, ...] = MEASURES) -> bool:
    """Return True if each measure by each judge has each score, of the systems by their own names."""
    assert (set(c.systems), set(c.topics)) == ({*RUNS}, {*TOPICS})
    assert {*c.rankings.given} == {f"{measure} {judge}" for measure in measures for judge in JUDGES}
    for measure, judge in product(measures, JUDGES):
        scores = ec.evaluate(f'Score("{measure} {judge}")', c)
        for run, topic in product(RUNS, TOPICS):
            if scores.loc[topic, run] != value(run, judge, topic, measure):
                return False
    return True


@pytest.mark.parametrize("layout", LAYOUTS)
def test_unnamed_systems_and_judges_are_named_after_files(tmp_path, layout):
    for run, judge in product(RUNS, JUDGES):
        write(tmp_path / layout.format(run=run, judge=judge), output(run, judge))
    c = ec.load(tmp_path, use_cache=False)
    assert is_right(c)
    (tmp_path / "collection.toml").write_text(c.manifest)
    assert is_right(ec.load(tmp_path, use_cache=False))


def test_one_file_for_each_measure_is_read(tmp_path):
    for run, judge, measure in product(RUNS, JUDGES, MEASURES):
        write(tmp_path / f"{run}.{judge}.{measure}", output(run, judge, (measure,)))
    assert is_right(ec.load(tmp_path, use_cache=False))


def test_runs_that_a_judge_lacks_have_gaps(tmp_path):
    for run, judge in product(RUNS, JUDGES):
        if (run, judge) not in {("bm25", "nist"), ("e5", "gpt-4o")}:
            write(tmp_path / f"{run}.{judge}.txt", output(run, judge))
    c = ec.load(tmp_path, use_cache=False)
    assert len(c.systems) == len(RUNS)
    assert ec.evaluate('Score("map nist")', c)["bm25"].isna().all()


@pytest.mark.parametrize("layout", ["{judge}/{topic}.csv", "per-topic.{topic}.{judge}.csv"])
def test_a_table_of_systems_for_each_topic(tmp_path, layout):
    for judge, topic in product(JUDGES, TOPICS):
        rows = [",".join([run, *(str(value(run, judge, topic, m)) for m in MEASURES)]) for run in RUNS]
        write(tmp_path / layout.format(judge=judge, topic=topic), "\n".join(["system,map,P_10", *rows, ""]))
    assert is_right(ec.load(tmp_path, use_cache=False))


@pytest.mark.parametrize("layout", ["{judge}.{topic}.txt", "{judge}/{topic}.eval", "topic-{topic}_{judge}.tsv"])
def test_outputs_for_each_topic_name_systems_where_others_name_topics(tmp_path, layout):
    for judge, topic in product(JUDGES, TOPICS):
        lines = [f"{m:22s}\t{run}\t{value(run, judge, topic, m)}\n" for run, m in product(RUNS, MEASURES)]
        write(tmp_path / layout.format(judge=judge, topic=topic), "".join(lines))
    c = ec.load(tmp_path, use_cache=False)
    assert is_right(c)
    (tmp_path / "collection.toml").write_text(c.manifest)
    assert is_right(ec.load(tmp_path, use_cache=False))


HEADS = ["run,judge,topic,measure,score", "judge,topic,run,map,P_10", "run,topic,map,judge,P_10"]


@pytest.mark.parametrize("head", HEADS)
def test_a_column_of_judges(tmp_path, head):
    cells = [*product(RUNS, JUDGES, TOPICS)]
    if "measure" in head:
        rows = [f"{r},{j},{t},{m},{value(r, j, t, m)}" for r, j, t in cells for m in MEASURES]
    else:
        named = [{"run": r, "judge": j, "topic": t, **{m: value(r, j, t, m) for m in MEASURES}} for r, j, t in cells]
        rows = [",".join(str(one[name]) for name in head.split(",")) for one in named]
    write(tmp_path / "scores.csv", "\n".join([head, *rows, ""]))
    assert is_right(ec.load(tmp_path, use_cache=False))


def test_topics_that_are_numbers_head_columns(tmp_path):
    write(tmp_path / "map.csv", "run,301,302\nbm25,0.5,0.25\nql,0.25,0.75\n")
    assert ec.evaluate('Score("map")', ec.load(tmp_path, use_cache=False))["ql"].tolist() == [0.25, 0.75]
