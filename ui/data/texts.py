"""Texts of the sidebar and of the boxes above a page: your files, the filter."""

from ui.screen.text import counted, markdown

# --- your own files --------------------------------------------------------------------------------------------------

FILES = (
    "TREC runs and qrels (plain, gz, bz2), tables (CSV, Parquet), JSON, a BEIR folder, or one zip of all these. Name "
    "qrels after their aspect, such as qread.txt. Or scores: tables, or the output of trec_eval -q."
)
ADD = "Add runs, labels of another judge or aspect, signals or scores to the open collection. You first see a preview."
UNDO = "Undo: remove the added files"
NOT_ADDED = "The open collection has not changed."
NOT_OPENED = "The previous collection is still open."
SAMPLE = "The page shows the sample data."
NO_FILES = "No files? The command `evalcore fetch` downloads public collections."
OWN_FILES = "reading again would replace your own files; forget them first (in the sidebar, under Open your own files)"
WITH_UPLOADS = "The files that you uploaded, with the collection.toml that describes them"


def too_large(megabytes: int) -> str:
    return f":material/warning: These files are too large to keep (limit {megabytes:,} MB); they are lost on a reload."


def needs_a_ranking(what: str, systems: int, topics: int) -> str:
    counts = f"{counted(systems, 'system')} and {counted(topics, 'topic')}"
    return f"{what} needs two systems and an assessed topic; the open collection has {counts}. Open more runs."


# --- the filter ------------------------------------------------------------------------------------------------------


def nothing_fits(what: str) -> str:
    return f"No {what} fits the filter, so all are shown."


def no_document(source: str) -> str:
    return f"{markdown(source)} labelled no documents for the chosen topics, so all topics that it labelled are shown."


def leads(aspect: str) -> str:
    return f":material/flag: no aspect is called relevance; measures that specify no aspect use **{markdown(aspect)}**"


def no_source(source: str) -> str:
    return f":material/rate_review: each aspect has one source of labels; {markdown(source)} is not one of them"


def left(systems: int, of: int, topics: int, of_topics: int) -> str:
    return (
        f":material/filter_alt: **{systems:,} of {counted(of, 'system')}, {topics:,} of {counted(of_topics, 'topic')}**"
    )


def in_common(systems: int, of: int, topics: int, of_topics: int) -> str:
    return f"Based on the {systems} of {of} systems and {topics} of {of_topics} topics that all these measures score."
