"""Texts of Pairs, Topics needed and Top documents, each page from top to bottom."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evalcore.data import Collection
from evalcore.meta import PairComparison, PairedBootstrap
from evalcore.meta.needed_topics import ONE_WAY, PAIRED
from ui.address.families import named
from ui.discriminative_power.pair_settings import BH, Power
from ui.screen.text import counted, markdown, score_text

FEW = "Choose measures that have at least two systems and two topics in common."


def what_is_missing(collection: Collection) -> str:
    """Explain why the page has nothing to show; return "" if it has something to show."""
    if min(len(collection.systems), len(collection.topics)) > 1:
        return ""
    counts = f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}"
    return f"A comparison needs two systems, and a test needs two topics; the open collection has {counts}."


# --- Pairs: all pairs under each measure ------------------------------------------------------------------------------


def shares(page: Power, powers: dict[str, float], pairs: int) -> str:
    """Name the measures that separate the most and the fewest pairs, with the shares of pairs."""
    best, worst = max(powers, key=powers.__getitem__), min(powers, key=powers.__getitem__)
    least = f", **{markdown(page.names[worst])}** {powers[worst]:.1%}" if powers[worst] < powers[best] else ""
    most = f"**{markdown(page.names[best])}** separates **{powers[best]:.1%}** of {counted(pairs, 'pair')}"
    return f"{most}{least} at α = {page.alpha:g}."


CURVES = "ASL curves of the measures over all pairs of systems; the values are in the table beside them"


def power(pairs: int) -> str:
    return f"Discriminative power: the share of {pairs:,} pairs that differ significantly under the bootstrap"


def waiting(measures: Sequence[str]) -> str:
    return f"Not tested yet: {', '.join(map(markdown, measures))}. Continue above."


READING_PAIRS = (
    "Each line shows the pairs of systems under one measure, in order of falling ASL, which is how often two equally "
    "good systems would differ this much by chance. The pairs under one measure, with the chosen test, are below.",
    "The further left a line falls below α, the more pairs the measure separates: its discriminative power. That shows "
    "how clearly a measure orders systems, not whether it measures the right thing.",
    "Move α, add measures, or click a line or a cell to see its pair. A correction accounts for the number of pairs; "
    "*Topics needed* shows what more topics would add.",
)


def formula(some_lack_scores: bool) -> str:
    lacking = " A pair is tested on the topics that both systems have, with resamples of the same number of topics."
    return (
        "d is the difference between two systems on each topic. Each resample b draws the same number of topics, with "
        "replacement, from w, whose mean is 0; t* is the t of the resample. The same resamples serve all pairs and "
        "measures, so measures with equal scores separate the same pairs. If s is 0, t is 0 or infinite (Sakai "
        f"2006).{lacking if some_lack_scores else ''}"
    )


# --- Pairs: all pairs under one measure, and one pair -----------------------------------------------------------------

NO_TOPIC = "This test needs topics with scores of all systems, but there are none. Choose another test."
FAMILIES = {
    "none": "Each pair is tested separately: {alpha:g} % of the pairs of equal systems are called different.",
    BH: "False discovery rate: on average at most {alpha:g} % of the pairs called different are equal.",
    **dict.fromkeys(("Bonferroni", "Holm"), "Family-wise: the chance of any false difference is at most {alpha:g} %."),
}


def differ(count: int, pairs: int, margin: float | None) -> str:
    return f"{count:,} of {counted(pairs, 'pair')} differ by less than {margin:g}"


def smallest(asl: float, pairs: int) -> str:
    return f"The lowest ASL above 0 is {asl:g}; corrected for {counted(pairs, 'pair')}, it may exceed α. Add resamples."


def few_signs(topics: int) -> str:
    return (
        f"The signs of {counted(topics, 'topic')} can be flipped in {2**topics:,} ways, fewer than there are pairs. If "
        "a measure has only a few possible scores, as P@5 does, some pairs may then differ by the same amount on all "
        "topics by chance. For such a pair, the p of a sign-flip test replaces the uncorrected p if it is higher."
    )


def untested(tests: PairedBootstrap) -> str:
    """State how many pairs cannot be tested, and why; "" if all can."""
    if not tests.untested:
        return ""
    count = f"{tests.untested:,} of {counted(len(tests.pairs), 'pair')} {'has' if tests.untested == 1 else 'have'}"
    return f" {count} an infinite score and cannot be tested."


LETTERS = "Two systems that share a letter do not differ significantly."


def matrix(measure: str) -> str:
    return f"Matrix of significant differences between systems under {measure}, best first; the list is below"


SAME_SYSTEM = "Choose two different systems."


def shared(topics: int) -> str:
    return f"A test needs two topics that both systems have; these two systems share {topics}."


def pair(page: Power, a: str, b: str, ahead: int, behind: int, shown: PairComparison) -> str:
    return (
        f"Under {markdown(page.measure)}, {named(a)} is better on {counted(ahead, 'topic')}, {named(b)} on "
        f"{behind}. Mean difference {score_text(shown.mean, sign='+')}, {interval(shown)}."
    )


def interval(shown: PairComparison) -> str:
    if np.isnan(shown.asl):
        return "without a test because a score is infinite"
    if np.isnan(shown.low):
        return "the same on every topic, so there is no interval"
    return f"95% interval {shown.low:+.4f} to {shown.high:+.4f} (dashed line and band)"


def differences(a: str, b: str, measure: str) -> str:
    return f"Difference between {a} and {b} on each topic under {measure}, sorted by size"


def tests(page: Power, exact: bool, pairs: int) -> str:
    flips = "all sign flips" if exact else f"{page.resamples:,} random sign flips"
    corrected = f"The last three columns are corrected with {page.correction} for all {pairs:,} pairs of a measure."
    return (
        f"p (permutation) uses {flips}, and p (Wilcoxon) uses the ranks of the differences. d_z is the mean difference "
        "divided by the standard deviation of the differences; g_z corrects its bias in small samples. "
        f"{corrected if page.correction != 'none' else 'No p is corrected for the number of pairs.'}"
    )


def family(pairs: int) -> str:
    return (
        f"The p values are for the family of {counted(pairs, 'pair')}; *Table* compares systems only with the best. "
        "*difference* is the mean of system_a minus the mean of system_b, with its sign reversed if low scores are "
        "good; if it is above 0, system_a is better."
    )


# --- Topics needed ----------------------------------------------------------------------------------------------------

NO_SPREAD = (
    "Under this measure, differences between systems have no usable spread: they must be finite, vary over topics, and "
    "be neither tiny nor huge. Choose another measure."
)


def needed(page: Power, sizes: pd.Series) -> str:
    """State how many topics the difference needs, and what the present topics detect."""
    each = "" if page.design == PAIRED else " for each system"
    name, needed = markdown(page.names[str(page.measure)]), sizes["topics_needed"]
    count = f"**{needed:,.0f}** topics" if np.isfinite(needed) else "more topics than can be computed"
    return (
        f"A difference of {page.difference:g} in {name} needs {count}{each} for a power of {page.wanted:.0%} at α = "
        f"{page.alpha:g} ({page.design}).  \n"
        f"The {counted(page.n_topics, 'topic')} here{each and f', {each[1:]},'} detect it with a power of "
        f"{sizes['power']:.1%}, and a difference of {sizes['smallest_difference']:.4f} with a power of "
        f"{page.wanted:.0%}."
    )


def how_sure(page: Power, ends: Sequence[float]) -> str:
    """State how many topics are needed at the 95% limits of the spread, because the spread is only an estimate."""
    if not np.isfinite(ends).all():
        return "The spread is estimated from so few topics that the error of the number of topics needed is unknown."
    low, high = (f"{end:,.0f}" for end in ends)
    known = f"The spread is estimated from {counted(page.n_topics, 'topic')}"
    return f"{known}; for the 95% limits of the spread, {low} to {high} topics are needed."


def power_curve(difference: float | None, measure: str) -> str:
    return f"Power by number of topics, for a difference of {difference:g} under {measure}"


def of_the_table(page: Power) -> str:
    """Explain the columns of the table."""
    sd = (
        "of the differences"
        if page.design == PAIRED
        else "of the scores, computed as the standard deviation of the differences divided by √2"
    )
    interval = (
        f"*topics for an interval* is the number of topics with which a {100 * (1 - page.alpha):.4g}% confidence "
        "interval is, on average, no wider than the difference. "
    )
    return (
        f"Each row is a measure, in its own units. *sd* is the standard deviation {sd}; *smallest difference* is the "
        f"smallest difference that {counted(page.n_topics, 'topic')} detect with the target power. "
        f"{interval if page.design != ONE_WAY else ''}A cell is empty if more than ten million topics are needed, or "
        "if the number is unknown (Sakai 2016, noncentral F)."
    )


READING_TOPICS_NEEDED = (
    "The blue line is the chance that the test detects a true difference of the chosen size, by number of topics; grey "
    "lines show half and twice the difference. Dashed lines mark the target power, the topics here and those needed.",
    "The spread is estimated from this collection: the standard deviation over topics of the difference between two "
    "systems, pooled over all pairs. Other systems or topics have a different spread.",
    "Set the smallest difference that matters to you. Compare measures in the table only if units are comparable.",
)

# --- Top documents ----------------------------------------------------------------------------------------------------

ONLY_SIGNALS = "This page needs labels of aspects; the open collection has only signals."


def worst(page: Power, shares: pd.Series) -> str:
    """State the lowest and highest share of documents without merit among those returned, and the two measures."""
    text = f"Of the first {counted(page.depth, 'document')} of the best systems"
    if shares.empty:
        return f"{text}, none is assessed."
    each = [f"**{share:.1%}** under {markdown(page.names[str(name)])}" for name, share in shares.items()]
    return f"{text}, {' to '.join(dict.fromkeys((each[0], each[-1])))} have the worst label on every aspect."


ZERO = "Documents with the worst label on every aspect, by measure and rank"
SUMS = "Mean sum of labels by band of ranks and measure"
READING_TOP_DOCUMENTS = (
    "Both figures use the best system under each measure on each topic, with rankings cut at the two depths. Left: "
    "documents with the worst label on every aspect, by rank. Right: the mean sum of labels, by band of ranks.",
    "If systems are tied for best on a topic, each counts in part, so counts may be fractions. The worst grade of an "
    "aspect counts as 0, even if low grades are good, and a missing label counts as the worst. Unassessed documents "
    "are counted separately and left out of the mean (Maistro et al. 2021, Tables 5 and 6).",
    "Leave an aspect out, or increase the depth. Do measures of several aspects rank fewer such documents at the top?",
)
