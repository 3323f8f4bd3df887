"""The view Agreement, drawn separately on the sample data with second judges whose confusion is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from python_support import ROOT
from sources_support import confused, with_sources
from streamlit.testing.v1 import AppTest

import evalcore as ec
from evalcore.data import Collection
from evalcore.labels.judges import source_agreement

CONFUSION = np.array([[0.9, 0.08, 0.02], [0.2, 0.6, 0.2], [0.05, 0.25, 0.7]])


@pytest.fixture(scope="module")
def health() -> Collection:
    return ec.restrict(ec.load(ROOT / "sample_data" / "health"), topics=[f"q0{at}" for at in range(1, 9)])


@pytest.fixture(scope="module")
def judged(health) -> Collection:
    return with_sources(health, llm=confused(health, CONFUSION), again=confused(health, CONFUSION, seed=1))


def page(shown) -> None:
    import streamlit as st

    from ui.address import families, settings
    from ui.data import as_python, open_collection
    from ui.labels import agreement
    from ui.stage import report

    settings.begin("labels")
    report.begin("Labels")
    st.session_state[open_collection._OPEN] = open_collection.SAMPLE_NAME
    for name in (open_collection._CURRENT, families.WHOLE):
        st.session_state[name] = shown
    agreement.draw(shown)
    as_python.show()


def visit(collection: Collection, **link: Any) -> AppTest:
    """Return the view after its first run, with these settings in its link."""
    app = AppTest.from_function(page, default_timeout=60, args=(collection,))
    for name, value in link.items():
        app.query_params[f"labels.agreement_{name}"] = value
    return app.run()


def texts(app: AppTest) -> str:
    return "\n".join(str(one.value) for kind in ("markdown", "caption", "info") for one in getattr(app, kind))


def run(app: AppTest, collection: Collection) -> dict[str, Any]:
    """Run the view's Python code, and return the names that it defines."""
    lines = app.code[-1].value
    names: dict[str, Any] = {"c": collection, "ec": ec}
    exec(lines.split("\n\n", 1)[1], names)
    return names


def test_the_headline_has_the_coefficient_with_its_interval(judged):
    app = visit(judged)
    assert not app.exception
    found = source_agreement(judged).coefficient("kappa")
    assert f"κ {found.estimate:.2f} \\[{found.low:.2f}, {found.high:.2f}\\]" in texts(app)
    first, second = source_agreement(judged).higher()
    name = "nist" if first > second else "llm"
    share = max(first, second) / (first + second)
    assert f"**{name}** gives the higher label on {share:.0%} of them" in texts(app)


@pytest.mark.parametrize("how", [{}, {"coefficient": "AC", "weights": "linear", "a": "again", "b": "majority"}])
def test_every_part_is_drawn_and_its_python_code_runs(judged, how):
    app = visit(judged, **how)
    assert not app.exception
    assert not app.error
    names = run(app, judged)
    assert names["coefficient"].estimate == pytest.approx(
        names["agreement"].coefficient(how.get("coefficient", "kappa"), how.get("weights", "")).estimate
    )


def test_the_documents_of_a_cell_are_those_that_python_lists(judged):
    app = visit(judged, cell="1 0")
    each = run(app, judged)["each"]
    shown = app.dataframe[0].value
    pd.testing.assert_frame_equal(shown, each.head(len(shown)))
    assert f"{len(each)} documents" in texts(app)


def test_agreement_on_a_single_label_is_undefined_with_the_reason(health):
    flat = with_sources(health, other=np.zeros(len(health.assessments)))
    app = visit(
        with_sources(flat, a=np.zeros(len(health.assessments)), b=np.zeros(len(health.assessments))), a="a", b="b"
    )
    assert not app.exception
    assert "κ is undefined" in texts(app)


def test_sources_without_a_document_in_common_are_explained(health):
    even = np.arange(len(health.assessments)) % 2 == 0
    labels = health.assessments.columns["relevance"]
    parted = with_sources(health, a=np.where(even, labels, np.nan), b=np.where(even, np.nan, labels))
    app = visit(parted, a="a", b="b")
    assert not app.exception
    assert "labelled no document in common" in texts(app)
