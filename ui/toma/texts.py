"""Texts of TOMA, from top to bottom."""

import math
from collections.abc import Iterable

from ui.screen.text import markdown

DRAG = "Drag the line of a label in the figure, or move its slider."
SECOND_ASPECT = "a second aspect with at least two labels"
BEND = "The spacing of the grades: 1 gives equal steps. Above 1, low grades crowd together; below 1, high grades do."
NO_WEIGHTS = "All classes that occur have weight 0, so every system scores 0. Raise a weight."


def falling(aspect: str, labels: Iterable[str]) -> str:
    return (
        f"A label's position cannot be lower than that of a worse label, so these labels of {markdown(aspect)} were "
        f"moved up: {', '.join(f'“{markdown(label)}”' for label in labels)}."
    )


def tau_with(measure: str) -> str:
    return f"Kendall's tau_b between the rankings of systems under {measure} and under TOMA"


def plane(x: str, y: str) -> str:
    return f"Plane of {x} and {y}: the positions and classes of all tuples; both are listed under “Order”"


def held(grades: str) -> str:
    return f"Classes and lines are for {grades}; mark sizes count documents with any label on these aspects."


def written_order(aspects: Iterable[str]) -> str:
    listed = ", ".join(map(markdown, aspects))
    return f"Tuples of ({listed}), best first: > separates classes, = joins ties, as in the paper's Table 1."


def reading(x: str, y: str, distance: str, power: float, gathered: bool) -> tuple[str, str, str]:
    marks = (
        "Each mark represents documents with nearby labels: its size shows how many; a stronger colour means closer to "
        "the best labels."
        if gathered
        else "Each mark is a pair of labels: its size shows how many documents have this pair, its number the class "
        "(1 is the best). The star is the best pair."
    )
    shape = {
        1: "straight: a loss on one aspect is offset by an equal gain on the other",
        math.inf: "corners: only the worse aspect counts, so many tuples are tied",
    }.get(power, "round: a bad label on one aspect costs more than middling labels on both")
    return (
        f"Horizontal: {markdown(x)}. Vertical: {markdown(y)}. {marks}",
        f"Blue lines join labels equally far from the best. With the {distance} distance they are {shape}. "
        "Documents on a line closer to the best labels are better; documents on the same line are tied.",
        f"Move a label of {markdown(y)}: pairs change class, and the rankings diverge. Then try a different distance.",
    )


def formula(aspects: Iterable[str], farthest: str) -> str:
    listed = ", ".join(f"g{at} of {markdown(name)}" for at, name in enumerate(aspects, start=1))
    return (
        f"d is the distance to the best tuple; {listed} are distances from a label to the best label of the aspect. "
        f"“far” marks the farthest tuple, {markdown(farthest)}. W is the weight of the class, k the rank."
    )


def weights(base: str, shown: int | None) -> str:
    most = f" The table shows the best {shown} classes." if shown else ""
    return f"{markdown(base)} uses the weight of a document's class as its grade.{most}"
