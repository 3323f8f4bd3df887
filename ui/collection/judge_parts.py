"""What the parts of judges' names are, as a table to confirm or correct: model, prompt, temperature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.data.judge_table import levels_of
from evalcore.data.manifest import Manifest
from ui.stage import show

SHOWN = 6  # different parts that are listed


def rows(manifest: Manifest, judges: Sequence[str], mark: str) -> pd.DataFrame:
    """A row for each part of the judges' names: what it may be, and what it is called; what was guessed has a mark."""
    factors = manifest.judge_factors
    split = levels_of(judges, factors).values()
    levels = [list(filter(None, dict.fromkeys(column))) for column in zip(*split, strict=True)]
    listed = [", ".join(names[:SHOWN]) + (" and others" if len(names) > SHOWN else "") for names in levels]
    called = [name + mark if name else "" for name in factors]
    return pd.DataFrame({"part": range(1, len(factors) + 1), "is one of": listed, "called": called})


def edited(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """The table as somebody has changed it."""
    st.caption(
        "What tells the judges apart, by the parts of their names; empty: nothing. A table judges.csv says it too, and "
        "what a label costs."
    )
    changed: pd.DataFrame = st.data_editor(
        table, disabled=["part", "is one of"], hide_index=True, key=key, width="stretch", placeholder=show.EMPTY
    )
    return changed


def with_factors(manifest: Manifest, table: pd.DataFrame, mark: str) -> Manifest:
    """The manifest with the names of the table; without any it says nothing of judges."""
    called = tuple(str(name).removesuffix(mark).strip() for name in table["called"].fillna(""))
    return replace(manifest, judge_factors=called if any(called) else ())
