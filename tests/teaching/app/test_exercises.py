"""The page Exercises: a guess before the reveal, hints, uploaded sets, hidden answers."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from app_support import ROOT, SAMPLE, address_of, fresh, open_app, shown_items
from evalcore import load
from evalcore.teaching.exercises import shipped
from ui.address import settings
from ui.screen.text import markdown
from ui.server import browser_store
from ui.teaching.guided_path.lessons import LESSONS

FIRST_FOUR = "first-four"  # a question of the step Reader
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
    """Return the key under which the session keeps the entered ranking."""
    return str(button(app, "Check").key).removeprefix("check ")


def figures(app: AppTest) -> list[go.Figure]:
    return [one for _, one in shown_items(app) if isinstance(one, go.Figure)]


def test_nothing_is_revealed_before_there_is_a_guess() -> None:
    app = open_app("exercises", question=FIRST_FOUR)
    assert "0.5904" not in texts(app)
    assert figures(app) == []
    assert [one.label for one in app.button if one.label == "Show the answer"] == []


def test_a_wrong_guess_gets_its_hint_and_another_try_and_a_right_one_the_answer() -> None:
    app = open_app("exercises", question=FIRST_FOUR)
    guess(app, 0.4096)
    assert "0.8⁴ is the weight left for all ranks *below* the fourth." in texts(app)
    assert "0.5904" not in texts(app)
    assert [len(figure.data) for figure in figures(app)] == [1]  # the guess alone
    guess(app, 0.6)
    assert "Right, after 2 guesses." in texts(app)
    assert "= **0.5904**. A ranking with exactly these four documents relevant" in texts(app)
    assert [trace.name for trace in figures(app)[0].data] == [
        "the answer",
        "your guesses",
        "at the value in the question",
    ]
    assert not app.main.number_input


def test_the_answer_may_be_looked_at_after_a_try_and_ends_the_tries() -> None:
    app = open_app("exercises", question="for-a-patient")
    guess(app, "expert_large")
    assert "It wins under RBP." in texts(app)
    button(app, "Show the answer").click().run()
    assert "**plain\\_rerank3**. Systems of the family" in texts(app)
    assert not app.main.radio


def test_a_ranking_is_put_in_order_and_names_what_is_swapped() -> None:
    app = open_app("exercises", question="order-by-urbp")
    app.session_state[entry(app)] = ("move:order:4:1", "nonsense", "move:order:9:1")
    button(app, "Check").click().run()
    assert "you have swapped expert\\_journal and expert\\_large" in texts(app)
    app.session_state[entry(app)] = ("move:order:3:4",)
    button(app, "Check").click().run()
    assert "Right, after 2 guesses." in texts(app)
    assert len(figures(app)) == 1


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
    assert [each.value for each in app.error] == ["**exercises.toml**: expected \\`title\\` to be a string, found '3'"]
    assert app.main.header[0].value.startswith("Precision")  # the set that comes along


def test_a_file_is_opened_and_a_wrong_one_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = browser_store.Shelves()
    monkeypatch.setattr(browser_store, "_shelves", lambda: shelves)
    app = open_app("exercises", question=FIRST_FOUR)
    app.file_uploader(key="exercises file").set_value([("mine.toml", EXAMPLE, "text/plain")]).run()
    assert address_of(app)["exercises.set_name"] == ["your file"]
    app.file_uploader(key="exercises file").set_value([("bad.toml", b"title = 3", "text/plain")]).run()
    assert app.error[0].value.startswith("**bad.toml**: expected \\`title\\` to be a string")
    assert "mine.toml is open" in texts(app)
    button(app, "Forget this file").click().run()
    assert not app.exception


def test_a_picture_of_another_host_in_a_text_is_no_picture() -> None:
    from ui.teaching.exercises.question import harmless

    assert harmless("![x](https://example.org/x.png)") == "!\\[x](https://example.org/x.png)"


# --- hidden answers


def test_a_link_that_hides_answers_hides_those_of_steps_and_of_exercises() -> None:
    app = fresh("guided_path", {"answers": ["hidden"]})
    assert "Answer" not in [expander.label for expander in app.expander]
    assert "of the weight: the first k ranks" not in texts(app)
    app = fresh("exercises", {"exercises.question": [FIRST_FOUR], "answers": ["hidden"]})
    guess(app, 0.4)
    assert button(app, "Show the answer").disabled
    guess(app, 0.59)
    assert "Right, after 2 guesses." in texts(app)
    assert "0.5904" not in texts(app)
    assert next(one for one in app.get("download_button") if "example" in one.proto.label).proto.disabled


def test_the_view_of_a_question_is_on_all_systems_as_its_answer_is() -> None:
    app = fresh("exercises", {"exercises.question": [FIRST_FOUR], "best": ["3"], "answers": ["hidden"]})
    guess(app, 0.4)
    query = next(one.proto.query_string for one in app.get("page_link") if "See it in" in one.proto.label)
    assert parse_qs(query) == {
        "answers": ["hidden"],
        "data": ["sample data"],
        "learn.view": ["guided_path"],
        "guided_path.step": ["Reader"],
    }


@pytest.mark.parametrize("entered", ["0,5904", "59.04 %", " 0.5904"])
def test_a_number_is_taken_as_a_person_writes_it(entered: str) -> None:
    app = fresh("exercises", {"exercises.question": [FIRST_FOUR]})
    guess(app, entered)
    assert "Right, after 1 guess." in texts(app)


@pytest.mark.parametrize("entered", ["a lot", "1.000,5", "nan", "1e999"])
def test_what_is_no_number_is_refused_and_costs_no_guess(entered: str) -> None:
    app = fresh("exercises", {"exercises.question": [FIRST_FOUR]})
    guess(app, entered)
    assert [warning.value for warning in app.main.warning] == [
        f"{markdown(entered)} is not a number. Type a number such as 0.25."
    ]
    assert app.main.text_input[0].label == "Your guess"


def test_a_reload_finds_the_guesses_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = browser_store.Shelves()
    monkeypatch.setattr(browser_store, "_shelves", lambda: shelves)
    monkeypatch.setattr(browser_store, "browser", lambda: "a browser")
    guess(open_app("exercises", question=FIRST_FOUR), 0.4096)
    app = open_app("exercises", question=FIRST_FOUR)
    assert app.main.text_input[0].label == "Your next guess"
    assert "0.8⁴ is the weight left for all ranks *below* the fourth." in texts(app)


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
