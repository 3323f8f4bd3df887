"""Texts of Correlations, from top to bottom."""

from collections.abc import Sequence

import pandas as pd

from evalcore.common.rounding import first_largest, less
from evalcore.data import Collection
from ui.correlations.correlation_settings import Comparison, number
from ui.screen.text import counted, markdown

MOST_NAMED = 6  # most measures in a sentence
FEW = "Choose at least two measures that have systems and topics in common."
NOT_HERE = "One measure in this link is not available here. Choose the measures again."


def what_is_missing(collection: Collection) -> str:
    """Explain why the page has nothing to show, and what to do; return "" if it has something to show."""
    if len(collection.systems) > 1 and collection.topics:
        return ""
    return (
        "You need two systems to compare measures; the open collection has "
        f"{counted(len(collection.systems), 'system')} and {counted(len(collection.topics), 'topic')}. Open more runs."
    )


# --- the matrix -------------------------------------------------------------------------------------------------------


def equivalent(page: Comparison, groups: Sequence[Sequence[str]]) -> str:
    """Name the equivalent measures by group; if there are many, give only their number."""
    listed, count = "; ".join(map(", ".join, groups)) or "no two measures", sum(map(len, groups))
    if count > MOST_NAMED:
        listed = f"{count} measures, in {counted(len(groups), 'group')}"
    return f"Equivalent ({markdown(page.kind.label)} above {page.threshold:.2f}): **{listed}**"


def the_only_pair(page: Comparison, pairs: pd.DataFrame, equivalent: bool) -> str:
    """State whether the only two measures are equivalent."""
    both = " and ".join(f"**{markdown(page.names[pairs[side].iloc[0]])}**" for side in ("test", "reference"))
    value, label = number(pairs[page.correlation].min()), markdown(page.kind.label)
    return f"{both} are {'' if equivalent else 'not '}equivalent: {label} {value}, threshold {page.threshold:.2f}"


def least_of(page: Comparison, pairs: pd.DataFrame) -> pd.Series:
    """Return the row of the pair that agrees least; the first if several do."""
    return pairs.iloc[int(first_largest(-pairs[page.correlation].to_numpy(dtype=float)))]


def least_alike(page: Comparison, pairs: pd.DataFrame) -> str:
    """Name the two measures that agree least, or state that all pairs agree equally well."""
    label, values = markdown(page.kind.label), pairs[page.correlation].to_numpy(dtype=float)
    least, value = least_of(page, pairs), float(values.min())
    others = int((~less(value, values)).sum()) - 1
    if others and others + 1 == len(pairs):
        return f"All pairs agree equally: {label} {number(value)}"
    both = f"**{markdown(page.names[least['test']])}** and **{markdown(page.names[least['reference']])}**"
    more = f", and {counted(others, 'other pair')}" if others else ""
    return f"Least alike: {both}{more}, {label} {number(value)}"


def infinite(label: str, measures: Sequence[str]) -> str:
    return f"{markdown(label)} needs finite scores; some scores under {', '.join(measures)} are infinite."


def matrix(label: str, measures: int) -> str:
    return f"{label} of all pairs of {measures} measures; the values are in the table of all pairs"


def reading(page: Comparison) -> tuple[str, str, str]:
    direction = "" if page.kind.symmetric else " Rows are the test ranking, columns the reference."
    return (
        "Each cell compares the orders of systems under two measures. Kendall's τ is 1 for the same order, 0 if half "
        f"of the pairs swap, −1 for the reverse order.{direction} Similar measures are neighbours.",
        f"Two measures with a bold cell, above {page.threshold:.2f}, are called equivalent here; their winners may "
        "still differ. In a frame, all pairs are equivalent. A measure outside every frame agrees with no other.",
        "Click another cell, then the line of a system in the figure of ranks, to see which topics moved that system. "
        "Under *More settings*, correlate topic by topic: measures then usually agree less.",
    )


# --- one pair, and all ------------------------------------------------------------------------------------------------


def swap(count: int, systems: int) -> str:
    return f"**{count:,}** of {counted(systems * (systems - 1) // 2, 'pair')} of systems swap{'s' * (count == 1)}."


def scatter(systems: int, test: str, reference: str) -> str:
    return f"Scatter of {systems} systems, {test} against {reference} (horizontal); the values are under Who moved"


def ranks(test: str, reference: str) -> str:
    return f"Ranks of all systems under {reference} and {test}; the values are under Who moved"


def all_pairs(label: str) -> str:
    return f"{markdown(label)} of all pairs of measures, lowest first."


# --- the table of Maistro et al. 2021 ---------------------------------------------------------------------------------

ONE_ASPECT = "this measure reads several aspects; choose a measure of one aspect, such as nDCG@10"
OF_MEASURES = (
    "Kendall's tau_b on each topic, averaged over the topics on which it is defined (the number of these topics is "
    "beside it). EUCL, MANH and CHEB are TOMA with the Euclidean, Manhattan and Chebyshev distance; for a base with "
    "binary relevance, every class except the worst is relevant. If scales differ in length, the paper's TOMA uses "
    "equal steps."
)
OF_ASPECTS = "Each measure uses one aspect. If values are low, a ranking by one aspect says little about the others."
