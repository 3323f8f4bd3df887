"""Description of a claim's method, as a paragraph for a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.claims.choices import Choice
from evalcore.common.rounding import percent
from evalcore.errors import counted, either

if TYPE_CHECKING:
    from evalcore.claims.study import Study

MOST_OPTIONS = 12  # items listed in a paragraph


def methods_paragraph(study: Study) -> str:
    """Describe the claim in the words of a methods section: specifications, digest, data, decisions, joint test."""
    multiverse, joint = study.multiverse, study.joint
    data = multiverse.fingerprint
    over = f"{counted(len(multiverse.systems), 'system')} and {counted(len(multiverse.topics), 'topic')}"
    size = ", ".join(filter(None, (over, multiverse.labelled)))
    exact = f"all {joint.permutations:,} sign vectors" if joint.exact else f"{joint.permutations:,} random sign vectors"
    own = "" if len(study.claim.pairs) == 1 else "; effect and share are of the pair that determines the p in brackets"
    parts = [
        _specifications(study),
        "A measure was not repeated for options that do not apply to it.",
        f"Data: {size}{f' (fingerprint {data[:12]})' if data else ''}.",
        _effect(study),
        _decisions(study),
        _limits(study),
        "The joint test of the specification curve (Simonsohn, Simmons and Nelson 2020) flips the sign of each topic's "
        f"difference in all specifications at once ({exact}). It is one-sided; its statistic is the mean of "
        f"standardised differences.{_corrected(study)}",
        f"{study.sentence} Joint test: p = {joint.p:.3g}; median effect {joint.median:.4g} (p = {joint.median_p:.3g}), "
        f"{percent(joint.significant)} of the specifications significant in the direction of the claim by a paired "
        f"t-test at alpha = {joint.alpha:g} (p = {joint.significant_p:.3g}){own}.",
        f"Computed with evalcore, seed {study.seed}.",
    ]
    return " ".join(parts)


def _specifications(study: Study) -> str:
    design = study.multiverse.design
    laid_out = len(study.multiverse.combinations)
    drawn = (
        f", a sample (seed {design.specifications.seed}) of {design.possible:,} combinations" if design.sampled else ""
    )
    choices = "; ".join(map(_listed, design.specifications.choices))
    count = counted(len(design), "specification")
    text = f'The claim "{study.claim}" was tested over {count}{drawn} (digest {study.digest}): {choices}.'
    if laid_out == len(design):
        return text
    return (
        f"{text} The options have {counted(laid_out, 'combination')}; combinations with the same scores for all "
        "systems and topics count as one specification, with the largest of their weights."
    )


def _listed(choice: Choice) -> str:
    names = [option.name for option in choice.options]
    rest = len(names) - MOST_OPTIONS
    shown = names if rest <= 0 else [*names[: MOST_OPTIONS - 1], f"{rest + 1} more"]
    return f"{choice.name} ({', '.join(shown) if rest > 0 else either(shown)})"


def _effect(study: Study) -> str:
    if study.kind == "rank":
        return f"The effect is the rank of {study.claim.systems[0]}."
    standard = ", standardised by its standard deviation over topics" if study.kind == "standardised" else ""
    if study.claim.top:
        best = "best of" if study.claim.top == 1 else f"system at rank {study.claim.top} among"
        return f"The effect is the lead of {study.claim.systems[0]} in mean score over the {best} the other systems."
    of = " of neighbours in the order (the smallest of these differences)" if len(study.claim.pairs) > 1 else ""
    return f"The effect is the difference of mean scores{of}{standard}."


def _decisions(study: Study) -> str:
    """Describe the rule that decides a specification."""
    alpha, claim, others = f"{1 - study.level:.3g}", study.claim, len(study.multiverse.systems) - 1
    test = (
        f"flipping the signs of the differences on topics (all sign vectors, or {study.resamples:,} random ones with "
        f"their opposites), and by the paired bootstrap (Sakai 2006; {study.resamples:,} resamples), both tests "
        f"studentised and two-sided at {alpha}"
    )
    few = f" With fewer than {study.curve.fewest} topics, nothing is decided."
    if claim.top is None and len(claim.pairs) == 1:
        better, worse = claim.systems
        return (
            f"The two systems were compared by {test}: the claim holds if {better} beats {worse} in both tests, and is "
            f"reversed if {worse} beats {better} in both.{few}"
        )
    if claim.top is None:
        return (
            f"Pairs were compared by {test}. The claim holds if all its pairs hold, and fails if any pair is "
            f"reversed; the sign test is corrected for the {len(claim.pairs)} pairs (max-T).{few}"
        )
    beats = "all of them" if claim.top == 1 else f"at least {others - claim.top + 1} of them"
    beaten = "one of them beats" if claim.top == 1 else f"{claim.top} of them beat"
    return (
        f"{claim.systems[0]} was compared with each of the {counted(others, 'other system')} by {test}, the sign "
        f"test corrected for all {others} comparisons (step-down max-T, Romano and Wolf 2005): the claim holds if "
        f"this system beats {beats}, and fails if {beaten} it.{few}"
    )


def _limits(study: Study) -> str:
    level = f"{100 * study.level:g}%"
    if study.kind == "rank":
        return (
            f"The limits of the rank are a {level} confidence set from comparisons with all other systems (Mogstad, "
            "Romano, Shaikh and Wilhelm 2024)."
        )
    of = ", solved for the standardised difference" if study.kind == "standardised" else ""
    return (
        f"{level} limits are the mean difference plus or minus the standard error times the critical value that "
        f"decides the claim{of}: they include 0 exactly when the claim is undecided."
    )


def _corrected(study: Study) -> str:
    if study.claim.pairs:
        return " For an order, each p is the largest among its pairs." if len(study.claim.pairs) > 1 else ""
    others = len(study.multiverse.systems) - 1
    beaten = others - (study.claim.top or 1) + 1
    return f" Each p is for beating {beaten} or more of {others} systems (partial conjunction, Benjamini, Heller 2008)."
