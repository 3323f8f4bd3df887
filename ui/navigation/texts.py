"""Texts of Links, from top to bottom."""

from evalcore.navigation.paper_example import Line
from evalcore.navigation.walk_tables import Walkthrough
from ui.navigation.navigation_settings import LINKS, NavigationSettings
from ui.screen.text import markdown

NO_LINKS = "This page needs links between documents; the open collection has none."
TAU = "Kendall's tau_b between the system rankings by mean MAep without and with navigation"
GAINED = "The expected gain of users down to this rank, out of all gain, and their expected effort"
RANKS_NOTE = "Ranks by mean MAep, best on top; systems whose lines cross swap their order."
RANKS = "Ranks of all systems without and with navigation; the values are in the table"


def walk(view: NavigationSettings) -> str:
    return (
        f"The components of topic {view.topic} that users of {view.system} can see, with the share who have seen each "
        f"component after rank {view.rank}; the values are under “What users have seen”"
    )


def where(view: NavigationSettings, walk: Walkthrough) -> str:
    """Return a text that names the result at the chosen rank, and the topic."""
    query, rank = view.collection.queries.get(view.topic, ""), view.rank
    at = walk.components.index[walk.components["rank"] == rank]
    result = f": **{markdown(at[0])}**" if len(at) else (": already listed" if rank else "")
    topic = f"Topic {markdown(view.topic)}" + (f": {markdown(query)}" if query else "")
    return f"{f'Rank {rank}' if rank else 'No result has been consulted yet'}{result}. {topic}"


def reading(view: NavigationSettings) -> tuple[str, str, str]:
    return (
        "Each circle is a section of a page; the number is its rank in the list of the chosen system, and orange "
        "sections have gain. A circle fills as more users see its section, whether it was returned or reached by "
        "browsing. Red lines show the steps of users from the result at this rank.",
        "A hub without gain still leads users on: as soon as it is returned, the circles of the pages to which it "
        "links fill. A good page to which nothing links is seen only once it is returned. Effort-precision compares "
        "the effort with this list to the effort with the ideal list.",
        "Walk down rank by rank. "
        + "Raise the stopping probability to 1: only results count, and τ is 1. " * (view.going == LINKS)
        + "Set *Effort per second of reading* to 1: systems with long top documents fall." * (view.second is not None),
    )


FORMULAS = (
    "P(j ⇝ c) is the probability that users who consult the result at rank j see component c. The model "
    "assumes that components are seen independently; e[j] is the expected effort of a rank, including browsing."
)

# --- beneath the figure -----------------------------------------------------------------------------------------------


def to_a_level(view: NavigationSettings, level: float, total: float, ideal: float, run: float, ep: float) -> str:
    met = f"**{run:.4g}** with this list" if run < float("inf") else "and nobody reaches this gain with this list"
    return (
        f"A gain of {level:.4g} out of {total:.4g} needs an effort of **{ideal:.4g}** with the ideal list, {met}: ep "
        f"= **{ep:.4f}**. Topic {markdown(view.topic)}, {markdown(view.system)}."
    )


GAIN_AND_EFFORT = "Gain against effort for the ideal list and the system's list; the values are in the table below"
ARRIVAL = "Ranks at which users reach the level; the values are in the table below"
READING_A_LEVEL = (
    "Left: effort-precision is the ratio of the two efforts at the level's line. If navigation is random, the effort "
    "of the list is 1 / E[1/ce]. Right: P(m[gr] = i), where m[gr] is the first rank at which a user reaches the level."
)
CURVES = "Effort-precision of every system by gain-recall; the values are in the table"
READING_CURVES = (
    "The effort of the ideal list divided by the effort of a system, for users who want a share of all gain. At 1 the "
    "two are equally quick; above 1 the system is quicker, for example thanks to hubs. At 0 nobody reaches the share."
)
NO_WALKS = "Walks have a length only if users can follow any number of links; choose such an option."
TRAILS = "Share of walks by length; the values are in the table"
WALKS = (
    "Walks start from all results of all systems, as often as systems return them, and end at a page without "
    "links. On the Web the frequency of trails of t pages was proportional to t^(-3/2) (Huberman et al. 1998): "
    "long trails were more frequent than a constant stopping probability predicts."
)
RELATED_MEASURES = "Related measures: EPRUM, PRUM and the expected ratio (section 7)"
RELATED = "Ranks of all systems under MAep, EPRUM, PRUM and the expected ratio"


def reading_related(recall: float, ranks: int) -> str:
    return (
        f"For users who want {recall:.0%} of the relevant units, EPRUM is the expected precision, and PRUM the share "
        f"of ranks that show a new unit. The expected ratio is the share of relevant units seen in the first {ranks} "
        "results. Each unit counts as 1 and each rank costs 1, whatever the settings of gain and effort."
    )


# --- the paper's examples ---------------------------------------------------------------------------------------------

SECTION_52 = "**Section 5.2**: two results lead to one component, c."
SECTION_61 = "**Section 6.1**: d1, d2, d3 in this order. Only d3 is relevant, with gain 1; every rank costs 1."
SECTION_53 = "**Section 5.3**: when is the normal approximation good enough?"


def was_printed(line: Line) -> str:
    """Return "printed: " and the printed values, in red if they are wrong."""
    was = ", ".join(f"{value:g}" for value in line.printed) or "nothing"
    return "printed: " + (was if line.printed == line.right else f":red[{was}]")


def computed(line: Line, score: float | None) -> str:
    """Return the computed score and the remark on the printed value, on two lines; either may be missing."""
    ours = f"computed: **{score:.4g}**" if score is not None else ""
    return "  \n".join(filter(None, [ours, f":small[{markdown(line.remark)}]" if line.remark else ""]))


def close_enough(p: float, within: float, needed: int | None) -> str:
    on = f"from **n = {needed}** on" if needed else "for no n up to 60"
    return f"With p = {p:g} the corrected approximation has an error below {within:g} {on}; the paper gives n above 10."


ERRORS = "Probability of a gain below each value, exact and under the normal approximation; errors for each n"
