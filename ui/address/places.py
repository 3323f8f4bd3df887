"""The places of the menu and their pages, including those that subjects add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evalcore.subjects import placed
from ui import subjects
from ui.address import old_links
from ui.address.page import Page, Place

FOLDER = Path(__file__).parents[2] / "pages"
HOME, LEARN, DATA = "home", "learn", "data"
WAS = "was"  # key that names the page of an old link, from when the page had its own path
GONE = {"pins": "correlations"}  # removed pages, and the page that replaces each

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
        "How many topics do we need to detect a difference?",
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
    Page("compare", "topic", "Topic", "search", "Which documents made the difference?", "rankings"),
    Page(LEARN, "glossary", "Glossary", "dictionary", "What do the words mean?"),
    Page(DATA, "collection", "Data", "folder_open", "What is in the files?"),
]


def _gathered() -> dict[str, Page]:
    rows = placed(_PAGES_OF_THE_CORE, subjects.added("PAGES"), lambda page: page.stem)
    return {page.stem: page for place in _PLACES for page in rows if page.place == place.stem}


PAGES = _gathered()
PLACES = {place.stem: place for place in _PLACES if any(page.place == place.stem for page in PAGES.values())}


def pages_of(place: str) -> list[Page]:
    """Return the pages of a place, in the order in which they are listed on the screen."""
    return [page for page in PAGES.values() if page.place == place]


def keys_of(stem: str) -> str:
    """Return the prefix that a page's settings have in a link."""
    return PAGES[stem].keys or stem


def file_of(place: str) -> Path:
    return FOLDER / f"{place}.py"


def to_page(stem: str) -> dict[str, list[str]]:
    """Return the part of an address that opens a page in its place; {} if the place has no other page."""
    place = PAGES[stem].place
    return {f"{place}.view": [stem]} if len(pages_of(place)) > 1 else {}


def name(page: Page) -> str:
    """Return "PLACE: PAGE" as the full name of a page; only the place if it has a single page."""
    place = PLACES[page.place].name
    return f"{place}: {page.name}" if len(pages_of(page.place)) > 1 else place


class Today(NamedTuple):
    """The target of a link today: a place, its settings, and messages to the user."""

    place: str
    texts: dict[str, list[str]]
    sentences: list[str]  # what changed since the link was made


def now(path: str, given: Mapping[str, Sequence[str]]) -> Today:
    """Return the target of a link today; `path` may be the former path of a page."""
    texts = _measures_pinned(given) if path == "pins" else given
    page = PAGES.get(GONE.get(path, path)) if path not in PLACES else None
    opened = to_page(page.stem) if page else {}
    texts, sentences = old_links.led_on({f"/{path}": [""], **opened, **texts})
    texts.pop(f"/{path}", None)
    if page and not sentences:
        there = PAGES.get("".join(texts.get(f"{page.place}.view", ())), page)
        sentences = [f"This link is from an older version. Its page is now {name(there)}."]
    return Today(page.place if page else path, texts, sentences)


def _measures_pinned(texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Translate the settings of an old link with pins into settings of Correlations: the last measure of each pin.

    A pin is `name = measure | measure`. With fewer than two pins, no measures are set.
    """
    measures = [pin.partition("=")[2].split(" | ")[-1].strip() for pin in texts.get("pins", ())]
    gone = ("pins", "baseline", "pins.keep", "pins.against")
    rest = {key: list(listed) for key, listed in texts.items() if key not in gone}
    return {**rest, "correlations.measures": measures} if len(measures) > 1 else rest
