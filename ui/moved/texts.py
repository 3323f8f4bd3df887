"""Texts of Who moved: systems, then the topics that moved one system, then its documents on one topic."""

from collections.abc import Sequence

import pandas as pd

from evalcore.meta import Move
from ui.address.families import named
from ui.screen.text import counted, markdown, score_text

NAMED = 5  # most systems with a link each


def ways(rank_x: int, rank_y: int) -> str:
    """Describe a system's change of rank.

    >>> ways(3, 1), ways(2, 2)
    ('rises from rank 3 to 1', 'stays at rank 2')
    """
    if rank_x == rank_y:
        return f"stays at rank {rank_x}"
    return f"{'rises' if rank_y < rank_x else 'falls'} from rank {rank_x} to {rank_y}"


# --- systems ----------------------------------------------------------------------------------------------------------


def nobody_moves(first: str, second: str) -> str:
    return f"No system changes its rank between {first} and {second}."


def moves(top: pd.Series, first: str, second: str, moved: int, systems: int) -> str:
    most = f"**{named(str(top.name))}** {ways(top['rank_x'], top['rank_y'])} between {first} and {second}"
    return f"{most}; **{moved}** of {counted(systems, 'system')} change their rank."


def ranks(systems: int, first: str, second: str) -> str:
    return f"Ranks of {systems} systems under {first} and {second}; the values are in the table below"


def reading_systems(moved: int, tested: bool) -> tuple[str, str, str]:
    which = "Systems that move" if moved <= NAMED else f"The {NAMED} largest moves"
    out = f"{which} are highlighted. " if moved else ""
    decided = (
        " A swap is decided if one system significantly beats the other under the first measure and loses to it under "
        "the second. Of the swaps called decided, on average at most 5 % are wrong (false discovery rate)."
    )
    return (
        "Each line is a system: its rank under the first measure (left) and under the second (right).",
        f"{out}Systems with equal scores share the better rank.{decided if tested else ''}",
        "Click a line, or a link above, to see the topics that moved the system.",
    )


# --- topics -----------------------------------------------------------------------------------------------------------


def stays(move: Move) -> str:
    return f"**{named(move.system)}** {ways(move.rank_x, move.rank_y)}, so there is no move to explain."


def passed(move: Move) -> str:
    """Name the systems that a system passed, or those that passed it."""
    name, count = named(move.system), len(move.crossed)
    some = ", ".join(map(named, move.crossed[:3])) + (f" and {count - 3} more" if count > 3 else "")
    way = "passes" if move.rank_y < move.rank_x else "is passed by"
    return f"**{name}** {ways(move.rank_x, move.rank_y)}: it {way} {some}."


def share_of_topics(topic: str, share: float, half: int, topics: int) -> str:
    """State the first topic's share of the move, and how many topics make up half of it."""
    topic = f"Topic **{markdown(topic)}** alone"
    if not share > 0:
        return "No topic scored by both measures explains the move."
    if share > 1:
        return f"{topic} would move it further ({share:.0%} of the move); other topics work against it."
    rest = f"; {half} of {topics} topics account for half of it" if half > 1 else ""
    return f"{topic} accounts for {share:.0%} of it{rest}."


def shares(topics: int, system: str) -> str:
    return f"Share of the move of {system} explained by each of {topics} topics; the values are in the table below"


READING_TOPICS = (
    "Each bar shows how much one topic changes the system's mean lead over the systems that it swapped with. The unit "
    "is the standard deviation of the systems' means under each measure.",
    "Red bars push the system down, blue bars up. One long bar means that a single topic caused the move; many "
    "short bars point to something that the system does on all topics.",
    "Click a bar to see the documents behind it.",
)

# --- documents --------------------------------------------------------------------------------------------------------


def scores(measure: str, own: float, others: float | None = None) -> str:
    rest = "" if others is None else f"; the systems that it swapped with score {score_text(others)} on average"
    return f"Under {markdown(measure)} it scores **{score_text(own)}** on this topic{rest}."


NO_MOVE = "Its rank is the same under both measures, so there is no move to explain."
NO_SUM = "One of the measures is not a sum over ranks, so the share of each rank is not shown."
ALL_ALIKE = "One of the measures gives all systems the same score."
NO_RANK = "None of these ranks explains the move; it comes from the documents that other systems returned."


def most(gains: bool, ranks: Sequence[str]) -> str:
    return f"It {'gains' if gains else 'loses'} most at {' and at '.join(ranks)}."


def both_rankings(depth: int, system: str, topic: str) -> str:
    return f"The first {depth} ranks of {system} on topic {topic} under both measures; the values are below"


BESIDE = "Rank by rank, beside another system"
READING_DOCUMENTS = (
    "The figure shows the same ranking under both measures, with the labels of each document. Bars show what each rank "
    "adds to the score.",
    "A bar on the left without a partner on the right is credit that only the first measure gives.",
    "Compare the system with one that it swapped with: the link below shows both, rank by rank.",
)
