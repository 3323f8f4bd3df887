"""Texts of Passages, from top to bottom."""

from evalcore.measures import Task
from ui.focused.passage_settings import FOCUSED, RELEVANT, FocusedSettings
from ui.screen.text import counted, markdown

NO_PASSAGES = "This page needs highlighted passages; the open collection has none."


def precision_at(level: float) -> str:
    return f"Interpolated precision of the chosen system at {level:.0%} of the highlighted text"


def tau(task: Task, other: Task) -> str:
    return (
        f"Kendall's tau_b between the rankings under {markdown(task.official)} and {markdown(other.official)}, the "
        f"official measure of the task {other.name}; means over topics"
    )


BY_RECALL = "Interpolated precision by recall; the values are under 'Official table'"
BY_RANK = "Generalised precision by document rank; the values are under 'Official table'"


def overlapping(view: FocusedSettings, parts: int, of_system: int) -> str:
    return (
        f"{view.passages.overlapping:,} of {parts:,} parts overlap a higher-ranked part of their document, "
        f"{of_system:,} of them from {markdown(view.system)}. "
        f"Overlapping parts {'count here' if view.overlaps else 'are left out'}."
    )


def reading(view: FocusedSettings) -> tuple[str, str, str]:
    if view.task == FOCUSED:
        return (
            "Each line shows the best precision of a system at or beyond each recall level. Recall is the share of the "
            "highlighted text that is returned, and precision is the share of the returned characters that an assessor "
            "highlighted. Vertical lines mark the four official levels.",
            "A line that is high at first and drops early means little text, but the right text. A low and long line "
            "means whole documents with much text to skip. iAP, the official measure, is the mean height of the line.",
            "Choose one topic: dots show the precision after each part, the line the best precision from there on.",
        )
    if view.task == RELEVANT:
        return (
            "Each line shows gP[r] of a system: the mean score of its first r documents. A document's score is F, "
            "which is high if the system returned exactly its highlighted text.",
            "A system that returns whole documents misses nothing, but it returns much useless text; a system that "
            "returns single paragraphs does the reverse. β sets which of the two costs more.",
            "Raise β to 3 (favours long parts) or lower it to 0.3 (short parts); *τ with official* shows the change.",
        )
    return (
        "Each line shows the MAgP of a system as s(x, b) becomes more lenient from left to right. The vertical line is "
        "the current setting. s is 1 if a system begins exactly at the best entry point.",
        "If lines cross, the choice of A (or n) decides which system is better. Far to the right every start is close "
        "enough, and all that counts is finding the right documents.",
        "Move A to 10, then 0.01; watch *τ with official*. Choose *relative to a screen*: beyond n characters, s is 0.",
    )


FORMULAS = "0 / 0 counts as 0. A document has the rank of its first part. iP is 0 above a list's highest recall."


def official_table(view: FocusedSettings) -> str:
    by = "" if view.scored == view.given else f"; official rank: rank under {markdown(view.given.official)}"
    means = f"The table of the task {view.task}: means over {counted(len(view.collection.topics), 'topic')}"
    return f"{means}, ranked by {markdown(view.scored.official)}{by}."


# --- one document ----------------------------------------------------------------------------------------------------


def nothing_returned(system: str, topic: str) -> str:
    return f"{markdown(system)} returned nothing for topic {markdown(topic)}."


NO_POSITIONS = "The collection has only sizes for this document, not the positions of its passages."
NO_TEXT = "The collection has no text of this document; the map above shows the positions of its marks."
MAP = "Map of the document: highlighted and returned parts"
NOTHING_HIGHLIGHTED = "Nothing in this document is highlighted for this topic, so all its scores are 0."
NO_ENTRY = "The best entry point or the start of reading is unknown, so s(x, b) is 0."
