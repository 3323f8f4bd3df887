"""Colours of systems and parts of a collection, from the columns of `systems.csv`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from python_support import snippet

from app_support import SAMPLE, open_app, snapshot

STEMMERS = {"bm25_base": "Porter", "expert_large": "Porter", "plain_fog": "none"}
OTHERS = "dense_base,,3\ndense_large,,5\n"
SYSTEMS_ENTRY = '\n[systems]\nfile = "systems.csv"\n'


@pytest.fixture
def with_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open the sample with a table of some systems, with a column of texts, one of numbers, and one of unique names."""
    folder = tmp_path / "with table"
    shutil.copytree(SAMPLE, folder)
    lines = [f"{system},{stemmer},3" for system, stemmer in STEMMERS.items()]
    (folder / "systems.csv").write_text("system,stemmer,size\n" + "\n".join(lines) + "\n" + OTHERS)
    with (folder / "collection.toml").open("a") as manifest:
        manifest.write(SYSTEMS_ENTRY)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])


@pytest.mark.usefixtures("with_table")
def test_colours_follow_the_column_of_the_table() -> None:
    app = open_app(colour="stemmer")
    assert not app.exception
    assert open_app("collection").selectbox(key="colour").options == ["their names", "stemmer", "size", "none"]
    legend = {trace["name"] for trace in json.loads(snapshot(app)["figures"][0])["data"] if trace.get("name")}
    for family in ("Porter", "none", "not said"):  # with the shapes of its systems
        assert any(name.split(" <")[0] == family for name in legend)
    assert "bm25" not in legend


@pytest.mark.slow
@pytest.mark.usefixtures("with_table")
def test_printed_python_makes_the_same_colours() -> None:
    for colour, code in (("none", "(c.systems, {})"), ("stemmer", "in_words"), ("their names", "(c.systems)")):
        assert code in snippet(open_app("rules", colour=colour))


@pytest.mark.usefixtures("with_table")
def test_systems_with_one_component_share_a_colour() -> None:
    app = open_app(made=["stemmer: Porter"])
    assert app.session_state["open collection"].systems == ("bm25_base", "expert_large")


@pytest.mark.usefixtures("with_table")
def test_values_of_one_column_are_alternatives_and_several_columns_combine() -> None:
    app = open_app(made=["stemmer: Porter", "stemmer: not said", "size: 5"])
    assert app.session_state["open collection"].systems == ("dense_large",)
