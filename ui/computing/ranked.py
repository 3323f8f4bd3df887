"""One ranking rank by rank, for the pages that read rankings: how deep, and what stands at a rank."""

from __future__ import annotations

import pandas as pd

from ui.screen.text import markdown

DEPTHS = (10, 20, 30, 50, 100)


def document_at(table: pd.DataFrame, rank: int, aspects: list[str]) -> str:
    """What stands at a rank, with its labels, in Markdown."""
    if rank not in table.index:
        return "nothing, its list has ended"
    row = table.loc[rank]
    if not row["document"]:
        return "a document that nobody assessed"
    known = {name: row[name] for name in aspects if pd.notna(row[name])}
    written = {name: markdown(one) if isinstance(one, str) else f"{one:.3g}" for name, one in known.items()}
    labels = ", ".join(f"{markdown(name)} {one}" for name, one in written.items())
    return markdown(row["document"]) + (f" ({labels})" if labels else "")
