"""Texts of Worked examples: a ranking and its scores, and the readability of a text."""

from ui.screen.text import counted, markdown, score_text

NO_MEASURE = "none of the chosen measures fits these aspects; choose another"


def score(by: str, value: float) -> str:
    return f"Under {markdown(by)}, this ranking scores **{score_text(value)}**."


def notice(changed: int, measures: int, edits: int) -> str:
    what = f"{counted(edits, 'edit')} {'changes' if edits == 1 else 'change'} the score"
    return f"{what} under {changed} of {counted(measures, 'measure')}."


READING_A_RANKING = (
    "One ranking with its labels, its score under each measure, and the sum that gives the score.",
    "*adds* is the rise of the score at a rank. With a reader model, C is the share of readers at a rank who continue, "
    "W the share of all reading done there, and L the share who stop there; the score is the sum of W times the gain.",
    "Compute the score on paper before you look at the sum. Then drag a document to another rank, choose another "
    "label, or write your own ranking, and see which measures change.",
)
LABELS_COMBINED = "Each document's labels, with their positions, distance to the best labels, class and weight:"
PARTS = "Scores for each aspect, before they are combined:"
SUMS = "The score under each measure as it grows with each rank"

# --- readability -----------------------------------------------------------------------------------------------------

READABILITY = "How hard is a text to read?"
NO_WORDS = "The text has no words. Write a sentence."


def school_years(fog: float, hard: int, words: int) -> str:
    return f"FOG: **{fog:.1f}** years of schooling are needed; {hard} of {counted(words, 'word')} are hard."


READING_A_TEXT = (
    "The text sentence by sentence, with hard words in bold, and three formulas computed from its counts.",
    "A word is hard if it has more than two syllables. FOG and SMOG count hard words, Flesch-Kincaid all syllables. "
    "Each estimates the years of schooling that a reader needs, so low is easy. They ignore content and order.",
    "Paste a page of your own. Then split a long sentence, or replace a hard word: which formula changes most?",
)
