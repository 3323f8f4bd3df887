"""Scores as their places among all values that lists of a length can have."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.explain.interval_scale import lists_to_score
from evalcore.progress import Tell, telling
from ui.address.settings import LINK_ICON
from ui.computing.cached import cached
from ui.computing.measures import NOT_YET, apart
from ui.computing.work import Job, results
from ui.screen.text import markdown

Answer = pd.DataFrame | InputError


def answered_on_scale(
    collection: Collection, texts: Sequence[str], depth: int
) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
    """Topics x systems under each measure that has an interval scale, by its text; and why the others have none."""
    names = {text: ("interval scale", collection.fingerprint, text, depth) for text in texts}
    jobs: dict[Hashable, Job[Answer]]
    jobs = {name: partial(_scored, collection, text, depth) for text, name in names.items()}
    sizes: dict[Hashable, float] = {name: _n_lists(collection, text, depth) for text, name in names.items()}
    answers = results("interval scale", "Scoring all lists", jobs, above=True, sizes=sizes)
    return apart({text: answers.get(name, InputError(NOT_YET)) for text, name in names.items()})


def say_refused(refused: Mapping[str, InputError]) -> None:
    """Which measures have no interval scale here, and why: once for each reason."""
    reasons: dict[str, list[str]] = {}
    for text, error in refused.items():
        reasons.setdefault(error.problem, []).append(text)
    for reason, texts in reasons.items():
        listed = ", ".join(map(markdown, texts))
        st.warning(f"Left out: {listed}: {markdown(reason)}", icon=LINK_ICON)


@cached(128)
def _n_lists(collection: Collection, text: str, depth: int) -> int:
    """How many lists are scored, as long as which it takes; none where the measure has no interval scale."""
    try:
        return lists_to_score(text, collection, depth)
    except InputError:
        return 0


def _scored(collection: Collection, text: str, depth: int, tell: Tell) -> Answer:
    with telling(tell):
        try:
            return ec.interval_scores(text, collection, depth)
        except InputError as error:
            return InputError(error.problem)  # whoever says it names the measure
