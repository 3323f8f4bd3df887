"""Scores as their places among all values that lists of a length can have."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.data import Collection
from evalcore.progress import Tell, telling
from ui.frame.work import Job, results
from ui.widgets.measures import NOT_YET

Answer = pd.DataFrame | InputError


def answered_on_scale(
    collection: Collection, texts: Sequence[str], depth: int
) -> tuple[dict[str, pd.DataFrame], dict[str, InputError]]:
    """Topics x systems under each measure that has an interval scale, by its text; and why the others have none."""
    names = {text: ("interval scale", collection.fingerprint, text, depth) for text in texts}
    jobs: dict[Hashable, Job[Answer]]
    jobs = {name: partial(_scored, collection, text, depth) for text, name in names.items()}
    kept = results("interval scale", "Scoring all lists", jobs, above=True)
    found = {text: kept.get(name, InputError(NOT_YET)) for text, name in names.items()}
    known = {text: one for text, one in found.items() if not isinstance(one, InputError)}
    return known, {text: one for text, one in found.items() if isinstance(one, InputError)}


def _scored(collection: Collection, text: str, depth: int, tell: Tell) -> Answer:
    with telling(tell):
        try:
            return ec.interval_scores(text, collection, depth)
        except InputError as error:
            return InputError(error.problem)  # whoever says it names the measure
