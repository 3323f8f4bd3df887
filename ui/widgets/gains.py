"""Choice of a gain, with fields for its parameters that fit the scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import get_origin

from evalcore.data import Scale
from evalcore.measures.catalogue import usual_gains
from evalcore.measures.parts.gains import Gain
from evalcore.notation.values import Value
from ui.screen.text import markdown
from ui.widgets.fields import Each, Field, Number, OneValue, fields_of, of_parameter
from ui.widgets.positive import border


def of_gain(scale: Scale, default: Gain) -> OneValue:
    """Return the field for a gain on a scale, with all registered gains as options."""
    return OneValue("Gain", Gain, default, fields=on(scale))


@lru_cache(maxsize=16)
def of_grades(scale: Scale, label: str) -> Each:
    """Return the field for a list of gains, one for each grade, from worst to best."""
    back = 1 if scale.good == "high" else -1
    names = [markdown(name) for name in scale.names[::back]] or [""] * len(scale.grades)
    rows = zip(scale.grades[::back], names, usual_gains(scale), strict=True)
    return Each(
        label, {f"{grade:g}": Number(f"{grade:g} {name}".strip(), 0.0, 1.0, usual, 0.05) for grade, name, usual in rows}
    )


def on(scale: Scale) -> Callable[[type[Value]], Mapping[str, Field]]:
    """Return a function that maps a class of gains to fields for its parameters; the fields fit the scale."""

    def fields(cls: type[Value]) -> Mapping[str, Field]:
        several = {name: _several(scale, cls, name) for name in cls.parameters()}
        listed = {name: field for name, field in several.items() if field is not None}
        own: dict[str, Field] = {"at": border(scale)}
        if "max" in cls.parameters():
            own["max"] = of_parameter(cls, "max", "highest grade", low=max(scale.high, 0.01) if scale.grades else 0.01)
        return {**fields_of(cls), **listed, **{name: own[name] for name in own if name in cls.parameters()}}

    return fields


def _several(scale: Scale, cls: type[Value], name: str) -> Field | None:
    """Return the field for a parameter that is a list or table of numbers; None for other parameters.

    The field has a number for each grade; for a list on a continuous scale, a number for each band.
    """
    if get_origin(cls.hints()[name]) is tuple:
        if not scale.continuous:
            return of_grades(scale, name)
        usual: tuple[float, ...] = getattr(cls, name)
        of = len(usual)
        bands = {str(at): Number(f"band {at} of {of}", 0.0, 1.0, value, 0.05) for at, value in enumerate(usual, 1)}
        return Each(name, bands)
    if get_origin(cls.hints()[name]) is Mapping and not scale.continuous:
        most = max(2 * scale.high, 1.0)
        return Each(
            name, {f"{grade:g}": Number(f"{grade:g}", 0.0, most, max(grade, 0.0), 0.05) for grade in scale.grades}
        )
    return None
