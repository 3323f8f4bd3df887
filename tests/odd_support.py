"""Collections unlike the samples, which tests of pages open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

DOCUMENTS = "abcdefgh"

# For each shape: the labels of the documents a to h on each aspect, in turn, for both topics.
SHAPES: dict[str, dict[str, Sequence[float]]] = {
    "TREC Web, one aspect": {"qrels": [-2, 0, 1, 0, 2, 0, -2, 1]},
    "no 0": {"qrels": [1, 2, 1, 1, 2, 3, 1, 2]},
    "all the same": {"qrels": [1] * 8, "qread": [1] * 8},
    "one aspect of 0 alone": {"qrels": [0, 1, 1, 0, 2, 0, 1, 1], "qtrust": [0] * 8},
    "nothing relevant": {"qrels": [0] * 8, "qread": [0, 1, 2, 3, 0, 1, 2, 3]},
    "nothing judged": {"qrels": [-1] * 8, "qread": [-2] * 8},
    "1 to 5": {"qrels": [0, 1, 1, 0, 1, 0, 1, 1], "qread": [1, 2, 3, 4, 5, 1, 2, 3]},
    "0 to 100": {"qrels": [0, 1, 1, 0, 2, 0, 1, 1], "qtrust": [0, 17, 25, 50, 63, 80, 99, 100]},
    "fractions": {"qrels": [0, 0.25, 0.5, 0.75, 1, 0, 0.5, 0], "qread": [0.1, 0.2, 0.9, 0, 0, 0.3, 0.4, 1]},
}
DECLARED = {
    "1 to 5": "[aspects.understandability]\nfile = 'qread.txt'\ngrades = [1, 2, 3, 4, 5]\n",
    "0 to 100": "[aspects.trustworthiness]\nfile = 'qtrust.txt'\nthreshold = 60\n",
    "one aspect of 0 alone": "[aspects.trustworthiness]\nfile = 'qtrust.txt'\ngrades = [0]\n",
}
# Collections for views of labels: a text with a description, None for the sample.
LABELLED: dict[str, str | None] = {
    "sample": None,
    "TREC Web, one aspect": "",
    "0 to 100": DECLARED["0 to 100"],
    "nothing judged": "",
}
RANKINGS = {"one": "abcdefgh", "two": "hgfedcba", "three": "cxyagz", "four": "acegbdfh"}


def write(folder: Path, shape: str, declared: str = "") -> Path:
    (folder / "runs").mkdir(parents=True)
    if declared:
        relevance = "[aspects.relevance]\nfile = 'qrels.txt'\ngrades = [0, 1, 2]\nthreshold = 1.5\n"
        (folder / "collection.toml").write_text(f"{relevance}{declared}")
    for name, labels in SHAPES[shape].items():
        pairs = [(topic, pair) for topic in (1, 2) for pair in zip(DOCUMENTS, labels, strict=True)]
        text = "".join(f"{topic} 0 {document} {label}\n" for topic, (document, label) in pairs)
        (folder / f"{name}.txt").write_text(text)
    for system, ranking in RANKINGS.items():
        ranks = [(topic, *one) for topic in (1, 2) for one in enumerate(ranking[topic - 1 :], start=1)]
        text = "".join(f"{topic} Q0 {document} {rank} {50 - rank} {system}\n" for topic, rank, document in ranks)
        (folder / "runs" / f"{system}.run").write_text(text)
    return folder


def open_shape(shape: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the app open one of the collections in LABELLED."""
    if (declared := LABELLED[shape]) is not None:
        monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(place / "odd", shape, declared))])
