"""Navigation models: the probability P(j ~> c) that a user who consults a result j sees component c as well.

The result itself is seen for certain. Each model also defines the costs of navigation: the expected reading and the
expected number of links followed. Shapes: C components, K targets (the components that matter).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evalcore.common.arrays import FloatArray, IntArray, divided
from evalcore.common.lazy_imports import sparse
from evalcore.common.rounding import less
from evalcore.errors import InputError
from evalcore.measures.parts.gains import UNIT
from evalcore.navigation.certainty import endless
from evalcore.navigation.chains import (
    expected_sums,
    going_on,
    hitting,
    hitting_on_trails,
    sums_on_trails,
    trail_lengths,
    with_certain,
)
from evalcore.navigation.links import Components, Links, Navigation
from evalcore.navigation.places_in_documents import near, read_on
from evalcore.notation.values import Range, Value, parameter

ALPHA = Range(0, 5, step=0.1)
STOP_UNGIVEN = 0.5  # without probabilities in the edge list, half of the users stop after each component


@dataclass(frozen=True, eq=False)
class Reach:
    """Probabilities and costs of the components that users reach from each component consulted as a result."""

    chance: sparse.csr_array  # (C, K) the probability of seeing each target
    reading: FloatArray  # (C,) expected effort of reading
    clicks: FloatArray  # (C,) expected number of links followed


@dataclass(frozen=True)
class NavigationModel(Value, abstract=True):
    """A model of how users go on from a result."""

    topical: ClassVar[bool] = False  # true if it depends on which components have a gain

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        """Return the probabilities and costs of reached components; `reading` (C,) is the effort of reading each."""
        raise NotImplementedError


@dataclass(frozen=True)
class Stay(NavigationModel):
    """No navigation: a user sees the result and nothing else, as with classical measures."""

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        return Reach(_themselves(len(reading), targets), reading, np.zeros(len(reading)))


@dataclass(frozen=True)
class Browse(NavigationModel):
    """P(j ~> c) as the edge list gives it, with all routes included (section 5.1); 0 without a link.

    Raises InputError if a link has no probability.
    """

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        links = navigation.links
        lacking = np.flatnonzero(np.isnan(links.probability))
        if len(lacking):
            problem = "expected a probability for every link, found one without; Walk needs none"
            raise InputError(problem, links.where, int(links.line[lacking[0]]) or None)
        given = _matrix(links, links.probability, len(reading))
        chance = (_columns(given, targets) + _themselves(len(reading), targets)).tocsr()
        return Reach(chance, reading + given @ reading, given @ np.ones(len(reading)))


@dataclass(frozen=True)
class Walk(NavigationModel):
    """A walk over links, an absorbing Markov chain (section 5.2): after each component users follow a link, or stop.

    Without `stop`, the edge list gives the probability of following each link, and the remainder is the probability of
    stopping; links without a probability share half of the remainder. With `stop`, links share 1 - stop in proportion
    to the given probabilities, or equally. A page without links ends the walk. Every visit costs reading. Results are
    exact, except that in parts of the graph with more than 600 components probabilities below 1e-12 count as 0. Nobody
    stops if probabilities sum to 1 within a part in 10^12; components that every walk visits are seen for certain.

    With `alpha` users decide at the start how many components they will see: t of at most 50, in proportion to
    t^(-alpha) (Huberman et al. 1998 observed 3/2); they then choose among a page's links in the same proportions as
    with `stop`.
    """

    stop: float | None = parameter(
        None,
        "probability of stopping after each component; if none, 1 minus the sum of its links' probabilities",
        within=UNIT,
    )
    alpha: float | None = parameter(
        None,
        "replaces stop: the share of walks of t components is proportional to t^(-alpha); alpha was 1.5 on the Web",
        within=ALPHA,
    )

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        Q = self.transitions(navigation)
        if self.alpha is not None:
            sums = sums_on_trails(Q, np.column_stack([reading, np.ones(len(reading))]), going_on(self.alpha))
            return Reach(hitting_on_trails(Q, targets, going_on(self.alpha)), sums[:, 0], sums[:, 1] - 1)
        sums = expected_sums(Q, np.column_stack([reading, np.ones(len(reading))]))
        return Reach(hitting(Q, targets), sums[:, 0], sums[:, 1] - 1)

    def transitions(self, navigation: Navigation) -> sparse.csr_array:
        """Return the (C, C) probabilities Q of going on from each component to each other component (see `chains`).

        Raises InputError if they sum to more than 1 from a component, or if a walk may never end.
        """
        links = navigation.links
        Q = _matrix(links, self._probabilities(links, len(navigation.components)), len(navigation.components))
        trap = endless(Q)
        if self.alpha is None and len(trap):
            raise _no_end(links, trap, navigation.components, self.stop)
        return Q

    def trails(self, navigation: Navigation, starts: FloatArray, longest: int) -> FloatArray:
        """Return the (longest,) probabilities that a walk has t = 1, 2, ... components.

        `starts` (C,) are the weights of the components at which it begins.
        """
        longer = None if self.alpha is None else going_on(self.alpha)
        return trail_lengths(self.transitions(navigation), starts, longest, longer)

    def _probabilities(self, links: Links, count: int) -> FloatArray:
        """Return the (L,) probability of following each link from its source."""
        given = ~np.isnan(links.probability)
        weights = np.where(given, links.probability, 0.0)
        bare = np.bincount(links.source[~given], minlength=count)
        total = np.bincount(links.source, weights, minlength=count).astype(float)
        if self.stop is None and self.alpha is None:
            _refuse_more_than_one(links, weights, total)
            rest = STOP_UNGIVEN * _left(total)
            return np.where(given, weights, (rest / np.maximum(bare, 1))[links.source])
        rest = _left(total)
        weights = np.where(given, weights, (rest / np.maximum(bare, 1))[links.source])
        total = np.bincount(links.source, weights, minlength=count)[links.source]
        return (1 - (self.stop or 0.0) * (self.alpha is None)) * divided(weights, total)


@dataclass(frozen=True)
class Scroll(NavigationModel):
    """P(j ~> c) = 1 / (1 + e^(theta * d)) within the document (section 5.2), with d characters between j and c.

    d is 0 if they touch or overlap; the printed formula gives 1/2 there, and the result itself is seen for certain
    (erratum of section 5.2). Components of other documents are not reached. Raises InputError if no component has a
    position.
    """

    theta: float = parameter(0.005, "decrease of interest per character of distance", within=Range(0, 10, step=0.001))

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        components = navigation.components
        _need_places(navigation, self)
        chance = near(components, targets, self.theta) + _themselves(len(reading), targets)
        everyone = np.flatnonzero(np.isfinite(components.end))
        others = near(components, everyone, self.theta)
        return Reach(chance.tocsr(), reading + others @ reading[everyone], np.zeros(len(reading)))


@dataclass(frozen=True)
class ReadOn(NavigationModel):
    """Tolerance to irrelevance, T2I (de Vries et al. 2004): users read on from the start of a result.

    They give up `tolerance` characters after the end of the last relevant component, or after the start; components
    that begin before that point are seen for certain. A component is relevant if it has a gain. Raises InputError if no
    component has a position.
    """

    tolerance: float = parameter(
        500.0, "characters without relevant text after which users give up", within=Range(0, 1e6, step=50)
    )
    topical: ClassVar[bool] = True

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        _need_places(navigation, self)
        seen = read_on(navigation.components, targets, self.tolerance)
        others = seen - sparse.diags_array(seen.diagonal())
        chance = _columns(others, targets) + _themselves(len(reading), targets)
        return Reach(chance.tocsr(), reading + others @ reading, np.zeros(len(reading)))


@dataclass(frozen=True)
class Both(NavigationModel):
    """Several independent navigation models together: 1 - product of (1 - P(j ~> c)); costs add up."""

    models: tuple[NavigationModel, ...] = parameter((Walk(), Scroll()), "the models to combine", positional=True)

    @property
    def topical(self) -> bool:  # type: ignore[override]
        return any(model.topical for model in self.models)

    def reach(self, navigation: Navigation, targets: IntArray, reading: FloatArray) -> Reach:
        reaches = [model.reach(navigation, targets, reading) for model in self.models]
        chance = _themselves(len(reading), targets)
        for own in reaches:
            # 1 - (1 - a)(1 - b) on the union of non-zero entries; certain if either is.
            sure = _certain_ones(chance).maximum(_certain_ones(own.chance))
            chance = with_certain((chance + own.chance - chance * own.chance).tocsr(), sure)
        read = reading + sum((reach.reading - reading for reach in reaches), np.zeros(len(reading)))
        return Reach(chance, read, sum((reach.clicks for reach in reaches), np.zeros(len(reading))))


def _matrix(links: Links, values: FloatArray, count: int) -> sparse.csr_array:
    """Return a (C, C) matrix of values for links, without zeros."""
    there = values > 0
    ends = (links.source[there], links.target[there])
    return sparse.csr_array((values[there], ends), shape=(count, count))


def _certain_ones(chance: sparse.csr_array) -> sparse.csr_array:
    """Return a matrix with 1 for each probability of 1, and 0 for all others."""
    ones = (chance.data == 1).astype(float)
    return sparse.csr_array((ones, chance.indices, chance.indptr), shape=chance.shape)


def _left(total: FloatArray) -> FloatArray:
    """Return 1 minus a sum of probabilities: exactly 0 if it is 1 up to rounding."""
    return np.where(less(total, 1.0), 1 - total, 0.0)


def _themselves(count: int, targets: IntArray) -> sparse.csr_array:
    """Return a (C, K) matrix with 1 if the component is the target, else 0."""
    return sparse.csr_array((np.ones(len(targets)), (targets, np.arange(len(targets)))), shape=(count, len(targets)))


def _columns(matrix: sparse.csr_array, targets: IntArray) -> sparse.csr_array:
    columns: sparse.csr_array = matrix.tocsc()[:, targets].tocsr()
    return columns


def _refuse_more_than_one(links: Links, weights: FloatArray, total: FloatArray) -> None:
    over = np.flatnonzero(less(1.0, total))
    if len(over):
        own = np.flatnonzero(links.source == over[0])
        at = own[np.argmax(less(1.0, np.cumsum(weights[own])))]
        problem = (
            f"expected probabilities of the links from one component that sum to at most 1, found {total[over[0]]:g}; "
            "use Browse for probabilities of being seen by any route, or Walk(stop=...), which reads them as shares"
        )
        raise InputError(problem, links.where, int(links.line[at]) or None)


def _no_end(links: Links, trap: IntArray, components: Components, stop: float | None) -> InputError:
    names = [str(components.ids[at]) for at in trap[:4]]
    shown = " -> ".join([*names, *(["..."] if len(trap) > 4 else []), names[0]])
    inside = np.flatnonzero(np.isin(links.source, trap) & np.isin(links.target, trap))
    how = "" if stop is None else f" (stop = {stop:g})"
    problem = f"expected walks that end, found a cycle that users never leave{how}: {shown}; set stop above 0"
    return InputError(problem, links.where, int(links.line[inside].max()) or None)


def _need_places(navigation: Navigation, model: NavigationModel) -> None:
    if not navigation.has_places:
        problem = "expected components with an offset and a size, found none; Walk needs links only"
        raise InputError(problem, str(model))
