"""tau of RBP and uRBP along persistence and threshold: as the library says, setting by setting."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import address_of, open_app, shown_items
from ui.understandability.details import VALUES, values
from ui.understandability.reader import Reader


def opened(**link: object) -> AppTest:
    app = open_app("understandability", look="τ by setting", **link)
    assert not app.exception
    return app


def table(app: AppTest, name: str) -> pd.DataFrame:
    return next(frame.value for frame in app.main.dataframe if frame.value.index.name == name)


def reader(app: AppTest) -> Reader:
    return next(one for one in app.session_state["settings on the screen"] if isinstance(one, Reader))


def test_along_persistence_both_measures_change(sample: ec.Collection) -> None:
    found = table(opened(model="step", threshold="2"), "rho")
    assert len(found) == VALUES
    for rho in found.index[[0, 12, -1]]:
        x, y = (ec.evaluate(f"{text}rho={rho})", sample) for text in ("RBP(", "uRBP(threshold=2, "))
        expected = ec.bootstrap_interval(ec.tau, y, x, 1000)
        assert found.loc[rho, ["tau", "low", "high"]].tolist() == pytest.approx(
            [expected.estimate, expected.low, expected.high], abs=1e-12
        )


def test_along_the_threshold_only_the_user_model_changes(sample: ec.Collection) -> None:
    found = table(opened(model="smooth", column="fog"), "threshold")
    x = ec.evaluate("RBP(rho=0.8)", sample)
    for threshold in found.index[[3, -1]]:
        y = ec.evaluate(f'uRBP2(rho=0.8, threshold={threshold}, aspect="fog")', sample)
        assert found.loc[threshold, "tau"] == pytest.approx(ec.tau(x.mean(), y.mean()), abs=1e-12)


def test_a_graded_reader_has_no_threshold_to_follow() -> None:
    app = opened(model="graded")
    assert [frame.value.index.name for frame in app.main.dataframe] == ["rho"]


def test_the_curve_goes_through_what_the_slider_can_say() -> None:
    page = reader(opened(model="smooth", column="fog"))
    field = page.field("threshold")
    assert field
    for one in values(page, "threshold"):
        assert field.read([f"{one:.12g}"]) == one


def test_what_is_set_is_where_the_line_stands(sample: ec.Collection) -> None:
    app = opened(rho="0.5")
    figure = next(item for alt, item in shown_items(app) if alt.startswith("τ of RBP and uRBP along P"))
    assert [shape.x0 for shape in figure.layout.shapes] == [0.5]
    assert np.isfinite(figure.data[2].y).all()
    assert "understandability.rho" in address_of(app)
