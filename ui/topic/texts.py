"""Texts of Topic: the views Rank by rank and What if?"""

import pandas as pd

from evalcore.explain.rank_by_rank import LargestGap
from ui.address.families import named
from ui.screen.text import counted, markdown, reading_name, score_text

AS_IT_GROWS = " is not a sum over ranks: a bar is the rise of the score if the ranking is extended to this rank."
NO_SUM = " is not a sum over ranks, so the table shows labels without the share of each rank."


# --- Rank by rank -----------------------------------------------------------------------------------------------------


def place(system: str, rank: float, systems: int, mean: float) -> str:
    return f"{markdown(system)}: rank {rank} of {systems} on this topic; mean over topics {score_text(mean)}"


def level(first: str, second: str) -> str:
    return f"Within these ranks **{named(first)}** and **{named(second)}** are level."


def leads(ahead: str, behind: str, gap: LargestGap, documents: str) -> str:
    lead = f"Within these ranks **{named(ahead)}** leads **{named(behind)}** by {abs(gap.lead):.4f}."
    return f"{lead}  \nThe lead grows most at rank {gap.rank}, by {abs(gap.gain):.4f}: {documents}."


def rankings(depth: int, systems: str, topic: str) -> str:
    return f"The first {depth} ranks of {systems} on topic {topic}; the values are in the tables"


def subtopics(counts: dict[str, int], of: int) -> str:
    listed = ", ".join(f"**{named(system)}** {count}" for system, count in counts.items())
    return f"Subtopics covered so far, out of {of}: {listed}."


SUBTOPICS = "Subtopics at each rank, filled if new and hollow if already covered; the values are in the tables"


def sums(measure: str) -> str:
    return f"The score under {reading_name(measure)} as it grows with each rank"


READING_RANKS = (
    "Each row is a rank, each column an aspect; the number is the grade, and bluer is better. A dot is an "
    "unassessed document. Bars show what each rank adds to the score.",
    "The dotted line marks where two curves split: one system finds a credited document that the other misses.",
    "Try the next topic: topics on which the shown systems (or all systems, if one is shown) differ most come first.",
)

# --- What if? ---------------------------------------------------------------------------------------------------------

NO_EDITS = "There are no edits yet: drag a document to another rank, or choose another label."


def edited(edits: int, system: str, on_topic: pd.DataFrame, here: int, everywhere: int) -> str:
    after, before = (score_text(on_topic[name][system]) for name in ("score_y", "score_x"))
    score = f"After {counted(edits, 'edit')} **{named(system)}** scores **{after}** on this topic (was {before})."
    moved = f"{counted(int(here), 'system')} of {len(on_topic)} change rank on this topic, {everywhere} overall."
    return f"{score}  \n{moved}"


def tau(where: str) -> str:
    return f"Kendall's τ between the orders of systems before and after the edits, {where}"


BEST_FIRST = "Sort these documents by their gain under the measure"


def labels_read(source: str) -> str:
    return f"The measure reads the labels of {markdown(source)}; this table shows the default labels."


ONLY_HERE = "Other views and pages show the collection without edits. The browser's Back also undoes an edit."


def edited_ranks(topic: str) -> str:
    return f"Ranks of all systems on topic {topic}, before and after the edits; the values are in the table"


READING_WHAT_IF = (
    "The table is the edited ranking of one system, with the original rank of each document and marks on changed "
    "labels. The curves show the score rank by rank, before (grey) and after (coloured) the edits.",
    "A moved document changes only this system; a changed label affects every system that retrieved the document. The "
    "lines below show the new order of systems on this topic, which is one of many in the mean.",
    "Move the best document from rank 1 to 2, then from 9 to 10: which move costs more? Remove the label of a relevant "
    "document that only one system retrieved. The page's address keeps your edits, so you can share them as a link.",
)
