"""Presets: named values of several settings, as starting points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.address.settings import Settings
from ui.widgets.fields import Choice

OWN = "your own"


def agreeing(page: Settings, presets: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the name of the first preset whose values equal the page's settings; OWN if there is none."""
    fields = {name: page.field(name) for values in presets.values() for name in values}
    now = {name: field.write(getattr(page, name)) for name, field in fields.items() if field}
    for preset, values in presets.items():
        if all(field.write(values[name]) == now[name] for name, field in fields.items() if field):
            return preset
    return OWN


def draw_presets(page: Settings, name: str, presets: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw the choice of a preset, which is the setting `name`.

    It shows the preset that agrees with the current settings, or OWN. Choosing a preset sets all its values.
    """
    field, now = page.field(name), agreeing(page, presets)
    assert isinstance(field, Choice)
    if now == OWN:
        field = replace(field, options=[*field.options, OWN])
    elif presets[now] == presets.get(getattr(page, name)):
        now = getattr(page, name)
    key = page.key(name)

    def taken() -> None:
        preset = field.taken(key, now)
        if preset in presets:
            page.change(**{name: preset, **presets[preset]})

    field.draw(key, now, taken)
