"""A collection of three teams with four systems each, and judges with known errors, one of whom favours a team."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from sources_support import with_sources

from evalcore.data import Collection
from evalcore.structures.documents import Assessments, LoadingReport, Rankings, Scale

TEAMS = ("ann", "ben", "eve")
TOPICS, DOCUMENTS, OF_A_TEAM = 24, 60, 4
ERRS = np.array([[0.9, 0.1], [0.25, 0.75]])  # (true grade, label)


def of_teams(seed: int = 0) -> Collection:
    """Make a collection in which all systems rank all documents, and all documents are assessed.

    Systems differ in quality, and share their team's opinion of every document."""
    random = np.random.default_rng(seed)
    true = (random.random((TOPICS, DOCUMENTS)) < 0.25).astype(float)
    names, lists = [], []
    for at, team in enumerate(TEAMS):
        opinion = random.normal(size=true.shape)
        for number in range(OF_A_TEAM):
            names.append(f"{team}_{number}")
            quality = 0.6 + 0.25 * number + 0.2 * at
            lists.append(np.argsort(-(quality * true + 0.7 * opinion + 0.5 * random.normal(size=true.shape)), axis=1))
    count = len(names)
    rows = np.array(lists) + DOCUMENTS * np.arange(TOPICS)[None, :, None]
    ids = np.array([f"d{at}" for at in range(true.size)], dtype=object)
    scales = {"relevance": Scale("relevance", grades=(0.0, 1.0))}
    topics = tuple(f"t{at}" for at in range(TOPICS))
    pool = Assessments(topics, np.repeat(np.arange(TOPICS), DOCUMENTS), ids, {"relevance": true.ravel()}, scales)
    rankings = Rankings(
        tuple(names),
        TOPICS,
        true.size,
        np.arange(count * TOPICS + 1) * DOCUMENTS,
        np.tile(np.arange(1, DOCUMENTS + 1), count * TOPICS),
        rows.ravel(),
        np.full((count, TOPICS), DOCUMENTS),
    )
    facts = pd.DataFrame(index=pd.Index(names, name="system", dtype=object))
    return Collection("teams", pool, rankings, LoadingReport(facts, pd.DataFrame()), fingerprint=f"teams {seed}")


def judged(seed: int, likes: str = "", share: float = 0.0, reference_errs: bool = False) -> Collection:
    """Return the teams with a second judge "b", whose errors depend only on the true grade.

    Of the documents that some system of the team `likes` ranks among its first five, the judge calls a share relevant,
    whatever their true grade.
    """
    whole = of_teams(seed)
    random = np.random.default_rng(1000 + seed)
    true = whole.assessments.columns["relevance"]
    a = _erring(true, random) if reference_errs else true
    b = _erring(true, random)
    liked = np.zeros(len(true), dtype=bool)
    rankings = whole.rankings
    system = rankings.hit_row // rankings.n_topics
    of_team = np.array([name.startswith(likes) for name in whole.systems]) if likes else np.zeros(12, dtype=bool)
    liked[rankings.row[of_team[system] & (rankings.rank <= 5)]] = True
    b = np.where(liked & (random.random(len(b)) < share), 1.0, b)
    whole.assessments.columns["relevance"][:] = a  # type: ignore[index]
    called = f"teams {seed} {likes} {share} {reference_errs}"
    return replace(with_sources(whole, b=b), fingerprint=called)


def team(system: str) -> str:
    return system.partition("_")[0]


def _erring(true: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return (random.random(len(true)) < ERRS[true.astype(int), 1]).astype(float)
