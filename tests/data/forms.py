"""The same runs and assessments in every form that is read, for tests of forms."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

import evalcore as ec

Run = Mapping[str, Mapping[str, float]]
Qrels = Mapping[str, Mapping[str, int]]

METADATA = """# ir_metadata.start
# schema version: 0.1
# platform:
#   hardware:
#     cpu:
#       model: 'Example CPU'
# method:
#   retrieval:
#     - name: bm25
# ir_metadata.end
"""


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as the content of a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def run_rows(run: Run) -> list[tuple[str, str, int, float]]:
    """Topic, document, rank and score, best first; equal scores by document, descending."""
    rows = []
    for topic, documents in run.items():
        best = sorted(documents.items(), key=lambda item: item[0].encode(), reverse=True)
        best.sort(key=lambda item: -np.float32(item[1]))
        rows += [(topic, document, rank, score) for rank, (document, score) in enumerate(best, start=1)]
    return rows


def qrel_rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    return [(topic, document, grade) for topic, listed in qrels.items() for document, grade in listed.items()]


# Runs


def trec(run: Run) -> bytes:
    return "".join(f"{t} Q0 {d} {rank} {score!r} tag\n" for t, d, rank, score in run_rows(run)).encode()


def commented(run: Run) -> bytes:
    first, *rest = trec(run).decode().splitlines(keepends=True)
    return "".join(["# made by hand\n#\n", first, "#topic Q0 document rank score tag\n", *rest, "  # the end"]).encode()


def with_metadata(run: Run) -> bytes:
    return METADATA.encode() + trec(run)


def further_fields(run: Run) -> bytes:
    first, *rest = trec(run).decode().splitlines()
    return "\n".join([f"{first} and more", *rest[:-1], *(f"{line} x" for line in rest[-1:])]).encode()


def three_columns(run: Run) -> bytes:
    return "".join(f"{t}\t{d}\t{rank}\n" for t, d, rank, _ in run_rows(run)).encode()


def pyterrier(run: Run) -> pd.DataFrame:
    """A frame as PyTerrier's retrievers give it: docid is a number of its own, ranks begin at 0."""
    rows = run_rows(run)
    return pd.DataFrame(
        {
            "qid": [t for t, _, _, _ in rows],
            "docid": range(1000, 1000 + len(rows)),
            "docno": [d for _, d, _, _ in rows],
            "rank": [rank - 1 for _, _, rank, _ in rows],
            "score": [score for _, _, _, score in rows],
            "query": [f'what is "{t}", and why' for t, _, _, _ in rows],
        }
    )


def pyterrier_csv(run: Run) -> bytes:
    return pyterrier(run).to_csv(index=False).encode()


def indexed_csv(run: Run) -> bytes:
    return pyterrier(run).to_csv().encode()


def commented_csv(run: Run) -> bytes:
    lines = pyterrier_csv(run).decode().splitlines(keepends=True)
    return "".join(["# made by hand\n", *lines[:2], "# in the middle\n", *lines[2:]]).encode()


def pyterrier_tsv(run: Run) -> bytes:
    return pyterrier(run).drop(columns="query").to_csv(index=False, sep="\t").encode()


def pyterrier_parquet(run: Run) -> bytes:
    buffer = io.BytesIO()
    pyterrier(run).to_parquet(buffer)
    return buffer.getvalue()


def json_dict(run: Run) -> bytes:
    return json.dumps({topic: dict(documents) for topic, documents in run.items()}).encode()


def json_lines(run: Run) -> bytes:
    rows = ({"query-id": t, "corpus-id": d, "score": score, "rank": rank} for t, d, rank, score in run_rows(run))
    return "\n".join(map(json.dumps, rows)).encode()


RUN_FORMS: tuple[tuple[str, Callable[[Run], bytes]], ...] = (
    ("a.run", trec),
    ("a.run", commented),
    ("a.txt", with_metadata),
    ("a.run", further_fields),
    ("a.tsv", three_columns),
    ("a.csv", pyterrier_csv),
    ("a.csv", indexed_csv),
    ("a.csv", commented_csv),
    ("a.tsv", pyterrier_tsv),
    ("a.parquet", pyterrier_parquet),
    ("a.json", json_dict),
    ("a.jsonl", json_lines),
)


# Assessments


def trec_qrels(qrels: Qrels) -> bytes:
    return "".join(f"{t} 0 {d} {grade}\n" for t, d, grade in qrel_rows(qrels)).encode()


def commented_qrels(qrels: Qrels) -> bytes:
    first, *rest = trec_qrels(qrels).decode().splitlines(keepends=True)
    return "".join([METADATA, first, "# a b 1\n", *rest, "#topic iteration document grade\n"]).encode()


def beir_qrels(qrels: Qrels) -> bytes:
    rows = "".join(f"{t}\t{d}\t{grade}\n" for t, d, grade in qrel_rows(qrels))
    return f"query-id\tcorpus-id\tscore\n{rows}".encode()


def json_qrels(qrels: Qrels) -> bytes:
    return json.dumps({topic: dict(documents) for topic, documents in qrels.items()}, indent=1).encode()


def mteb_qrels(qrels: Qrels) -> bytes:
    rows = ({"query-id": t, "corpus-id": d, "score": float(grade)} for t, d, grade in qrel_rows(qrels))
    return "\n".join(map(json.dumps, rows)).encode()


def _ratings(qrels: Qrels) -> list[dict[str, object]]:
    return [
        {"query": topic, "ratings": [{"docId": d, "rating": f"{grade:.3f}"} for d, grade in documents.items()]}
        for topic, documents in qrels.items()
    ]


def opensearch_ratings(qrels: Qrels) -> bytes:
    return "\n".join(map(json.dumps, _ratings(qrels))).encode()


def opensearch_import(qrels: Qrels) -> bytes:
    content = {"name": "Imported", "type": "IMPORT_JUDGMENT", "judgmentRatings": _ratings(qrels)}
    return json.dumps(content, indent=2).encode()


def pyterrier_qrels(qrels: Qrels) -> bytes:
    frame = pd.DataFrame(qrel_rows(qrels), columns=["qid", "docno", "label"])
    return frame.assign(iteration="0").to_csv(index=False).encode()


def subtopic_qrels(qrels: Qrels) -> bytes:
    """Every document for two subtopics, of which the second has its grade."""
    lines = [f"{t} {at} {d} {grade - (at == 1)}\n" for t, d, grade in qrel_rows(qrels) for at in (1, 2)]
    return "".join(lines).encode()


QREL_FORMS: tuple[tuple[str, Callable[[Qrels], bytes]], ...] = (
    ("qrels.txt", trec_qrels),
    ("qrels", commented_qrels),
    ("qrels/test.tsv", beir_qrels),
    ("test.tsv", beir_qrels),
    ("qrels.json", json_qrels),
    ("judged.json", json_qrels),
    ("qrels/test.jsonl", mteb_qrels),
    ("test.jsonl", mteb_qrels),
    ("ratings.jsonl", opensearch_ratings),
    ("ratings.json", opensearch_import),
    ("labels.csv", pyterrier_qrels),
    ("diversity.qrels", subtopic_qrels),
)


def same(found: ec.Collection, expected: ec.Collection) -> None:
    """Assert that pool and rankings, all that measures read, are equal to the last bit, whatever the order of lines."""
    assert found.systems == expected.systems
    pools = [one.assessments.frame().sort_values(["topic", "document"], ignore_index=True) for one in (found, expected)]
    pd.testing.assert_frame_equal(pools[0], pools[1], check_exact=True)
    for name in ("indptr", "rank", "length"):
        np.testing.assert_array_equal(getattr(found.rankings, name), getattr(expected.rankings, name))
    hits = [one.assessments.documents[one.rankings.row].tolist() for one in (found, expected)]
    assert hits[0] == hits[1]
    for measure in ("AP", "nDCG@10", "RBP"):
        assert (ec.evaluate(measure, found) == ec.evaluate(measure, expected)).all(axis=None)
