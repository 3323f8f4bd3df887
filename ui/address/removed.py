"""Settings and values that links made before still name, and the nearest place that there is now.

A row counts only where the page no longer takes what the link says: `ui.address.settings` asks when a value does not
fit or a key is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
POWER = "Discriminative power"
_RULES = "Copeland|TrimmedMean|MinMax|ZScore|MeanRank"
_CHOICES = "The choice of an aggregate or of a rule for missing scores"

REMOVED = (
    Removed("labels.combined_look", "What to label next$", "*What to label next*", LABELS),
    Removed("labels.combined_look", "Labels spent$", "*Labels spent*", LABELS),
    Removed("labels.combined_aim", "", "*What to label next*", LABELS),
    Removed("labels.combined_number", "", "*What to label next*", LABELS),
    Removed("labels.ranking_look", "Circularity$", "*Circularity*", RANKING),
    Removed("labels.ranking_depth", "", "*Circularity*", RANKING),
    Removed("labels.ranking_look", "All judges$", "*All judges*", RANKING),
    Removed("labels.ranking_part", "", "*All judges*", RANKING),
    Removed("labels.ranking_look", "At the top$", "*At the top*", RANKING),
    Removed("labels.ranking_k", "", "*At the top*", RANKING),
    Removed("labels.ranking_correction", "", "*At the top*", RANKING),
    Removed("labels.ranking_look", "Favour$", "*Favour*", RANKING),
    Removed("labels.ranking_groups", "", "*Favour*", RANKING),
    Removed("labels.ranking_errs", "", "*Favour*", RANKING),
    Removed("labels.ranking_permutations", "", "*Favour*", RANKING),
    Removed("labels.ranking_matrix", "", "*All judges*", RANKING),
    Removed("labels.ranking_panels_by", "", "*All judges*", RANKING),
    Removed("labels.pool_look", "All answers$", "*All answers*", POOL),
    Removed("labels.pool_look", "What is unassessed$", "*What is unassessed*", POOL),
    Removed("leaderboard.look", "Critical differences$", "*Critical differences*", f"{LEADERBOARD} > Ranking"),
    Removed("leaderboard.test", "", "The test of mean ranks", f"{LEADERBOARD} > Ranking"),
    Removed("leaderboard.look", "Reproduction$", "*Reproduction*", f"{LEADERBOARD} > Ranking"),
    Removed("leaderboard.reproduced", "", "*Reproduction*", f"{LEADERBOARD} > Ranking"),
    Removed("leaderboard.baseline", "", "*Reproduction*", f"{LEADERBOARD} > Ranking"),
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
    Removed("sensitivity.look", "Motion$", "*Motion*", "Sensitivity > One parameter"),
    Removed("sensitivity.against", "", "*Motion*", "Sensitivity > One parameter"),
    Removed("sensitivity.named", "", "*Motion*", "Sensitivity > One parameter"),
    Removed("sensitivity.look", "Side by side$", "*Side by side*", "Sensitivity > One parameter"),
    Removed("sensitivity.beside", "", "*Side by side*", "Sensitivity > One parameter"),
    Removed("sensitivity.others", "", "*Side by side*", "Sensitivity > One parameter"),
    Removed("sensitivity.several", "", "*Side by side*", "Sensitivity > One parameter"),
    Removed("correlations.look", "Worth$|Beside aspects$", "*Worth*", "Correlations > Scatter"),
    Removed("discriminative_power.look", "Two measures$", "*Two measures*", f"{POWER} > All pairs", "All pairs"),
    Removed("discriminative_power.decided", "", "*Two measures*", f"{POWER} > All pairs"),
    Removed("discriminative_power.on_scale", "", "The interval scale of scores", f"{POWER} of the scores themselves"),
    Removed("exercises.look", "Answer sheet$", "The answer sheet", EXERCISES),
    Removed("exercises.look", "For teachers$", "*For teachers*", EXERCISES),
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
