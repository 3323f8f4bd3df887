"""Generator of the sample collection `board/`: a leaderboard of invented models on invented tasks, with scores only.

    python -m sample_data.make_board

40 models in four families are scored on 56 tasks in seven groups. Each group requires its own mixture of three
abilities, and the groups differ in size, so that the winner depends on whether tasks or groups count equally. Scores
are missing for three reasons: small models cannot process long texts and lack half of those tasks; one family was not
tested on languages other than English; and a few cells were lost. Two models skipped the tasks at which they are worst.
A rerun has the twelve best models again, on the same tasks; two of them do worse.

Random numbers come from streams named by their purpose. They are of the class `RandomState`, because numpy promises
never to change its streams.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.common.rounding import ordinals
from sample_data.files import write_all

HERE = Path(__file__).parent
SEED = "board-1"
# Number of tasks of each group, its base score, and the weights of wording, reasoning and memory.
GROUPS = {
    "retrieval": (15, 0.42, (0.5, 0.3, 0.2)),
    "classification": (12, 0.62, (0.7, 0.1, 0.2)),
    "clustering": (11, 0.38, (0.6, 0.3, 0.1)),
    "reranking": (4, 0.55, (0.3, 0.6, 0.1)),
    "similarity": (7, 0.70, (0.8, 0.2, 0.0)),
    "long texts": (4, 0.35, (0.1, 0.4, 0.5)),
    "other languages": (3, 0.40, (0.3, 0.1, 0.6)),
}
FAMILIES = {"amber": (0.05, 0.0, -0.02), "birch": (0.0, 0.06, 0.0), "cedar": (0.0, 0.0, 0.08), "delta": (0.0, 0.0, 0.0)}
SIZES = ("nano", "tiny", "small", "base", "mid", "plus", "large", "xl", "xxl", "max")
NOISE = 0.035
LOST = 0.015  # share of lost cells
RERUN = 12


def random(name: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(f"{SEED} {name}".encode()))


def make() -> dict[str, str]:
    """Return the content of each file, by its name."""
    tasks, scores = tasks_of_groups(), true_scores()
    seen = scores + NOISE * random("noise").standard_normal(scores.shape)
    board = seen.clip(0.02, 0.98).round(4).mask(missing(scores))
    best = board.mean().sort_values(ascending=False).index[:RERUN]
    return {
        "tasks.csv": tasks.to_csv(index=False, lineterminator="\n"),
        "score.csv": wide(board),
        "rerun.csv": wide(again(board[best])),
        "collection.toml": DESCRIPTION,
    }


def wide(scores: pd.DataFrame) -> str:
    """Return scores as CSV with one line per model, as in leaderboards."""
    return scores.T.rename_axis("model").to_csv(lineterminator="\n")


def tasks_of_groups() -> pd.DataFrame:
    """Return a table of the tasks, with the group and the language of each."""
    rows = [
        (f"{group.split()[0]}-{at:02}", group, "several" if group == "other languages" else "English")
        for group, (count, _, _) in GROUPS.items()
        for at in range(1, count + 1)
    ]
    return pd.DataFrame(rows, columns=["task", "group", "language"])


def models() -> list[str]:
    """Return the names of the models: family and size."""
    return [f"{family}-{size}" for family in FAMILIES for size in SIZES]


def true_scores() -> pd.DataFrame:
    """Return scores without noise, tasks x models: abilities grow with size and are weighted by group."""
    shade = random("abilities").normal(0, 0.03, (len(models()), 3))
    size = np.tile(np.linspace(0, 0.28, len(SIZES)), len(FAMILIES))
    family = np.repeat(np.array(list(FAMILIES.values())), len(SIZES), axis=0)
    abilities = size[:, None] + family + shade
    tasks = tasks_of_groups()
    hard = random("tasks").normal(0, 0.08, len(tasks))
    asked = np.array([GROUPS[group][2] for group in tasks["group"]])
    level = np.array([GROUPS[group][1] for group in tasks["group"]])
    return pd.DataFrame((level + hard)[:, None] + asked @ abilities.T, index=tasks["task"], columns=models())


def missing(scores: pd.DataFrame) -> pd.DataFrame:
    """Return a mask of the cells without a score."""
    names, tasks = list(scores.columns), tasks_of_groups()
    gone = pd.DataFrame(random("lost").random_sample(scores.shape) < LOST, index=scores.index, columns=names)
    long_texts = tasks.loc[tasks["group"] == "long texts", "task"]
    languages = tasks.loc[tasks["group"] == "other languages", "task"]
    for name in names:
        family, size = name.split("-")
        if size in SIZES[:3]:
            gone.loc[long_texts.iloc[::2], name] = True
        if family == "amber":
            gone.loc[languages, name] = True
    for name in ("birch-plus", "delta-large"):  # these two skipped their worst tasks
        ahead = scores[name].sub(scores.mean(axis=1))  # equal for all tasks of a group, up to rounding
        drawn = random(f"left {name}").random_sample(len(ahead))
        gone.loc[ahead.index[np.lexsort((drawn, ordinals(ahead.to_numpy())))[:8]], name] = True
    return gone


def again(board: pd.DataFrame) -> pd.DataFrame:
    """Return new scores of the same models; two models do worse, all others about as well as before."""
    rerun = board + 0.02 * random("rerun").standard_normal(board.shape)
    for at, name in enumerate(board.columns[[2, 7]]):
        rerun[name] -= 0.09 + 0.03 * at
    return rerun.clip(0.02, 0.98).round(4)


DESCRIPTION = """\
title = "Invented leaderboard"
description = "Scores alone: 40 invented models on 56 tasks of seven groups, with gaps, and a rerun of the best"
runs = []

[topics]
groups = "tasks.csv"

[scores.score]
file = "score.csv"
good = "high"

[scores.rerun]
file = "rerun.csv"
good = "high"
"""


if __name__ == "__main__":
    write_all(HERE / "board", make())
