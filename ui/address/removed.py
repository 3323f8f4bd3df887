"""Settings and values that links made before still name, and the nearest place that there is now.

A row counts only where the page no longer takes what the link says: `ui.address.settings` asks when a value does not
fit or a key is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Removed:
    """A view or an option that was removed.

    `key` is its setting in the address, and `pattern` its values there (a regular expression for their beginning). The
    page opens with the value `instead`, or with the default of the setting.
    """

    key: str
    pattern: str
    what: str
    now: str
    instead: str = ""

    @property
    def sentence(self) -> str:
        """Name what was removed and the view that is shown in its place."""
        return f"{self.what} was removed; this is {self.now}."


@dataclass(frozen=True)
class Moved:
    """A view or a setting that stands elsewhere now: `to` is what an address says of it today."""

    key: str
    pattern: str
    to: Mapping[str, str]
    what: str
    now: str

    @property
    def sentence(self) -> str:
        """Name what was opened and where it stands now."""
        return f"This link is older: {self.what} is now {self.now}."


MOVED = (
    Moved(
        "labels.look",
        "Noise$",
        {"labels.look": "Pool and noise", "labels.pool_take": "Wrong labels"},
        "*Noise*",
        "Labels > Pool and noise > Wrong labels",
    ),
    Moved("labels.look", "Pool$", {"labels.look": "Pool and noise"}, "*Pool*", "Labels > Pool and noise"),
    Moved(
        "navigation.look",
        "Gain by rank$|To a gain level$|Length of walks$|The paper's example$",
        {"navigation.look": "One list"},
        "this view",
        "part of Links > One list",
    ),
    Moved(
        "navigation.look",
        "Ranking of systems$|ep by gain-recall$",
        {"navigation.look": "All systems"},
        "this view",
        "part of Links > All systems",
    ),
    Moved("claim.stretch", "", {"claim.look": "The curve"}, "a stretch of the curve", "Claim > The curve"),
)


def moved(given: Mapping[str, Sequence[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """What an address of before says today, and what there is to say of that; "" where it says the same."""
    now, sentences = {key: list(texts) for key, texts in given.items()}, list[str]()
    for row in MOVED:
        texts = now.get(row.key, ())
        open_already = row.key not in row.to and not row.to.keys().isdisjoint(now)
        if any(re.match(row.pattern, text) for text in texts) and not open_already:
            now |= {key: [text] for key, text in row.to.items()}
            sentences.append(row.sentence)
    return now, sentences


LABELS, RANKING, POOL = "Labels > Few human labels", "Labels > Ranking", "Labels > Pool and noise"
LEADERBOARD, EXERCISES, CLAIM = "Rank > Table", "Exercises > Questions", "Claim over the choices that are left"
EXAMPLES = "Worked examples, one list of all"
PAIRS, MEASURES, TOPIC = "Rank > Pairs", "Compare > Measures", "Compare > Topic"
UNPINNED = "the view without it; *Kept*, in the sidebar, compares views"
READABILITY, WEIGHTS, TOMA, ANY, BUILT = (
    f"Tune > {name}" for name in ("Readability", "Aspect weights", "TOMA", "Any measure", "Build a measure")
)
ALONG = "Along one parameter"
_FAMILIES = {
    "understandability": READABILITY,
    "aspect_weights": WEIGHTS,
    "toma": TOMA,
    "sensitivity": ANY,
    "measures": BUILT,
}
_DRAWN, _BESIDE = ("many", "ranges", "count", "seed"), ("beside", "others", "several")
_OF_BASELINES = ("s", "_test", "_correction")
_RULES = "Copeland|TrimmedMean|MinMax|ZScore|MeanRank"
_CHOICES = "The choice of an aggregate or of a rule for missing scores"


def _view(page: str, look: str, now: str, *settings: str, instead: str = "") -> Iterator[Removed]:
    """Rows for a look of a page and for the settings that it alone had."""
    yield Removed(f"{page}look", f"{look}$", f"*{look}*", now, instead)
    yield from (Removed(page + key, "", f"*{look}*", now) for key in settings)


def _folded(key: str, now: str) -> Iterator[Removed]:
    """A row for a strip under a figure, all of whose views are on one page now."""
    yield Removed(key, "", "The strip under the figure", f"{now}, with all of it folded below the figure")


REMOVED = (
    Removed("labels.pool_answer", "", "The choice of what unassessed documents count as", "Labels > Pool and noise"),
    *_view("navigation.", "Ideal lists", "Links > One list"),
    *_view("navigation.", "Exact or not", "Links; section 5.3 is with the paper's examples", "exact"),
    *_view("labels.combined_", "What to label next", LABELS, "aim", "number"),
    *_view("labels.combined_", "Labels spent", LABELS),
    *_view("labels.combined_", "Over draws", LABELS, "draws"),
    *_view("labels.ranking_", "Circularity", RANKING, "depth"),
    *_view("labels.ranking_", "All judges", RANKING, "part", "matrix", "panels_by"),
    *_view("labels.ranking_", "Favour", RANKING, "groups", "errs", "permutations"),
    *_view("labels.pool_", "All answers", POOL),
    *_view("labels.pool_", "What is unassessed", POOL),
    *_folded("labels.agreement_view", "Labels > Agreement"),
    *_folded("labels.ranking_look", RANKING),
    *_folded("labels.pool_look", POOL),
    Removed("labels.pool_take", "Share$", "*Share*", POOL),
    Removed("collection.pair", "", "The pair of aspects on this page", "Data; grades are in Labels > Grades and depth"),
    *(Removed(f"labels.pool_{key}", "", "*Share*", POOL) for key in ("share", "draws", "seed", "stratified")),
    *_view("leaderboard.", "Critical differences", LEADERBOARD),
    Removed("leaderboard.test", "", "The test of mean ranks", LEADERBOARD),
    *_view("leaderboard.", "Reproduction", LEADERBOARD, "reproduced", "baseline"),
    Removed("leaderboard.by", "Copeland", "Copeland's rule", f"{LEADERBOARD} by the win rate", "WinRate"),
    Removed("leaderboard.by", "TrimmedMean", "The trimmed mean", f"{LEADERBOARD} by the median", "Median"),
    Removed("leaderboard.by", "MinMax", "The min-max mean", f"{LEADERBOARD} by standardised scores", "Standardised"),
    Removed(
        "leaderboard.by", "ZScore", "The mean of z scores", f"{LEADERBOARD} by standardised scores", "Standardised"
    ),
    Removed("leaderboard.by", "MeanRank", "The mean rank", f"{LEADERBOARD} by Borda counts", "Borda"),
    Removed(
        "leaderboard.by", f"ByGroup.*({_RULES})", "This rule within groups", f"{LEADERBOARD} by group means", "ByGroup"
    ),
    Removed("leaderboard.gaps", "TwoWay", "The two-way model of gaps", f"{LEADERBOARD} with its gaps"),
    Removed(
        "leaderboard.gaps", "WorstSeen|OwnMean|ByRank", "This rule for missing scores", f"{LEADERBOARD} with its gaps"
    ),
    *_view("understandability.", "Ranking", f"{READABILITY} > Ranks", instead="Ranks"),
    *_view("understandability.", "Rank intervals", f"{READABILITY} > Ranks", "sure", instead="Ranks"),
    *_view("understandability.", "Scores", f"{READABILITY} > Ranks, with the numbers as a table", instead="Ranks"),
    *_view("understandability.", "τ by setting", f"{READABILITY} > Along one parameter", instead=ALONG),
    *_view("understandability.", "Correlation", f"{READABILITY} > Scatter; the table is under *Why?*"),
    *_view("understandability.", "Significant pairs", f"{READABILITY} > Scatter, which joins them"),
    *_view("understandability.", "Told apart", f"{READABILITY} > Scatter, which joins these pairs"),
    *(Removed(f"understandability.{key}", "", "The limit of joined pairs", READABILITY) for key in ("same", "apart")),
    *(Removed(f"{page}.first", "", "The order of the first", f"{name} > Along") for page, name in _FAMILIES.items()),
    *(Removed(f"{page}.{side}", "", "The cell", f"{name} > Map") for page, name in _FAMILIES.items() for side in "xy"),
    *(Removed(f"measures.{key}", "", "*By rank*, of readers", BUILT) for key in ("curve", "depth")),
    *_view("aspect_weights.", "Leaderboard", f"{WEIGHTS} > Ranks", instead="Ranks"),
    *_view("aspect_weights.", "Zeros", f"{WEIGHTS}; zeros are under *Why?*"),
    *_view("aspect_weights.", "Upper bounds", f"{WEIGHTS}; upper bounds are under *Why?*"),
    Removed("aspect_weights.across", "", "Choosing both axes", f"{WEIGHTS} > Scatter, against any measure"),
    Removed("aspect_weights.up", "", "Choosing both axes", f"{WEIGHTS} > Scatter, against any measure"),
    *_view("toma.", "Order", f"{TOMA}; the classes are under *Why?*"),
    *_view("toma.", "Scenarios", f"{TOMA}; the scenarios are under *Why?*"),
    *_view("toma.", "Partial order", TOMA),
    *_view("toma.", "Systems", f"{TOMA} > Ranks", instead="Ranks"),
    *_view("toma.", "What changed", TOMA, "against", "against_distance", "listed"),
    *_view("sensitivity.", "One parameter", f"{ANY} > Along one parameter", instead=ALONG),
    *_view("sensitivity.", "Two parameters", f"{ANY} > Map of two", instead="Map of two"),
    *_view("sensitivity.", "Any number", f"{ANY} > Along one parameter", *_DRAWN, instead=ALONG),
    *_view("sensitivity.", "Topics", f"{ANY} > Scatter", "question", "a", "b"),
    *_view("sensitivity.", "Motion", f"{ANY} > Along one parameter", "against", "named", instead=ALONG),
    *_view("sensitivity.", "Side by side", f"{ANY} > Along one parameter", *_BESIDE, instead=ALONG),
    Removed("correlations.look", "Worth$|Beside aspects$", "*Worth*", MEASURES),
    *_view("correlations.", "Topics", MEASURES),
    *_view("topic.", "All topics and systems", TOPIC),
    *_view("topic.", "Difference of two measures", TOPIC, "both", "less"),
    *_view("discriminative_power.", "Two measures", PAIRS, "decided"),
    *_view("discriminative_power.", "Needed difference", PAIRS),
    *_view("discriminative_power.", "Analysis of variance", PAIRS, "explained", "factors", "interactions"),
    *_view("discriminative_power.", "Against baselines", PAIRS, *(f"baseline{end}" for end in _OF_BASELINES)),
    Removed("discriminative_power.on_scale", "", "The interval scale of scores", f"{PAIRS}, by the scores themselves"),
    Removed("exercises.look", "Answer sheet$", "The answer sheet", EXERCISES),
    Removed("exercises.look", "For teachers$", "*For teachers*", EXERCISES),
    Removed("worked_examples.example", "", "The choice among kinds of examples", EXAMPLES),
    *(
        Removed(f"worked_examples.{key}", "", "*RBP by hand*", EXAMPLES)
        for key in ("length", "rho", *(f"rank{rank}" for rank in range(1, 7)))
    ),
    *(
        Removed(f"worked_examples.{key}", "", "The table of *Three documents*", "Learn > The papers > Table 3")
        for key in ("inner", "halved", "labels", "d1", "d2", "d3", "ranking", "score")
    ),
    *(Removed(key, "", "The comparison with a pin", UNPINNED) for key in ("pins", "baseline")),
    Removed("tag", "", "The filter by run tag", "the view without it"),
    Removed("answers", r"\d{4}-", "Showing answers from a day on", "the page without answers", "hidden"),
    Removed("locked", "", "Locking of settings", "the page with all settings free"),
    Removed("claim.specs", r"(?ms).*^(aggregates|gaps) *=", _CHOICES, CLAIM),
    Removed("claim.left_out", "(over topics|missing scores):", _CHOICES, CLAIM),
    Removed("claim.weights", "(over topics|missing scores):", _CHOICES, CLAIM),
)


def removed(key: str, texts: Sequence[str]) -> Removed | None:
    """The row of what an address says by a key that is gone, or with a value that does not fit; None for others."""
    rows = (row for row in REMOVED if row.key == key and any(re.match(row.pattern, text) for text in texts))
    return next(rows, None)
