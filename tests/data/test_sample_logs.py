"""Forms in which tools write a line or an object for each sample, and roles that names of files have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import evalcore as ec

TOPICS = ("q1", "q2", "q3")
MEASURES = ("faith", "ground")
QRELS = "".join(f"{t} 0 d{d} {d % 2}\n" for t in TOPICS for d in range(4))
RUN = "".join(f"{t} Q0 d{d} {d} {9 - d} x\n" for t in TOPICS for d in range(4))


def opened(files: dict[str, str], manifest: str | None = None) -> ec.Collection:
    return ec.load_files([(name, text.encode()) for name, text in files.items()], manifest=manifest)


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def value(system: int, topic: int) -> float:
    return float((system + topic) % 2)


def harness(system: int) -> tuple[str, str]:
    records = [{"doc_id": t, "target": "a", "filtered_resps": ["a"], "acc": value(system, t)} for t in range(3)]
    return f"org__s{system}/samples_arc_2024-01-01T00-00-00.0.jsonl", lines(records)


def inspect(system: int) -> tuple[str, str]:
    samples = [{"id": t, "epoch": 1, "scores": {"acc": {"value": "C" if value(system, t) else "I"}}} for t in range(3)]
    return f"{system}.json", json.dumps({"version": 2, "eval": {"model": f"org/s{system}"}, "samples": samples})


def every_eval_ever(system: int) -> tuple[str, str]:
    about = {"schema_version": "instance_level_eval_0.2.2", "evaluation_name": "acc", "model_id": f"org/s{system}"}
    records = [{**about, "sample_id": f"{t}", "evaluation": {"score": value(system, t)}} for t in range(3)]
    return f"{system}_samples.jsonl", lines(records)


def resolved(system: int) -> tuple[str, str]:
    found = [str(t) for t in range(3) if value(system, t)]
    every = {"submitted_ids": ["0", "1", "2"], "resolved_ids": found}
    return f"s{system}.json", json.dumps({"total_instances": 3, **every})


@pytest.mark.parametrize("form", [harness, inspect, every_eval_ever, resolved])
def test_a_row_for_each_sample(form: Callable[[int], tuple[str, str]]) -> None:
    c = opened(dict(form(system) for system in range(2)))
    assert [name.removeprefix("org/") for name in c.systems] == ["s0", "s1"]
    (measure,) = c.rankings.given
    scores = ec.evaluate(f'Score("{measure}")', c)
    assert scores.to_numpy().tolist() == [[value(system, topic) for system in range(2)] for topic in range(3)]


def test_epochs_are_repeats_and_a_value_that_is_no_score_has_its_place() -> None:
    samples: list[dict[str, Any]] = [{"id": "a", "epoch": at, "scores": {"f1": {"value": at / 10}}} for at in (1, 2)]
    log = {"eval": {"model": "m"}, "samples": samples}
    assert list(opened({"a.json": json.dumps(log)}).rankings.given) == ["f1 epoch 1", "f1 epoch 2"]
    samples[1] |= {"scores": {"f1": {"value": "good"}}}
    with pytest.raises(ec.InputError, match=r"a\.json.*expected a number as score, found 'good'"):
        opened({"a.json": json.dumps(log)})


def test_metrics_of_nuggetizer_are_of_the_system_that_the_file_names() -> None:
    rows = [{"qid": topic, "strict_vital_score": 0.5, "all_score": 0.25} for topic in (*TOPICS, "all")]
    c = opened({"a.jsonl": lines(rows), "b.jsonl": lines(rows)})
    assert (c.systems, c.topics) == (("a", "b"), TOPICS)
    assert list(c.rankings.given) == ["strict_vital_score", "all_score"]


@pytest.mark.parametrize("labels", [
    {"case.json": {"queries": [{"query_text": "red shoes", "ratings": {"1": 2, "2": 0}}]}},
    {"j.json": {"judgmentRatings": [{"query": "red shoes", "ratings": [
        {"docId": "1", "rating": "2.0"}, {"docId": "2", "rating": "0"}]}]}},
])  # fmt: skip
def test_judgments_of_quepid_and_opensearch_keep_the_text_of_queries(labels: dict[str, Any]) -> None:
    files = {name: json.dumps(content) for name, content in labels.items()}
    c = opened({**files, "runs/a.csv": 'query,docid,rank\n"red shoes",2,1\n"red shoes",1,2\n'})
    assert (c.topics, c.queries) == (("red_shoes",), {"red_shoes": "red shoes"})
    assert ec.evaluate("RR", c)["a"].tolist() == [0.5]


def test_a_judge_that_ranks_systems_scores_them() -> None:
    truth = "".join(f"run{r}\tf1\t{t}\t0.{r}\n" for t in (301, 302) for r in (1, 2, 3))
    judge = "".join(f"{t} Q0 run{r} {r} {1 / r} judgeA\n" for t in (301, 302) for r in (1, 2, 3))
    c = opened({"truth.eval.txt": truth, "judgeA.txt": judge})
    assert list(c.rankings.given) == ["f1", "judgeA"]
    assert ec.evaluate('Score("judgeA")', c).loc["301"].to_numpy().tolist() == [1, 0.5, 1 / 3]


# --- roles in names of files ---


def test_folds_are_one_run() -> None:
    files = {f"fold{at}/bm25.run": f"{topic} Q0 d1 1 2 x\n" for at, topic in enumerate(TOPICS)}
    manifest = 'runs = "fold{fold}/{system}.run"\naspects.relevance.file = "qrels.txt"\n'
    c = opened({**files, "qrels.txt": QRELS}, manifest)
    assert c.systems == ("bm25",)
    assert ec.evaluate("RR", c)["bm25"].tolist() == [1, 1, 1]
    with pytest.raises(ec.InputError, match=r"expected one file for the run 'bm25', or one for each \{fold\}"):
        opened({**files, "qrels.txt": QRELS}, manifest.replace("{fold}", "*"))


def test_judges_and_their_repeats_are_sources() -> None:
    files = {f"q/gpt4.seed{at}.txt": QRELS for at in (1, 2)} | {"q/human.txt": QRELS, "a.run": RUN}
    manifest = 'runs = "a.run"\n[aspects.relevance]\nfile = "q/human.txt"\n[aspects.relevance.sources.all]\n'
    c = opened(files, manifest + 'file = "q/{judge}.{repeat}.txt"\n')
    assert list(c.assessments.sources["relevance"].labels) == ["human", "gpt4 seed1", "gpt4 seed2"]


def test_places_in_names_of_scores() -> None:
    outputs = {}
    for at, (system, repeat) in enumerate((s, r) for s in ("x", "y") for r in ("rep1", "rep2")):
        outputs[f"{system}-k-{repeat}.eval"] = f"map\t301\t0.{at}\nmap\tall\t0.5\n"
    c = opened(outputs, 'scores.map.file = "{system}-{judge}-{repeat}.eval"\n')
    assert (c.systems, list(c.rankings.given)) == (("x", "y"), ["map k rep1", "map k rep2"])
    assert ec.evaluate('Score("map k rep2")', c).loc["301"].to_numpy().tolist() == [0.1, 0.3]


@pytest.mark.parametrize("score", ["0.5", "1"])
def test_unclear_columns_are_asked_for_and_can_be_declared(score: str) -> None:
    text = "".join(f"r-{r} {t} {m} {score if r > 1 else 0}\n" for r in (1, 2) for m in MEASURES for t in (7, 8))
    with pytest.raises(ec.InputError, match=r"found 'r-1 7 faith 0'.*scores\.mine\.columns = ") as error:
        opened({"mine.txt": text})
    assert error.value.line == 1
    said = 'scores.mine.file = "mine.txt"\nscores.mine.columns = ["system", "topic", "measure", "value"]\n'
    c = opened({"mine.txt": text}, said)
    assert (c.systems, c.topics, list(c.rankings.given)) == (("r-1", "r-2"), ("7", "8"), ["faith", "ground"])
    assert opened({"mine.txt": text}, c.manifest).fingerprint == c.fingerprint
