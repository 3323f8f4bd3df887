"""`evalcore agreement`: labels of a collection against those of a file."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from cli.conftest import ROOT, Refused, Run

import evalcore as ec
from evalcore import judges

HEALTH = ROOT / "sample_data" / "health"
LINE = f"agreement {HEALTH} --with other={HEALTH / 'qcred.txt'}"


def frame(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


def test_the_sources_of_a_collection_are_compared_unasked(run: Run) -> None:
    table = frame(run(f"agreement {HEALTH} -f csv").out)
    found = judges.source_agreement(ec.load(HEALTH))
    assert set(table["sources"]) == {", ".join(found.sources)}
    assert table["value"].to_numpy() == pytest.approx(found.coefficients()["value"].to_numpy(), abs=1e-12)


def test_labels_of_a_file_are_compared_document_by_document(run: Run) -> None:
    table = frame(run(f"{LINE} --by cell -f csv").out)
    qrels, other = (
        pd.read_csv(HEALTH / name, sep=r"\s+", names=["topic", "_", "document", "label"]).set_index(
            ["topic", "document"]
        )
        for name in ("qrels.txt", "qcred.txt")
    )
    counts = pd.crosstab(qrels["label"], other["label"].reindex(qrels.index)).to_numpy()
    assert table["documents"].tolist() == counts.ravel().tolist()


def test_a_file_against_itself_agrees_wholly(run: Run) -> None:
    table = frame(run(f"agreement {HEALTH} --with again={HEALTH / 'qrels.txt'} -f csv").out)
    assert (table["value"] == 1).all()
    assert set(table["sources"]) == {"assessors, again"}
    assert table["coefficient"].nunique() == 4


def test_by_topic_takes_a_coefficient(run: Run) -> None:
    kappa, alpha = (json.loads(run(f"{LINE} --by topic {how} -f json").out) for how in ("", "-c alpha -w ordinal"))
    assert [one["topic"] for one in kappa] == [one["topic"] for one in alpha]
    assert kappa[0]["value"] != alpha[0]["value"]


def test_by_grade_and_by_document_name_both_sources(run: Run) -> None:
    assert {"by assessors", "by other", "by both"} <= set(frame(run(f"{LINE} --by grade -f csv").out))
    table = frame(run(f"{LINE} --by document -m AP --topics q01 -f csv").out)
    assert {"label of assessors", "label of other", "system", "change"} <= set(table)


def test_combined_sources_can_be_named(run: Run) -> None:
    table = frame(run(f"{LINE} --sources other agreed -f csv").out)
    assert (table["value"] == 1).all()


def test_labels_of_documents_that_nobody_else_labelled_are_counted(run: Run, tmp_path) -> None:
    path = tmp_path / "more.txt"
    path.write_text((HEALTH / "qrels.txt").read_text() + "q01 0 nobody-knows-it 1\n")
    assert "1 labels of documents" in run(f"agreement {HEALTH} --with more={path}").err


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (f"agreement {HEALTH.parent / 'manual'}", 1, "expected an aspect with several sources of labels, found none"),
        (f"{LINE} --sources assessors nobody", 1, "found 'nobody'"),
        (f"{LINE} --of readability", 1, "found 'readability'"),
        (f"{LINE} -c kappa", 2, "expected --by topic"),
        (f"{LINE} --by topic -c kappa -w ordinal", 1, "kappa with weights none, linear, quadratic"),
        (f"agreement {HEALTH} --with mean={HEALTH / 'qcred.txt'}", 2, "no source of relevance yet, found 'mean'"),
        (f"agreement {HEALTH} --with b={HEALTH / 'qread.txt'}", 1, "qread.txt, line 8"),
        (f"agreement {HEALTH} --with b", 2, "expected NAME=FILE"),
    ],
)
def test_what_cannot_be_is_refused(refused: Refused, line: str, code: int, message: str) -> None:
    refused(line, code, message)
