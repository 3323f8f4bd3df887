"""Our numbers against the organisers' own: the per-topic outputs of the uRBP tool for CLEF eHealth 2015.

Conventions of the tool (see the errata): order of the rank column, a document's first understandability label whatever
the topic, no cut-off, values printed to 4 decimals.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalcore as ec

pytestmark = pytest.mark.slow

MEASURES = {"RBP(0.8)": "RBP(rho=0.8)", "uRBP(0.8)": "uRBP(rho=0.8)", "uRBPgr(0.8)": "uRBPgr(rho=0.8)"}


@pytest.fixture(scope="module")
def clef2015(data_folder: Path) -> Path:
    return data_folder / "clef2015"


@pytest.fixture(scope="module")
def official(clef2015: Path) -> pd.DataFrame:
    """measure, topic ("all" for the mean), system, value as printed."""
    names = ["measure", "topic", "system", "printed"]
    parts = []
    for path in sorted((clef2015 / "official").glob("*.urbp")):
        part = pd.read_csv(path, sep="\t", names=names, dtype=str, keep_default_na=False)
        part["topic"] = part["topic"].str.strip()
        # The lines of means lack the system: their third field is the value.
        part["printed"] = part["printed"].where(part["topic"] != "all", part["system"])
        parts.append(part.assign(system=path.name.removesuffix(".urbp")))
    return pd.concat(parts, ignore_index=True)


def differing(official: pd.DataFrame, collection: ec.Collection) -> pd.DataFrame:
    """Official values that differ from ours, rounded to 4 decimals."""
    ours = ec.evaluate(MEASURES.values(), collection)
    values = []
    for measure, topic, system in official[["measure", "topic", "system"]].to_numpy().tolist():
        scores = ours[MEASURES[measure]][system]
        values.append(float(scores.mean() if topic == "all" else scores[topic]))
    return official[[not same(value, text) for value, text in zip(values, official["printed"], strict=True)]]


def same(value: float, printed: str) -> bool:
    """Return True if equal to 4 decimals, half up; a value within 1e-12 of a half may go either way."""
    candidates = (value - 1e-12, value, value + 1e-12)
    rounded = (Decimal(candidate).quantize(Decimal("0.0001"), ROUND_HALF_UP) for candidate in candidates)
    return Decimal(printed) in rounded


def test_every_official_value_of_the_32_regular_runs_comes_out(clef2015: Path, official: pd.DataFrame) -> None:
    collection = ec.load(clef2015, order="rank", labels="by-document")
    regular = official[~official["system"].str.contains("KISTI")]
    assert len(regular) == 32 * 3 * (66 + 1)
    assert differing(regular, collection).empty


def test_the_8_kisti_runs_come_out_as_the_tool_reads_an_all_zero_rank_column(
    clef2015: Path, official: pd.DataFrame
) -> None:
    kisti = official[official["system"].str.contains("KISTI")]
    as_the_tool = ec.load(clef2015, order="urbp-tool", labels="by-document")
    assert len(kisti) == 8 * 3 * (66 + 1)
    assert differing(kisti, as_the_tool).empty


def test_in_file_order_1225_official_values_differ_all_of_them_kisti(clef2015: Path, official: pd.DataFrame) -> None:
    # Reading those files as ranks 1, 2, 3, ... changes 1225 of the per-topic values (of 68 runs).
    collection = ec.load(clef2015, order="rank", labels="by-document")
    changed = differing(official[official["topic"] != "all"], collection)
    assert changed["system"].str.contains("KISTI").all()
    assert len(changed) == 1225


def test_labels_of_the_same_topic_change_the_official_values(clef2015: Path) -> None:
    # By up to .805; relevance is looked up by topic in both, so RBP stays.
    by_topic = ec.load(clef2015, order="rank")
    by_document = ec.load(clef2015, order="rank", labels="by-document")
    for text, largest in (("RBP(rho=0.8)", 0.0), ("uRBP(rho=0.8)", 0.805)):
        change = (ec.evaluate(text, by_topic) - ec.evaluate(text, by_document)).abs().to_numpy().max()
        assert change == pytest.approx(largest, abs=0.0005)


def test_the_graded_file_at_2_is_the_binary_file(clef2015: Path) -> None:
    runs, relevance = clef2015 / "runs", clef2015 / "qrels.eng.clef2015.qtest.graded.txt"
    scores = [
        ec.evaluate(
            "uRBP(rho=0.8)",
            ec.load(
                runs=runs,
                aspects={
                    "relevance": relevance,
                    "understandability": clef2015 / f"qread.eng.clef2015.qtest.{which}.txt",
                },
            ),
        )
        for which in ("graded", "bin")
    ]
    assert np.array_equal(scores[0], scores[1])
