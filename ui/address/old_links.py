"""Links made before: pages, settings and values that there are no more, and what each opens today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

SAME = None  # the value of the setting as the link has it


@dataclass(frozen=True)
class Old:
    """A part of a link that nothing takes any more.

    `key` is a setting in the address, or the path of a page with its stroke; `pattern` is how a value begins (a regular
    expression); `to` has the settings that say the same today, none where nothing does; `sentence` is said to whoever
    opens the link.
    """

    key: str
    pattern: str = ""
    to: Mapping[str, str | None] = field(default_factory=dict)
    sentence: str = ""

    def led_on(self, texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Write the settings of a link as they are today; of several values those stay that the row is not about."""
        values, page = list(texts[self.key]), self.key.partition(".")[0]
        left = [text for text in values if not re.match(self.pattern, text)]
        if len(left) == len(values):
            return {key: list(listed) for key, listed in texts.items()}
        rest = {key: list(listed) for key, listed in texts.items() if key != self.key}
        there = {key: values if text is SAME else [text] for key, text in self.to.items()}
        if self.to.get(self.key) is SAME:  # it adds to the link, which is right where it says more than its page
            there = {key: listed for key, listed in there.items() if rest.get(key, [page]) == [page]}
        return {**rest, **({self.key: left} if left else {}), **there}


def led_on(texts: Mapping[str, Sequence[str]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return what a link says today, and the sentences about what it opened before."""
    now, sentences = {key: list(values) for key, values in texts.items()}, list[str]()
    for row in OLD:
        if row.key in now and (there := row.led_on(now)) != now:
            now = there
            sentences.append(row.sentence)
    return now, list(filter(None, dict.fromkeys(sentences)))


def _gone(key: str, pattern: str, what: str, now: str, instead: str = "") -> Old:
    """Make the row of what was removed; the setting is `instead`, or at its default."""
    return Old(key, pattern, {key: instead} if instead else {}, f"{what} was removed; this is {now}.")


def _moved(key: str, pattern: str, to: Mapping[str, str | None], what: str, now: str) -> Old:
    """Make the row of what stands elsewhere now."""
    return Old(key, pattern, to, f"This link is older: {what} is now {now}.")


LABELS, RANKING, POOL = "Labels > Few human labels", "Labels > Ranking", "Labels > Pool and noise"
LEADERBOARD, EXERCISES, CLAIM = "Rank > Table", "Exercises > Questions", "Claim over the choices that are left"
EXAMPLES = "Worked examples > Each measure"
PAIRS, MEASURES, TOPIC = "Rank > Pairs", "Compare > Measures", "Compare > Topic"
UNPINNED = "the view without it; *Kept*, in the sidebar, compares views"
READABILITY, WEIGHTS, TOMA, ANY = (
    f"Tune > {name}" for name in ("Readability", "Aspect weights", "TOMA", "Any measure")
)
ALONG = "Along one parameter"
_DRAWN, _BESIDE = ("many", "ranges", "count", "seed"), ("beside", "others", "several")
_OF_BASELINES = ("s", "_test", "_correction")
_RULES = "Copeland|TrimmedMean|MinMax|ZScore|MeanRank"
_CHOICES = "The choice of an aggregate or of a rule for missing scores"


def _view(page: str, look: str, now: str, *settings: str, instead: str = "") -> Iterator[Old]:
    """Rows for a look of a page and for the settings that it alone had."""
    yield _gone(f"{page}look", f"{look}$", f"*{look}*", now, instead)
    yield from (_gone(page + key, "", f"*{look}*", now) for key in settings)


def _folded(key: str, now: str) -> Iterator[Old]:
    """A row for a strip under a figure, all of whose views are on one page now."""
    yield _gone(key, "", "The strip under the figure", f"{now}, with all of it folded below the figure")


def _renamed() -> Iterator[Old]:
    """Make the rows of settings that have another name, and of looks that are pages now."""
    for key in ("correlations.intervals", "tau"):
        yield Old(key, "true$", {"doubt": "all"})
        yield Old(key)
    yield Old("sensitivity.across", "", {"sensitivity.horizontal": SAME})
    yield Old("sensitivity.up", "", {"sensitivity.vertical": SAME})
    yield Old("/sensitivity", "", {"sensitivity.look": ALONG})  # which the page showed unasked
    yield Old("correlations.look", "Scatter$|Rank changes$|All pairs$", {"correlations.look": "The pair"})
    yield Old("correlations.look", "Aspects$", {"correlations.look": "Measures of aspects"})
    yield Old("leaderboard.look", "Ranking$", {"rank.view": "leaderboard"})
    for key, look, page, name in (
        ("leaderboard.look", "Missing scores$|Pairwise wins$", "rules", "Rules"),
        ("discriminative_power.look", "One pair$|All pairs$", "discriminative_power", "Pairs"),
        ("discriminative_power.look", "Topics needed$", "topics_needed", "Topics needed"),
        ("discriminative_power.look", "What the top systems return$", "top_documents", "Top documents"),
    ):
        yield _moved(key, look, {"rank.view": page}, "this view", f"Rank > {name}")


OLD = (
    *_renamed(),
    _moved(
        "labels.look",
        "Noise$",
        {"labels.look": "Pool and noise", "labels.pool_take": "Wrong labels"},
        "*Noise*",
        "Labels > Pool and noise > Wrong labels",
    ),
    _moved("labels.look", "Pool$", {"labels.look": "Pool and noise"}, "*Pool*", "Labels > Pool and noise"),
    _moved(
        "navigation.look",
        "Gain by rank$|To a gain level$|Ideal lists$|Length of walks$|The paper's example$",
        {"navigation.look": "One list"},
        "this view",
        "part of Links > One list",
    ),
    _moved(
        "navigation.look",
        "Exact or not$",
        {"navigation.look": "All systems", "navigation.exact": "true"},
        "*Exact or not*",
        "Links > All systems > How exact is it?",
    ),
    _moved(
        "navigation.look",
        "Ranking of systems$|ep by gain-recall$",
        {"navigation.look": "All systems"},
        "this view",
        "part of Links > All systems",
    ),
    _moved(
        "claim.stretch",
        "",
        {"claim.look": "The curve", "claim.stretch": SAME},
        "a stretch of the curve",
        "Claim > The curve",
    ),
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
    _gone("labels.pool_take", "Share$", "*Share*", POOL),
    _gone("collection.pair", "", "The pair of aspects on this page", "Data; grades are in Labels > Grades and depth"),
    *(_gone(f"labels.pool_{key}", "", "*Share*", POOL) for key in ("share", "draws", "seed", "stratified")),
    *_view("leaderboard.", "Critical differences", LEADERBOARD),
    _gone("leaderboard.test", "", "The test of mean ranks", LEADERBOARD),
    *_view("leaderboard.", "Reproduction", LEADERBOARD, "reproduced", "baseline"),
    _gone("leaderboard.by", "Copeland", "Copeland's rule", f"{LEADERBOARD} by the win rate", "WinRate"),
    _gone("leaderboard.by", "TrimmedMean", "The trimmed mean", f"{LEADERBOARD} by the median", "Median"),
    _gone("leaderboard.by", "MinMax", "The min-max mean", f"{LEADERBOARD} by standardised scores", "Standardised"),
    _gone("leaderboard.by", "ZScore", "The mean of z scores", f"{LEADERBOARD} by standardised scores", "Standardised"),
    _gone("leaderboard.by", "MeanRank", "The mean rank", f"{LEADERBOARD} by Borda counts", "Borda"),
    _gone(
        "leaderboard.by", f"ByGroup.*({_RULES})", "This rule within groups", f"{LEADERBOARD} by group means", "ByGroup"
    ),
    _gone("leaderboard.gaps", "TwoWay", "The two-way model of gaps", f"{LEADERBOARD} with its gaps"),
    _gone(
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
    _gone("aspect_weights.across", "", "Choosing both axes", f"{WEIGHTS} > Scatter, against any measure"),
    _gone("aspect_weights.up", "", "Choosing both axes", f"{WEIGHTS} > Scatter, against any measure"),
    *_view("toma.", "Order", f"{TOMA}; the classes are under *Why?*"),
    *_view("toma.", "Scenarios", f"{TOMA}; the scenarios are under *Why?*"),
    *_view("toma.", "Partial order", TOMA),
    *_view("toma.", "Systems", f"{TOMA} > Ranks", instead="Ranks"),
    *_view("toma.", "What changed", TOMA, "against", "against_distance", "listed"),
    _gone("measures.curve", "τ by depths$", "*τ by depths*", "Tune > Build a measure"),
    *_view("sensitivity.", "One parameter", f"{ANY} > Along one parameter", instead=ALONG),
    *_view("sensitivity.", "Two parameters", f"{ANY} > Map of two", instead="Map of two"),
    *_view("sensitivity.", "Any number", f"{ANY} > Along one parameter", *_DRAWN, instead=ALONG),
    *_view("sensitivity.", "Topics", f"{ANY} > Scatter", "question", "a", "b"),
    *_view("sensitivity.", "Motion", f"{ANY} > Along one parameter", "against", "named", instead=ALONG),
    *_view("sensitivity.", "Side by side", f"{ANY} > Along one parameter", *_BESIDE, instead=ALONG),
    _gone("correlations.look", "Worth$|Beside aspects$", "*Worth*", MEASURES),
    *_view("correlations.", "Topics", MEASURES),
    *_view("topic.", "All topics and systems", TOPIC),
    *_view("topic.", "Difference of two measures", TOPIC, "both", "less"),
    *_view("discriminative_power.", "Two measures", PAIRS, "decided"),
    *_view("discriminative_power.", "Needed difference", PAIRS),
    *_view("discriminative_power.", "Analysis of variance", PAIRS, "explained", "factors", "interactions"),
    *_view("discriminative_power.", "Against baselines", PAIRS, *(f"baseline{end}" for end in _OF_BASELINES)),
    _gone("discriminative_power.on_scale", "", "The interval scale of scores", f"{PAIRS}, by the scores themselves"),
    _gone("exercises.look", "Answer sheet$", "The answer sheet", EXERCISES),
    _gone("exercises.look", "For teachers$", "*For teachers*", EXERCISES),
    _gone("worked_examples.example", "RBP by hand$", "*RBP by hand*", EXAMPLES, "Each measure"),
    *(
        _gone(f"worked_examples.{key}", "", "*RBP by hand*", EXAMPLES)
        for key in ("length", "rho", *(f"rank{rank}" for rank in range(1, 7)))
    ),
    *(_gone(key, "", "The comparison with a pin", UNPINNED) for key in ("pins", "baseline")),
    _gone("tag", "", "The filter by run tag", "the view without it"),
    _gone("answers", r"\d{4}-", "Showing answers from a day on", "the page without answers", "hidden"),
    _gone("locked", "", "Locking of settings", "the page with all settings free"),
    _gone("claim.specs", r"(?ms).*^(aggregates|gaps) *=", _CHOICES, CLAIM),
    _gone("claim.left_out", "(over topics|missing scores):", _CHOICES, CLAIM),
    _gone("claim.weights", "(over topics|missing scores):", _CHOICES, CLAIM),
)
