"""Texts of Data: the table of the files' labels, the loading report, the description."""


def unknown(what: str) -> str:
    return f"**What do the {what} mean?** The files do not declare this, so the table shows guesses."


def run_or_labels(file: str) -> str:
    return f"{file} was read as a run, but has only whole numbers: are they labels?"


def folds(pattern: str) -> str:
    return f"{pattern}: runs in folds with different topics. Is each run a system, or are all of them folds of one run?"


def reading_labels(unsure: bool, scores: bool, none: str) -> str:
    if scores:
        guess = " Cells that end in a question mark were guessed." if unsure else ""
        good = "The table shows whether high or low scores are good for each measure."
        return f"{good}{guess} Correct a cell and read the files again."
    if unsure:
        return (
            "Cells that end in a question mark were guessed: correct them, or confirm all. If a scale is empty or "
            f"*{none}*, 0 is the worst label and all labels above it are positive."
        )
    return (
        "The table shows how the labels were read. If a scale is empty, 0 is the worst label and all labels above "
        "it are positive. Correct a cell and read the files again."
    )


COLUMNS = {
    "found": "Each value with its count, or the systems of the runs; documents graded below 0 are pooled, not judged",
    "role": "The aspect of the labels, or the aspect for which they are another source; “leave out” ignores the file",
    "scale": "All possible labels, such as 1, 2, 3, 4, 5. If empty: 0 and the labels above 0 in the file",
    "positive": "The lowest label that is relevant in binary measures. If empty: all labels above 0 except the worst",
    "missing": "Labels that mean a missing judgement, such as 9",
    "columns": "The role of each column in order; a hyphen skips one. Labels: topic, document, grade, judge, aspect, "
    "subtopic. Scores: system, topic, measure, value, judge, repeat. Runs: system, topic, document, rank, score",
    "gains": "The gain of each label of the scale, in order. If empty: equal steps",
}
NOT_NOW = "You can return to this table on the Data page"

# --- what is wrong in the table --------------------------------------------------------------------------------------

RUN_OR_NOT = 'For all runs, choose "a run" or "leave out"; high scores of a run are always good'
ONE_SOURCE = "a file can be a second source of an aspect only if all labels in the file are from one source"
NAMED_ASSESSORS = "this table names its assessors, so other sources cannot be added; give each source its own file"
NO_SCALE = "a signal has no scale, gains or missing labels; clear these cells"

# --- the report and the description ----------------------------------------------------------------------------------

DESCRIPTION = (
    "This `collection.toml` holds every setting of the collection. Change gains, names or the order of rankings "
    "there, and read the files again. Keep it beside your files to use it next time."
)
SOURCES = "Sources of labels: assessors, judges, or runs of one judge. The default source decides which topics count."
SHARED = "Documents that the default source also labelled"
ALIKE = "Shared documents with the same label"
COMMENTS = "The comment lines of the files, such as an ir_metadata header, exactly as written."
