"""Draw results: `ec.plot`, and the method `figure` of results.

`ec.plot(result)` is `result.figure()` on a white background; options are passed to the function that draws the figure.
Figures import plotly, results do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from evalcore.common.lazy_imports import pd
from evalcore.errors import InputError, not_installed

Draw: TypeAlias = Callable[[Any, dict[str, Any]], Any]  # from a result and options to a figure

MOST_SCATTERED = 2  # tables of scores in a scatter; for more, all correlations are drawn
ALPHA = 0.05  # significance level
THRESHOLD = 0.9  # correlation from which rankings of systems count as the same (Voorhees 2001)


@cache
def figures() -> Any:
    """Import and return `evalcore.figures`. Raises InputError if plotly is not installed."""
    try:
        from evalcore import figures
    except ImportError:
        raise not_installed("plotly", "figures") from None
    return figures


def styles_of(systems: Iterable[object], options: dict[str, Any] | None = None) -> Any:
    """Remove and return the option `styles`; if there is none, return the default styles of the systems."""
    given = (options or {}).pop("styles", None)
    return given or figures().system_styles([str(name) for name in systems])


def heatmap(matrix: Any, **options: Any) -> Any:
    """Draw a matrix of correlations of measures, labelled with short names, with similar measures side by side."""
    from evalcore.measures.catalogue import short_names
    from evalcore.meta import equivalent_groups

    how = {"threshold": THRESHOLD, "directed": not matrix.correlation.symmetric, "notes": figures().cell_notes(matrix)}
    how |= options
    how["groups"] = how.get("groups") or equivalent_groups(matrix.values, how["threshold"])
    names = how.pop("names", None) or short_names(matrix.measures)
    return figures().correlation_heatmap(matrix.values, names, matrix.correlation.label, **how)


def asl_curves(tests: Mapping[str, Any], **options: Any) -> Any:
    """Draw the achieved significance levels of paired bootstraps: a curve per measure, labelled with a short name."""
    from evalcore.measures.catalogue import short_names

    names = {**short_names(tests), **options.pop("names", {})}
    curves = {names[name]: bootstrap.curve() for name, bootstrap in tests.items()}
    least = min(bootstrap.n_resamples for bootstrap in tests.values())
    return figures().asl_curves(curves, **{"alpha": ALPHA, "n_resamples": least, **options})


def of_several(tables: Mapping[str, Any], **options: Any) -> Any:
    """Draw tables of scores, given by measure: two as a scatter plot, more as a matrix of their correlations."""
    return drawn(dict(tables), **options)


def plot(result: Any, **options: Any) -> Any:
    """Draw the figure of a result of evalcore, in the style of the app.

    `options` are passed to the function that draws the figure. In a figure of systems, `styles` sets their colours and
    marks (`figures.system_styles`).

    A frame of topics x systems (`evaluate`) is drawn as ranks with intervals over topics. Several frames are
    given as {text: frame}: two are drawn as a scatter of means, more as the matrix of their correlations or, with
    `across="text"`, as a scatter of all other frames against that frame. A frame of values x systems (`sweep`) has a
    line for each system; a series by system (means) has bars.

    You can also draw the results of `rank_intervals`, `trajectory`, `correlation_matrix`, `paired_bootstrap`,
    `compare_systems`, `claim`, `noise_curve`, `combine`, `source_agreement`, `source_rankings`, `grid`, `move`,
    `pools.rescored`, `walkthrough`; and the tables of `rank_changes`, `movers`, `upper_bounds`,
    `zero_aspect_documents`, `label_sums_by_rank`, `means_by_weighting`. The functions of `evalcore.figures` draw
    everything else. Raises InputError for other values, and if plotly is not installed.

    >>> import evalcore as ec, pandas as pd
    >>> [bar.type for bar in ec.plot(pd.Series({"a": 0.5, "b": 0.25}, name="AP")).data]
    ['bar']
    """
    return figures().on_white(drawn(result, **options))


def drawn(result: Any, **options: Any) -> Any:
    """Draw the figure of a result as `plot` does, but without a background, for a page that has its own."""
    figures()
    draw = _drawn_of(result)
    if draw is None:
        raise InputError(f"expected scores or a result of evalcore to plot, found {type(result).__name__}")
    try:
        return draw(result, options)
    except TypeError as error:
        unknown = str(error).rpartition("unexpected keyword argument ")[2].strip("'")
        if unknown not in options:
            raise
        raise InputError(f"expected options of this figure, found {unknown!r}") from None


def _drawn_of(result: Any) -> Draw | None:
    """Return the function that draws a result; None if there is none."""
    if isinstance(result, Mapping):
        return _of_several
    if isinstance(result, pd.Series):
        return _of_means
    if isinstance(result, pd.DataFrame):
        made = (draw for columns, draw in _TABLES.items() if set(columns) <= set(result.columns))
        if isinstance(result.index, pd.MultiIndex):
            return next(made, _of_weightings)
        return next(made, _of_topics if result.index.name == "topic" else _of_values)
    return (lambda of, options: of.figure(**options)) if callable(getattr(type(result), "figure", None)) else None


def _refuse_no_systems(frame: pd.DataFrame) -> None:
    numbers = all(map(pd.api.types.is_numeric_dtype, frame.dtypes))
    if frame.empty or not numbers or frame.index.name in _NO_PARAMETERS:
        raise InputError("expected scores (a column of numbers for each system), found a different kind of table")


def _of_topics(scores: pd.DataFrame, options: dict[str, Any]) -> Any:
    from evalcore.meta import rank_intervals

    _refuse_no_systems(scores)
    return rank_intervals(scores).figure(**options)


def _drawn(figure: str, usual: Callable[[Any], Mapping[str, Any]] = lambda table: {}, **fixed: Any) -> Draw:
    """Return a function that draws a table by calling the function named `figure` in `evalcore.figures`.

    Options default to `fixed`, the same for every table, and to the options that `usual` derives from the table.
    """

    def draw(table: Any, options: dict[str, Any]) -> Any:
        return getattr(figures(), figure)(table, **{**fixed, **usual(table), **options})

    return draw


def _itself_named(table: pd.DataFrame) -> dict[str, Any]:
    """Return the option `names` with which a figure keeps the names of measures as they are in the table."""
    return {"names": {name: name for name in table["measure"]}}


def _of_values(means: pd.DataFrame, options: dict[str, Any]) -> Any:
    """Draw a line for each system over the values of a parameter, with the name of the system at its end."""
    _refuse_no_systems(means)
    return figures().score_lines(means, styles_of(means.columns, options), **options)


def _of_means(means: pd.Series, options: dict[str, Any]) -> Any:
    """Draw the mean score of each system as a bar."""
    if means.empty or not pd.api.types.is_numeric_dtype(means):
        raise InputError("expected a number for each system, found a different kind of series")
    return figures().score_bars(means, styles_of(means.index, options), **{"title": str(means.name or ""), **options})


def _of_several(tables: Mapping[str, Any], options: dict[str, Any]) -> Any:
    from evalcore.meta import PairedBootstrap, correlation_matrix

    if tables and all(isinstance(table, PairedBootstrap) for table in tables.values()):
        return asl_curves(tables, **options)
    if not tables or not all(isinstance(table, pd.DataFrame) for table in tables.values()):
        raise InputError("expected {measure: scores} to plot, found a different kind of dictionary")
    for table in tables.values():
        _refuse_no_systems(table)
    if len(tables) == 1:
        return _of_topics(next(iter(tables.values())), options)
    across = options.pop("across", None if len(tables) > MOST_SCATTERED else next(iter(tables)))
    if across is not None:
        return _of_one_against_others(tables, across, options)
    if min(table.shape[1] for table in tables.values()) < 2:
        raise InputError("expected at least two systems for correlations, found 1")
    return correlation_matrix(dict(tables)).figure(**options)


def _of_one_against_others(tables: Mapping[str, Any], across: str, options: dict[str, Any]) -> Any:
    if across not in tables:
        raise InputError(f"expected `across` to be one of {', '.join(map(str, tables))}, found {across!r}")
    ups = {name: _means(frame) for name, frame in tables.items() if name != across}
    titles = {"x_title": across, "y_title": next(iter(ups)) if len(ups) == 1 else "mean score"}
    styles = styles_of(tables[across].columns, options)
    return figures().scatter(_means(tables[across]), ups, styles, **{**titles, **options})


def _means(scores: pd.DataFrame) -> pd.Series:
    from evalcore.direction import directed, good_of

    return directed(scores.mean(), good_of(scores))


def _of_changes(table: pd.DataFrame, options: dict[str, Any]) -> Any:
    from evalcore.direction import directed

    names = options.pop("names", ("first", "second"))
    columns = {name: directed(table[rank], "low") for name, rank in zip(names, ("rank_x", "rank_y"), strict=True)}
    return figures().bump(columns, styles_of(table.index, options), **options)


def _of_weightings(means: pd.DataFrame, options: dict[str, Any]) -> Any:
    """Draw a map of the winner under each weighting of the aspects, with a mark at weights `at` (default: equal)."""
    parts = means.index.nlevels
    at = np.asarray(options.pop("at", np.full(parts, 1 / parts)), dtype=float)
    if at.shape != (parts,):
        raise InputError(f"expected a weight for each of {parts} aspects, found {at.size}")
    return figures().weight_map(means, at, styles_of(means.columns, options), **options)


# Functions that draw a table, by its columns; the first that fits is used.
_TABLES: dict[tuple[str, ...], Draw] = {
    ("rank_x", "rank_y", "change"): _of_changes,
    ("assessed", "tau", "tau_ap", "same first"): _drawn("tau_of_parts"),
    ("sum", "sum of squares", "largest label"): _drawn("bound_boxes", title="score"),
    ("measure", "ranks", "zero"): _drawn("zero_aspect_bars", usual=_itself_named),
    ("measure", "ranks", "mean_sum"): _drawn("label_sum_lines", usual=_itself_named, column="mean_sum"),
}
_NO_PARAMETERS = ("correlation", "measure", "system", "left out")  # names of the index of tables that are not sweeps
