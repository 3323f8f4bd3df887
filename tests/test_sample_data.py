"""The facts in `sample_data/README.md`, recomputed from the files by a reader and loops of their own."""

import csv
import gzip
import itertools
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

import pytest
from scipy.stats import kendalltau

from evalcore.data.readability import readability
from sample_data.make import make

HEALTH = Path(__file__).parents[1] / "sample_data" / "health"
ASPECTS = {"relevance": "qrels.txt", "understandability": "qread.txt", "credibility": "qcred.txt"}
KINDS = {"leaflet", "forum", "hospital", "encyclopedia", "journal", "shop"}

Pool = dict[tuple[str, str], int]


def read_pool(name: str) -> Pool:
    lines = [line.split() for line in (HEALTH / name).read_text().splitlines()]
    assert all(len(line) == 4 and line[1] == "0" for line in lines)
    pool = {(topic, docid): int(grade) for topic, _, docid, grade in lines}
    assert len(pool) == len(lines), "a document is assessed twice under one topic"
    return pool


def read_run(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt") as file:
        return [line.split(" ") for line in file.read().splitlines()]


@pytest.fixture(scope="module")
def pools() -> dict[str, Pool]:
    return {aspect: read_pool(name) for aspect, name in ASPECTS.items()}


@pytest.fixture(scope="module")
def fog() -> dict[str, float]:
    with (HEALTH / "fog.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["docid", "fog"]
    assert len({docid for docid, _ in rows[1:]}) == len(rows) - 1
    return {docid: float(score) for docid, score in rows[1:]}


@pytest.fixture(scope="module")
def runs() -> dict[str, list[list[str]]]:
    return {path.name.removesuffix(".run.gz"): read_run(path) for path in sorted(HEALTH.glob("runs/*.run.gz"))}


@pytest.fixture(scope="module")
def rankings(runs) -> dict[str, dict[str, list[str]]]:
    """Documents by system and topic: score descending, ties by document id descending."""
    result: dict[str, dict[str, list[str]]] = {}
    for system, rows in runs.items():
        scored = defaultdict(list)
        for topic, _, docid, _, score, _ in rows:
            scored[topic].append((float(score), docid))
        result[system] = {topic: [docid for _, docid in sorted(s, reverse=True)] for topic, s in scored.items()}
    return result


def rbp(by_topic: dict[str, list[str]], good: set[tuple[str, str]]) -> float:
    """Mean over topics of (1 - 0.8) * sum of 0.8^(k-1) over the ranks k of good documents."""
    scores = []
    for topic, docids in by_topic.items():
        gains = [0.8 ** (k - 1) for k, docid in enumerate(docids, start=1) if (topic, docid) in good]
        scores.append((1 - 0.8) * sum(gains))
    return fmean(scores)


def score_all(rankings, good: set[tuple[str, str]]) -> dict[str, float]:
    return {system: rbp(by_topic, good) for system, by_topic in rankings.items()}


@pytest.fixture(scope="module")
def relevant(pools) -> set[tuple[str, str]]:
    return {pair for pair, grade in pools["relevance"].items() if grade >= 1}


@pytest.fixture(scope="module")
def RBP(rankings, relevant) -> dict[str, float]:
    return score_all(rankings, relevant)


@pytest.fixture(scope="module")
def uRBP(rankings, relevant, pools) -> dict[str, float]:
    return score_all(rankings, {pair for pair in relevant if pools["understandability"][pair] >= 2})


def tau(x: dict[str, float], y: dict[str, float]) -> float:
    return float(kendalltau([x[system] for system in x], [y[system] for system in x]).statistic)


def look_alikes(same: dict[str, float], different: dict[str, float]) -> list[tuple[str, str]]:
    """Pairs of systems that one measure does not separate and the other does."""
    return [
        (a, b)
        for a, b in itertools.combinations(same, 2)
        if abs(same[a] - same[b]) <= 0.01 and abs(different[a] - different[b]) >= 0.05
    ]


# Form


@pytest.mark.slow
def test_make_writes_the_committed_files(tmp_path):
    make(tmp_path)
    names = {path.relative_to(HEALTH) for path in HEALTH.rglob("*") if path.is_file()}
    assert names == {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert [name for name in sorted(names) if content(tmp_path / name) != content(HEALTH / name)] == []


def content(path: Path) -> bytes:
    # Other builds of zlib compress the same content to other bytes.
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def test_everything_is_under_three_megabytes():
    folder = HEALTH.parent
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts) < 3e6


def test_texts_are_assessed_and_their_fog_is_computed_from_them(fog):
    texts = {path.stem: path.read_text() for path in HEALTH.glob("documents/*.txt")}
    assert Counter(docid.split("-")[0] for docid in texts) == dict.fromkeys(KINDS, 6)
    for docid, text in texts.items():
        assert 60 <= len(text.split()) <= 140, docid
        assert fog[docid] == round(readability({docid: text}, "fog")[docid], 2), docid


def test_the_second_judge_labels_nearly_all_of_the_pool_somewhat_generously(rankings, pools, RBP):
    own, llm = pools["relevance"], read_pool("qrels.llm.txt")
    assert llm.keys() < own.keys()
    assert round(100 * len(llm) / len(own)) == 99
    assert round(100 * fmean(own[pair] == grade for pair, grade in llm.items())) == 78
    assert [round(100 * fmean(grade > 0 for grade in pool.values())) for pool in (llm, own)] == [36, 25]
    by_llm = score_all(rankings, {pair for pair, grade in llm.items() if grade > 0})
    assert max(by_llm, key=by_llm.__getitem__) == "expert_large"
    assert tau(RBP, by_llm) == pytest.approx(0.92, abs=0.005)


# What a class can see


def test_popular_systems_are_the_least_credible(rankings, pools):
    shares = defaultdict(list)
    for system, topics in rankings.items():
        top = [(topic, docid) for topic, docids in topics.items() for docid in docids[:10]]
        share = fmean(pools["credibility"][pair] >= 1 for pair in top if pair in pools["credibility"])
        shares[system.split("_")[0]].append(share)
    assert min(shares, key=lambda family: fmean(shares[family])) == "popular"


def test_understandability_changes_who_wins(RBP, uRBP):
    assert max(RBP, key=RBP.__getitem__) == "expert_large"
    assert max(uRBP, key=uRBP.__getitem__) == "plain_rerank3"
    assert tau(RBP, uRBP) == pytest.approx(0.65, abs=0.01)


def test_pairs_that_only_uRBP_tells_apart(RBP, uRBP):
    blue = look_alikes(RBP, uRBP)
    assert len(blue) >= 3
    assert ("dense_multi", "plain_rerank3") in blue


def test_pairs_that_only_RBP_tells_apart(RBP, uRBP):
    red = look_alikes(uRBP, RBP)
    assert len(red) >= 3
    assert ("bm25_rm3", "expert_large") in red


@pytest.mark.parametrize(("threshold", "expected"), [(10, 0.33), (15, 0.59), (20, 0.95)])
def test_tau_grows_with_the_fog_threshold(rankings, relevant, fog, RBP, threshold, expected):
    readable = {(topic, docid) for topic, docid in relevant if fog[docid] < threshold}
    assert tau(RBP, score_all(rankings, readable)) == pytest.approx(expected, abs=0.01)
