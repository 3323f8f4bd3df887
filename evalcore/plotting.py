"""`ec.plot`: the figure of a result, and `ec.explore`: a measure's sliders with a figure that follows.

Plotly and the figures are imported when the first figure is asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from evalcore.errors import InputError, did_you_mean, not_installed
from evalcore.later import pd

Draw: TypeAlias = Callable[[Any, Any, dict[str, Any]], Any]  # of the figures, a result, options

if TYPE_CHECKING:
    from evalcore.measures import Measure
    from evalcore.structures.documents import Collection

MOST_SCATTERED = 2  # tables of scores that are set against each other; of more, all correlations are drawn
ALPHA = 0.05
THRESHOLD = 0.9  # from which rankings of systems are called the same (Voorhees 2001)
STEPS = 200  # of a slider without levels


def plot(result: Any, **options: Any) -> Any:
    """The figure of a result of evalcore, in the style of the app; `options` are those of the figure's own function.

    Of a figure of systems, `styles` may give their colours and marks (`figures.system_styles`).

    Of a frame of topics x systems (`evaluate`): ranks with their doubt over topics. Of several, as {text: frame}: two
    as a scatter of means, more as the matrix of their correlations, or with `across="text"` as a scatter of all over
    that one. Of a frame of values x systems (`sweep`): a line for each system; of a series by system (means): bars.

    Further what these give: `rank_intervals`, `trajectory`, `correlation_matrix`, `paired_bootstrap`,
    `compare_systems`, `two_way_anova` and `component_anova`, `claim`, `favour`, `noise_curve`, `combine`,
    `source_agreement`, `source_rankings`, `importance`, `grid`, `move`, `pools.rescored`,
    `walkthrough`; and the tables of `rank_changes`, `movers`, `driving_topics`, `leave_one_out`, `against_baselines`,
    `tukey_p`, `wilcoxon_pairs`, `upper_bounds`, `zero_aspect_documents`, `label_sums_by_rank`, `means_by_weighting`.
    The functions of `evalcore.figures` draw what else there is. Raises InputError for anything else, and where plotly
    is not installed.

    >>> import evalcore as ec, pandas as pd
    >>> [bar.type for bar in ec.plot(pd.Series({"a": 0.5, "b": 0.25}, name="AP")).data]
    ['bar']
    """
    return _figures().on_white(drawn(result, **options))


def drawn(result: Any, **options: Any) -> Any:
    """The figure of a result as `plot` has it, on no ground: for a page that has one."""
    figures = _figures()
    draw = _drawn_of(result)
    if draw is None:
        kinds = f"scores or a result of evalcore ({', '.join(sorted(_DRAWN))})"
        raise InputError(f"expected {kinds} to plot, found {type(result).__name__}")
    try:
        return draw(figures, result, options)
    except TypeError as error:
        unknown = str(error).rpartition("unexpected keyword argument ")[2].strip("'")
        if unknown not in options:
            raise
        raise InputError(f"expected options of this figure, found {unknown!r}") from None


def _drawn_of(result: Any) -> Draw | None:
    """What draws a result; None where nothing does."""
    if isinstance(result, Mapping):
        return _of_several
    if isinstance(result, pd.Series):
        return _of_means
    if isinstance(result, pd.DataFrame):
        made = (draw for columns, draw in _TABLES.items() if set(columns) <= set(result.columns))
        if isinstance(result.index, pd.MultiIndex):
            return next(made, _of_weightings)
        return next(made, _of_topics if result.index.name == "topic" else _of_values)
    return _DRAWN.get(type(result).__name__)


@cache
def _figures() -> Any:
    try:
        from evalcore import figures
    except ImportError:
        raise not_installed("plotly", "figures") from None
    return figures


def _styles(systems: Any, options: dict[str, Any] | None = None) -> Any:
    """Those given as an option; else the usual ones of systems in this order."""
    given = (options or {}).pop("styles", None)
    return given or _figures().system_styles([str(name) for name in systems])


def _refuse_no_systems(frame: pd.DataFrame) -> None:
    numbers = all(map(pd.api.types.is_numeric_dtype, frame.dtypes))
    if frame.empty or not numbers or frame.index.name in _NO_PARAMETERS:
        raise InputError("expected scores, a column of numbers for each system, found another table")


def _of_topics(figures: Any, scores: pd.DataFrame, options: dict[str, Any]) -> Any:
    from evalcore.meta import rank_intervals

    _refuse_no_systems(scores)
    return _DRAWN["RankIntervals"](figures, rank_intervals(scores), options)


def _drawn(
    figure: str,
    table: Callable[[Any], Any] = lambda result: result,
    usual: Callable[[Any], Mapping[str, Any]] = lambda result: {},
    *,
    styled: bool = False,
    **fixed: Any,
) -> Draw:
    """What draws a result by the figure of a name, from its table, by `usual` options where no others are given.

    `fixed` are usual options that are the same for every result. `styled`: the rows of the table are systems, whose
    styles the figure takes as well.
    """

    def draw(figures: Any, result: Any, options: dict[str, Any]) -> Any:
        rows = table(result)
        styles = {"styles": _styles(rows.index, options)} if styled else {}
        return getattr(figures, figure)(rows, **{**styles, **fixed, **usual(result), **options})

    return draw


def _table(result: Any) -> Any:
    return result.table


def _itself_named(table: pd.DataFrame) -> dict[str, Any]:
    """Measures of a table under their own names."""
    return {"names": {name: name for name in table["measure"]}}


def _of_values(figures: Any, means: pd.DataFrame, options: dict[str, Any]) -> Any:
    """A line for each system over the values of a parameter, named at its end."""
    _refuse_no_systems(means)
    return figures.score_lines(means, _styles(means.columns, options), **options)


def _of_means(figures: Any, means: pd.Series, options: dict[str, Any]) -> Any:
    """A bar for each system."""
    if means.empty or not pd.api.types.is_numeric_dtype(means):
        raise InputError("expected a number for each system, found another series")
    return figures.score_bars(means, _styles(means.index, options), **{"title": str(means.name or ""), **options})


def _of_several(figures: Any, tables: Mapping[str, Any], options: dict[str, Any]) -> Any:
    if tables and all(type(table).__name__ == "PairedBootstrap" for table in tables.values()):
        return _of_pairs(figures, tables, options)
    if not tables or not all(isinstance(table, pd.DataFrame) for table in tables.values()):
        raise InputError("expected {measure: scores} to plot, found another dictionary")
    for table in tables.values():
        _refuse_no_systems(table)
    if len(tables) == 1:
        return _of_topics(figures, next(iter(tables.values())), options)
    across = options.pop("across", None if len(tables) > MOST_SCATTERED else next(iter(tables)))
    if across is not None:
        return _of_one_against_others(figures, tables, across, options)
    if min(table.shape[1] for table in tables.values()) < 2:
        raise InputError("expected two systems or more for correlations, found 1")
    from evalcore.meta import correlation_matrix

    return _of_matrix(figures, correlation_matrix(dict(tables)), options)


def _of_one_against_others(figures: Any, tables: Mapping[str, Any], across: str, options: dict[str, Any]) -> Any:
    if across not in tables:
        raise InputError(f"expected one of {', '.join(map(str, tables))}, found {across!r}")
    ups = {name: _means(frame) for name, frame in tables.items() if name != across}
    titles = {"x_title": across, "y_title": next(iter(ups)) if len(ups) == 1 else "mean score"}
    styles = _styles(tables[across].columns, options)
    return figures.scatter(_means(tables[across]), ups, styles, **{**titles, **options})


def _means(scores: pd.DataFrame) -> pd.Series:
    from evalcore.direction import directed, good_of

    return directed(scores.mean(), good_of(scores))


def _of_matrix(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    """Measures that agree stand together, under their short names."""
    from evalcore.measures.catalogue import short_names
    from evalcore.meta import equivalent_groups

    how = {"threshold": THRESHOLD, "directed": not result.correlation.symmetric, "notes": figures.cell_notes(result)}
    how |= options
    how["groups"] = how.get("groups") or equivalent_groups(result.values, how["threshold"])
    names = how.pop("names", None) or short_names(result.measures)
    return figures.correlation_heatmap(result.values, names, result.correlation.label, **how)


def _of_trajectory(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    styles = _styles(result.means.columns, options)
    about = result.parameter
    how = {"title": about.path, "default": about.value, "names": about.names, **options}
    return figures.rank_trajectories(result.ranks, result.means, result.tau, result.changes, styles, **how)


def _of_pairs(figures: Any, tests: Any, options: dict[str, Any]) -> Any:
    """A curve for each measure; one, without a name, of a bootstrap alone."""
    from evalcore.measures.catalogue import short_names

    tests = tests if isinstance(tests, Mapping) else {"ASL": tests}
    names = options.pop("names", short_names(tests))
    curves = {names[name]: bootstrap.curve() for name, bootstrap in tests.items()}
    least = min(bootstrap.n_resamples for bootstrap in tests.values())
    return figures.asl_curves(curves, **{"alpha": ALPHA, "n_resamples": least, **options})


def _of_comparison(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    names = options.pop("names", ("first", "second"))
    return figures.topic_differences(result.differences, (result.low, result.high), names, **options)


def _of_noise(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    level = options.pop("level", result.level_where())
    level = result.table.index[-1] if np.isnan(level) else level
    return figures.noise_levels(result.table, level, **{"measured": result.way.measured, **options})


def _of_agreement(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    order = list(reversed(result.grades))
    names = [name for _, name in sorted(zip(result.grades, result.names, strict=True), reverse=True)]
    return figures.confusion_matrix(result.confusion().loc[order, order], names, **options)


def _of_combined(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    """The intervals over these topics, which tell what labels leave open; of the model alone over all such topics."""
    lines = {name: result.estimates(name) for name in result.scores}
    best = lines["combined"].index
    tables = {
        name: line.loc[best].assign(
            low=line["these_low"].fillna(line["low"]), high=line["these_high"].fillna(line["high"])
        )
        for name, line in lines.items()
    }
    return figures.combined_scores(tables, _styles(best, options), result.all_labels, **options)


def _of_sources(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    """All sources, or one (across) against another: a `pair`."""
    scores = result.scores
    if pair := options.pop("pair", None):
        across, up = (f"labels of {figures.plain(name)}" for name in pair)
        options = {"x_title": across, "y_title": up, **options}
        scores = {name: scores[name] for name in pair}
    return _of_several(figures, scores, options)


def _of_grid(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    ends = result.across, result.up
    about = {"titles": tuple(end.path for end in ends), "default": tuple(end.value for end in ends)}
    about["names"] = tuple(end.names for end in ends)
    drawn = (
        result.xs,
        result.ys,
        result.tau,
        result.winner,
        result.tied,
        result.systems,
        _styles(result.systems, options),
    )
    return figures.setting_maps(*drawn, **{**about, **options})


def _of_changes(figures: Any, table: pd.DataFrame, options: dict[str, Any]) -> Any:
    from evalcore.direction import directed

    names = options.pop("names", ("first", "second"))
    columns = {name: directed(table[rank], "low") for name, rank in zip(names, ("rank_x", "rank_y"), strict=True)}
    return figures.bump(columns, _styles(table.index, options), **options)


def _of_pair(figures: Any, table: pd.DataFrame, options: dict[str, Any]) -> Any:
    names = options.pop("names", ("first", "second"))
    return figures.contributions(table, names, **{"title": "contribution to the difference", **options})


def _of_rescored(figures: Any, result: Any, options: dict[str, Any]) -> Any:
    """Without each group; each system is a group of its own where `groups` do not say otherwise."""
    styles = _styles(result.systems, options)
    how = {"groups": {name: name for name in result.systems}, **options}
    return figures.changes_without(result.rank_changes(), styles=styles, **how)


def _of_weightings(figures: Any, means: pd.DataFrame, options: dict[str, Any]) -> Any:
    """Who wins under each weighting of two or three aspects; `at` is marked, equal weights where it is not given."""
    parts = means.index.nlevels
    at = np.asarray(options.pop("at", np.full(parts, 1 / parts)), dtype=float)
    if at.shape != (parts,):
        raise InputError(f"expected a weight for each of {parts} aspects, found {at.size}")
    return figures.weight_map(means, at, _styles(means.columns, options), **options)


def _of_pair_tests(figures: Any, table: pd.DataFrame, options: dict[str, Any]) -> Any:
    """Differences of means over all pairs: their sum by system orders the systems as the means do."""
    ahead, behind = (table.groupby(side)["difference"].sum() for side in ("system_a", "system_b"))
    order = ahead.sub(behind, fill_value=0).sort_values(ascending=False, kind="stable").index
    return figures.pair_matrix([str(name) for name in order], table, **{"alpha": ALPHA, **options})


# By the name of the class: the parts that they are of are not imported for it.
_DRAWN: dict[str, Draw] = {
    "RankIntervals": _drawn("ranks_over_topics", _table, styled=True),
    "Trajectory": _of_trajectory,
    "CorrelationMatrix": _of_matrix,
    "PairedBootstrap": _of_pairs,
    "PairComparison": _of_comparison,
    "Anova": lambda figures, result, options: figures.variance_shares(result.shares.to_frame("scores").T, **options),
    "Study": _drawn("specification_curve", lambda study: study.frame(), lambda study: study.drawn),
    "Favour": _drawn("favours", _table, lambda favour: {"judge": favour.judge}, styled=True),
    "NoiseCurve": _of_noise,
    "Agreement": _of_agreement,
    "Combined": _of_combined,
    "SourceRankings": _of_sources,
    "Importance": _drawn("importance_bars", _table),
    "Move": _drawn(
        "shifts", lambda move: move.topics, lambda move: {"title": f"what it adds to the move of {move.system}"}
    ),
    "Grid": _of_grid,
    "Rescored": _of_rescored,
    "Walkthrough": _drawn("walk_down", rank=1),
}
# Of tables by their columns; the first that fits.
_TABLES: dict[tuple[str, ...], Draw] = {
    ("rank_x", "rank_y", "change"): _of_changes,
    ("tau without", "influence"): _drawn("influences", title="influence on τ"),
    ("x", "y", "shift"): _of_pair,
    ("assessed", "tau", "tau_ap", "same first"): _drawn("tau_of_parts"),
    ("shared", "own", "own relevant"): _drawn("contribution_bars"),
    ("rank", "share first", "rank low", "rank median", "rank high"): _drawn("rank_intervals", styled=True),
    ("tau", "moved", "first", "same first"): _drawn("left_out"),
    ("baseline", "system", "gain", "p_corrected"): _drawn("baseline_gains", alpha=ALPHA),
    ("system_a", "system_b", "difference", "p"): _of_pair_tests,
    ("sum", "sum of squares", "largest label"): _drawn("bound_boxes", title="score"),
    ("measure", "ranks", "zero"): _drawn("zero_aspect_bars", usual=_itself_named),
    ("measure", "ranks", "mean_sum"): _drawn("label_sum_lines", usual=_itself_named, column="mean_sum"),
}
_NO_PARAMETERS = ("correlation", "measure", "system", "left out")  # of tables that are no sweep


@dataclasses.dataclass(eq=False)
class Explorer:
    """Sliders of a measure and the figure that follows them, for a notebook."""

    measure: Measure
    sliders: Mapping[str, Any]  # ipywidgets by the path of the number
    figure: Any  # plotly's FigureWidget
    collection: Collection = dataclasses.field(repr=False)
    order: tuple[str, ...] = dataclasses.field(repr=False)  # of the systems, from the top
    box: Any = dataclasses.field(repr=False, default=None)

    def move(self, **values: float) -> None:
        """Set sliders by name, as a hand does. Raises InputError for a number that the measure does not have."""
        for path, value in values.items():
            if path not in self.sliders:
                known = ", ".join(self.sliders)
                raise InputError(f"expected one of {known}, found {path!r}{did_you_mean(path, self.sliders)}")
            self.sliders[path].value = value

    def _follow(self, change: Any) -> None:
        """Draw the scores with the sliders where they are; a setting that cannot be is told, and nothing moves."""
        from evalcore.sensitivity import with_path

        plain = _figures().plain
        path = next(name for name, slider in self.sliders.items() if slider is change["owner"])
        try:
            measure = with_path(self.measure, path, float(change["new"]))
            means = _mean_by_system(measure, self.collection)
        except InputError as error:
            self.figure.layout.title.text = plain(str(error))
            return
        self.measure = measure
        with self.figure.batch_update():
            self.figure.data[0].x = means.loc[list(self.order)].replace([np.inf, -np.inf], np.nan).to_numpy()
            self.figure.layout.title.text = plain(str(measure))

    def _repr_mimebundle_(self, **how: Any) -> Any:
        """What a notebook shows: the sliders over the figure."""
        return self.box._repr_mimebundle_(**how)


def explore(measure: Measure | str, collection: Collection) -> Explorer:
    """Sliders for every number of a measure, and the mean scores of all systems, which follow.

    The sliders have the ends, levels and help that the measure's parameters declare (`parameters_of`); systems stand in
    the order of the measure as given, so that who moves is seen. In Jupyter, the result as the last line of a cell
    shows both. Raises InputError for a measure without numbers, and without ipywidgets or anywidget.
    """
    figures = _figures()
    try:
        import anywidget  # noqa: F401  what plotly's widget of a figure is made of
        import ipywidgets
    except ImportError as error:
        raise not_installed(str(error.name), "notebook") from None
    from evalcore.measures import parse
    from evalcore.meta import best_first
    from evalcore.sensitivity import parameters_of

    measure = parse(measure) if isinstance(measure, str) else measure
    declared = parameters_of(measure, collection)
    if not declared:
        raise InputError(f"expected a measure with numbers to move, found {measure}")
    means = _mean_by_system(measure, collection)
    order = tuple(best_first(means).index)
    bars = figures.score_bars(means.loc[list(order)], _styles(order), title=str(measure))
    widget = figures.as_widget(figures.on_white(bars))
    sliders = {number.path: _slider(ipywidgets, number) for number in declared}
    box = ipywidgets.VBox([*sliders.values(), widget])
    explorer = Explorer(measure, sliders, widget, collection, order, box)
    for slider in sliders.values():
        slider.observe(explorer._follow, names="value")
    return explorer


def _mean_by_system(measure: Measure, collection: Collection) -> pd.Series:
    from evalcore.direction import directed
    from evalcore.measures.evaluation import mean_scores

    index = pd.Index(collection.systems, name="system", dtype=object)
    return directed(pd.Series(mean_scores([measure], collection)[0], index=index), measure.good)


def _slider(widgets: Any, number: Any) -> Any:
    """A slider over the levels of a number, or between its ends; where the measure leaves it open, it stands low."""
    start = number.low if number.value is None else number.value
    about = {"description": number.path, "tooltip": number.help, "continuous_update": True}
    if number.levels:
        near = min(number.levels, key=lambda level: abs(level - start))
        return widgets.SelectionSlider(options=[(f"{level:g}", level) for level in number.levels], value=near, **about)
    step = (number.high - number.low) / STEPS
    return widgets.FloatSlider(
        value=min(max(start, number.low), number.high),
        min=number.low,
        max=number.high,
        step=step,
        readout_format=".3g",
        **about,
    )
