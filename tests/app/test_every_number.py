"""As Python gives every number on the screen: its lines are run, and what is shown is among what they make."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app_support import ROOT, open_app

NUMBER = re.compile(r"(?<![\w.=(,@\[])[-−]?\d[\d,]*\.\d{3,}(?![\w=)])")  # scores and correlations, not settings

# Every page and every look at it: page, then settings.
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("understandability", {}),
    ("understandability", {"model": "step", "threshold": "2", "also": ["3"], "look": "Correlation"}),
    ("understandability", {"column": "fog", "look": "Told apart", "same": "0.02"}),
    ("understandability", {"look": "Scores", "pins": ["a = RBP(rho=0.5) | uRBP(rho=0.5)"], "baseline": "a"}),
]


def snippet(app: AppTest) -> str:
    found: str = next(one.value for one in reversed(app.code) if "import evalcore as ec" in one.value)
    return found


def numbers_in(thing: Any, deep: int = 0) -> Iterator[float]:
    """All numbers that a thing holds."""
    if isinstance(thing, bool | str | bytes) or thing is None or deep > 5:
        return
    if isinstance(thing, int | float | np.number):
        yield float(thing)
    elif isinstance(thing, pd.DataFrame):
        for name in thing.columns:
            yield from numbers_in(thing[name], deep + 1)
    elif isinstance(thing, pd.Series):
        if pd.api.types.is_numeric_dtype(thing):
            yield from thing.to_numpy(dtype=float, na_value=np.nan).tolist()
        if pd.api.types.is_numeric_dtype(thing.index):
            yield from thing.index.to_numpy(dtype=float).tolist()
    elif isinstance(thing, np.ndarray):
        if thing.dtype.kind in "fiu":
            yield from thing.astype(float).ravel().tolist()
    elif isinstance(thing, Mapping):
        yield from (number for one in thing.values() for number in numbers_in(one, deep + 1))
    elif isinstance(thing, list | tuple):
        yield from (number for one in thing for number in numbers_in(one, deep + 1))
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        fields = [getattr(thing, one.name) for one in dataclasses.fields(thing)]
        yield from (number for one in fields for number in numbers_in(one, deep + 1))


def made_by(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> np.ndarray[Any, Any]:
    """All numbers that the lines make, run where the app was started."""
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(code, names)
    kept = (one for name, one in names.items() if not name.startswith("__") and name not in ("c", "ec"))
    return np.unique(np.array([number for one in kept for number in numbers_in(one)]))


def shown_in_texts(app: AppTest) -> Iterator[tuple[str, int]]:
    """The numbers in metrics and sentences, with their decimals."""
    metrics = [f" {one.value} {one.delta or ''}" for one in app.main.metric]
    for text in [*metrics, *(one.value for one in app.main.markdown), *(one.value for one in app.main.caption)]:
        for found in NUMBER.findall(re.sub(r"[*`]|\$[^$]*\$", " ", text)):
            number = found.replace("−", "-").replace(",", "")
            yield number, len(number.partition(".")[2])


def has(made: np.ndarray[Any, Any], number: float, off: float) -> bool:
    at = np.searchsorted(made, number)
    near = made[max(at - 2, 0) : at + 2]
    return bool((np.abs(near - number) <= off).any())


def missing(app: AppTest, made: np.ndarray[Any, Any]) -> list[str]:
    """What is shown and was not made."""
    either = np.unique(np.concatenate([made, -made, 100 * made]))
    lost = [text for text, decimals in shown_in_texts(app) if not has(either, float(text), 0.51 * 10**-decimals)]
    for table in app.main.dataframe:
        for name, column in table.value.items():
            if pd.api.types.is_float_dtype(column):
                values = column.dropna().to_numpy(dtype=float)
                lost += [f"{name}: {one!r}" for one in values if np.isfinite(one) and not has(either, one, 1e-9)]
            elif not pd.api.types.is_numeric_dtype(column):
                texts = [text for cell in column for text in NUMBER.findall(f" {cell}")]
                lost += [f"{name}: {text}" for text in texts if not has(either, float(text.replace("−", "-")), 0.00051)]
    return lost


@pytest.mark.parametrize(
    ("page", "said"), VIEWS, ids=[f"{page} {' '.join(map(str, said.values()))}" for page, said in VIEWS]
)
def test_every_number_of_a_view(page: str, said: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app(page, **said)
    assert not app.exception
    assert missing(app, made_by(snippet(app), ROOT, monkeypatch)) == []
