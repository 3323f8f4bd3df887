"""What a paper says of a claim: a paragraph of methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.claims.choices import Choice
from evalcore.errors import counted, either
from evalcore.rounding import percent

if TYPE_CHECKING:
    from evalcore.claims.study import Study

MOST_OPTIONS = 12  # that a paragraph lists


def methods_paragraph(study: Study) -> str:
    """What was done, in the words of a methods section: specifications, digest, data, intervals, joint test."""
    design, joint = study.multiverse.design, study.joint
    count = counted(len(design), "specification")
    drawn = (
        f", a sample (seed {design.specifications.seed}) of {design.possible:,} combinations" if design.sampled else ""
    )
    choices = "; ".join(map(_listed, design.specifications.choices))
    exact = f"all {joint.permutations:,} sign vectors" if joint.exact else f"{joint.permutations:,} random sign vectors"
    data = study.multiverse.fingerprint
    over = f"{counted(len(study.multiverse.systems), 'system')} and {counted(len(study.multiverse.topics), 'topic')}"
    parts = [
        f'The claim "{study.claim}" was tested over {count}{drawn} (digest {study.digest}): {choices}.',
        "Options that do not apply to a measure did not multiply it.",
        f"Data: {over}{f' (fingerprint {data[:12]})' if data else ''}.",
        _effect(study),
        f"{100 * study.level:g}% intervals are percentiles of {study.resamples:,} bootstrap resamples of the topics, "
        "the same for all specifications; the claim holds where the interval of the difference lies above 0, and is "
        "reversed where it lies below.",
        "The joint test of the specification curve (Simonsohn, Simmons and Nelson 2020) flips the sign of each topic's "
        f"difference in all specifications at once ({exact}); one-sided, its statistic is the mean of the standardised "
        f"differences.{_places(study)}",
        f"{study.sentence} Joint test: p = {joint.p:.3g}; median effect {joint.median:.4g} (p = {joint.median_p:.3g}), "
        f"{percent(joint.significant)} of the specifications significant in the direction of the claim by a paired "
        f"t-test at alpha = {joint.alpha:g} (p = {joint.significant_p:.3g}).",
        f"Computed with evalcore, seed {study.seed}.",
    ]
    return " ".join(parts)


def _listed(choice: Choice) -> str:
    names = [one.name for one in choice.options]
    rest = len(names) - MOST_OPTIONS
    shown = names if rest <= 0 else [*names[: MOST_OPTIONS - 1], f"{rest + 1} more"]
    return f"{choice.name} ({', '.join(shown) if rest > 0 else either(shown)})"


def _effect(study: Study) -> str:
    if study.kind == "rank":
        return f"The effect is the rank of {study.claim.systems[0]}."
    standard = ", standardised by its standard deviation over topics" if study.kind == "standardised" else ""
    if study.claim.top:
        best = "best" if study.claim.top == 1 else f"number {study.claim.top}"
        return f"The effect is the lead of {study.claim.systems[0]} in mean score over the {best} of the other systems."
    of = " of neighbours, the least one of an order" if len(study.claim.pairs) > 1 else ""
    return f"The effect is the difference of mean scores{of}{standard}."


def _places(study: Study) -> str:
    if study.claim.pairs:
        return " Of an order, the p is the largest of its pairs." if len(study.claim.pairs) > 1 else ""
    others = len(study.multiverse.systems) - 1
    beaten = others - (study.claim.top or 1) + 1
    return (
        f" Its p is of beating at least {beaten} of {others} systems (partial conjunction, Benjamini and Heller 2008)."
    )
