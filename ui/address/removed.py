"""Settings and values that links made before still name, and the nearest place that there is now.

A row counts only where the page no longer takes what the link says: `ui.address.settings` asks when a value does not
fit or a key is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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


LABELS, RANKING, POOL = "Labels > Few human labels", "Labels > Ranking", "Labels > Pool > Who brought what"
LEADERBOARD, EXERCISES, CLAIM = "Leaderboard", "Exercises > Questions", "Claim over the choices that are left"
POWER, MEASURES, TOPIC = "Discriminative power", "Compare > Measures", "Compare > Topic"
UNPINNED = "the view without it; *Kept*, in the sidebar, compares views"
READABILITY, WEIGHTS, TOMA, ANY = (
    f"Tune > {name}" for name in ("Readability", "Aspect weights", "TOMA", "Any measure")
)
ALONG = "Along one parameter"
_DRAWN, _BESIDE = ("many", "ranges", "count", "seed"), ("beside", "others", "several")
_RULES = "Copeland|TrimmedMean|MinMax|ZScore|MeanRank"
_CHOICES = "The choice of an aggregate or of a rule for missing scores"


def _view(page: str, look: str, now: str, *settings: str, instead: str = "") -> Iterator[Removed]:
    """Rows for a look of a page and for the settings that it alone had."""
    yield Removed(f"{page}look", f"{look}$", f"*{look}*", now, instead)
    yield from (Removed(page + key, "", f"*{look}*", now) for key in settings)


REMOVED = (
    *_view("labels.combined_", "What to label next", LABELS, "aim", "number"),
    *_view("labels.combined_", "Labels spent", LABELS),
    *_view("labels.combined_", "Over draws", LABELS, "draws"),
    *_view("labels.ranking_", "Circularity", RANKING, "depth"),
    *_view("labels.ranking_", "All judges", RANKING, "part", "matrix", "panels_by"),
    *_view("labels.ranking_", "Favour", RANKING, "groups", "errs", "permutations"),
    *_view("labels.pool_", "All answers", POOL),
    *_view("labels.pool_", "What is unassessed", POOL),
    Removed("labels.pool_take", "Share$", "*Share*", POOL),
    *(Removed(f"labels.pool_{key}", "", "*Share*", POOL) for key in ("share", "draws", "seed", "stratified")),
    *_view("leaderboard.", "Critical differences", f"{LEADERBOARD} > Ranking"),
    Removed("leaderboard.test", "", "The test of mean ranks", f"{LEADERBOARD} > Ranking"),
    *_view("leaderboard.", "Reproduction", f"{LEADERBOARD} > Ranking", "reproduced", "baseline"),
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
    Removed("measures.curve", "τ by depths$", "*τ by depths*", "Tune > Build a measure"),
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
    *_view("discriminative_power.", "Two measures", f"{POWER} > All pairs", "decided", instead="All pairs"),
    *_view("discriminative_power.", "Needed difference", POWER),
    *_view("discriminative_power.", "Analysis of variance", POWER, "explained", "factors", "interactions"),
    Removed("discriminative_power.on_scale", "", "The interval scale of scores", f"{POWER} of the scores themselves"),
    Removed("exercises.look", "Answer sheet$", "The answer sheet", EXERCISES),
    Removed("exercises.look", "For teachers$", "*For teachers*", EXERCISES),
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
