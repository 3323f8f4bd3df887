"""Texts of Table and Rules, each page from top to bottom."""

from collections.abc import Sequence

from ui.address.families import named
from ui.computing.doubt import together, verb
from ui.screen.text import counted, listed, markdown, percent

NAMED = 3  # most systems in a sentence
INTERVAL, MAY = "95% interval", "may be best"


# --- Table ------------------------------------------------------------------------------------------------------------


def leaders(first: Sequence[str], rule: object, score: str) -> str:
    who = listed([*map(named, first[:NAMED]), *(["others"] if len(first) > NAMED else [])])
    return f"**{who}** {verb(first, 'leads', 'lead')} under {markdown(rule)}: {score}"


def lacking(count: int, systems: int, rule: str) -> str:
    return f"{count:,} of {counted(systems, 'system')} lack scores (rule: {rule})"


COLUMNS = {
    MAY: "With 95 % confidence, the best system is one of the systems with “yes”. Each system is compared with the "
    "best of the others",
    INTERVAL: "The score with its 95% interval over topics; the vertical line is the leader's score",
    "missing": "Topics on which the system has no score",
}


def moves(system: str, measure: str) -> str:
    return f"{named(system)} under {markdown(measure)}: does it move, and why?"


READING_THE_TABLE = (
    "Each row is a system: the dot is its score, the bar its 95% interval over topics, and the vertical line the "
    "leader's score. Grey systems cannot be the best. Click a heading to sort, or a cell to inspect its system and "
    "measure.",
    "Systems that may be the best are not separable from the leader. *Pairs* shows which other systems differ.",
    "Click a cell, then follow a link below the table to the topics behind the score. Under *More settings* you can "
    "combine topics by a different rule; *Rules* shows all rules side by side.",
)


def best(count: int, measure: str) -> str:
    return f"The {count} systems with the highest mean {measure}, with 95% intervals"


# --- Rules ------------------------------------------------------------------------------------------------------------


def winners(won: Sequence[tuple[Sequence[str], int]], rules: int) -> str:
    """Name the leaders, and the number of rules for topics under which each of them leads."""
    (best, count), *others = won
    every = f"{'all' if not others else f'{count} of'} {counted(rules, 'rule')} for topics"
    text = f"{together(best)} {verb(best, 'leads', 'lead')} under {every}"
    text += "".join(f", {together(names)} under {count}" for names, count in others[: NAMED - 1])
    left = sum(count for _, count in others[NAMED - 1 :])
    return text + (f", others under {left}" if left else "")


def moved(count: int, systems: int, missing: int, share: float) -> str:
    left_out = f"; {counted(missing, 'score')} ({percent(share)}) are missing" if missing else ""
    return f"{count} of {counted(systems, 'system')} change rank with the rule{left_out}."


def only_the_best(drawn: int, systems: int, rule: object) -> str:
    return f"The figure shows the best {drawn} of {systems:,} systems under {markdown(rule)}."


def lines(systems: int, rules: int) -> str:
    return f"Ranks of {systems:,} systems under {counted(rules, 'rule')}; the values are in the table below"


def not_drawn(rules: Sequence[str]) -> str:
    return f"These rules are not drawn, because they leave systems out: {markdown(', '.join(rules))}."


READING_THE_RULES = (
    "Each line is a system and each column a rule: first rules that combine topics, then rules for missing scores.",
    "If lines cross, the order depends on the rule. KeepGaps compares means over different topics.",
    "Choose the rule that your readers expect, under *More settings* on *Table*. Report the rule and the number of "
    "missing scores.",
)
