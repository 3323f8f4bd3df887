"""Parameters of a measure to vary: all of them, one by its path, or the usual ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.base import HasPoolAndRankings, Measure
from evalcore.sensitivity.choices import choices_of
from evalcore.sensitivity.parameters import Parameter, numbers_of, parameters_of

# Names of fields, in the order in which they are offered; others are varied only on request.
MEANT = "threshold", "rho", "weights", "importance", "distance", "embedding", "base", "order", "factor", "rel", "cutoff"
RHOS = (0.5, 0.95)  # readers who see 2 documents on average, to those who see 20
TIMES = 2.0  # a weight or a cut-off is halved and doubled


def varied_of(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    """Return every number and every choice that can be varied in a measure on a collection.

    >>> from evalcore.data.small_collections import small_collection
    >>> import pandas as pd
    >>> c = small_collection(pd.DataFrame({"relevance": [0, 1, 2]}, index=["a", "b", "c"]), {"one": ["a", "b"]})
    >>> [one.path for one in varied_of("nDCG@10", c)]
    ['cutoff', 'dcg']
    """
    return [*parameters_of(measure, collection), *choices_of(measure)]


def parameter_of(measure: Measure | str, path: str, collection: HasPoolAndRankings) -> Parameter:
    """Return the number or choice at a path; an end is infinite if nothing limits the number.

    Raises InputError for an unknown path.
    """
    known = {parameter.path: parameter for parameter in (*choices_of(measure), *numbers_of(measure, collection))}
    if path not in known:
        raise InputError(f"expected a parameter ({', '.join(known) or 'none'}), found {path!r}", str(measure))
    return known[path]


def usual_parameters(measure: Measure | str, collection: HasPoolAndRankings) -> list[Parameter]:
    """Return the parameters of a measure that are usually varied, with usual ranges; the most usual come first.

    A threshold on a signal varies from its lower to its upper quartile, the persistence rho from 0.5 to 0.95, weights
    and a cut-off from half to twice their value; an unset cut-off, single gains and positions are not included. For
    a measure without usual parameters, all parameters are returned.

    >>> from evalcore.data.small_collections import small_collection
    >>> import pandas as pd
    >>> c = small_collection(pd.DataFrame({"relevance": [0, 1, 2]}, index=["a", "b", "c"]), {"one": ["a", "b"]})
    >>> [(one.path, one.low, one.high) for one in usual_parameters("RBP(rho=0.8)", c)]
    [('rho', 0.5, 0.95), ('rel', 1.0, 2.0)]
    """
    known = varied_of(measure, collection)
    meant = [
        parameter
        for parameter in known
        if _place(parameter) < len(MEANT) and not (parameter.value is None and _name(parameter) == "cutoff")
    ]
    return [_usual(parameter, collection) for parameter in sorted(meant or known, key=_place)]


def _place(parameter: Parameter) -> int:
    name = _name(parameter)
    return MEANT.index(name) if name in MEANT else len(MEANT)


def _name(parameter: Parameter) -> str:
    """Return the name of the field that contains a number; "" for the weight of a class or the position of a label."""
    field = parameter.path.partition("[")[0]
    name = field.rpartition(".")[2]
    of_one_label = name == "embedding" and not parameter.options
    return "" if of_one_label or field == "weights.weights" else name


def _usual(parameter: Parameter, collection: HasPoolAndRankings) -> Parameter:
    """Return the parameter with its usual range, which always contains its present value."""
    if parameter.options:
        return parameter
    ends = _ENDS.get(_name(parameter))
    low, high = ends(parameter, collection) if ends else (parameter.low, parameter.high)
    own = [] if parameter.value is None else [parameter.value]
    low, high = max(min(low, *own, high), parameter.low), min(max(high, *own, low), parameter.high)
    if parameter.levels:
        return parameter.within(low, high) if any(low <= level <= high for level in parameter.levels) else parameter
    return replace(parameter, low=low, high=high) if low < high else parameter


def _times(parameter: Parameter, collection: HasPoolAndRankings) -> tuple[float, float]:
    own = parameter.value
    if not own:
        return parameter.low, parameter.high
    return (math.ceil(own / TIMES), own * TIMES) if parameter.levels else (own / TIMES, own * TIMES)


def _quartiles(parameter: Parameter, collection: HasPoolAndRankings) -> tuple[float, float]:
    """Return the lower and upper quartile of the signal whose extremes are the ends of the parameter's range.

    If no signal has these extremes, return the ends.
    """
    for name, scale in collection.assessments.scales.items():
        values: FloatArray = collection.assessments.column(name)
        known = values[np.isfinite(values)]
        if scale.continuous and len(known) and (parameter.low, parameter.high) == (known.min(), known.max()):
            low, high = (float(f"{number:.3g}") for number in np.quantile(known, (0.25, 0.75)))
            return low, high
    return parameter.low, parameter.high


_ENDS: dict[str, Callable[[Parameter, HasPoolAndRankings], tuple[float, float]]] = {
    "rho": lambda parameter, collection: RHOS,
    "cutoff": _times,
    "weights": _times,
    "importance": _times,
    "threshold": _quartiles,
}
