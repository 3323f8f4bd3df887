"""TOMA with the current settings on a collection, and the results that several parts of the page need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import pandas as pd
import plotly.graph_objects as go

import evalcore as ec
from evalcore import figures
from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.cached import cached_property
from evalcore.data import Assessments, Collection
from evalcore.figures.tuples import listed_tuples, named
from evalcore.measures import CAM, MM, TOMA, TupleOrder
from evalcore.measures.labels import distinct, grades_upwards, occurrences
from evalcore.measures.tuple_orders import pool_tuples
from ui.computing.measures import parsed, scores
from ui.screen.calls import Call, call, keyed, line, mapped, record
from ui.screen.text import counted
from ui.toma.embedding import Embedded
from ui.toma.toma_settings import TomaSettings, name_of, rival

MOST_CLASSES = 300  # most classes in the table
NOTHING: Mapping[str, pd.DataFrame] = MappingProxyType({})


@dataclass(frozen=True)
class TomaView:
    """TOMA with the current settings on the open collection, and the results that several parts of the page need."""

    collection: Collection
    asked: TomaSettings
    measure: TOMA
    order: TupleOrder
    scores: dict[str, pd.DataFrame]  # under CAM, TOMA and MM; topics x systems

    @classmethod
    def of(cls, asked: TomaSettings, known: Mapping[str, pd.DataFrame] = NOTHING) -> TomaView:
        """Return the view for these settings.

        `known` maps measures, as text, to scores that need not be computed again. Raises InputError if documents have
        tuples that were left out.
        """
        collection, measure = asked.collection, asked.measure()
        order = measure.order(collection.assessments)
        refuse_left_out(collection.assessments, measure, asked.aspects)
        kinds = {"CAM": rival(CAM, measure), "TOMA": measure, "MM": rival(MM, measure)}
        parts = {name: known.get(str(measure)) for name, measure in kinds.items()}
        all_scores = {key: scores(collection, kinds[key]) if frame is None else frame for key, frame in parts.items()}
        return cls(collection, asked, measure, order, all_scores)

    def elsewhere(self) -> Callable[[TomaSettings], TomaView]:
        """Return a function that makes the view for other slider positions; it keeps the last view that it made."""
        rivals = {"CAM": rival(CAM, self.measure), "MM": rival(MM, self.measure)}
        known = {str(measure): self.scores[name] for name, measure in rivals.items()}

        @lru_cache(maxsize=1)
        def at(asked: TomaSettings) -> TomaView:
            return self if asked is self.asked else TomaView.of(asked, known)

        return at

    @cached_property
    def toma(self) -> Call[TOMA]:
        return parsed("toma", self.measure)

    @cached_property
    def all_scored(self) -> Call[dict[str, pd.DataFrame]]:
        """The call that maps "CAM", "TOMA" and "MM" to their scores, topics x systems."""
        cam, mm = (rival(kind, self.measure) for kind in (CAM, MM))
        measures = line("measures", {"CAM": cam, "TOMA": self.toma.it, "MM": mm})
        scores = mapped(measures.it, lambda measure: record(ec.evaluate)(measure, self.collection))
        return line("scores", scores).known(dict(self.scores))

    @cached_property
    def scored(self) -> dict[str, Call[pd.DataFrame]]:
        """Map "CAM", "TOMA" and "MM" to the calls that select their scores."""
        return {name: line("", self.all_scored.it[name]) for name in self.scores}

    @cached_property
    def means(self) -> Call[dict[str, pd.Series]]:
        """The call that maps "CAM", "TOMA" and "MM" to the mean scores of the systems."""
        return line("means", mapped(self.all_scored.it, lambda frame: frame.mean()))

    def mean(self, name: str) -> Call[pd.Series]:
        """Return the call that selects the systems' mean scores under "CAM", "TOMA" or "MM"."""
        return line("", self.means.it[name])

    @cached_property
    def tau(self) -> Call[dict[str, float]]:
        """The call that maps "CAM" and "MM" to τ between the ranking under this measure and the one under TOMA."""
        means = self.means.it
        return line("tau", keyed(("CAM", "MM"), lambda name: record(ec.tau)(means[name], means["TOMA"])))

    @cached_property
    def classed(self) -> Call[TupleOrder]:
        """The call that computes the order of the tuples, which forms the classes, worst first."""
        return line("order", self.toma.it.order(record(self.collection).assessments)).known(self.order)

    @cached_property
    def n_classes(self) -> Call[int]:
        return line("n_classes", self.classed.it.n_classes)

    @cached_property
    def labelled(self) -> Call[IntArray]:
        """The call that computes the tuple of labels of each document of the pool, as an array (P, A)."""
        return call("labelled", pool_tuples, record(self.collection).assessments, self.toma.it.aspects)

    @cached_property
    def per_class(self) -> tuple[Call[FloatArray], Call[FloatArray], Call[list[int]]]:
        """Calls that compute the distance, the weight and the number of documents of all classes, best first."""
        order, n = self.classed, self.n_classes
        place = line("place", order.it.rank_of(self.labelled.it))
        return (
            line("distance", order.it.distances[::-1]),
            line("weight", self.toma.it.weights.of(order.it)[::-1]),
            line("documents", record(np.bincount)(place.it, minlength=n.it + 1)[1:].tolist()),
        )

    def figure(self, function: Callable[..., go.Figure], **options: object) -> Call[go.Figure]:
        """Return the call that draws a figure of the measure's tuples.

        The known order of the tuples is passed to the function, which saves computing the order again.
        """
        pool = record(self.collection).assessments
        return call("", function, self.toma.it, pool, **options).here(order=self.order)

    @cached_property
    def plane(self) -> Call[go.Figure]:
        """The call that draws the figure of the plane, at the chosen grades of the aspects not on an axis.

        The call passes a grade only if it is not the best one, which is the default.
        """
        best = {aspect.name: grades_upwards(aspect.scale)[-1] for aspect in self.aspects[2:]}
        held = {name: grade for name, grade in self.asked.held_grades.items() if grade != best[name]}
        return self.figure(figures.tuple_plane, held=held) if held else self.figure(figures.tuple_plane)

    @property
    def pool(self) -> Assessments:
        return self.collection.assessments

    @property
    def aspects(self) -> tuple[Embedded, ...]:
        return self.asked.aspects

    @cached_property
    def positions(self) -> dict[str, tuple[float, ...]]:
        """Map each aspect to the positions of its labels, from worst to best."""
        return self.measure.positions(self.pool)

    @cached_property
    def documents(self) -> IntArray:
        """The tuple of labels of each document of the pool, as an array (P, A)."""
        return self.labelled.value

    @cached_property
    def tuples(self) -> IntArray:
        """The admissible tuples; if these are too many, only the tuples that documents have."""
        return listed_tuples(self.measure, self.pool)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(aspect.last + 1 for aspect in self.aspects)

    def count(self, tuples: IntArray) -> IntArray:
        """Return the number of documents that have each of these tuples."""
        return occurrences(tuples, self.documents, self.shape)

    @cached_property
    def classes(self) -> pd.DataFrame:
        """The table of the first `MOST_CLASSES` classes, best first: distance, weight, documents, tuples."""
        place = self.order.rank_of(self.tuples)
        best = np.unique(place)[:MOST_CLASSES]
        tuples, place = self.tuples[place <= best[-1]], place[place <= best[-1]]
        joined = classwise(self.names(tuples), place)
        names = ("distance", "weight", "documents")
        values = (np.asarray(result.value)[best - 1] for result in self.per_class)
        columns = {**dict(zip(names, values, strict=True)), "tuples": joined}
        return pd.DataFrame(columns, index=pd.Index(best, name="class"))

    def names(self, tuples: IntArray) -> list[str]:
        return named(tuples, [aspect.labels for aspect in self.aspects])

    def grades(self, tuples: IntArray) -> list[str]:
        """Return a short name of each tuple, made of its grades."""
        return named(tuples, [[f"{grade:g}" for grade in grades_upwards(aspect.scale)] for aspect in self.aspects])


def classwise(names: Sequence[str], place: IntArray) -> list[str]:
    """Return a text for each class, best first: the names of its tuples, joined by "="."""
    members: dict[int, list[str]] = {}
    for name, one in sorted(zip(names, place.tolist(), strict=True), key=lambda pair: pair[1]):
        members.setdefault(one, []).append(name)
    return [" = ".join(joined) for joined in members.values()]


def refuse_left_out(pool: Assessments, measure: TOMA, aspects: Sequence[Embedded]) -> None:
    """Raise InputError, with names of the tuples, if documents have tuples that were left out."""
    given = measure.admissible(pool) if not isinstance(measure.tuples, str) else None
    if given is None:
        return
    shape = tuple(aspect.last + 1 for aspect in aspects)
    tuples, counts = distinct(pool_tuples(pool, measure.aspects), shape)
    out = occurrences(tuples, given, shape) == 0
    if out.any():
        names = ", ".join(name_of(aspects, places) for places in tuples[out][:5].tolist())
        raise ec.InputError(
            f"{counted(counts[out].sum(), 'document')} with {names} would have no class; leave out only tuples that no "
            "document has"
        )
