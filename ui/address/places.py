"""The places of the menu and their pages: one table, to which subjects add theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evalcore.subjects import placed
from ui import subjects
from ui.address.page import Page, Place

FOLDER = Path(__file__).parents[2] / "pages"
HOME, LEARN, DATA = "home", "learn", "data"
GONE = {"pins": "correlations"}  # pages that were removed, and the nearest one to each

_PLACES = (
    Place(HOME, "Home", "home"),
    Place("passages", "Passages", "format_ink_highlighter"),
    Place("links", "Links", "account_tree"),
    Place("rank", "Rank", "leaderboard"),
    Place("tune", "Tune", "tune", "Measure family"),
    Place("compare", "Compare", "compare_arrows"),
    Place("labels", "Labels", "group"),
    Place("claim", "Claim", "gavel"),
    Place(LEARN, "Learn", "school"),
    Place(DATA, "Data", "folder_open"),
)
_PAGES_OF_THE_CORE = [
    Page(HOME, "home", "Home", "home", "How much does our ranking depend on how we measured?"),
    Page("rank", "discriminative_power", "Pairs", "call_split", "Which pairs of systems differ?", "systems"),
    Page(
        "rank",
        "topics_needed",
        "Topics needed",
        "functions",
        "How many topics does a difference need?",
        "systems",
        module="ui.discriminative_power.topics_needed",
        keys="discriminative_power",
    ),
    Page(
        "rank",
        "top_documents",
        "Top documents",
        "vertical_align_top",
        "What do the best systems return first?",
        "rankings",
        module="ui.discriminative_power.top_documents",
        keys="discriminative_power",
    ),
    Page("tune", "understandability", "Readability", "menu_book", "Does readability change who wins?", "rankings", 2),
    Page("tune", "aspect_weights", "Aspect weights", "balance", "How much should each aspect count?", "rankings", 2),
    Page("tune", "toma", "TOMA", "target", "When is one document better than another?", "rankings", 2),
    Page("tune", "sensitivity", "Any measure", "tune", "Does the winner depend on the setting?", "systems"),
    Page("tune", "measures", "Build a measure", "straighten", "What does a measure reward?", "rankings"),
    Page("compare", "correlations", "Measures", "grid_on", "Which measures agree about the systems?", "systems"),
    Page("compare", "moved", "Who moved", "swap_vert", "Who moved, and why?", "systems"),
    Page("compare", "topic", "Topic", "search", "What made it so?", "rankings"),
    Page(LEARN, "glossary", "Glossary", "dictionary", "What do the words mean?"),
    Page(DATA, "collection", "Data", "folder_open", "What do the files hold?"),
]
# Of pages that had looks: their pages now, by the setting that said which look was open, and its values.
_WERE_LOOKS: dict[str, dict[str, str]] = {
    "leaderboard.look": {"Ranking": "leaderboard", "Missing scores": "rules", "Pairwise wins": "rules"},
    "discriminative_power.look": {
        "One pair": "discriminative_power",
        "All pairs": "discriminative_power",
        "Topics needed": "topics_needed",
        "What the top systems return": "top_documents",
    },
}


def _gathered() -> dict[str, Page]:
    rows = placed(_PAGES_OF_THE_CORE, subjects.added("PAGES"), lambda page: page.stem)
    return {page.stem: page for place in _PLACES for page in rows if page.place == place.stem}


PAGES = _gathered()
PLACES = {place.stem: place for place in _PLACES if any(page.place == place.stem for page in PAGES.values())}


def pages_of(place: str) -> list[Page]:
    """The pages of a place, in the order of its strip."""
    return [page for page in PAGES.values() if page.place == place]


def keys_of(stem: str) -> str:
    """What stands in front of the keys of a page's settings in a link."""
    return PAGES[stem].keys or stem


def file_of(place: str) -> Path:
    return FOLDER / f"{place}.py"


def to_page(stem: str) -> dict[str, list[str]]:
    """The part of an address that opens a page in its place."""
    place = PAGES[stem].place
    return {f"{place}.view": [stem]} if len(pages_of(place)) > 1 else {}


def now(path: str, given: Mapping[str, Sequence[str]]) -> tuple[str, dict[str, list[str]]]:
    """The place, and the settings there, of a path in a link, which may be one of a page that had a path of its own."""
    texts = {key: list(values) for key, values in given.items()}
    if path == "pins":
        texts = _measures_pinned(texts)
    stem = GONE.get(path, path)
    if path in PLACES or stem not in PAGES:
        return path, texts
    key = f"{path}.look"
    if look := _WERE_LOOKS.get(key, {}).get(texts.get(key, [""])[-1]):
        stem = look
        del texts[key]
    return PAGES[stem].place, {**to_page(stem), **texts}


def _measures_pinned(texts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Settings of a link to pins, each `name = measure | measure`: the measures that were compared are those kept."""
    measures = [pin.partition("=")[2].split(" | ")[-1].strip() for pin in texts.get("pins", ())]
    rest = {
        key: listed for key, listed in texts.items() if key not in ("pins", "baseline", "pins.keep", "pins.against")
    }
    return {**rest, "correlations.measures": measures} if len(measures) > 1 else rest
