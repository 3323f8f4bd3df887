"""Scores that other tools printed for the same runs, compared with those computed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.common.short_forms import shown
from evalcore.data.collection_files import origin_of
from evalcore.data.kinds import kinds_of
from evalcore.data.score_tables import read_score_tables
from evalcore.data.sources import Source, from_path
from evalcore.errors import InputError, counted, refuse_no_collection
from evalcore.measures import evaluate, parse
from evalcore.notation.trec_eval import NO_SCORES, names_of_trec_eval
from evalcore.structures.documents import Collection

MOST_DECIMALS = 6  # that are compared: tools add in other orders, and some in 32 bits
LISTED = 20  # scores that differ, of each file
COLUMNS = ["file", "measure", "ours", "values", "differ", "largest"]
DIFFERENT = ["file", "measure", "topic", "system", "theirs", "ours"]


@shown
@dataclass(frozen=True, eq=False)
class ComparedScores:
    """Scores of other tools beside those computed here.

    `table` has a row for each file and measure: its name there, ours for it, how many scores were compared, how many
    of these differ, and the largest difference. `differences` are the first that differ. `left_out` says of files, and
    of measures in them, why nothing was compared.
    """

    table: pd.DataFrame
    differences: pd.DataFrame
    left_out: tuple[tuple[str, str], ...] = ()

    def in_words(self) -> str:
        """Say how many scores agree, and name the first that does not; "" if none were compared."""
        table = self.table
        if not len(table):
            return ""
        files = table["file"].unique()
        of = files[0] if len(files) == 1 else counted(len(files), "file")
        values, differ = int(table["values"].sum()), int(table["differ"].sum())
        what = f"{counted(table['ours'].nunique(), 'measure')} in {of}"
        if not differ:
            return f"All {values:,} values of {what} agree with those computed here."
        row = self.differences.iloc[0]
        first = f"{row['measure']} of {row['system']} on topic {row['topic']} is {row['theirs']:g} in {row['file']}"
        return f"{differ:,} of {values:,} values of {what} differ: {first}, here {row['ours']:.4f}."


def compare_scores(
    collection: Collection, scores: str | Path | Sequence[str | Path | Source] | None = None
) -> ComparedScores:
    """Compare scores of other tools, topic by topic, with those of the same measures computed here.

    `scores`: files of any form that `load_scores` reads; None takes those that lie beside the collection's own files.
    Measures go by the names of trec_eval (`map`, `ndcg_cut_10`) or ir_measures (`AP`, `nDCG@10`). Two scores agree if
    they are the same to as many decimals as the file has for the measure, six at most. Topics and systems that are
    not in both are passed over, as trec_eval prints no topic for which a run returned nothing.

    Raises InputError for a file given by name that is no table of scores; of those beside the collection's files
    `left_out` says why.
    """
    refuse_no_collection(collection)
    given = scores is not None
    listed = [scores] if isinstance(scores, str | Path) else list(scores or ())
    sources = [source for part in listed for source in ([part] if isinstance(part, Source) else from_path(part))]
    rows, differences, left_out = [], list[pd.DataFrame](), list[tuple[str, str]]()
    ours = dict[str, pd.DataFrame | str]()
    for source in sources if given else lying_beside(collection):
        try:
            tables = read_score_tables([source], "leave-out", collection.systems).scores
        except InputError as error:
            if given:
                raise
            left_out.append((source.name, error.problem))
            continue
        for name, theirs in tables.items():
            own = _ours(name, collection, ours)
            if isinstance(own, str):
                left_out.append((f"{source.name}, {name}", own))
                continue
            row, odd = _compared(theirs, own)
            if not row["values"]:
                left_out.append((f"{source.name}, {name}", "no topic and system of this collection"))
                continue
            about = {"file": source.name, "measure": name}
            rows.append({**about, "ours": str(_measure(name)), **row})
            differences.append(odd.head(LISTED).assign(**about)[DIFFERENT])
    some = [difference for difference in differences if len(difference)]
    first = pd.concat(some, ignore_index=True) if some else pd.DataFrame(columns=DIFFERENT)
    return ComparedScores(pd.DataFrame(rows, columns=COLUMNS), first, tuple(left_out))


def lying_beside(collection: Collection) -> list[Source]:
    """Outputs of evaluation tools among the files that a collection was read from; [] where these are not known."""
    package = origin_of(collection)
    if package is None:
        return []
    texts = {source.name for source in package.inputs.documents}
    files = [source for source in package.files.sources if source.name not in texts]
    kinds = kinds_of(files)
    return [source for source in files if kinds[source.name].purpose == "scores"]


def _measure(name: str) -> str:
    """Our text of a measure that trec_eval or ir_measures calls so. Raises InputError if there is none."""
    if name in NO_SCORES:
        raise InputError("expected a score for each topic, found a mean over topics, or a text", name)
    named = names_of_trec_eval(name)
    return str(parse(named[0][1] if len(named) == 1 else name))


def _ours(name: str, collection: Collection, known: dict[str, pd.DataFrame | str]) -> pd.DataFrame | str:
    """The scores computed here under a measure's name, or why there are none; each is computed once."""
    if name not in known:
        try:
            known[name] = evaluate(parse(_measure(name)), collection)
        except InputError as error:
            known[name] = error.problem
    return known[name]


def _compared(theirs: pd.DataFrame, ours: pd.DataFrame) -> tuple[dict[str, float], pd.DataFrame]:
    """Counts over the scores that both have, and those that differ, the largest difference first."""
    topics, systems = theirs.index.intersection(ours.index), theirs.columns.intersection(ours.columns)
    both = {"theirs": theirs.loc[topics, systems].stack(), "ours": ours.loc[topics, systems].stack()}
    table = pd.DataFrame(both).dropna().rename_axis(["topic", "system"]).reset_index()
    gap = (table["theirs"] - table["ours"]).abs().fillna(0.0).to_numpy()  # infinite in both: none
    odd = gap > 0.5 * 10.0 ** -_decimals(table["theirs"].to_numpy()) + 1e-9
    worst = table[odd].iloc[np.argsort(-gap[odd], kind="stable")]
    return {"values": len(table), "differ": int(odd.sum()), "largest": float(gap.max(initial=0.0))}, worst


def _decimals(values: np.ndarray) -> int:
    """To how many decimals all of them were printed, as far as is compared."""
    finite = values[np.isfinite(values)]
    return next((n for n in range(MOST_DECIMALS) if (np.round(finite, n) == finite).all()), MOST_DECIMALS)
