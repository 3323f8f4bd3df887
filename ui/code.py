"""As Python: the lines that recompute with `evalcore` what is on the screen."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from evalcore.data import Collection
from ui import collections


def as_python(collection: Collection, *lines: str) -> None:
    """The code behind this view, to copy: opening the collection, the filter, then the page's own lines."""
    python([*opening(collection), *lines])


def python(lines: Sequence[str]) -> None:
    """Lines of Python, to copy."""
    with st.expander("As Python", icon=":material/code:"):
        st.code("\n".join(lines), language="python")


def sample_opening() -> list[str]:
    """The lines that open the sample data, whatever else is open."""
    return [
        "import evalcore as ec",
        "",
        f'c = ec.load("sample_data/{collections.SAMPLES[collections.SAMPLE_NAME].name}")',
        "",
    ]


def opening(collection: Collection) -> list[str]:
    """The lines that open what the page works on, filter included."""
    whole = collections.whole()
    lines = ["import evalcore as ec", "", f"c = ec.load({json.dumps(collections.origin(), ensure_ascii=False)})"]
    systems = "" if len(collection.systems) == len(whole.systems) else f"systems={list(collection.systems)!r}"
    topics = "" if len(collection.topics) == len(whole.topics) else f"topics={list(collection.topics)!r}"
    some = ", ".join(filter(None, [systems, topics]))
    restricted = [f"c = ec.restrict(c, {some})"] if some else []
    averaged = ['c = ec.average_over(c, "retrieved")'] if collection.rankings.average_over == "retrieved" else []
    return [*lines, *restricted, *averaged, ""]
