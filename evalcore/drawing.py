"""What the method `figure` of a result asks for: the figures, imported when the first is drawn, and styles of systems.

`ec.plot(result)` is `result.figure()` on a white ground; options are those of the figure's own function. Figures import
plotly, results do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from evalcore.errors import not_installed

ALPHA = 0.05  # of what is called significant
THRESHOLD = 0.9  # from which rankings of systems are called the same (Voorhees 2001)


@cache
def figures() -> Any:
    """Import `evalcore.figures`. Raises InputError where plotly is not installed."""
    try:
        from evalcore import figures
    except ImportError:
        raise not_installed("plotly", "figures") from None
    return figures


def styles_of(systems: Iterable[object], options: dict[str, Any] | None = None) -> Any:
    """Take the styles given as an option; else the usual ones of systems in this order."""
    given = (options or {}).pop("styles", None)
    return given or figures().system_styles([str(name) for name in systems])


def heatmap(matrix: Any, **options: Any) -> Any:
    """Draw correlations of measures: those that agree stand together, under their short names."""
    from evalcore.measures.catalogue import short_names
    from evalcore.meta import equivalent_groups

    how = {"threshold": THRESHOLD, "directed": not matrix.correlation.symmetric, "notes": figures().cell_notes(matrix)}
    how |= options
    how["groups"] = how.get("groups") or equivalent_groups(matrix.values, how["threshold"])
    names = how.pop("names", None) or short_names(matrix.measures)
    return figures().correlation_heatmap(matrix.values, names, matrix.correlation.label, **how)


def asl_curves(tests: Mapping[str, Any], **options: Any) -> Any:
    """Draw the achieved significance levels of paired bootstraps, a curve for each measure under its short name."""
    from evalcore.measures.catalogue import short_names

    names = {**short_names(tests), **options.pop("names", {})}
    curves = {names[name]: bootstrap.curve() for name, bootstrap in tests.items()}
    least = min(bootstrap.n_resamples for bootstrap in tests.values())
    return figures().asl_curves(curves, **{"alpha": ALPHA, "n_resamples": least, **options})


def of_several(tables: Mapping[str, Any], **options: Any) -> Any:
    """Draw several tables of scores, by what made them: against each other, or their correlations."""
    from evalcore.plotting import drawn

    return drawn(dict(tables), **options)
