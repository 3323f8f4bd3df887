"""Analysis of variance of a frame of scores: topics, systems, or the components of systems explain them.

A linear model with effects of topics and of factors: either the systems themselves (two-way, without replication), or
the columns of a table of systems, such as stemmer, model and team (Ferro, Silvello 2018, "Toward an anatomy of IR
system component performances", doi 10.1002/asi.23910; there on a grid). What no effect explains is the error.

Sums of squares are of type II: what an effect explains after all others that do not contain it. On a complete grid
they are those of the textbook, and types I, II and III agree; without interactions type III is the same.

- F = (SS / df) / (SS of the error / its df), p = P(F(df, df of the error) >= F);
- omega^2 = (SS - df MSE) / (SS of all + MSE): the share of all variance, at most 1, below 0 by chance where there is no
  effect (Hays 1963; Olejnik, Algina 2003, doi 10.1037/1082-989X.8.4.434);
- partial omega^2 = df (F - 1) / (df (F - 1) + N), N scores: the share where the other effects are held fixed. Above .14
  an effect is called large, above .06 medium, above .01 small.

A score that is lacking (nan) or infinite is left out, as is a system without a value of a factor.

p takes all differences of systems to vary alike from topic to topic. Variants of one system vary little, and then it
finds effects among equal systems in up to 25% of cases at 5%; of components that do nothing, where systems differ by
what else they are made of, in up to 82%. `p_corrected` of an effect of systems is over the n topics on which all have
scores, from what each topic says of this effect alone: F of its own error, with e df and e df (n - 1) degrees of
freedom, where e = (sum of l)^2 / (df sum of l^2), l the variances of the effect over topics along their axes
(Greenhouse, Geisser 1959, doi 10.1007/BF02289823); of two systems that is the paired t-test. Where systems differ by
more than the factors say, it is at least p of F of the effect and what the factors leave of the systems' means: other
systems made alike would differ so too. Where factors tell all systems apart, it speaks of these systems only. It is nan
with fewer than two such topics, and of topics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray
from scipy import sparse

from evalcore.common.arrays import FloatArray, IntArray
from evalcore.common.short_forms import shown
from evalcore.errors import InputError
from evalcore.meta.align import refuse_no_frame, refuse_repeated, tested_frame
from evalcore.meta.order import TIE

TOPIC, SYSTEM, ERROR = "topic", "system", "error"
MOST_EFFECTS = 5000  # parameters of a model; their products take 200 MB
_RANK = 1e-9  # share of the largest eigenvalue below which a direction is none

Term = tuple[str, ...]


@shown
@dataclass(frozen=True, eq=False)
class Anova:
    """`table` has a row for each effect, and the error: sum_of_squares, df, mean_square, f, p, p_corrected, omega2,
    partial_omega2.

    p is that of a textbook; what is said of an effect is decided by p_corrected (see the module).
    An effect that the others determine, as a team that has one model that no other has, has 0 degrees of freedom and no
    F.
    """

    table: pd.DataFrame
    n_scores: int
    left_out: int  # scores that are lacking, infinite, or of systems without a value of a factor
    balanced: bool  # whether every combination of levels that occurs has as many scores on each topic


def two_way_anova(scores: pd.DataFrame) -> Anova:
    """Topics and systems: what each explains of the scores.

    >>> scores = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.6]})  # means .15+-.05, .3+-.15
    >>> two_way_anova(scores).table["sum_of_squares"].round(4).to_dict()
    {'topic': 0.09, 'system': 0.04, 'error': 0.01}
    """
    refuse_no_frame(scores)
    return _fitted(scores, {SYSTEM: pd.Series(scores.columns, index=scores.columns)}, interactions=False)


def component_anova(
    scores: pd.DataFrame, systems: pd.DataFrame, factors: Sequence[str] | None = None, interactions: bool = False
) -> Anova:
    """Topics and the components of systems, such as stemmer and model, read from a table with a row for each system.

    `factors` are columns of it (None: all with at least two values and fewer values than systems); with
    `interactions` also those of every two factors. Systems that the table lacks are left out. Raises InputError for an
    unknown factor, or where no factor varies.

    >>> scores = pd.DataFrame({"a": [0.1, 0.3], "b": [0.2, 0.6], "c": [0.1, 0.2], "d": [0.3, 0.6]})
    >>> table = pd.DataFrame({"stemmer": list("yyyn"), "model": list("uvuv")}, index=list("abcd"))
    >>> component_anova(scores, table).table.index.tolist()
    ['topic', 'stemmer', 'model', 'error']
    """
    refuse_no_frame(scores)
    if not isinstance(systems, pd.DataFrame):
        raise InputError(f"expected a table with a row for each system, found {type(systems).__name__}")
    refuse_repeated(systems.index, "system")
    refuse_repeated(systems.columns, "factor")
    known = systems.reindex(scores.columns)
    if factors is None:
        factors = [str(name) for name in known if 1 < known[name].nunique() < known[name].count()]
    for name in factors:
        if name not in known:
            raise InputError(f"expected a factor ({', '.join(map(str, known))}), found {name!r}")
        if known[name].nunique() < 2:
            raise InputError(f"expected a factor of at least 2 values, found {name!r} with {known[name].nunique()}")
    if not factors:
        raise InputError("expected a column with at least 2 values, each of several systems, found none")
    return _fitted(scores, {name: known[name] for name in factors}, interactions)


def _fitted(scores: pd.DataFrame, factors: Mapping[str, pd.Series], interactions: bool) -> Anova:
    frame = tested_frame(scores)
    values = frame.to_numpy(dtype=np.float64)
    codes = {name: pd.factorize(column.reindex(frame.columns))[0] for name, column in factors.items()}
    whole = np.all([code >= 0 for code in codes.values()], axis=0)
    topic, system = np.nonzero(np.isfinite(values) & whole)
    y, levels = values[topic, system], {TOPIC: topic, **{name: code[system] for name, code in codes.items()}}
    terms: list[Term] = [(TOPIC,), *((name,) for name in factors)]
    terms += combinations(factors, 2) if interactions else []
    squares, df = _sums_of_squares(y - y.mean() if len(y) else y, levels, terms)
    used = np.unique(system)
    compared = values[:, used]
    complete = compared[np.isfinite(compared).all(axis=1)]
    corrected = _corrected(complete, {name: code[used] for name, code in codes.items()}, terms[1:])
    return Anova(_table(terms, squares, df, y, corrected), len(y), values.size - len(y), _is_balanced(levels, terms))


def _sums_of_squares(
    y: FloatArray, levels: Mapping[str, IntArray], terms: Sequence[Term]
) -> tuple[dict[Term, float], dict[Term, int]]:
    """Type II, and degrees of freedom; () is the error."""
    rest, rank = _left(y, [_dummies(levels, term) for term in terms])
    squares: dict[Term, float] = {(): float(rest @ rest)}
    df: dict[Term, int] = {(): len(y) - rank}
    if df[()] < 1:
        raise InputError(f"expected more scores than effects of topics and factors, found {len(y)} of {rank}")
    for term, without, within, free in _effects(y, levels, terms):
        df[term], squares[term] = free, float(without @ without) - float(within @ within) if free else 0.0
    return squares, df


def _effects(
    y: FloatArray, levels: Mapping[str, IntArray], terms: Sequence[Term]
) -> Iterator[tuple[Term, FloatArray, FloatArray, int]]:
    """For each term: rest of y without it and with it, beside terms that do not contain it; degrees of freedom."""
    designs = {term: _dummies(levels, term) for term in terms}
    for term in terms:
        others = [design for other, design in designs.items() if not set(term) <= set(other)]
        (without, fewer), (within, more) = _left(y, others), _left(y, [*others, designs[term]])
        yield term, without, within, more - fewer


def _dummies(levels: Mapping[str, IntArray], term: Term) -> sparse.csr_array:
    """(N, L) 1 for the combination of levels, of L, that each score has."""
    place = np.unique(np.column_stack([levels[name] for name in term]), axis=0, return_inverse=True)[1].ravel()
    ones = np.ones(len(place))
    return sparse.csr_array((ones, (np.arange(len(place)), place)), shape=(len(place), int(place.max(initial=-1)) + 1))


def _left(y: FloatArray, designs: Sequence[sparse.csr_array]) -> tuple[FloatArray, int]:
    """Residuals of y, or of each of its columns, after effects, and the rank of the model with a mean of its own."""
    constant = sparse.csr_array(np.ones((len(y), 1)))
    model = sparse.csr_array(sparse.hstack([constant, *designs]))
    if model.shape[1] > MOST_EFFECTS:
        raise InputError(f"expected at most {MOST_EFFECTS:,} effects of topics and factors, found {model.shape[1]:,}")
    products: NDArray[np.float64] = (model.T @ model).toarray()
    values, vectors = np.linalg.eigh(products)
    some = values > _RANK * values.max(initial=0.0)
    left = y
    for _ in range(2):  # the second takes what rounding has left of the first
        projected = ((model.T @ left).T @ vectors[:, some] / values[some]).T
        left = left - model @ (vectors[:, some] @ projected)
    return left, int(some.sum())


def _corrected(scores: FloatArray, levels: Mapping[str, IntArray], terms: Sequence[Term]) -> dict[Term, float]:
    """p_corrected of effects of systems, from scores (T, S) without gaps and each system's levels of factors (S,)."""
    by_topic = scores.T - scores.mean(axis=1)
    noise = TIE * np.abs(scores).max(initial=0.0)
    rest, rank = _left(by_topic, [_dummies(levels, term) for term in terms])
    beside = _mean_square(rest, len(rest) - rank, noise)
    found = {}
    for term, without, within, df in _effects(by_topic, levels, terms):
        effect = without - within
        p = p_over_topics(effect, df, noise)
        if beside > 0 and df:
            p = max(p, float(scipy.stats.f.sf(_mean_square(effect, df, noise) / beside, df, len(rest) - rank)))
        found[term] = p
    return found


def _mean_square(effect: FloatArray, df: int, noise: float) -> float:
    """Mean square of the mean over topics of an effect on each system (S, T); 0 if it is rounding alone."""
    mean = effect.mean(axis=1) if effect.shape[1] else np.zeros(len(effect))
    return float(mean @ mean) / df if df and np.abs(mean).max() > noise else 0.0


def p_over_topics(effect: FloatArray, df: int, noise: float = 0.0) -> float:
    """P of an effect, from what it makes of each system (S, T) on each topic; see the module."""
    topics = effect.shape[1]
    if topics < 2 or not df:
        return np.nan
    around = effect - effect.mean(axis=1, keepdims=True)
    around[np.abs(around) <= noise] = 0.0
    products = around.T @ around if len(around) > topics else around @ around.T
    spread, mean_square = float(np.trace(products)), _mean_square(effect, df, noise)
    if not spread:
        return 0.0 if mean_square else 1.0
    share = min(1.0, max(1 / df, spread**2 / (df * float((products**2).sum()))))
    f = topics * mean_square / (spread / (df * (topics - 1)))
    return float(scipy.stats.f.sf(f, share * df, share * df * (topics - 1)))


def _table(
    terms: Sequence[Term],
    squares: Mapping[Term, float],
    df: Mapping[Term, int],
    y: FloatArray,
    corrected: Mapping[Term, float],
) -> pd.DataFrame:
    total, noise = float(((y - y.mean()) ** 2).sum()), TIE**2 * float((y**2).sum())
    error = 0.0 if squares[()] <= noise else squares[()] / df[()]
    rows = {}
    for term in terms:
        ss, free = (0.0 if squares[term] <= noise else squares[term]), df[term]
        mean = ss / free if free else np.nan
        f = np.nan if not free or (not error and not ss) else mean / error if error else np.inf
        gain = free * (f - 1)
        partial = 1.0 if np.isinf(gain) else gain / (gain + len(y))
        whole = (ss - free * error) / (total + error) if free and total else np.nan
        p = float(scipy.stats.f.sf(f, free or 1, df[()]))
        own = np.nan if np.isnan(f) else corrected.get(term, np.nan)
        rows[":".join(term)] = (ss, free, mean, f, p, own, whole, partial)
    rows[ERROR] = (error * df[()], df[()], error, np.nan, np.nan, np.nan, np.nan, np.nan)
    columns = ["sum_of_squares", "df", "mean_square", "f", "p", "p_corrected", "omega2", "partial_omega2"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("effect")


def _is_balanced(levels: Mapping[str, IntArray], terms: Sequence[Term]) -> bool:
    """Return whether all combinations of levels of all factors occur equally often."""
    names = sorted({name for term in terms for name in term})
    counts = np.unique(np.column_stack([levels[name] for name in names]), axis=0, return_counts=True)[1]
    sizes = [len(np.unique(levels[name])) for name in names]
    return len(counts) == int(np.prod(sizes)) and bool((counts == counts[:1]).all())
