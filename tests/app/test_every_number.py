"""*As Python* gives every number on the screen, and the figure: its code is run, and the results are compared."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from python_support import LOADED
from streamlit.testing.v1 import AppTest
from views_support import SAMPLES, VIEWS

import evalcore as ec
from app_support import ROOT, SAMPLE, SHARED, fresh, shown_items, things
from ui.address.places import keys_of
from ui.screen.items import Figure, Headline, Metric, Table

NUMBER = re.compile(r"(?<![\w.=(,@\[])[-−]?\d[\d,]*\.\d{3,}(?![\w=)])")  # scores and correlations, not settings
# Excludes levels of intervals and bands (90% and 95% mostly), and shares close to none or all.
SHARE = re.compile(r"(?<!over )(?<!under )(?<![\w.=(])(?!9[05]%)\d+(?:\.\d+)?%(?! \w+ interval)")
COUNT = re.compile(r"\*\*(\d[\d,]*)\*\*")  # set bold
CURVES = (
    "Interpolated",
    "Generalised",
    "AgP",
    "MAgP",
    "The score under",
    "Scores of the candidate",
    "Gain by grade",
    "Discount",
)
RESULT = re.compile(r"\\mathbf\{(-?\d[\d.]*)\}")  # of a formula with numbers in it
IN_METRIC = re.compile(r"(?<![\w.])[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?%?")

NO_FIGURE = {"leaderboard", "papers", "worked_examples", "exercises", "guided_path"}  # whose lines may end in a table


def visit(page: str, link: Mapping[str, Any], data: str | None) -> AppTest:
    """Open the page with these settings; the page must accept all of them."""
    address = {key if key in SHARED else f"{keys_of(page)}.{key}": texts for key, texts in link.items()}
    app = fresh(page, {**({"data": data} if data else {}), **address})
    assert not app.exception
    assert not [warning.value for warning in app.warning if "do not fit" in warning.value]
    return app


def snippet(app: AppTest) -> str:
    found: str = next(block.value for block in reversed(app.code) if "import evalcore as ec" in block.value)
    return found


def numbers_in(thing: Any, deep: int = 0) -> list[float]:
    """Return all numbers in an object."""
    if type(thing) in (int, float):
        return [float(thing)]
    if type(thing) in (bool, str, bytes, type(None)) or deep > 5:
        return []
    if isinstance(thing, np.number):
        return [float(thing)]
    if isinstance(thing, pd.DataFrame):
        return numbers_in([thing[name] for name in thing.columns], deep)
    if isinstance(thing, pd.Series):
        parts = [one for one in (thing, thing.index) if pd.api.types.is_numeric_dtype(one)]
        return [number for part in parts for number in part.to_numpy(dtype=float, na_value=np.nan).tolist()]
    if isinstance(thing, np.ndarray):
        return thing.astype(float).ravel().tolist() if thing.dtype.kind in "fiu" else []
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        thing = [getattr(thing, field.name) for field in dataclasses.fields(thing)]
    elif isinstance(thing, Mapping):
        thing = list(thing.values())
    if not isinstance(thing, list | tuple):
        return []
    return [number for one in thing for number in numbers_in(one, deep + 1)]


@cache
def made_by(code: str, folder: Path) -> tuple[np.ndarray[Any, Any], Any]:
    """Return all numbers that the code makes when run in a folder, and the object that a notebook would show."""
    names: dict[str, Any] = {}
    *lines, last = ast.parse(code).body
    shown = None
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(ec, "load", LOADED)
        exec(compile(ast.Module(lines, []), "as python", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "as python", "eval"), names)
        else:
            exec(compile(ast.Module([last], []), "as python", "exec"), names)
    kept = (one for name, one in names.items() if not name.startswith("__") and name not in ("c", "ec"))
    return np.unique(np.array([number for one in kept for number in numbers_in(one)])), shown


def traces_of(figure: go.Figure) -> Any:
    return json.loads(figure.to_json())["data"]


def on_the_screen(app: AppTest) -> list[go.Figure]:
    return [item for _, item in shown_items(app) if isinstance(item, go.Figure)]


def shown_in_texts(app: AppTest) -> Iterator[tuple[str, float, float]]:
    """Yield the numbers in metrics and sentences: as text, as value, and with the largest possible rounding error."""
    for one in app.main.metric:
        yield from map(written, IN_METRIC.findall(f"{one.value} {one.delta or ''}"))
    for formula in app.main.latex:
        yield from map(written, RESULT.findall(formula.value))
    for text in [*(one.value for one in app.main.markdown), *(caption.value for caption in app.main.caption)]:
        yield from map(written, COUNT.findall(text))
        plain = re.sub(r"[*`]|\$[^$]*\$", " ", text)
        yield from map(written, [*NUMBER.findall(plain), *SHARE.findall(plain)])


def written(text: str) -> tuple[str, float, float]:
    number, _, power = text.replace("−", "-").replace(",", "").rstrip("%").partition("e")
    unit = 10.0 ** int(power or 0) / (100 if text.endswith("%") else 1)
    return text, float(number) * unit, 0.51 * 10 ** -len(number.partition(".")[2]) * unit


def has(made: np.ndarray[Any, Any], number: float, off: float) -> bool:
    off = 1e-9 if off > 0.5 else off  # whole numbers are not rounded
    at = np.searchsorted(made, number)
    near = made[max(at - 2, 0) : at + 2]
    return bool((np.abs(near - number) <= off).any())


def missing(app: AppTest, made: np.ndarray[Any, Any]) -> list[str]:
    """List the numbers on the page that the code did not make."""
    either = np.unique(np.concatenate([made, -made]))
    lost = [text for text, number, off in shown_in_texts(app) if not has(either, number, off)]
    either = np.unique(np.concatenate([either, 100 * made]))
    for table in app.main.dataframe:
        for name, column in table.value.items():
            if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
                values = column.dropna().to_numpy(dtype=float)
                lost += [f"{name}: {one!r}" for one in values if np.isfinite(one) and not has(either, one, 1e-9)]
            elif not pd.api.types.is_bool_dtype(column):
                found = [written(text) for cell in column for text in NUMBER.findall(f" {cell}")]
                lost += [f"{name}: {text}" for text, number, off in found if not has(either, number, off)]
    return lost + [f"{alt}: {one!r}" for alt, one in drawn_in_curves(app) if not has(either, one, 1e-9)]


def drawn_in_curves(app: AppTest) -> Iterator[tuple[str, float]]:
    """Yield the heights of curves whose values are not in any table."""
    for item in things(app):
        for trace in item.spec().data if isinstance(item, Figure) and item.about.startswith(CURVES) else ():
            if "y" in trace:
                yield from ((item.about, float(one)) for one in trace["y"] if one is not None and np.isfinite(one))


def named(views: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Name test cases after their links; all but the first case of each page are marked as slow."""
    found, seen = [], set()
    for page, link in views:
        texts = [one for one in map(str, link.values()) if "\n" not in one]
        marks = [pytest.mark.slow] if page in seen else []
        found.append(pytest.param(page, link, id=" ".join([page, *texts]), marks=marks))
        seen.add(page)
    return found


@pytest.mark.parametrize(("page", "link"), named(VIEWS))
def test_every_number_of_a_view_and_what_shows_it_carries_its_calls(page: str, link: dict[str, Any]) -> None:
    link = {key: text for key, text in link.items() if key != "own"}  # nothing but the sample is open
    app = visit(page, link, SAMPLES.get(page))
    numbers, drawn = made_by(snippet(app), ROOT)
    if page not in NO_FIGURE and "nine orders" not in link.values():  # which are a table
        assert isinstance(drawn, go.Figure), (
            'As Python ends in the figure: the call that draws it has no name, call("", ...)'
        )
        assert traces_of(drawn) in map(traces_of, on_the_screen(app)), "the last figure of As Python is on no screen"
    lost = missing(app, numbers)
    assert lost == [], f"numbers that no line of As Python computes: {lost}"
    assert without_calls(app) == [], "items that show numbers name the calls that made them: calls=(...)"


def without_calls(app: AppTest) -> list[Figure | Table | Metric | Headline]:
    """List the items that show a number without a call that computed it."""
    items = [item for _, item in app.session_state["on the screen"]]
    shown = [item for item in items if isinstance(item, Figure | Table | Metric | Headline)]
    return [item for item in shown if not item.calls and shows_a_number(item)]


def shows_a_number(item: Figure | Table | Metric | Headline) -> bool:
    if isinstance(item, Table):
        return any(map(pd.api.types.is_numeric_dtype, item.frame.dtypes))
    return isinstance(item, Figure) or any(letter.isdigit() for letter in item.text)


@pytest.fixture(scope="module")
def named_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sample with a table of short names of its systems."""
    folder = tmp_path_factory.mktemp("sample") / "with names"
    shutil.copytree(SAMPLE, folder)
    runs = sorted(path.name.partition(".")[0] for path in folder.glob("runs/*"))
    (folder / "systems.csv").write_text("system,name\n" + "".join(f"{run},no. {at}\n" for at, run in enumerate(runs)))
    with (folder / "collection.toml").open("a") as manifest:
        manifest.write('\n[systems]\nfile = "systems.csv"\n')
    return folder


@pytest.fixture
def with_names(named_sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(named_sample)])


@pytest.mark.usefixtures("with_names")
@pytest.mark.parametrize("page", ["understandability", pytest.param("sensitivity", marks=pytest.mark.slow)])
def test_a_figure_calls_systems_in_python_what_the_page_calls_them(page: str) -> None:
    app = visit(page, {}, None)
    drawn = traces_of(made_by(snippet(app), ROOT)[1])
    assert drawn in map(traces_of, on_the_screen(app))
    assert "shown=shown" in snippet(app)
