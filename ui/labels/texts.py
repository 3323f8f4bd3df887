"""Texts of Labels, each view from top to bottom."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from evalcore.common.rounding import percent
from evalcore.labels.judges import NoiseCurve
from evalcore.labels.judges.agreement import ABOUT
from evalcore.labels.pools import Rescored, trust_in_words
from evalcore.meta.resampling import Interval
from ui.address.families import named
from ui.computing.doubt import bounds_text, together, verb
from ui.labels.pool_settings import SYSTEM, TEAM, PoolSettings
from ui.labels.ranking_settings import RESAMPLES, RankingLook
from ui.screen.text import counted, markdown, score_text

NO_SOURCES = "This measure uses no aspect with several sources of labels. Choose a measure that does."


# --- Agreement --------------------------------------------------------------------------------------------------------


def labelled(each: dict[str, int], both: int) -> str:
    counts = ", ".join(f"{markdown(name)} {count:,}" for name, count in each.items())
    return f"Labelled documents: {counts}, both {both:,}."


def none_in_common(a: str, b: str) -> str:
    return f"**{markdown(a)}** and **{markdown(b)}** labelled no document in common, so their agreement is unknown."


def same_labels(a: str, b: str, share: float, documents: int, aspect: str) -> str:
    gave = f"{markdown(a)} and {markdown(b)} gave **{percent(share)}** of {counted(documents, 'document')}"
    return f"{gave} the same {markdown(aspect)} label"


def undefined(coefficient: str, why: str, same: str) -> str:
    return f"**{markdown(coefficient)} is undefined**: {markdown(why)}. {same}."


def by_chance(share: float) -> str:
    return f"By chance alone, with the same label frequencies, they would agree on {percent(share)}"


def bounded(value: Interval) -> str:
    """Return a coefficient with its interval, if known, in Markdown.

    >>> bounded(Interval(0.4321, 0.381, 0.489))
    '0.43 \\\\[0.38, 0.49\\\\]'
    """
    if np.isnan([value.low, value.high]).any():
        return score_text(value.estimate, 2)
    estimate, low, high = (score_text(end, 2) for end in (value.estimate, value.low, value.high))
    return f"{estimate} \\[{low}, {high}\\]"


def tendency(a: str, b: str, first: int, second: int) -> str:
    """State which source gives the higher label more often, and for what share of the documents on which they differ.

    `first` is the number of documents on which source `a` has the higher label, `second` the number for source `b`.
    Return "" if both numbers are 0.
    """
    if not first + second:
        return ""
    apart = counted(first + second, "document")
    if first == second:
        return f" They differ on {apart}: both give the higher label equally often."
    higher, count = (a, first) if first > second else (b, second)
    share = percent(count / (first + second))
    return f" They differ on {apart}: **{markdown(higher)}** gives the higher label on {share} of them."


def confusion(a: str, b: str) -> str:
    return f"Documents by the labels of {a} (rows) and {b} (columns); all cells are in the table under By grade"


def reading_agreement(a: str, b: str, label: str, coefficient: str) -> tuple[str, str, str]:
    return (
        f"Each cell counts the documents to which {markdown(a)} gave the label of the row and {markdown(b)} the label "
        "of the column; its shade is the cell's share of its row. The two agree on the diagonal from the upper left.",
        f"{markdown(label)}: {markdown(ABOUT[coefficient])}. Brackets show the 95% interval over topics (jackknife). "
        "No value is good or bad in itself: *Ranking* shows whether the order of systems survives.",
        "Click a cell far from the diagonal: which documents are in it? Compare κ with AC, which differ if one grade "
        "is rare. *By topic* shows whether a few topics cause the result.",
    )


ALL_AGREE = "Both sources agree on every document that both labelled."


def first_of(shown: int, documents: int) -> str:
    more = f" The table shows the first {shown} of {documents:,}; the CSV has all." if documents > shown else ""
    return f"The documents with these labels, the largest disagreements first.{more}"


def undefined_topics(topics: int, one_grade: bool) -> str:
    why = "all labels on the topic have the same grade" if one_grade else "no document has labels from both sources"
    return f"Undefined on {counted(topics, 'topic')}: {why}."


def by_topic(label: str, topics: int) -> str:
    return f"{label} on each of {topics} topics; the values are in the table below"


READING_TOPICS = (
    "Each dot is a topic with its 95% interval over documents; the band is the interval of all topics together. Topics "
    "with few documents, or with few agreements on the rarer grades, have wide intervals or none."
)
READING_GRADES = (
    "The value is the specific agreement: twice the number of documents to which both sources gave the grade, divided "
    "by the number of labels of that grade. With two grades, these values are the positive and negative agreement "
    "(Cicchetti and Feinstein 1990)."
)
READING_CELLS = "Every cell of the matrix, with its share of the documents in the row."


def all_sources(names: Sequence[str]) -> str:
    return f"Agreement of all {len(names)} sources together: {', '.join(map(markdown, names))}."


MISSING_VALUES = (
    "A value is missing if no disagreement is expected by chance, for instance if all labels have one grade. An "
    "interval is missing with fewer than 5 topics or too few agreements on the rarer grades."
)


def on_home(a: str, b: str, same: float, documents: int, kappa: float, share: str) -> str:
    return (
        f"**{markdown(a)}** and **{markdown(b)}** give {percent(same)} of {counted(documents, 'document')} the same "
        f"label; κ (agreement beyond chance) is {score_text(kappa, 3)}. Both labelled {share} of the documents "
        "labelled by either."
    )


def matrix_on_home(a: str, b: str) -> str:
    return f"Matrix of documents by the labels of {a} (rows) and {b} (columns)"


# --- Ranking ----------------------------------------------------------------------------------------------------------

TWO_SOURCES = "Choose two different sources."
TAU_SOURCES = "Kendall's τ_b between the rankings under both sources"


def labelled_by_both(reference: str, test: str) -> str:
    return f"Share labelled by both, among documents that {markdown(reference)} or {markdown(test)} labelled"


def gaps_alone(reference: str, test: str) -> str:
    shared = f"only with the labels of {markdown(reference)} for documents that {markdown(test)} also labelled"
    return f"τ between two rankings: with all labels of {markdown(reference)}, and {shared}"


SHARED = "τ between the rankings with the labels of each source, on the documents that both labelled"


def of_gaps(look: RankingLook, gap: pd.Series) -> str:
    """State which changes the ranking more: labels missing from one source, or different labels."""
    if not gap["labelled"]:
        return f"{' and '.join(map(markdown, look.pair))} labelled no document in common: only missing labels matter"
    more, less = ("missing", "different") if gap["tau_gaps"] < gap["tau_shared"] else ("different", "missing")
    cause = f"{more} labels change the ranking more than {less} labels"
    return f"Both labelled **{percent(gap['labelled'])}** of the documents labelled by either; {cause}"


def rankings_of_two(row: dict[Any, Any], systems: int, ranks: pd.Series | None) -> str:
    """State τ_b of the rankings with two sources, the number of pairs that swap, and the system that moves most."""
    interval = bounds_text(row["tau_low"], row["tau_high"], row["no_interval"])
    tau = f"τ_b of the rankings is **{score_text(row['tau'], 3)}** (95% interval over topics: {interval})"
    swapped = f"**{row['swapped']:,}** of {counted(systems * (systems - 1) // 2, 'pair')} of systems are swapped"
    moves = ""
    if ranks is not None:
        moves = f", and **{named(row['mover'])}** moves from rank {ranks['rank_x']:.0f} to {ranks['rank_y']:.0f}"
    return f"{tau}; {swapped}{moves}."


def shared_topics(topics: int) -> str:
    return f"These are the {counted(topics, 'topic')} that all sources labelled."


def scatter(systems: int, reference: str, test: str) -> str:
    return f"Scatter of {systems} systems, labels of {test} against {reference} (horizontal); the values are below"


READING_RANKING = (
    "Each mark is a system: its mean score with the labels of the reference (horizontal) and of the other source "
    "(vertical). On the dotted line both scores are equal.",
    "Below the line, the other source is stricter, which by itself changes no rank. Ranks change if marks do not rise "
    "from left to right. Documents without a label from a source count as unassessed for it.",
    "Choose another measure: shallow measures depend on fewer labels. Compare *majority* with each source.",
)
TRUST = "Can the judge be trusted at the top?"
WRONG = "Significant under the compared source, but under the reference either not significant or reversed"
MISSED = "Significant under the reference only"


def first_systems(look: RankingLook, row: pd.Series, attrs: dict[Any, Any], wrong: float) -> str:
    """State the winner's rank, the agreement on the first k systems, and the wrongly significant and missed pairs."""
    reference, test = map(markdown, look.pair)
    fate = "is first under both" if attrs["winner_kept"] else f"has rank {attrs['rank_of_winner']} under {reference}"
    return (
        f"The winner under {test}, **{named(attrs['winner'])}**, {fate}.  \n"
        f"Of the first **{look.k or 2}** systems under {reference}, {percent(float(row['common']))} are also among the "
        f"first under {test}, and τ between their orders is **{score_text(row['tau'], 3)}**.  \n"
        f"Of their {counted(int(row['pairs']), 'pair')}, {test} calls **{row['significant']:,.0f}** significantly "
        f"different, **{row['wrong']:,.0f}** wrongly ({percent(wrong)}), and misses **{row['missed']:,.0f}** of the "
        f"{row['significant_reference']:,.0f} pairs that differ under {reference}."
    )


FIRST_K = "Agreement on the first k systems, and pairs wrongly significant or missed, by k; the values are below"


def reading_first_k(correction: object) -> str:
    return (
        f"Pairs are tested with paired t-tests over topics at 0.05, corrected for all pairs ({correction}). *tau* is "
        "over the first k systems under the reference, and *tau_test* over the first k under the test. *common* is the "
        "share of the first k that the two rankings have in common, and *rbo* is rank-biased overlap with p = 1 - 1/k. "
        "*wrong* includes *reversed*, the pairs that are significant under both sources, but in opposite directions."
    )


READING_PAIRS = (
    f"The 95% intervals are over topics ({RESAMPLES:,} resamples). τ_AP gives more weight to swaps near the top of the "
    "test ranking, with the other ranking as the reference; tau_ap_back swaps the two roles. Each interval is for the "
    "correlation of the true rankings of these systems; no_interval gives the reason if there is no interval."
)

# --- Few human labels -------------------------------------------------------------------------------------------------

KEPT = "Human labels are kept for this share of"


def hidden_winner(names: Sequence[str]) -> str:
    return f"Winner with all human labels, some of them hidden here: {together(names)}"


WORTH = "The number of human labels that do as well without the model, per kept label. At 1 the model adds nothing."
KAPPA = "Cohen's κ of the model and the kept human labels"


def both_together(human: object, model: object) -> str:
    return f"Mean scores of the best systems by labels of {human}, {model} and both; the values are in the table below"


READING_FEW_LABELS = (
    "Each of the best systems has three lines: its score with the model and the kept human labels together, with the "
    "kept human labels alone, and with the model alone. Lines are 95% intervals for these topics; the model's lines "
    "are for all topics of this kind, as its errors are unknown. Ticks show the scores with all human labels.",
    "Human labels of the same documents correct the model, so combined scores are right on average whatever the "
    "model does; better agreement shortens their lines. The model alone has a short line, but its error may be larger.",
    "Keep fewer labels: which of the lines still finds the winner? Choose a model that agrees less with people.",
)


def reading_intervals(assumption: str) -> str:
    return (
        "*low* and *high* are the limits of the 95% interval of the mean over all topics of this kind; *these_low* and "
        "*these_high*, of the interval of the mean that these topics would have if humans had labelled all documents; "
        "*rank_low* and *rank_high*, of the interval of the rank over topics. *narrower* is the width of the interval "
        f"for these topics, divided by its width with human labels alone. The intervals are valid if {assumption}."
    )


# --- Pool and noise: a smaller pool -----------------------------------------------------------------------------------

ONE_SYSTEM = "You need two systems for a ranking; the open collection has one. Open more runs."


def not_removable(why: object) -> str:
    return f"No assessments of this collection can be removed: {markdown(why)}."


def tau_text(value: float) -> str:
    """Return a correlation as text; "undefined" if all systems are tied."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def in_places(change: int, of: int, several: bool) -> str:
    """Return a phrase for the change of one system's rank, or, if `several`, for the largest change of several systems.

    >>> in_places(-20, 40, True), in_places(1, 40, False), in_places(0, 40, True)
    ('fall by up to **20** of 40 ranks', 'rises by **1** of 40 ranks', 'keep their ranks')
    """
    if not change:
        return "keep their ranks" if several else "keeps its rank"
    verb = "fall" if change < 0 else "rise"
    return f"{verb}{'' if several else 's'} by {'up to ' if several else ''}**{abs(change)}** of {of} ranks"


def first_text(rescored: Rescored, name: object, supposed: bool = False) -> str:
    """Name the winner under the assessments `name`, in Markdown; if `supposed`, say "would be" or "would stay"."""
    full, now = rescored.full_first, rescored.first[list(rescored.index).index(name)]
    if now == full:
        return f"{together(full)} {'would stay' if supposed else verb(full, 'stays', 'stay')} first"
    return f"{together(now)} {'would be' if supposed else verb(now, 'is', 'are')} first in place of {together(full)}"


def without_group(page: PoolSettings, rescored: Rescored, group: str, row: dict[str, Any], others: int, n: int) -> str:
    """Describe the ranking without a group, and count the groups (of n) without which the winner changes."""
    several = row["systems"] > 1
    moves = in_places(int(row["own largest"]), len(rescored.systems), several)
    return (
        f"Without **{markdown(group)}** in the pool, {'its systems' if several else 'it'} {moves}, and "
        f"{first_text(rescored, group)}: τ **{tau_text(row['tau'])}** with the full pool.  \n"
        f"The measure is {page.name}; the pool loses **{counted(int(row['own']), 'document')}** that no other "
        f"{'team' if page.take == TEAM else 'system'} ranked in its first {page.within_rank}, {row['own relevant']:,} "
        "of them relevant.  \n"
        f"Leaving out one {'team' if page.take == TEAM else 'system'} changes the winner in **{others}** of {n} cases."
    )


def changes(systems: int, groups: int) -> str:
    return f"Changes in rank of {systems} systems when one of {groups} groups is left out; the values are below"


def new_system(page: PoolSettings, moves: Any, trusted: float) -> str:
    """State how far to trust the rank of a system that did not contribute to the pool."""
    trust, teams = trust_in_words(moves, trusted), len(page.grouping.names)
    if page.take != TEAM:
        return f"**A new system** has unassessed documents. If systems here are left out one at a time, {trust}."
    return (
        f"**A new system** has unassessed documents. If systems here are left out with their whole team, {trust}. "
        f"For a later team the error may be larger: in about 1 of {teams + 1:,} cases it exceeds the largest error of "
        f"the {counted(teams, 'team')} here."
    )


def shallower(page: PoolSettings, rescored: Rescored, row: dict[str, Any]) -> str:
    """Describe the ranking with a pool of the chosen depth."""
    total = int(page.collection.assessments.judged.sum())
    return (
        f"With a pool of depth **{page.depth:g}**, τ with the full pool would be **{tau_text(row['tau'])}**, and "
        f"{first_text(rescored, page.depth, supposed=True)}.  \nNo system would move by more than "
        f"**{row['largest']}** of {len(rescored.systems)} ranks under {page.name}.  \n**{row['assessed']:,}** of "
        f"{counted(total, 'document')} would be assessed."
    )


DEPTHS = "τ and τ_AP with the ranking of the full pool, by depth of the pool; the values are in the table below"


def reading_pool(page: PoolSettings) -> tuple[str, str, str]:
    if page.take in (TEAM, SYSTEM):
        group = "team" if page.take == TEAM else "system"
        return (
            f"Each column leaves out one {group}: the documents that only this {group} ranked in its first "
            f"{page.within_rank} become unassessed, as if it had not taken part. Each dot shows how many ranks a "
            f"system gains or loses; the {group}'s own systems are coloured.",
            "If dots are near 0, the ranking is stable and a later system would be treated much the same. Coloured "
            f"dots far below 0 are systems that owe their rank to being pooled. {never(page)}",
            f"Choose a deeper measure. Click a dot to see, in the tables, the ranks without the {group} of its column.",
        )
    return (
        "Each mark is a pool of the depth on the horizontal axis: only documents that some system ranked within this "
        "depth stay assessed. The vertical axis is the correlation with the ranking under all assessments; open "
        "marks mean that the winner differs.",
        "If the lines are level near 1, deeper assessments hardly change the ranking; deeper measures usually need a "
        f"deeper pool. {never(page)}",
        "Move the depth; then try a deeper measure such as AP, and a shallower one.",
    )


def never(page: PoolSettings) -> str:
    """State how a topic without any labels counts in the scores."""
    same = ", which does not change their order" if page.collection.rankings.average_over == "all" else ""
    return f"A topic that has no labels left scores 0 for all systems{same}."


def ranks_with(page: PoolSettings, name: str) -> str:
    return (
        f"Ranks under {page.name} with all assessments, and {markdown(name)}. The columns *unassessed* and *residual* "
        "are for the full pool: they show how much the score could still change."
    )


# --- Pool and noise: wrong labels -------------------------------------------------------------------------------------

ONE_GRADE = "No measure uses an aspect with two grades, so no label can be made wrong. Open labels with two grades."


def no_grades(measure: str) -> str:
    return f"{measure} uses no aspect with grades; choose a measure that does"


def wrong_labels(level: float, curve: NoiseCurve, row: pd.Series, needs: str) -> str:
    """Describe the effect of the chosen share of wrong labels, followed by the sentence `needs`."""
    if np.isnan(row["tau"]):
        return "All systems are tied, so no label could change a ranking."
    stay = f"{together(curve.first)} {verb(curve.first, 'stays', 'stay')} first"
    return (
        f"With **{percent(level)}** of the {markdown(curve.aspect)} labels wrong, τ with the original ranking is "
        f"**{score_text(row['tau'], 3)}** ({draws_between(row)} in 95% of {counted(curve.n_draws, 'draw')}), and "
        f"{stay} in {percent(row['winner_stays'])} of the draws.  \n{needs}"
    )


def draws_between(row: pd.Series) -> str:
    return f"{score_text(row['tau_low'], 3)} to {score_text(row['tau_high'], 3)}"


def needed(wanted: float, levels: Sequence[float], kappas: Sequence[float], last: float) -> str:
    """State how good a judge must be (agreement and kappa) for the wanted τ, on average and in nearly all draws."""
    (mean, sure), (of_mean, of_sure) = levels, kappas
    if np.isnan(mean):
        line = f"On average τ stays at {wanted:g} or above if at most {percent(last)} of the labels are wrong"
    else:
        line = f"With such errors, an average τ of {wanted:g} needs {_agreement(mean, of_mean)}"
    if np.isnan(sure):
        return f"{line}; the same holds in nearly all draws."
    return f"{line}; to reach this τ in nearly all draws, you need {_agreement(sure, of_sure)}."


def _agreement(level: float, kappa: float) -> str:
    return f"**{percent(1 - level)}** correct labels (κ {score_text(kappa, 2)})"


KAPPA_OF_ERRORS = "Expected Cohen's κ between the original labels and the labels with errors at this level"


def noise(measure: str) -> str:
    return f"τ with the original ranking, for each share of wrong labels, under {measure}; the values are below"


READING_NOISE = (
    "The blue line is Kendall's τ between the original ranking and the ranking with some wrong labels, averaged over "
    "draws; the band holds 95% of the draws. The dashed line is the share of draws in which the winner stays the same.",
    "Below the horizontal line, rankings are not considered equivalent. These errors are random: a judge whose "
    "errors favour some systems may do more harm with fewer errors.",
    "Change the share of wrong labels. Compare a shallow measure with a deep one. If an aspect has several sources, "
    "choose *drawn from the disagreements of two sources*: a dotted line marks the share of labels where they differ.",
)

# --- Grades and depth -------------------------------------------------------------------------------------------------


def seen(first: int, at_first: float, last: int, at_last: float) -> str:
    return (
        f"Assessors saw **{percent(at_first)}** of a system's first {first} documents, and **{percent(at_last)}** of "
        f"its first {last:,} (medians over systems)."
    )


ASSESSED = "Share of retrieved documents that are assessed, by depth, one line per system"
READING_DEPTH = (
    "Each line is a system. If a line falls early, the scores of that system rest on fewer assessments: most measures "
    "give unassessed documents no gain."
)


def tau_of_grades(tau: float, documents: int) -> str:
    shown = "undefined, because all documents have the same grade on one aspect" if pd.isna(tau) else f"**{tau:.3f}**"
    return f"Kendall's tau_b over {counted(documents, 'document')}: {shown}."


READING_TWO_GRADES = (
    "Cells count documents with both grades; the shade is the share of the row. tau_b is 1 if they rise together."
)
