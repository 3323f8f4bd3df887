"""The guided path, run without a browser; test_guided_claims.py checks the numbers in its answers."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from odd_support import write
from streamlit.testing.v1 import AppTest

from app_support import assert_a_report_can_set, metric, open_app
from evalcore.data import Scale
from evalcore.data.small_collections import small_collection
from ui.address.places import PAGES
from ui.teaching.guided_path.base import (
    Lesson,
    a_readability,
    lacks_a_readability,
    lacks_an_aspect,
    lacks_relevance,
    second_aspect,
)
from ui.teaching.guided_path.lessons import LESSONS

NAMES = [lesson.name for lesson in LESSONS]
READER = NAMES.index("Reader") + 1


def answer(app: AppTest) -> str:
    """Return the text of the answer, without links and Markdown markup."""
    text = next(expander for expander in app.main.expander if expander.label == "Answer").markdown[0].value
    return re.sub(r"\[(.*?)\]\(/glossary.*?\"\)", r"\1", str(text)).replace("\\", "").replace("*", "")


def step(at: int, **link: object) -> AppTest:
    return open_app("guided_path", step=NAMES[at - 1], **link)


@pytest.mark.parametrize("at", range(1, len(LESSONS) + 1))
def test_every_step_has_a_question_a_figure_and_an_answer(at: int) -> None:
    app = step(at)
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert app.title[0].value == LESSONS[at - 1].title
    assert LESSONS[at - 1].question in [str(text.value).strip("*") for text in app.markdown]
    assert answer(app)
    assert_a_report_can_set(one.value for one in app.latex)


def test_back_and_next_walk_the_path() -> None:
    app = open_app("guided_path")
    assert app.button_group(key="guided_path.step").value == NAMES[0]
    assert next(button for button in app.button if button.label == "Back").disabled
    for name in NAMES[1:]:
        next(button for button in app.button if button.label == "Next").click().run()
        assert app.button_group(key="guided_path.step").value == name
    assert next(button for button in app.button if button.label == "Next").disabled
    next(button for button in app.button if button.label == "Back").click().run()
    assert app.button_group(key="guided_path.step").value == NAMES[-2]


@pytest.mark.parametrize("lesson", LESSONS, ids=NAMES)
def test_a_step_leads_to_a_page(lesson: Lesson) -> None:
    assert lesson.page in PAGES


def test_the_sample_is_used_whatever_is_open_unless_asked() -> None:
    app = step(READER, ontopics="q02")
    assert metric(app, "RBP of this ranking") == metric(step(READER), "RBP of this ranking")
    app.toggle(key="guided_path.own").set_value(True).run()
    assert not app.exception
    assert app.selectbox(key="guided_path.topic").options == ["q02"]


def test_what_a_collection_lacks_is_named() -> None:
    runs = {name: ["a", "b"] for name in "xyz"}
    labels = pd.DataFrame({"relevance": [1, 0], "ease": [2, 1], "fog": [8.0, 12.0]}, index=["a", "b"])
    fog = Scale("fog", kind="signal", good="low")
    full = small_collection(labels, runs, [fog])
    assert [lacks(full) for lacks in (lacks_relevance, lacks_an_aspect, lacks_a_readability)] == ["", "", ""]
    assert (second_aspect(full), a_readability(full)) == ("ease", "fog")
    alone = small_collection(labels[["relevance"]], runs)
    assert lacks_relevance(alone) == ""
    assert "second aspect" in lacks_an_aspect(alone)
    assert "FOG" in lacks_a_readability(alone)
    assert "relevance" in lacks_relevance(small_collection(labels[["ease"]], runs))
    assert "three systems" in lacks_relevance(small_collection(labels, {"x": ["a"]}))


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["nothing relevant", "all the same", "0 to 100"])
@pytest.mark.parametrize("at", range(1, len(LESSONS) + 1))
def test_every_step_works_on_data_of_ones_own(
    shape: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(write(tmp_path / "odd", shape))])
    app = step(at, own="true")
    assert not app.exception
    assert not app.error
    assert answer(app)


def test_another_step_leaves_the_settings_of_this_one_behind_but_not_the_choice_of_data() -> None:
    app = step(READER, ontopics="q02", own="true", rho="0.5")
    next(button for button in app.button if button.label == "Next").click().run()
    assert not app.warning
    assert app.toggle(key="guided_path.own").value
    assert "guided_path.rho" not in app.query_params


@pytest.mark.parametrize(
    ("before", "now"),
    [one for one in (("1 Reader", "Reader"), ("9 Links", "Links"), ("11 Assessor", "Assessor")) if one[1] in NAMES],
)
def test_links_by_the_number_of_a_step_lead_on(before: str, now: str) -> None:
    app = open_app("guided_path", step=before)
    assert app.button_group(key="guided_path.step").value == now
    assert not app.warning


def test_the_notes_for_the_teacher_are_hidden_with_the_answers() -> None:
    def folded(app: AppTest) -> set[str]:
        return {expander.label for expander in app.main.expander} & {"Answer", "For the teacher"}

    assert folded(step(READER)) == {"Answer", "For the teacher"}
    assert folded(open_app("guided_path", step="Reader", answers="hidden")) == set()


def test_a_ranking_is_moved_by_hand_in_the_text() -> None:
    app = step(1, edits=["move:topic:ranking:3:2"])
    assert not app.warning
    assert metric(app, "P@5") == metric(step(1), "P@5") == "0.400"
    assert metric(app, "AP") == f"{(1 + 2 / 2 + 3 / 6) / 4:.3f}"
    app.button(key="edits Undo").click().run()
    assert metric(app, "AP") == f"{(1 + 2 / 3 + 3 / 6) / 4:.3f}"
