"""The page Exercises: a guess before the reveal, hints, points, sets of one's own, links for a class."""

from __future__ import annotations

import ast
import shutil
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import plotly.graph_objects as go
import pytest
from python_support import run, snippet
from streamlit.testing.v1 import AppTest

from app_support import ROOT, SAMPLE, address_of, fresh, open_app, shown_items
from evalcore import load
from evalcore.exercises import shipped
from ui.address import settings, teaching
from ui.guided_path import LESSONS
from ui.screen.text import markdown
from ui.server import kept

EXAMPLE = (ROOT / "sample_data" / "exercises.toml").read_bytes()


def button(app: AppTest, label: str) -> Any:
    return next(one for one in app.button if one.label == label)


def guess(app: AppTest, entered: Any) -> None:
    if app.main.radio:
        app.radio[0].set_value(entered)
    else:
        app.main.text_input[0].set_value(str(entered))
    button(app, "Check").click().run()
    assert not app.exception


def texts(app: AppTest) -> str:
    shown = (*app.main.markdown, *app.main.caption, *app.main.success, *app.main.warning)
    return "\n".join(str(one.value) for one in shown)


def entry(app: AppTest) -> str:
    """The key of what is entered for a ranking."""
    return str(button(app, "Check").key).removeprefix("check ")


def figures(app: AppTest) -> list[go.Figure]:
    return [one for _, one in shown_items(app) if isinstance(one, go.Figure)]


def test_nothing_is_revealed_before_there_is_a_guess() -> None:
    app = open_app("exercises")
    assert "0.5904" not in texts(app)
    assert figures(app) == []
    assert [one.label for one in app.button if one.label == "Show the answer"] == []


def test_a_wrong_guess_gets_its_hint_and_another_try_and_a_right_one_the_answer() -> None:
    app = open_app("exercises")
    guess(app, 0.4096)
    assert "0.8⁴ is what is left for all ranks *below* the fourth." in texts(app)
    assert "0.5904" not in texts(app)
    assert [len(figure.data) for figure in figures(app)] == [1]  # the guess alone
    guess(app, 0.6)
    assert "Right, after 2 guesses." in texts(app)
    assert "= **0.5904**. A list in which they are all relevant" in texts(app)
    assert [trace.name for trace in figures(app)[0].data] == ["the answer", "your guesses", "where it was asked for"]
    assert not app.main.number_input


def test_the_answer_may_be_looked_at_after_a_try_and_ends_the_tries() -> None:
    app = open_app("exercises", question="for-a-patient")
    guess(app, "expert_large")
    assert "It is first by RBP." in texts(app)
    button(app, "Show the answer").click().run()
    assert "**plain\\_rerank3**. Systems of the family" in texts(app)
    assert not app.main.radio
    app.button_group(key="exercises.look").set_value("Answer sheet").run()
    rows = app.main.dataframe[0].value.set_index("question").T
    assert rows[shipped()["for-a-patient"].title].tolist() == [1, "seen", 0.0]


def test_a_ranking_is_put_in_order_and_names_what_is_swapped() -> None:
    app = open_app("exercises", question="order-by-urbp")
    app.session_state[entry(app)] = ("move:order:4:1", "nonsense", "move:order:9:1")
    button(app, "Check").click().run()
    assert "you have swapped expert\\_journal and expert\\_large" in texts(app)
    app.session_state[entry(app)] = ("move:order:3:4",)
    button(app, "Check").click().run()
    assert "Right, after 2 guesses." in texts(app)
    assert len(figures(app)) == 1


@pytest.mark.parametrize("question", ["first-four", "for-a-patient", "order-by-urbp"])
def test_as_python_draws_the_guesses_beside_the_answer(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app("exercises", question=question)
    if question == "order-by-urbp":
        app.session_state[entry(app)] = ("move:order:4:1",)
        button(app, "Check").click().run()
    else:
        guess(app, 0.4096 if question == "first-four" else "expert_large")
    button(app, "Show the answer").click().run()
    code = ast.parse(snippet(app)).body
    names = run(ast.unparse(ast.Module(code[:-1], [])), monkeypatch)
    drawn = eval(ast.unparse(code[-1]), names)
    assert drawn.to_plotly_json()["data"] == figures(app)[0].to_plotly_json()["data"]


@pytest.mark.slow
def test_next_goes_through_all_questions_and_each_opens() -> None:
    app = open_app("exercises")
    for question in shipped().questions[1:]:
        button(app, "Next").click().run()
        assert not app.exception
        assert app.main.header[0].value.replace("\\", "") == question.title
    assert button(app, "Next").disabled


def test_a_set_beside_the_open_collection_is_offered_and_computed_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(SAMPLE, folder)
    (folder / "exercises.toml").write_bytes(EXAMPLE)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = open_app("exercises", set_name="of the open collection")
    assert not app.exception
    guess(app, 1.25)
    assert "That is the sum; RBP multiplies it by 1 − ρ." in texts(app)
    (folder / "exercises.toml").write_text("title = 3")
    app.run()
    assert [error.value for error in app.error] == ["**exercises.toml**: expected title to be a text, found '3'"]
    assert app.main.header[0].value.startswith("1 Reader")  # the set that comes along


def test_a_file_is_opened_and_a_wrong_one_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = kept.Shelves()
    monkeypatch.setattr(kept, "_shelves", lambda: shelves)
    app = open_app("exercises", look="For teachers")
    app.file_uploader(key="exercises file").set_value([("mine.toml", EXAMPLE, "text/plain")]).run()
    assert address_of(app)["exercises.set_name"] == ["your file"]
    app.file_uploader(key="exercises file").set_value([("bad.toml", b"title = 3", "text/plain")]).run()
    assert app.error[0].value.startswith("**bad.toml**: expected title to be a text")
    assert "mine.toml is open" in texts(app)
    button(app, "Forget this file").click().run()
    assert not app.exception


def test_a_picture_of_another_host_in_a_text_is_no_picture() -> None:
    from ui.exercises.question import harmless

    assert harmless("![x](https://example.org/x.png)") == "!\\[x](https://example.org/x.png)"


# --- links for a class


LOCKED = {"locked": ["guided_path.rho"], "guided_path.rho": ["0.5"]}


def test_a_locked_setting_is_shown_and_cannot_be_moved() -> None:
    app = fresh("guided_path", LOCKED)
    assert app.slider(key="guided_path.rho").disabled
    assert app.slider(key="guided_path.rho").value == 0.5
    assert not app.selectbox(key="guided_path.topic").disabled


def test_no_address_that_the_app_writes_moves_what_is_locked() -> None:
    here = {"locked": ["p.a", "p.b"], "p.a": ["1"], "p.c": ["1"]}
    written = settings.unless_locked({"p.a": ["2"], "p.b": ["2"], "p.c": ["2"], "locked": []}, here)
    assert written == {"locked": ["p.a", "p.b"], "p.a": ["1"], "p.c": ["2"]}  # p.b stays at its default


def test_a_saved_view_moves_nothing_that_is_locked_and_shows_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"answers": ["hidden"], "locked": ["guided_path.rho"], "guided_path.rho": ["0.5"]}
    monkeypatch.setattr(teaching, "address", lambda: here)
    saved = {"guided_path.rho": ["0.9"], "guided_path.topic": ["q02"], "answers": ["shown"]}
    assert teaching.kept(saved) == {**here, "guided_path.topic": ["q02"]}
    monkeypatch.setattr(teaching, "address", dict)
    assert teaching.kept(saved) == saved


def test_what_is_locked_stays_on_another_step_and_through_a_reset() -> None:
    app = fresh("guided_path", LOCKED)
    button(app, "Next").click().run()
    assert [warning.value for warning in app.warning] == []
    assert address_of(app)["guided_path.rho"] == ["0.5"]
    button(app, "Reset this page").click().run()
    assert {key: address_of(app)[key] for key in LOCKED} == LOCKED
    assert app.slider(key="guided_path.rho").value == 0.5


def test_a_step_that_is_locked_is_not_left() -> None:
    app = fresh("guided_path", {"locked": ["guided_path.step"]})
    assert [button(app, label).disabled for label in ("Back", "Next")] == [True, True]
    assert app.button_group(key="guided_path.step").disabled


@pytest.mark.parametrize(("stem", "key"), [("toma", "toma.look"), ("topic", "topic.depth")])
def test_every_page_honours_it(stem: str, key: str) -> None:
    app = fresh(stem, {"locked": [key]})
    controls = [one for kind in ("slider", "selectbox", "button_group", "number_input") for one in app.get(kind)]
    assert [bool(control.proto.disabled) for control in controls if control.key == key] == [True]


@pytest.mark.parametrize(
    ("answers", "today", "hidden"),
    [
        ("hidden", date(2026, 1, 1), "This link does not show answers."),
        ("2026-12-01", date(2026, 11, 30), "Answers are shown from 1 December 2026 on."),
        ("2026-12-01", date(2026, 12, 1), ""),
        ("shown", date(2026, 1, 1), ""),
        ("2026-13-01", date(2026, 1, 1), ""),
    ],
)
def test_answers_are_hidden_until_their_day(
    answers: str, today: date, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teaching, "texts_of", lambda _: [answers])
    assert teaching.answers_hidden(today) == hidden


def test_a_link_that_hides_answers_hides_those_of_steps_and_of_exercises() -> None:
    app = fresh("guided_path", {"answers": ["hidden"]})
    assert "Answer" not in [expander.label for expander in app.expander]
    assert "of the weight: down to rank k" not in texts(app)
    app = fresh("exercises", {"answers": ["hidden"]})
    guess(app, 0.4)
    assert button(app, "Show the answer").disabled
    guess(app, 0.59)
    assert "Right, after 2 guesses." in texts(app)
    assert "0.5904" not in texts(app)
    app = fresh("exercises", {"answers": ["hidden"], "exercises.look": ["For teachers"]})
    assert next(one for one in app.get("download_button") if "example" in one.proto.label).proto.disabled


def test_the_view_of_a_question_is_on_all_systems_as_its_answer_is() -> None:
    app = fresh("exercises", {"best": ["3"], "answers": ["hidden"]})
    guess(app, 0.4)
    query = next(one.proto.query_string for one in app.get("page_link") if "Look at it" in one.proto.label)
    assert parse_qs(query) == {
        "answers": ["hidden"],
        "data": ["sample data"],
        "guided_path.step": ["1 Reader"],
    }


@pytest.mark.parametrize("entered", ["0,5904", "59.04 %", " 0.5904"])
def test_a_number_is_taken_as_a_person_writes_it(entered: str) -> None:
    app = fresh("exercises", {})
    guess(app, entered)
    assert "Right, after 1 guess." in texts(app)


@pytest.mark.parametrize("entered", ["a lot", "1.000,5", "nan", "1e999"])
def test_what_is_no_number_is_refused_and_costs_no_guess(entered: str) -> None:
    app = fresh("exercises", {})
    guess(app, entered)
    assert [warning.value for warning in app.main.warning] == [
        f"Expected a number such as 0.25, found {markdown(entered)}."
    ]
    assert app.main.text_input[0].label == "Your guess"


def test_a_day_that_is_none_is_reported() -> None:
    app = fresh("guided_path", {"answers": ["tomorrow"]})
    assert "expected shown, hidden or a day such as 2026\\-12\\-01, found tomorrow" in app.warning[0].value


def test_links_are_built_with_what_is_locked() -> None:
    app = open_app("exercises", look="For teachers")
    app.multiselect(key="class pages").set_value(["Guided path: 1 Reader"]).run()
    app.multiselect(key="class lock Guided path: 1 Reader").set_value(["guided_path.rho"]).run()
    app.radio(key="class answers").set_value("hidden").run()
    button(app, "Add to the list").click().run()
    assert not app.exception
    link = app.main.code[0].value
    assert "/guided_path?" in link
    assert link.endswith("guided_path.step=1+Reader&locked=guided_path.rho&answers=hidden")
    app.multiselect(key="class pages").set_value(["TOMA", "Claim"]).run()
    app.toggle(key="class lock all").set_value(True).run()
    button(app, "Add to the list").click().run()
    assert len(app.main.code) == 3
    assert all(f"locked={page}." in app.main.code[at].value for at, page in ((1, "toma"), (2, "claim")))


def test_the_views_of_shipped_questions_are_pages_with_settings_that_fit() -> None:
    sample = load(SAMPLE)
    lessons = {lesson.name: lesson.settings for lesson in LESSONS}
    for question in shipped().questions:
        parts = urlsplit(question.view)
        stem, link = parts.path.strip("/"), parse_qs(parts.query)
        assert link.keys() <= settings.declared(stem), question.id
        steps = link.get("guided_path.step", [])
        kinds = [lessons[step] for step in steps] or settings.kinds(stem)
        found = [kind.read(sample, link).misfits for kind in kinds if stem == kind.PAGE]
        assert () in found, question.id
