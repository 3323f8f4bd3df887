"""Generator of the sample collection `answers/`: answers by invented pipelines, and the nuggets that they support.

    python -m sample_data.make_answers

30 questions are answered by twelve pipelines: three retrievers (one of which retrieves nothing) with four writers each.
A question has 3 to 8 nuggets, a third of them vital. A brief writer puts the vital ones first and stops; a long-winded
one adds okay nuggets, many only partly, so the winner depends on the weight of okay nuggets. Nuggets were assigned by
people and by a model. The model turns half of the partial support into support, but 90% for its own writer.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.data.nuggets import COUNTS
from sample_data.files import write_all

HERE = Path(__file__).parent
SEED = "answers-1"
QUESTIONS = 30
SEARCHES = {"none": -1.0, "terms": 0.0, "dense": 0.35}  # effect of each search on the chance of a nugget
WRITERS = {"brief": (1.15, -0.9), "plain": (0.3, 0.0), "long": (0.35, 0.9), "juno": (0.1, 0.3)}  # vital, okay nuggets
OF_THE_JUDGE = "juno"
DESCRIPTION = """\
title = "Invented answers"
description = "Answers of 12 invented pipelines to 30 questions; what they support, as people and a model say"
runs = []
"""
GRADES = ("not_support", "partial_support", "support")


def random(name: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(f"{SEED} {name}".encode()))


def make() -> dict[str, str]:
    """Return the content of each file, by its name."""
    people = assigned_by_people()
    return {
        "people/answers.csv": people.to_csv(index=False, lineterminator="\n"),
        "model/answers.csv": assigned_by_a_model(people).to_csv(index=False, lineterminator="\n"),
        "collection.toml": description(),
    }


def description() -> str:
    """Return the text of collection.toml, with people's scores first."""
    counts = [
        f'[scores."{count} {judge}"]\nfile = "{judge}/answers.csv"\nmeasure = "{count}"\ngood = "high"\n'
        for judge in ("people", "model")
        for count in COUNTS
    ]
    return "\n".join([DESCRIPTION, *counts])


def nuggets() -> pd.DataFrame:
    """Return a table of the nuggets of all questions, with their importance and their difficulty."""
    draw = random("nuggets")
    rows = [
        (f"q{question:02}", f"fact {at}", "vital" if at <= max(1, count // 3) else "okay", draw.normal(0, 1))
        for question in range(1, QUESTIONS + 1)
        for count in [draw.randint(3, 9)]
        for at in range(1, count + 1)
    ]
    return pd.DataFrame(rows, columns=["question", "nugget", "importance", "hard"])


def assigned_by_people() -> pd.DataFrame:
    """Return a table of the support that people assigned: a line for each nugget of each answer."""
    known, listed = nuggets(), []
    for search, found in SEARCHES.items():
        for writer, (vital, okay) in WRITERS.items():
            draw = random(f"{search} {writer}")
            at = found + np.where(known["importance"] == "vital", vital, okay) - known["hard"]
            likely = at + draw.logistic(0, 0.7, len(known))
            grade = (likely.to_numpy() > np.array([[0.4], [-0.4]])).sum(axis=0)
            name = f"{search}-{writer}"
            listed.append(known.assign(system=name, assignment=np.array(GRADES)[grade]).drop(columns="hard"))
    return pd.concat(listed)[["question", "system", "nugget", "importance", "assignment"]]


def assigned_by_a_model(people: pd.DataFrame) -> pd.DataFrame:
    """Return the labels of a model that turns half of people's partial support into support.

    For the model's own writer, 90% of the partial support becomes support. Of all labels, 4% become "not_support" at
    random.
    """
    kind = np.where(people["system"].str.endswith(OF_THE_JUDGE), 0.9, 0.5)
    part = people["assignment"] == "partial_support"
    raised = part & (random("model").random_sample(len(people)) < kind)
    missed = random("missed").random_sample(len(people)) < 0.04
    grade = people["assignment"].mask(raised, "support").mask(missed, "not_support")
    return people.assign(assignment=grade)


if __name__ == "__main__":
    write_all(HERE / "answers", make())
