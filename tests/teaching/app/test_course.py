"""The course: eight lessons of 45 minutes, whose steps and exercises exist and whose solutions are recomputed."""

from __future__ import annotations

import tomllib
from itertools import product
from math import log2
from pathlib import Path
from typing import Any

import pytest

import ui.teaching.guided_path
from evalcore.teaching.exercises import shipped
from ui.teaching.guided_path.base import STEPS
from ui.teaching.guided_path.offline import plan

COURSE = tomllib.loads(Path(ui.teaching.guided_path.__path__[0], "course.toml").read_text(encoding="utf-8"))
LESSONS = COURSE["lesson"]


def test_eight_lessons_go_from_precision_to_claims() -> None:
    assert len(LESSONS) == 8
    assert (LESSONS[0]["steps"], LESSONS[-1]["steps"]) == (["Precision"], ["Claim"])


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson["title"] for lesson in LESSONS])
def test_a_lesson_has_45_minutes_known_steps_and_questions_and_a_key_to_its_sheet(lesson: dict[str, Any]) -> None:
    assert sum(minutes for minutes, _ in lesson["plan"]) == 45
    assert set(lesson["steps"]) <= set(STEPS)
    assert set(lesson["questions"]) <= set(shipped().ids)
    assert len(lesson["sheet"]) == len(lesson["key"]) > 0
    page = plan(1, lesson)
    words = [str(item.thing) for item in page.items]
    assert all(task in words for task in lesson["sheet"])
    assert not any(answer in word for answer in lesson["key"] for word in words[:-1])  # in the folded key alone


def dcg(grades: list[int]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def test_the_numbers_of_the_keys_are_right() -> None:
    """The numbers are recomputed in a slow and obvious way."""
    both = sum(abs(sum(signs)) == 3 for signs in product((1, -1), repeat=3))
    numbers = [
        ["0.6", "0.75", f"{(1 + 1 + 3 / 5 + 0) / 4:.2f}", f"{(1 + 2 / 3 + 3 / 5) / 4:.3f}"],
        [f"{dcg([1, 2, 0]):.3f}", f"{dcg([2, 1]):.3f}", f"{dcg([1, 2]) / dcg([2, 1]):.3f}", f"{0.5**3:.3f}"],
        [f"{both} of 8", f"{both / 8}", f"{2 / 2**5}"[1:], f"{2 / 2**6:.3f}"[1:]],
        [f"{0.5 * (1 + 0.5 + 0.25)}", f"{0.5 * (1 + 0.25)}"],
        [f"{2 * 0.8 * 0.2 / (0.8 + 0.2):.2f}", "0.5"],
        [f"{(5 - 1) / 6:.3f}"],
        [f"{(0.8 - 0.5) / (1 - 0.5):.1f}"],
        [f"{24 * 0.05:.1f}"],
    ]
    for lesson, texts in zip(LESSONS, numbers, strict=True):
        assert all(text in " ".join(lesson["key"]) for text in texts), (lesson["title"], texts)
