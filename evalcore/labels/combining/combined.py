"""Prediction-powered scores: all labels of a model, corrected with few human labels.

The model's labels are many and may be biased; human labels are few and correct. A mean over topics is estimated as

    mean over L of y_t - weight * (mean over L of x_t - mean over all topics of x_t),

where y_t is a system's score on topic t with human labels, x_t its score with the model's labels, and L are the topics
that people labelled (Angelopoulos et al. 2023, "Prediction-powered inference", doi 10.1126/science.adi6000). The
estimate is unbiased for any model, if L was drawn at random. The weight minimises the error: it is the slope of y on x
over topics and systems, at least 0 (Angelopoulos, Duchi, Zrnic 2023, "PPI++", arXiv 2311.01453), times
1 - 2 / (n + 1/2), because few topics give a poor estimate of the slope. If people labelled only some documents of a
topic, y_t is itself estimated in the same way, in `evalcore.labels.combining.estimates`.

Two means are estimated with intervals: over the *population* of topics from which these topics come, and over *these
topics*, as if people had labelled all documents. The error combines a delete-one jackknife over the topics of L, in
which the weight is recomputed each time, and the error of the mean of x over the other topics; t has the degrees of
freedom of both (Satterthwaite 1946).

Intervals of ranks come from `evalcore.meta.rank_intervals`, on scores by topic whose mean is the estimate: the model's
score minus its mean, times the weight; on topics of L, plus T / n times the human score minus that product.

Shapes: T topics, S systems, n topics of L.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from evalcore.common.arrays import BoolArray, FloatArray, IntArray, divided
from evalcore.common.cached import cached_property
from evalcore.common.rounding import SOLVED
from evalcore.common.short_forms import shown
from evalcore.data.restricting import restrict
from evalcore.direction import directed
from evalcore.drawing import figures, styles_of
from evalcore.errors import InputError, check_level
from evalcore.labels.combining.estimates import Estimates, Sampled
from evalcore.labels.combining.human_labels import (
    ALL_LABELS,
    HumanLabels,
    KeptLabels,
    as_kept_labels,
    height_bands,
    read_labels,
    sources_of,
)
from evalcore.labels.judges.agreement import agreement_of_labels
from evalcore.labels.judges.rescoring import Rescorer, graded_aspect, known_grades, scores_by
from evalcore.measures import Measure
from evalcore.measures.base import as_measure
from evalcore.meta import Interval, RankIntervals, best_first, rank_intervals, ranks
from evalcore.structures.documents import Collection

COMBINED, HUMAN, MODEL = LINES = "combined", "human alone", "model alone"
FEWEST_TOPICS = 3  # topics with human labels: two are too few for a jackknife
LITTLE = 0.02  # a smaller reduction of the variance with human labels alone counts as none
RESAMPLES = 1000


@shown
@dataclass(frozen=True, eq=False)
class Combined:
    """Mean scores from human and model labels together, and from each separately.

    `scores` are frames of topics x systems, one for each of LINES; their means are the estimates, and they give the
    intervals of ranks. `errors` are, for each line, two rows of S standard errors: for the means over the population of
    topics and over these topics; `freedom` has the degrees of freedom of their t. `weight` has the weights of the
    model's labels for "topics" and for "documents" (nan if not needed). `agreement` is Cohen's kappa of the human
    labels that are read and the model's labels on the same documents. `all_labels` are the means with all human labels,
    including hidden ones; None unless people labelled all documents. `n_labels` and `n_topics` count the human labels
    that are read and their topics, `n_hidden` the documents for which only the model's label is read.
    """

    measure: str
    aspect: str
    human: str
    model: str
    scores: dict[str, pd.DataFrame]
    errors: dict[str, FloatArray]
    freedom: dict[str, FloatArray]
    weight: dict[str, float]
    agreement: Interval
    all_labels: pd.Series | None
    n_labels: int
    n_hidden: int
    n_topics: int
    drawn: bool
    level: float
    n_resamples: int
    seed: int

    def line(self, name: str = COMBINED) -> pd.DataFrame:
        """Return a row for each system, best first, for one of LINES (combined, human alone, model alone).

        Columns: mean, low, high, these_low, these_high, and ranks as in `rank_intervals`. low to high is the interval
        of the mean over the population of topics; these_low to these_high is the interval of the mean over the topics
        of the collection, as if people had labelled all documents (nan with only the model's labels: their bias is
        unknown).
        """
        placed = self.ranks(name).table
        return self.estimates(name).loc[placed.index].join(placed.drop(columns="mean"))

    def estimates(self, name: str = COMBINED) -> pd.DataFrame:
        """Return the columns mean, low, high, these_low and these_high of `line`, a row for each system, best first."""
        mean, half = self.scores[name].mean(), self.half_widths(name)
        ends: dict[str, pd.Series] = {}
        for row, what in enumerate(("", "these_")):
            ends |= {f"{what}low": mean - half[row], f"{what}high": mean + half[row]}
        return pd.DataFrame({"mean": mean, **ends}).loc[best_first(mean).index].rename_axis("system")

    def half_widths(self, name: str = COMBINED) -> FloatArray:
        """Return the (2, S) half-widths of the intervals of one of LINES, over the population and over these topics."""
        return np.asarray(stdtrit(self.freedom[name], (1 + self.level) / 2) * self.errors[name])

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each system, best combined score first: mean, low, high, rank, rank_low, rank_high, for all LINES.

        Columns of human and of model labels alone begin with human_ and model_; these_low and these_high (not for the
        model) are as in `line`. If people labelled all documents (some labels may be hidden), all_labels and all_rank
        use all human labels. `narrower` is the width of the combined interval over these topics, divided by its width
        with only human labels.
        """
        both, people, model = (self.line(name) for name in LINES)
        columns = ["mean", "low", "high", "these_low", "these_high", "rank", "rank_low", "rank_high"]
        short = ["mean", "low", "high", "rank", "rank_low", "rank_high"]
        table = both[columns].join(people[columns].add_prefix("human_")).join(model[short].add_prefix("model_"))
        if self.all_labels is not None:
            table["all_labels"], table["all_rank"] = self.all_labels, ranks(self.all_labels)
        width = table["these_high"] - table["these_low"]
        before = table["human_these_high"] - table["human_these_low"]
        return table.assign(narrower=divided(width.to_numpy(), before.to_numpy(), np.nan))

    def ranks(self, name: str = COMBINED) -> RankIntervals:
        """Return the ranks of the systems in one of LINES, with their intervals over topics."""
        if name not in self._ranks:
            self._ranks[name] = rank_intervals(self.scores[name], self.n_resamples, self.level, self.seed)
        return self._ranks[name]

    @cached_property
    def _ranks(self) -> dict[str, RankIntervals]:
        return {}

    @property
    def worth(self) -> float:
        """The factor by which the number of human labels would have to grow for the same error without the model."""
        both, alone = (float((self.errors[name][1] ** 2).sum()) for name in (COMBINED, HUMAN))
        return alone / both if both > 0 else 1.0

    @property
    def why_no_help(self) -> str:
        """The reason why the model's labels do not help; "" if they do."""
        if not self.n_hidden:
            return "all documents have human labels, so the model's labels cannot add anything"
        kappa = self.agreement
        if np.isnan(kappa.low):
            return f"{self.n_labels:,} human labels of {self.n_topics} topics are too few to tell if the model agrees"
        if kappa.low <= 0:
            return "on these labels, the model agrees with the human labels no better than chance"
        if self.worth > 1 + LITTLE:
            return ""
        return "the model's labels add nothing to what the human labels show about the systems' scores"

    def worth_in_words(self) -> str:
        """Return a sentence, without its full stop, on how many human labels the model's labels are worth."""
        read = f"{self.n_labels:,} human labels of {self.n_topics} topics"
        if why := self.why_no_help:
            return f"{read}: {why}"
        return f"{read} and the model's together are worth {self.worth:.2f} times as many human labels on these topics"

    @property
    def assumption(self) -> str:
        """The assumption on which the intervals rest, as a clause."""
        if self.drawn:
            return "the human labels are a random sample drawn here with known chances"
        return (
            "the topics with human labels are like the others, and within a topic the labelled documents are like "
            "others that systems rank about equally high"
        )

    def figure(self, **options: Any) -> Any:
        """Draw the means with intervals over these topics; for the model alone, over the population of topics."""
        lines = {name: self.estimates(name) for name in self.scores}
        best = lines["combined"].index
        tables = {
            name: line.loc[best].assign(
                low=line["these_low"].fillna(line["low"]), high=line["these_high"].fillna(line["high"])
            )
            for name, line in lines.items()
        }
        return figures().combined_scores(tables, styles_of(best, options), self.all_labels, **options)


def combine(
    measure: Measure | str,
    collection: Collection,
    model: str | None = None,
    human: str | None = None,
    *,
    kept: KeptLabels | str = ALL_LABELS,
    aspect: str | None = None,
    n_resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> Combined:
    """Return mean scores with a model's labels corrected by human labels, and with each kind of labels separately.

    `model` and `human` name sources of the aspect (see `sources_of` for the defaults). All human labels are read, or
    only those that `kept` selects, to try fewer. Means are over the topics that the model labelled; `seed` draws the
    resamples of topics.

    Raises InputError for unknown sources; for fewer than 3 topics with human labels or 2 systems; for a measure whose
    scores are not sums of gains, if some topics are only partly labelled; for infinite scores; and if means are over
    only the topics for which a system retrieved documents.

    >>> import evalcore as ec
    >>> topics = [f"t{at}" for at in range(8)]
    >>> runs = {"a": {t: {"x": 2.0, "y": 1.0} for t in topics}, "b": {t: {"y": 2.0, "x": 1.0} for t in topics}}
    >>> people = {t: {"x": 1, "y": 0} for t in topics}
    >>> machine = people | {"t0": {"x": 0, "y": 1}}  # is wrong on one topic
    >>> c = ec.collection(runs, {"relevance": {"people": people, "machine": machine}})
    >>> found = combine("P@1", c, kept="KeptLabels(topics=0.5)")
    >>> found.n_topics, found.n_labels, found.table["mean"].round(2).to_dict()
    (4, 8, {'a': 1.0, 'b': 0.0})
    """
    check_level(level)
    two = TwoSources.of(measure, collection, model, human, aspect)
    return two.combined(two.kept(kept), n_resamples=n_resamples, level=level, seed=seed)


@shown
@dataclass(frozen=True, eq=False)
class TwoSources:
    """A measure, a collection with the topics that a model labelled, and all labels by the model and by people."""

    measure: Measure
    collection: Collection
    aspect: str
    model: str
    human: str
    labels: HumanLabels

    @classmethod
    def of(
        cls,
        measure: Measure | str,
        collection: Collection,
        model: str | None = None,
        human: str | None = None,
        aspect: str | None = None,
    ) -> TwoSources:
        """Read the labels of both sources. Raises InputError as `combine` does for sources and collections."""
        known = as_measure(measure, collection)
        name = graded_aspect(known, collection, aspect)
        machine, people = sources_of(collection.assessments, name, model, human)
        labels = read_labels(collection, name, machine, people)
        pool = collection.assessments
        having = np.bincount(pool.topic, ~np.isnan(labels.model), len(pool.topics)) > 0
        labelled = restrict(collection, topics=[topic for topic, has in zip(pool.topics, having, strict=True) if has])
        _check(labelled)
        labels = labels if labelled is collection else read_labels(labelled, name, machine, people)
        return cls(known, labelled, name, machine, people, labels)

    @cached_property
    def complete(self) -> bool:
        """True if people labelled all documents that the model labelled."""
        return not bool((np.isnan(self.labels.human) & ~np.isnan(self.labels.model)).any())

    def kept(self, how: KeptLabels | str) -> HumanLabels:
        """Return the labels with only those human labels that the rule keeps."""
        return as_kept_labels(how).of(self.labels, self.collection)

    @cached_property
    def scorer(self) -> Rescorer:
        """The measure, prepared for scoring with any of the grades that occur."""
        grades = known_grades(self.collection, self.aspect, self.labels.human, self.labels.model)
        return Rescorer(self.measure, self.collection, self.aspect, grades)

    @cached_property
    def by_model(self) -> FloatArray:
        """The (T, S) scores with the model's labels."""
        return scores_by(self.measure, self.collection, self.aspect, self.labels.model)

    @cached_property
    def by_people(self) -> FloatArray:
        """The (T, S) scores with all human labels; 0 on topics without any."""
        return scores_by(self.measure, self.collection, self.aspect, self.labels.human)

    @cached_property
    def means_by_people(self) -> pd.Series:
        """A Series by system: the mean with all human labels, over the topics that have any."""
        systems = pd.Index(self.collection.systems, name="system", dtype=object)
        means = self.by_people[self.labels.topics].mean(axis=0)
        return directed(pd.Series(means, systems), self.measure.good)

    def combined(
        self, labels: HumanLabels, *, n_resamples: int = RESAMPLES, level: float = 0.95, seed: int = 0
    ) -> Combined:
        """Return the mean scores from these labels. Raises InputError if too few topics have human labels."""
        on = np.flatnonzero(labels.topics)
        if len(on) < FEWEST_TOPICS:
            raise InputError(f"expected human labels of at least {FEWEST_TOPICS} topics, found {len(on)}")
        sampled = self._sampled(labels)
        both, alone = self._exact(labels) if sampled is None else sampled.with_and_without()
        _refuse_infinite(self.measure, self.by_model, both.scores, alone.scores)
        corrected = Corrected.of(both, self.by_model, labels.topics)
        people = Corrected.of(alone, np.zeros_like(self.by_model), labels.topics)
        given = np.array([labels.human, labels.model])
        scores = {COMBINED: corrected.on_topics(), HUMAN: alone.scores[on], MODEL: self.by_model}
        pool, names = self.collection.assessments, (self.human, self.model)
        return Combined(
            measure=str(self.measure),
            aspect=self.aspect,
            human=self.human,
            model=self.model,
            scores=_frames(self.collection, self.measure, scores, on),
            errors={COMBINED: corrected.errors, HUMAN: people.errors, MODEL: _of_a_mean(self.by_model)},
            freedom={
                COMBINED: corrected.freedom,
                HUMAN: people.freedom,
                MODEL: np.full((2, 1), len(self.by_model) - 1.0),
            },
            weight={
                "topics": corrected.weight if len(on) < len(labels.topics) else np.nan,
                "documents": np.nan if sampled is None else sampled.weight,
            },
            agreement=agreement_of_labels(pool, self.aspect, names, given, level).coefficient("kappa"),
            all_labels=self.means_by_people if self.complete else None,
            n_labels=labels.n_labels,
            n_hidden=int((np.isnan(given[0]) & ~np.isnan(given[1])).sum()),
            n_topics=len(on),
            drawn=labels.drawn,
            level=level,
            n_resamples=n_resamples,
            seed=seed,
        )

    def _sampled(self, labels: HumanLabels) -> Sampled | None:
        """Return the sample of labels if people labelled some topics only in part, else None."""
        on = labels.topics[self.collection.assessments.topic]
        hidden = on & np.isnan(labels.human) & ~np.isnan(labels.model)
        return Sampled(self.scorer, labels, self.height_bands) if hidden.any() else None

    @cached_property
    def height_bands(self) -> IntArray:
        """The (P,) band of each document's height in the rankings (`human_labels.height_bands`)."""
        return height_bands(self.collection)

    def _exact(self, labels: HumanLabels) -> tuple[Estimates, Estimates]:
        exact = np.where(labels.topics[:, None], self.by_people, np.nan)
        estimates = Estimates(exact, np.zeros_like(exact), np.zeros_like(exact))
        return estimates, estimates


def _check(collection: Collection) -> None:
    if len(collection.systems) < 2:
        raise InputError(f"expected at least 2 systems, found {len(collection.systems)}")
    if collection.rankings.average_over != "all":
        raise InputError(
            "expected means over all topics, found means over only the topics for which each system "
            "returned results: these topics differ from system to system, so no sample represents all topics"
        )


def _frames(
    collection: Collection, measure: Measure, scores: dict[str, FloatArray], on: IntArray
) -> dict[str, pd.DataFrame]:
    """Return scores as frames of topics x systems; the frame of human scores has only the topics `on`."""
    topics = pd.Index(collection.topics, name="topic", dtype=object)
    systems = pd.Index(collection.systems, name="system", dtype=object)
    frames = {
        name: pd.DataFrame(frame, topics[on] if name == HUMAN else topics, systems) for name, frame in scores.items()
    }
    return {name: directed(frame, measure.good) for name, frame in frames.items()}


def _of_a_mean(scores: FloatArray) -> FloatArray:
    """Return (2, S): a row of standard errors of the means of scores (T, S), and a row of nan: the bias is unknown."""
    error = scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    return np.stack([error, np.full(error.shape, np.nan)])


def _refuse_infinite(measure: Measure, *scores: FloatArray) -> None:
    if any(np.isinf(score).any() for score in scores):
        raise InputError(f"expected finite scores by {measure}, found infinite ones, which have no mean")


@dataclass(frozen=True, eq=False)
class Corrected:
    """The model's scores on all topics, corrected with estimates of the human scores on some of them."""

    people: FloatArray  # (n, S)
    beside: FloatArray  # (n, S) the model's scores on these topics
    others: FloatArray  # (T - n, S) the model's scores on the other topics
    within: FloatArray  # (S,) expected squared error of the mean of `people`, from samples of documents
    seen: FloatArray  # (S,) the same, as observed
    topics: BoolArray  # (T,) topics with human labels

    @classmethod
    def of(cls, estimates: Estimates, by_model: FloatArray, topics: BoolArray) -> Corrected:
        within, seen = (side[topics].mean(axis=0) / topics.sum() for side in (estimates.expected, estimates.seen))
        return cls(estimates.scores[topics], by_model[topics], by_model[~topics], within, seen, topics)

    @cached_property
    def weight(self) -> float:
        """The weight of the model's scores."""
        return tuned_weight(self.people, self.beside)

    @cached_property
    def means(self) -> FloatArray:
        """The (S,) estimates of the systems' means."""
        share = len(self.others) / len(self.topics)
        off = self.beside.mean(axis=0) - self.others.mean(axis=0) if share else 0.0
        return np.asarray(self.people.mean(axis=0) - self.weight * share * off)

    def on_topics(self) -> FloatArray:
        """Return (T, S) scores by topic: their mean is the estimate, and their standard error is close to its error."""
        correction = np.empty((len(self.topics), self.people.shape[1]))
        correction[self.topics], correction[~self.topics] = self.beside, self.others
        correction = self.weight * (correction - correction.mean(axis=0))
        correction[self.topics] += len(correction) / len(self.people) * (self.people - correction[self.topics])
        return np.asarray(correction)

    @cached_property
    def errors(self) -> FloatArray:
        """The (2, S) errors of the means: over the population of topics; over these topics as if fully labelled."""
        return np.sqrt(np.stack([self._of_labelled + self._of_others, self._of_these]))

    @cached_property
    def freedom(self) -> FloatArray:
        """The (2, S) degrees of freedom of the two errors."""
        total = self._of_labelled + self._of_others
        n, m = len(self.people), len(self.others)
        parts = self._of_labelled**2 / (n - 1) + self._of_others**2 / max(m - 1, 1)
        return np.stack([divided(total**2, parts, n - 1.0), np.full(total.shape, n - 1.0)])

    @cached_property
    def _of_labelled(self) -> FloatArray:
        """The (S,) squared jackknife error over the topics that people labelled.

        The observed error of sampling documents, which the jackknife includes, is replaced by the expected error.
        """
        n, share = len(self.people), len(self.others) / len(self.topics)
        y, x = (scores - scores.mean(axis=0) for scores in (self.people, self.beside))
        weights = _share_of_slope(n - 1) * _slopes_without(y, x)
        without = -(y - weights[:, None] * share * x) / (n - 1)
        if share:
            off = self.beside.mean(axis=0) - self.others.mean(axis=0)
            without -= (weights[:, None] - self.weight) * share * off
        error = (n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.maximum(error - self.seen, 0.0) + self.within)

    @property
    def _of_others(self) -> FloatArray:
        if len(self.others) < 2:
            return np.zeros(self.people.shape[1])
        share = len(self.others) / len(self.topics)
        return np.asarray((self.weight * share) ** 2 * self.others.var(axis=0, ddof=1) / len(self.others))

    @property
    def _of_these(self) -> FloatArray:
        read = len(self.people) / len(self.topics)
        return (1 - read) * self._of_labelled + read * self.within


def tuned_weight(people: FloatArray, model: FloatArray) -> float:
    """Return the weight of the model's scores (n, S), given the human scores on the same topics.

    It is the slope of human scores on model scores, over all topics and systems together and at least 0, times
    1 - 2 / (n + 1/2), which is also at least 0.

    >>> y = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> round(tuned_weight(y, 2 * y), 3)  # 1 / 2 * (1 - 2 / 4.5)
    0.278
    """
    y, x = people - people.mean(axis=0), model - model.mean(axis=0)
    return float(_share_of_slope(len(people)) * _slope((y * x).sum(), (x**2).sum()))


def _slopes_without(y: FloatArray, x: FloatArray) -> FloatArray:
    """Return the (n,) slopes of y on x when each row in turn is left out; both are (n, S), minus their means."""
    n = len(y)
    more = n / (n - 1)  # the means change, too
    both, size = (y * x).sum(axis=1), (x**2).sum(axis=1)
    return _slope(both.sum() - more * both, size.sum() - more * size)


def _slope(both: ArrayLike, size: ArrayLike) -> FloatArray:
    """Return the slope `both` / `size`, at least 0; 0 if `size` is almost 0."""
    length = np.asarray(size, dtype=np.float64)
    return np.maximum(divided(both, np.where(length > SOLVED, length, 0.0)), 0.0)


def _share_of_slope(n: int) -> float:
    return max(0.0, 1 - 2 / (n + 0.5))
