"""The page Understandability, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from odd_support import write
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import address_of, fresh, go_to, metric, open_app, snapshot
from evalcore.measures import RBP


def links_in_the_sidebar(app: AppTest) -> list[str]:
    """Return the labels of the links in the sidebar, such as the title of the open collection."""
    return [one.proto.label for one in app.sidebar.get("page_link")]


def test_the_page_understandability_opens_with_a_complete_figure_of_the_sample() -> None:
    app = open_app()
    assert not app.exception
    assert app.title[0].value == "Does readability change who wins?"
    assert metric(app, "τ") == "0.710"  # tests/test_sample_data.py computes .710 by a slow loop


def test_any_measure_can_be_on_the_horizontal_axis(sample: ec.Collection) -> None:
    app = open_app(other="AP", model="step", threshold="3")
    ap, urbp = (ec.evaluate(text, sample).mean() for text in ("AP", "uRBP(threshold=3)"))
    assert metric(app, "τ") == f"{ec.tau(ap, urbp):.3f}"


def test_settings_stay_from_one_view_to_the_next() -> None:
    app = open_app(rho="0.6", other="AP", look="Along one parameter", path="rel", at="2")
    views = app.button_group(key="understandability.look")
    for look in ("Map of two", "Scatter", "Ranks", "u(k) and gains", "Along one parameter"):
        app.button_group(key="understandability.look").set_value(look).run()
        assert not app.warning
    here = {key.partition(".")[2]: texts for key, texts in address_of(app).items()}
    kept = {"rho": ["0.6"], "other": ["AP"], "path": ["rel"], "at": ["2"]}
    assert {name: here.get(name) for name in kept} == kept
    assert "Scatter" in views.options


def test_the_numbers_of_understandability_equal_those_of_the_library(sample: ec.Collection) -> None:
    app = open_app(rho="0.5", model="step", threshold="3")
    rbp, urbp = (ec.evaluate(text, sample).mean() for text in ("RBP(rho=0.5)", "uRBP(rho=0.5, threshold=3)"))
    assert metric(app, "τ") == f"{ec.tau(rbp, urbp):.3f}"
    assert metric(app, "τ_AP") == f"{ec.tau_ap(urbp, rbp):.3f}"


@pytest.mark.parametrize(("column", "threshold"), [("fog", "12.5"), ("understandability", "3")])
def test_h_of_rbp_has_sliders_for_rho_and_for_u_of_any_column(
    sample: ec.Collection, column: str, threshold: str
) -> None:
    """H_RBP of Palotti et al. 2018, also for a readability score."""
    app = open_app(model="mean", rho="0.6", column=column, threshold=threshold)
    assert {"understandability.rho", "understandability.threshold"} <= {slider.key for slider in app.slider}
    texts = ("RBP(rho=0.6)", f'HRBP(rho=0.6, threshold={threshold}, aspect="{column}")')
    rbp, by_h = (ec.evaluate(text, sample).mean() for text in texts)
    assert metric(app, "τ") == f"{ec.tau(rbp, by_h):.3f}"


def test_the_table_of_correlations_covers_the_measures_shown(sample: ec.Collection) -> None:
    table = correlations(open_app(model="step", threshold="3", cutoff="5", rel="2"))
    rbp, urbp = (ec.evaluate(text, sample).mean() for text in ("RBP(rel=2)@5", "uRBP(rel=2, threshold=3)@5"))
    assert table.loc["RBP vs. uRBP: τ", "th = 3"] == pytest.approx(ec.tau(rbp, urbp))
    assert table.loc["RBP vs. uRBP: τ_AP", "th = 3"] == pytest.approx(ec.tau_ap(urbp, rbp))


def correlations(app: AppTest) -> pd.DataFrame:
    """Return the table of user models and thresholds, under *Why?*."""
    return next(one.value for one in app.dataframe if any("vs." in str(name) for name in one.value.index))


@pytest.mark.parametrize("view", ["Scatter", "Ranks", "Along one parameter", "Map of two", "u(k) and gains"])
@pytest.mark.parametrize("model", ["step", "smooth", "graded", "mean"])
def test_every_view_of_every_model_is_shown(view: str, model: str) -> None:
    app = open_app(look=view, model=model)
    assert not app.exception
    assert not app.error


def test_several_thresholds_are_drawn_side_by_side_as_in_figure_1(sample: ec.Collection) -> None:
    table = correlations(open_app(column="fog", model="step", threshold="15", also=["10", "20"]))
    assert list(table.columns) == ["th = 10", "th = 15", "th = 20"]
    for threshold in (10, 15, 20):
        rbp, urbp = (ec.evaluate(text, sample).mean() for text in ("RBP", f"uRBP1(threshold={threshold})"))
        assert table.loc["RBP vs. uRBP1: τ", f"th = {threshold}"] == pytest.approx(ec.tau(rbp, urbp))


def edit_description(app: AppTest, old: str, new: str) -> AppTest:
    """Return the page Collection after a line of the description was changed and read again."""
    app.text_area[0].set_value(str(app.text_area[0].value).replace(f'title = "{old}"', f'title = "{new}"')).run()
    return next(button for button in app.button if button.label == "Read again").click().run()


def test_an_edited_description_may_be_edited_again() -> None:
    app = edit_description(open_app("collection"), "Consumer health (synthetic)", "Mine")
    edit_description(app, "Mine", "Mine too")
    assert not app.error
    assert "Mine too" in links_in_the_sidebar(app)
    assert any("32 systems" in caption.value for caption in app.sidebar.caption)


def test_a_description_that_is_read_again_does_not_replace_an_upload() -> None:
    app = upload(open_app(), UPLOAD)
    app.selectbox(key="data").set_value("sample data").run()
    go_to(app, "collection").run()
    edit_description(app, "Consumer health (synthetic)", "Mine")
    assert "forget them first" in app.error[0].value
    assert any("32 systems" in caption.value for caption in app.sidebar.caption)
    assert len(app.selectbox(key="data").options) > len(open_app().selectbox(key="data").options)


def test_a_mistake_in_the_description_is_explained_and_nothing_is_lost() -> None:
    app = open_app("collection")
    app.text_area[0].set_value("title = ").run()
    next(button for button in app.button if button.label == "Read again").click().run()
    assert "expected TOML" in app.error[0].value
    assert any("Consumer health" in label for label in links_in_the_sidebar(app))


def trec_run(*documents: str) -> bytes:
    """Return a run with these documents, in this order, for two topics."""
    lines = [f"{t} Q0 {d} {k} {-k} tag" for t in ("q1", "q2") for k, d in enumerate(documents, start=1)]
    return "\n".join(lines).encode()


QRELS, QREAD = b"q1 0 a 1\nq1 0 b 1\nq2 0 a 1\n", b"q1 0 a 3\nq1 0 b 0\nq2 0 a 3\n"
UPLOAD = {"good.run": trec_run("a", "b"), "bad.run": trec_run("c", "b", "a"), "qrels.txt": QRELS, "qread.txt": QREAD}


def upload(app: AppTest, files: dict[str, bytes]) -> AppTest:
    sent = [(name, content, "text/plain") for name, content in files.items()]
    app.file_uploader(key="upload files").set_value(sent).run()
    return next(button for button in app.button if button.label == "Open").click().run()


def test_uploaded_files_are_opened() -> None:
    app = upload(open_app(), UPLOAD)
    assert not app.exception
    assert any("2 systems · 2 topics" in caption.value for caption in app.sidebar.caption)
    assert metric(app, "τ") == "1.000"


def test_a_collection_with_one_topic_is_shown() -> None:
    files = {
        name: b"".join(line for line in text.splitlines(True) if line[:2] == b"q1") for name, text in UPLOAD.items()
    }
    app = upload(open_app(), files)
    assert not app.exception
    assert any("2 systems · 1 topic" in caption.value for caption in app.sidebar.caption)
    for look in ("Ranks", "Along one parameter", "Map of two", "u(k) and gains"):
        app.button_group(key="understandability.look").set_value(look).run()
        assert not app.exception
        assert not app.error


def test_a_broken_upload_is_explained_and_nothing_is_lost() -> None:
    app = upload(open_app(), {**UPLOAD, "bad.run": b"q1 Q0 doc 1 high tag\n"})
    assert "expected a number as score" in app.error[0].value
    assert "line 1" in app.error[0].value
    assert metric(app, "τ") == "0.710"


def odd(shape: str, declared: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **link: str) -> AppTest:
    """Open the page on an odd collection."""
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(folder / "odd", shape, declared))])
    return open_app(**link)


@pytest.mark.parametrize(
    ("grades", "offered"),
    [("[1, 2, 3, 4, 5]", (2, 5)), ("[0, 1, 2, 3, 4, 5]", (1, 5))],
)
def test_a_threshold_goes_from_the_second_grade_to_the_best(
    grades: str, offered: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the worst grade as the threshold, users would understand every document: uRBP would equal RBP."""
    declared = f"[aspects.understandability]\nfile = 'qread.txt'\ngrades = {grades}\n"
    app = odd("1 to 5", declared, tmp_path, monkeypatch, model="step")
    slider = app.slider(key="understandability.threshold")
    assert (slider.min, slider.max, slider.step) == (*offered, 1)
    assert slider.value == app.session_state["open collection"].assessments.scale("understandability").border


def test_a_threshold_among_uneven_grades_is_one_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = "[aspects.trustworthiness]\nfile = 'qtrust.txt'\ngrades = [0, 17, 25, 50, 63, 80, 99, 100]\n"
    app = odd("0 to 100", declared, tmp_path, monkeypatch, model="step")
    slider = app.select_slider(key="understandability.threshold")
    border = app.session_state["open collection"].assessments.scale("trustworthiness").border
    assert [float(option) for option in slider.options] == sorted({17, 25, 50, 63, 80, 99, 100, border})


def test_pairs_separated_by_one_measure_are_joined_until_switched_off() -> None:
    app = open_app()
    assert app.toggle(key="understandability.pairs").value is True
    assert "pairs" not in "".join(address_of(app))
    drawn = snapshot(app)["figures"][0]
    app.toggle(key="understandability.pairs").set_value(False).run()
    assert snapshot(app)["figures"][0] != drawn
    assert address_of(app)["understandability.pairs"] == ["false"]


def test_a_declared_parameter_has_its_own_help_range_and_default() -> None:
    slider = open_app().slider(key="understandability.rho")
    declared = RBP.parameters()["rho"]
    help = declared.metadata["help"]
    assert slider.help == help[0].upper() + help[1:]
    assert slider.value == declared.default


# --- gains belong to their scale --------------------------------------------------------------------------------------


def eleven_grades(folder: Path) -> Path:
    """Write a collection whose understandability has eleven grades; the sample has four."""
    (folder / "runs").mkdir(parents=True)
    documents = [f"d{at}" for at in range(22)]
    for name, grades in (("qrels", 2), ("qread", 11)):
        (folder / f"{name}.txt").write_text(
            "".join(f"{t} 0 {d} {at % grades}\n" for t in (1, 2) for at, d in enumerate(documents))
        )
    for name, step in (("a", 1), ("b", -1), ("c", 3)):
        (folder / "runs" / f"{name}.run").write_text(
            "".join(f"{t} Q0 {d} {k} {-k} x\n" for t in (1, 2) for k, d in enumerate(documents[::step], 1))
        )
    return folder


def test_gains_for_another_scale_are_replaced_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(eleven_grades(tmp_path / "eleven"))])
    there = snapshot(fresh("understandability", {}))
    sample = {"data": "sample data"}
    here = snapshot(fresh("understandability", sample))
    app = fresh("understandability", sample)
    app.slider(key="understandability.gains.3").set_value(0.2).run()
    app.selectbox(key="data").set_value("eleven").run()
    shown = snapshot(app)
    assert shown["metric"] == snapshot(fresh("understandability", address_of(app)))["metric"]
    app.button(key="reset page").click().run()
    assert snapshot(app) == there
    app.selectbox(key="data").set_value("sample data").run()
    assert snapshot(app) == here
