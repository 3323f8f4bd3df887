"""The answer sheets in sample_data/sheets: three invented students at the exercises of sample_data/exercises.toml.

python sample_data/make_sheets.py
"""

from __future__ import annotations

from pathlib import Path

import evalcore as ec
from evalcore.exercises import Answered, Entered, Try, read_exercise, sheet_text

HERE = Path(__file__).parent
DAY = "2026-11-02T10"
ANSWERS: dict[str, dict[str, list[Entered]]] = {
    "anna": {"by-hand": [0.625], "for-a-patient": ["expert_large", "plain_rerank3"], "three-lists": [("A", "C", "B")]},
    "ben": {"by-hand": [1.25, 0.75], "for-a-patient": ["plain_rerank3"], "three-lists": [("B", "A", "C")]},
    "chen": {"by-hand": [0.62]},
}


def sheets() -> dict[str, str]:
    """The text of each sheet by its file."""
    exercise, collection = read_exercise(HERE / "exercises.toml"), ec.load(HERE / "health")
    made = {}
    for student, answers in ANSWERS.items():
        given = [
            Answered(question, tuple(Try(one, f"{DAY}:{10 + at}:{place:02}Z") for place, one in enumerate(entries)))
            for at, (question, entries) in enumerate(answers.items())
        ]
        text = sheet_text(student.title(), exercise, collection, given, {}, f"{DAY}:30:00Z", ec.__version__)
        made[f"{student}.json"] = text
    return made


if __name__ == "__main__":
    (HERE / "sheets").mkdir(exist_ok=True)
    for name, text in sheets().items():
        (HERE / "sheets" / name).write_text(text, encoding="utf-8")
