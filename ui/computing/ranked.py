"""Helpers of pages that show a ranking rank by rank: depths to choose from, and the document at a rank."""

from __future__ import annotations

import pandas as pd

from ui.screen.text import markdown

DEPTHS = (10, 20, 30, 50, 100)


def document_at(table: pd.DataFrame, rank: int, aspects: list[str]) -> str:
    """Return the document at a rank, with its labels, in Markdown."""
    if rank not in table.index:
        return "nothing, because its ranking has ended"
    row = table.loc[rank]
    if not row["document"]:
        return "an unassessed document"
    known = {name: row[name] for name in aspects if pd.notna(row[name])}
    written = {name: markdown(value) if isinstance(value, str) else f"{value:.3g}" for name, value in known.items()}
    labels = ", ".join(f"{markdown(name)} {value}" for name, value in written.items())
    return markdown(row["document"]) + (f" ({labels})" if labels else "")
