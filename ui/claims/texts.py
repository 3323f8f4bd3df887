"""Texts of Claim, from top to bottom."""

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from evalcore.claims import Claim, Design, Study
from ui.address.families import short
from ui.claims.claim_settings import EFFECT_WORDS
from ui.screen.text import counted, markdown, percent, score_text, sentence

SAME_SYSTEM = "Choose two different systems."
REASONABLE = "The choices and their options: open a row to leave options out. The text below lists their weights."


def laid_out(design: Design) -> str:
    """State the number of combinations of options; for a sample, also the number of all combinations, and the seed.

    Some combinations may have equal scores, which is not known before they are scored.
    """
    count = counted(len(design), "combination")
    if design.sampled:
        return f"{count}, drawn from {design.possible:,} (seed {design.specifications.seed})"
    return f"{count} of options, all that are valid"


TO_DOWNLOAD = "The options in use, to preregister, to share, or to run on the command line"


def cited(digest: str) -> str:
    return f"Cite the specifications by their digest, `{digest}`."


# --- the answer -------------------------------------------------------------------------------------------------------


def verdict(study: Study) -> Iterator[str]:
    """Yield the decision with the choices that it depends on, then further remarks, with short names of systems."""
    claim = study.claim
    pairs = {claim.pair_text(at): shortly(Claim(pair)) for at, pair in enumerate(claim.pairs)}
    breaks = tuple((pairs[text], share) for text, share in study.verdict.breaks)
    verdict = replace(study.verdict, claim=shortly(claim), breaks=breaks, alike=short(study.verdict.alike))
    decided = markdown("." + verdict.decided.removeprefix(verdict.claim)).removeprefix(".")
    depends = verdict.dependence.removeprefix("; ")
    yield f"**{markdown(verdict.claim)}**{decided}." + (f"  \n{sentence(markdown(depends))}" if depends else "")
    yield from (sentence(markdown(words)) for words in verdict.remarks)


def shortly(claim: Claim) -> str:
    """Return a claim as readable text, with short names of systems."""
    names = " > ".join(map(short, claim.systems))
    return names if claim.top is None else f"{names} {'first' if claim.top == 1 else f'in top {claim.top}'}"


def joint(study: Study) -> Iterator[str]:
    joint = study.joint
    of = "" if len(study.claim.pairs) == 1 else f" ({markdown(shortly(Claim(joint.pair)))} decides)"
    alike = "If the two were equally good" if not of else "If the claim were false"
    yield f"Joint test of the whole curve{of}: p = {joint.p:.3g}."
    yield (
        f"{alike}, a median lead of at least {score_text(joint.median, sign='+')} would occur with p = "
        f"{joint.median_p:.3g}, and at least {percent(joint.significant)} of the specifications would be significant "
        f"in this direction (t-test, α = {joint.alpha:g}) with p = {joint.significant_p:.3g}."
    )


def so_far(done: int, of: int) -> str:
    return f"So far: {done:,} of {of:,} specifications, drawn at random"


BY_OPTION = "Share of specifications in which the claim holds, by option of each choice; the values are in the tables"


def curve(specifications: int) -> str:
    return f"Effect of the claim in {specifications:,} specifications, with their options; the values are in the tables"


def reading(study: Study) -> tuple[str, str, str]:
    """Return three texts on the figures: what they show, how to read them, and what to try."""
    rank = f"rank of {markdown(study.claim.systems[0])}" if study.kind == "rank" else EFFECT_WORDS[study.kind]
    return (
        "Each bar shows, for one option of a choice, the shares of its specifications in which the claim holds (blue), "
        f"is undecided on these topics (grey) or {study.claim.failing} (red). Each column of the curve shows the "
        f"{rank} under one way to measure, with 95% limits over topics; the marks below it show its options. "
        "Combinations of options with equal scores share a column.",
        f"If the bars of a choice are equal or its marks are spread evenly, the choice does not matter. {_rule(study)}",
        "Find the choice whose bars differ most and narrow it under *What counts as reasonable*. Does the claim "
        "survive? Click a column, or drag a box over the failures, to see their options.",
    )


def _rule(study: Study) -> str:
    """State the rule by which the claim holds or fails in a column."""
    claim, others = study.claim, len(study.multiverse.systems) - 1
    if claim.top is None and len(claim.pairs) == 1:
        return "A column is decided if the limits of the difference exclude 0, whichever effect the figure shows."
    if claim.top is None:
        return "The claim holds if all its pairs hold and fails if one is reversed (corrected for the number of pairs)."
    beats = "all others" if claim.top == 1 else f"at least {others - claim.top + 1} of the {others} others"
    beaten = "another system beats" if claim.top == 1 else f"{claim.top} others beat"
    return f"The claim holds if the system beats {beats} and fails if {beaten} it (corrected for the number of others)."


# --- beneath it -------------------------------------------------------------------------------------------------------


def one_specification(number: int, study: Study, options: str, row: pd.Series, limits: str, broken: str) -> str:
    decided = study.claim.decided[row["decision"]]
    return (
        f"Number {number:,} of {len(study.curve):,}: {markdown(options)}.  \nEffect {score_text(row['effect'])} "
        f"({limits}): the claim **{decided}**{broken}."
    )


def represents(combinations: int) -> str:
    return f"This specification represents {combinations:,} combinations of options with equal scores."


REPLAY = "Open this measure, rank by rank"


def other_worth(unassessed: str) -> str:
    return f"On that page, unassessed documents count as 0. Their gain in this specification: {markdown(unassessed)}."


LIFT = "Lift: the option's share of these specifications, divided by its share of all specifications; 1 means equal."
SHARES = (
    "The variance of the effect, split into shares due to the choices and to the topics: they show whether a "
    "different measure or more topics would settle the claim. *Choices together* is the share that only combinations "
    "of choices explain. *holds least* and *holds most* show how often the claim holds with the least and the most "
    "favourable option."
)


def table_of_choices(study: Study) -> str:
    return f"The choices on which the effect depends. {study.sentence}"


def table_of_options(which: str, claim: Claim) -> str:
    return f'Options of the selected specifications, {which}; claim "{claim}"'


def table_of_effects(claim: Claim) -> str:
    return f'The effect of the claim "{claim}" in every specification'
