"""Texts of Aspect weights, from top to bottom."""

from collections.abc import Iterable

from ui.screen.text import markdown

NO_WEIGHT = "All weights are 0, so equal weights are used."


def shares(aspects: Iterable[str], values: Iterable[float]) -> str:
    return ", ".join(f"{markdown(name)} {share:.0%}" for name, share in zip(aspects, values, strict=True))


def next_winner(aspects: Iterable[str], at: Iterable[float] | None) -> str:
    return "No weighting changes the winner." if at is None else f"A different system wins at {shares(aspects, at)}"


TO_MOVE = "The smallest share of weight that must move between aspects before a different system wins"
WINNERS = "Systems that win under some weighting"
PICTURES = {
    2: "Mean scores of the best systems under every weighting; a band shows the winner",
    3: "Every weighting of three aspects, coloured by the system that wins",
}
HINTS = {2: "Drag the dotted line, or move the slider.", 3: "Drag the star, in steps of 5%, or move the sliders."}


def share_won(weightings: int, aspects: int) -> str:
    return f"Share of weightings won by each system, out of {weightings:,} weightings of {aspects} aspects."


def reading(aspects: int, mean: str, other: str) -> tuple[str, str, str]:
    """Return three texts on the figure of winners: what it shows, how to read it, and what to try."""
    picture = {
        2: "Each line shows a system's score as weight moves between the aspects. The bottom band shows the winner.",
        3: "Each point of the triangle is a weighting; a corner is one aspect alone. The colour shows the winner.",
    }.get(aspects, "The bars show the share of all weightings that each system wins.")
    changes = "the colour changes" if aspects <= 3 else "more than one system wins"
    return (
        picture,
        f"If {changes}, the winner depends on the weights. The winner is robust if only large changes of the weights "
        "make a different system win.",
        f"Change {mean} to {other} and see how much one weak aspect costs. *Why?* shows the rankings in which an "
        "aspect scores 0, and the highest possible score.",
    )


READING_A_PRODUCT = (
    "Each bar shows the factor of one label of an aspect: the number by which this label multiplies a document's gain.",
    "A factor of 0 makes a document worthless, however good its other labels are. An exponent of 0 makes all "
    "factors of an aspect 1 and so removes the aspect.",
    "Raise the exponent of one aspect and watch τ; then compare the product with a mean of the same aspects.",
)


def zeros(share: float, rankings: int) -> str:
    return (
        f"In **{share:.1%}** of {rankings:,} ranking{'' if rankings == 1 else 's'} some aspect scores 0. The harmonic "
        "mean is then 0, whatever the other aspects score; an aspect with weight 0 is left out."
    )


def bounds(reach: float, below: float, lowest: float, topic: object) -> str:
    return (
        f"A ranking can reach 1 on **{reach:.0%}** of the topics. On **{below:.0%}** even the best known ranking stays "
        f"below 0.9; the lowest maximum is {lowest:.3f} (topic {markdown(topic)})."
    )


BOXES = "Scores of the candidate ideal rankings by topic"
READING_BOXES = (
    "Each box shows the scores of candidate ideal rankings for one topic. The candidates rank all assessed documents "
    "by one aspect after another, in every order of the aspects, and by the sum of the labels, the sum of their "
    "squares and the largest label. A measure with its own ideal ranking would reach 1 on every topic (Maistro et al. "
    "2021, section 4.2)."
)
