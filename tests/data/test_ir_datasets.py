"""Assessments by a name of ir_datasets: a stand-in for the package, and data registered with the package itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import evalcore as ec
from evalcore.cli import main


class Judged(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    trustworthiness: float
    iteration: str


class Asked(NamedTuple):
    query_id: str
    title: str


ROWS = [Judged("q1", "a", 0, 80, "0"), Judged("q1", "b", 2, 10, "0"), Judged("q2", "a", -1, 50, "0")]


class Dataset:
    def __init__(self, rows: list[Any], asked: list[Any]) -> None:
        self.rows, self.asked = rows, asked

    def has_qrels(self) -> bool:
        return True

    def qrels_iter(self) -> Iterator[Any]:
        yield from self.rows

    def qrels_defs(self) -> dict[int, str]:
        return {-1: "not judged", 1: "relevant", 2: "very relevant"}

    def has_queries(self) -> bool:
        return bool(self.asked)

    def queries_iter(self) -> Iterator[Any]:
        yield from self.asked


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Contents of the stand-in for ir_datasets, by name."""
    known: dict[str, Any] = {"mine": Dataset(ROWS, [Asked("q1", "is it\tsafe?")])}
    module = ModuleType("ir_datasets")
    module.load = lambda name: known[name]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    return known


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "one.txt").write_text("q1 Q0 b 1 9 x\nq1 Q0 a 2 8 x\nq2 Q0 a 1 9 x\n")
    return folder


def test_every_number_of_an_assessment_is_an_aspect(catalogue, runs: Path) -> None:
    collection = ec.load("irds:mine", runs=runs)
    assert (collection.aspects, collection.systems) == (("relevance", "trustworthiness"), ("one",))
    assert dict(collection.queries) == {"q1": "is it safe?"}


def test_grades_keep_all_their_digits(catalogue, runs: Path) -> None:
    catalogue["mine"].rows = [Judged("q1", "a", 0, 1234567, "0"), ROWS[1]._replace(trustworthiness=0.123456789)]
    assert set(ec.load("irds:mine", runs=runs).assessments.frame()["trustworthiness"]) == {1234567, 0.123456789}


def test_the_scale_of_relevance_is_the_defined_one_with_zero(catalogue, runs: Path) -> None:
    assert ec.load("irds:mine", runs=runs).assessments.scales["relevance"].grades == (0, 1, 2)


def test_the_command_line_takes_the_name_where_it_takes_a_folder(catalogue, runs: Path, capsys) -> None:
    assert main(["score", "irds:mine", "--runs", str(runs), "-m", "RR", "-f", "csv"]) == 0
    assert "one,RR,0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "rows", "problem"),
    [
        ("other", None, "expected a name known to ir_datasets"),
        ("empty", [], "expected assessments, found none"),
        ("spaces", [Judged("q 1", "a", 0, 0, "0")], "expected ids without spaces, found 'q 1'"),
    ],
)
def test_unusable_data_sets_are_refused(name: str, rows: list[Any] | None, problem: str, catalogue, runs: Path) -> None:
    if rows is not None:
        catalogue[name] = Dataset(rows, [])
    with pytest.raises(ec.InputError, match=problem):
        ec.load(f"irds:{name}", runs=runs)


def test_missing_runs_are_asked_for(catalogue) -> None:
    with pytest.raises(ec.InputError, match="expected runs for the assessments"):
        ec.load("irds:mine")


def test_without_the_package_its_install_line_is_shown(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(ec.InputError, match=r"pip install 'ir-evalcore\[ir_datasets\]'"):
        ec.load("irds:mine", runs=runs)


def test_data_registered_with_the_package_itself(tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    irds = pytest.importorskip("ir_datasets")
    from ir_datasets.formats import TrecQrels, TsvQueries
    from ir_datasets.util import LocalDownload

    (tmp_path / "qrels").write_text("q1 0 a 0\nq1 0 b 2\n")
    (tmp_path / "queries.tsv").write_text("q1\tis it safe?\n")
    qrels = TrecQrels(LocalDownload(tmp_path / "qrels"), {0: "no", 1: "some", 2: "yes"})
    irds.registry.register("evalcore-test", irds.Dataset(TsvQueries(LocalDownload(tmp_path / "queries.tsv")), qrels))
    collection = ec.load("irds:evalcore-test", runs=runs)
    assert (collection.aspects, collection.topics) == (("relevance",), ("q1",))
    assert dict(collection.queries) == {"q1": "is it safe?"}
    assert collection.assessments.scales["relevance"].grades == (0, 1, 2)
