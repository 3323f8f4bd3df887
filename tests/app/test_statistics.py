"""Wilcoxon's test on the page Pairs, and the page Topics needed."""

from __future__ import annotations

import itertools
import typing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import open_app, shown_items
from ui.discriminative_power.pair_settings import BH, Power

MEASURES = ["AP", "RBP(rho=0.8)", "MM(nDCG@10)"]
KEY = "discriminative_power."
ENDLESS = ["AP", "EffortTo"]  # of the navigation sample


def open_page(page: str = "topics_needed", **link: object) -> AppTest:
    return open_app(page, **{"measures": MEASURES, "resamples": "1,000", "alpha": "0.05", **link})


def figure(app: AppTest, start: str) -> typing.Any:
    return next(item for alt, item in shown_items(app) if alt.startswith(start))


def text_with(app: AppTest, part: str) -> str:
    return next(one.value for one in [*app.main.markdown, *app.main.caption] if part in one.value)


@pytest.fixture(scope="module")
def ap(sample: ec.Collection) -> pd.DataFrame:
    return ec.evaluate("AP", sample)


# --- Wilcoxon's test --------------------------------------------------------------------------------------------------


def test_pairs_control_the_false_discovery_rate_by_default(sample: ec.Collection) -> None:
    page = Power.read(sample, {f"{KEY}measures": ["AP"]})
    assert page.correction == page.with_(test="Wilcoxon").correction == BH
    assert page.with_(correction="none").correction == "none"


def test_one_pair_shows_wilcoxons_p_too(ap: pd.DataFrame) -> None:
    app = open_page("discriminative_power", measures=["AP"], a="bm25_base", b="plain_fog", correction="Holm")
    shown = app.dataframe[2].value.loc["AP"]
    assert shown["p (Wilcoxon)"] == ec.compare_systems(ap, "bm25_base", "plain_fog", 100).p_wilcoxon
    corrected = ec.meta.corrected_pairs(ec.paired_bootstrap(ap, 1000), "Wilcoxon", "Holm")
    pair = corrected["system_a"].isin(["bm25_base", "plain_fog"]) & corrected["system_b"].isin(
        ["bm25_base", "plain_fog"]
    )
    assert shown["p (Wilcoxon), corrected"] == corrected["p"][pair].item()


# --- topics needed ----------------------------------------------------------------------------------------------------


def test_topics_needed_equal_those_of_the_library(ap: pd.DataFrame) -> None:
    app = open_page(difference="0.1", wanted="0.9")
    sd = ec.difference_sd(ap)
    row: typing.Any = app.dataframe[0].value.loc["AP"]
    assert row["topics needed"] == ec.topics_needed(0.1 / sd, 0.05, 0.9)
    assert row["power here"] == pytest.approx(ec.power(40, 0.1 / sd, 0.05))
    assert ec.power(40, row["smallest difference"] / sd, 0.05) == pytest.approx(0.9)
    assert row["topics for an interval"] == ec.topics_for_interval(0.1 / sd)
    found = text_with(app, "A difference of 0.1 in AP")
    assert f"needs **{row['topics needed']:,.0f}** topics" in found
    assert f"power of {row['power here']:.1%}, and a difference of {row['smallest difference']:.4f}" in found
    line = figure(app, "Power by").data[1]
    reached = next(int(topics) for topics, power in zip(line.x, line.y, strict=True) if power >= 0.9)
    assert reached >= row["topics needed"]


@pytest.mark.parametrize(
    ("alpha", "wanted", "difference"), [("0.001", "0.99", "0.005"), ("0.001", "0.99", "0.5"), ("0.2", "0.5", "0.5")]
)
def test_every_end_of_the_sliders_has_an_answer(alpha: str, wanted: str, difference: str) -> None:
    app = open_page(
        measures=["AP"],
        alpha=alpha,
        wanted=wanted,
        difference=difference,
        ontopics=["q01", "q02"],
    )
    assert not app.exception
    assert "The 2 topics here detect it" in text_with(app, f"A difference of {difference}")


def test_scores_that_do_not_vary_need_no_topics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, monkeypatch, alike=True)
    app = open_page(measures=["AP"])
    assert not app.exception
    assert any("differences between systems have no usable spread" in info.value for info in app.info)


# --- analysis of variance ---------------------------------------------------------------------------------------------


def made(folder: Path, monkeypatch: pytest.MonkeyPatch, table: str = "", alike: bool = False) -> None:
    """Open the app on six systems (three models, two stemmers) and six topics."""
    random, documents = np.random.default_rng(18), [f"d{at}" for at in range(12)]
    rank = {topic: random.permutation(documents) for topic in range(1, 7)}
    (folder / "runs").mkdir()
    lines = ["system,stemmer,model"]
    for model, stemmer in itertools.product(("lm", "bm25", "dense"), ("porter", "none")):
        name = f"{model}_{stemmer}"
        lines.append(f"{name},{stemmer},{model}")
        listed = {topic: found if alike else random.permutation(found) for topic, found in rank.items()}
        rows = [f"{topic} Q0 {one} {at} {99 - at} {name}" for topic in rank for at, one in enumerate(listed[topic], 1)]
        (folder / "runs" / f"{name}.run").write_text("\n".join(rows))
    (folder / "qrels.txt").write_text(
        "".join(f"{topic} 0 {document} {int(document[1:]) % 2}\n" for topic in rank for document in documents)
    )
    if table != "none":
        (folder / "systems.csv").write_text("\n".join([line + table for line in lines]) + "\n")
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])


# --- infinite scores --------------------------------------------------------------------------------------------------


def test_the_page_opens_on_infinite_scores_of_an_effort() -> None:
    app = open_page(data="navigation sample", measures=ENDLESS, measure="EffortTo")
    assert not app.exception
    assert not app.error
