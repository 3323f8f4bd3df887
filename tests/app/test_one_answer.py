"""One answer about the leader: Home, Leaderboard, Discriminative power, the report and the command line agree."""

from __future__ import annotations

import re
import shlex
from html import unescape
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evalcore as ec
from app_support import ROOT, an_app, go_to
from evalcore.cli import main
from evalcore.data.shown_names import RULES, shown_names

MEASURE = "RBP(rho=0.8)"
SAMPLES = {name: ROOT / "sample_data" / name for name in ("health",)}
REAL = ("clef2015", "clef2016task2")
# Systems, topics, and the gap between systems: many that may be the best, one, few topics, more than 26 groups.
MADE = [(2, 4, 1.0), (3, 8, 0.0), (3, 8, 1.0), (6, 12, 0.3), (6, 6, 1.0), (10, 25, 0.0), (10, 25, 0.5), (20, 10, 0.3)]
MADE += [(30, 40, 0.8)]
GRID = product((2, 4, 7, 12, 25), (4, 7, 12, 30), (0.2, 0.7))  # with those of MADE more than 40


def written(folder: Path, systems: int, topics: int, apart: float) -> Path:
    """Write a collection of systems; better systems rank good documents higher."""
    random, documents = np.random.default_rng((systems, topics)), 12
    (folder / "runs").mkdir(parents=True)
    grades = random.integers(0, 3, (topics, documents))
    for aspect in ("relevance", "understandability"):
        grid = grades if aspect == "relevance" else random.integers(0, 3, grades.shape)
        lines = [f"q{t} 0 d{t}x{d} {grid[t, d]}\n" for t in range(topics) for d in range(documents)]
        (folder / f"{aspect}.txt").write_text("".join(lines))
    for system in range(systems):
        scores = apart * (systems - system) / systems * grades + random.normal(0, 1, grades.shape)
        lines = [f"q{t} Q0 d{t}x{d} 1 {scores[t, d]:.6f} s{system}\n" for t in range(topics) for d in range(documents)]
        (folder / "runs" / f"s{system}.txt").write_text("".join(lines))
    (folder / "collection.toml").write_text(
        'runs = "runs/*.txt"\n[aspects.relevance]\nfile = "relevance.txt"\n'
        '[aspects.understandability]\nfile = "understandability.txt"\n'
    )
    return folder


def plain(text: str) -> str:
    """Return a sentence without Markdown markup, and without the leader's score."""
    return re.sub(r" \([\d.]+\)", "", unescape(text).replace("\\", "").replace("*", "")).strip().rstrip(".")


def texts(app: AppTest) -> str:
    return "\n".join(plain(line) for text in app.main.markdown for line in text.value.splitlines())


def assert_one_answer(folder: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    collection = ec.load(folder)
    found = ec.rank_intervals(ec.evaluate(MEASURE, collection))
    assert set(found.first) <= set(found.may_be_best) or len(found.table) == 1
    sentence = ec.first_in_words(found)
    where = shlex.quote(str(folder))
    for command in (f"score {where} -m '{MEASURE}' --ranks", f"sweep {where} -m '{MEASURE}' --vary rho=0.8,0.9"):
        assert main(shlex.split(command)) == 0
        assert f"Under {MEASURE}, {sentence}" in renamed(capsys.readouterr().err, collection)
    page = tmp_path / "report.html"
    assert main(shlex.split(f"report {where} -m '{MEASURE}' -m AP -o {page}")) == 0
    written = renamed(unescape(page.read_text()), collection)
    assert f"Under RBP, {sentence}" in written or f"Under {MEASURE}, {sentence}" in written
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = an_app(120)
    for page_name, link in (
        ("home", {"home.rho": "0.8"}),
        ("leaderboard", {"leaderboard.measure": MEASURE}),
        ("discriminative_power", {"discriminative_power.resamples": "1,000"}),
    ):
        app.query_params.clear()
        for key, value in link.items():
            app.query_params[key] = value
        app = app.run() if page_name == "home" else go_to(app, page_name).run()
        assert not app.exception, page_name
        shown = texts(app)
        assert sentence in renamed(shown, collection), (page_name, sentence, shown[:600])


def renamed(text: str, collection: ec.Collection) -> str:
    """Replace short names of systems by their full names."""
    for name, short in sorted(
        shown_names(collection.systems, None, list(RULES), {}).items(), key=lambda names: -len(names[1])
    ):
        text = re.sub(rf"(?<![\w.]){re.escape(short)}(?!\w)", name, text)
    return text


@pytest.mark.parametrize(
    ("systems", "topics", "apart"), [*MADE, *(pytest.param(*one, marks=pytest.mark.slow) for one in GRID)]
)
def test_all_pages_agree_on_an_invented_collection(systems, topics, apart, tmp_path, capsys, monkeypatch):
    assert_one_answer(written(tmp_path / "made", systems, topics, apart), tmp_path, capsys, monkeypatch)


@pytest.mark.parametrize("name", SAMPLES)
def test_all_pages_agree_on_a_sample(name, tmp_path, capsys, monkeypatch):
    assert_one_answer(SAMPLES[name], tmp_path, capsys, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_all_pages_agree_on_real_runs(name, data_folder, tmp_path, capsys, monkeypatch):
    assert_one_answer(data_folder / name, tmp_path, capsys, monkeypatch)
