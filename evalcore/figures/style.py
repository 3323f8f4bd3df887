"""The style of figures: colours and marks of systems, a common height, and escaping of foreign text."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any, TypeAlias

from plotly.colors import get_colorscale

from evalcore.data.families import by_names
from evalcore.data.families import family as family
from evalcore.notation.display_names import reading_name
from evalcore.notation.values import Value

HEIGHT = 540
PALETTE = ("#4168a9", "#9f701e", "#1e9dd9", "#d8729d", "#696969", "#939b04", "#a24b3c", "#4d916b")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "triangle-down", "hexagon")
# Dashes of the lines of a figure, in order, so that lines differ not only by colour; with the palette, the first 24
# lines differ.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
GRID = "rgba(128, 138, 150, 0.18)"
LINE = "rgba(128, 138, 150, 0.75)"
FADED = 0.18
_NUMBERS = re.compile(r" = \[([^][,]+),(?: [^][,]+,)* ([^][,]+)\]")
MANY = 60  # with this number of systems or more, a figure colours a few of them, and the others are pale
FEW_FAMILIES = 8  # families that a legend of many systems names at most
PALE = "#8a94a0"
BLUES, RED_TO_BLUE = get_colorscale("Blues"), get_colorscale("RdBu")  # plotly.js has other scales of these names
BLUE, RED = "#2f6fd0", "#d1495b"  # the two cases of Zuccon 2016, Figure 2

# A vertical button bar in a margin of its own, so that it covers neither legend nor marks.
BESIDE: dict[str, Any] = {"margin": {"l": 8, "r": 36, "t": 28, "b": 8}, "modebar": {"orientation": "v"}}


@dataclass(frozen=True)
class SystemStyle:
    """The look of one system in every figure."""

    family: str  # "" if systems have no families
    colour: str
    symbol: str
    shown: str = ""  # a short name for places with little room; "": the name itself

    @property
    def dash(self) -> str:
        """The dash of the system's lines; it depends on the mark, so that the lines of a family differ.

        >>> SystemStyle("", PALETTE[0], "circle").dash, SystemStyle("", PALETTE[0], "diamond").dash
        ('solid', 'dash')
        """
        return DASHES[SYMBOLS.index(self.symbol) % len(DASHES)]


Styles: TypeAlias = Mapping[str, SystemStyle]


def opacities(systems: Iterable[str], selected: Collection[str]) -> list[float]:
    """Return the opacity of each system; if some are selected, the others fade."""
    return [1.0 if not selected or name in selected else FADED for name in systems]


def system_label(system: str, styles: Styles | None = None) -> str:
    """Return the short name of a system, escaped, for places with little room.

    >>> system_label("run_1.txt", {"run_1.txt": SystemStyle("", "", "", shown="1")}), system_label("run_1.txt")
    ('1', 'run_1.txt')
    """
    style = (styles or {}).get(system)
    return plain(style.shown if style and style.shown else system)


def system_ticks(systems: Sequence[str], styles: Styles | None = None) -> dict[str, Any]:
    """Return the ticks of an axis of systems with short names (some of MANY or more); {} without short names.

    >>> system_ticks(["run_1.txt"], {"run_1.txt": SystemStyle("", "", "", shown="1")})
    {'tickvals': ['run_1.txt'], 'ticktext': ['1']}
    >>> system_ticks(["run_1.txt"])
    {}
    """
    named = list(systems)[:: len(systems) // MANY + 1]
    short = [system_label(name, styles) for name in named]
    full = [plain(name) for name in named]
    return {} if short == full else {"tickvals": full, "ticktext": short}


def system_styles(
    systems: Sequence[str], families: Mapping[str, str] | None = None, shown: Mapping[str, str] | None = None
) -> dict[str, SystemStyle]:
    """Map each system to its colour and mark: families share a hue, members differ in lightness and mark.

    `families` maps each system to its family (a column of `systems.csv`); an empty mapping means no families. If it is
    None, families are taken from the names; with MANY systems or more, only if the families are few (`few_families`).
    `shown` maps systems to short names for figures (`evalcore.data.shown_names`).

    >>> styles = system_styles(["run1", "run2", "mine"], {"run1": "Porter", "run2": "none", "mine": "Porter"})
    >>> styles["run1"].symbol != styles["mine"].symbol, styles["run2"].family
    (True, 'none')
    """
    if families is None:
        families = by_names(systems)
        families = families if len(systems) < MANY or few_families(families) else {}
    members: dict[str, list[str]] = {}
    for system in systems:
        members.setdefault(families[system] if families else system, []).append(system)
    styles, rounds = {}, -(-len(members) // len(PALETTE))
    for at, name in enumerate(sorted(members, key=str.lower)):
        hue, mark, count = PALETTE[at % len(PALETTE)], at + at // len(PALETTE), len(members[name])
        for place, system in enumerate(members[name]):
            colour, symbol = (
                _shade(hue, at // len(PALETTE) * count + place, rounds * count),
                SYMBOLS[(mark + place) % len(SYMBOLS)],
            )
            styles[system] = SystemStyle(name if families else "", colour, symbol, (shown or {}).get(system, ""))
    return styles


def few_families(families: Mapping[str, str]) -> bool:
    """Return whether families are few enough to be named in place of systems.

    >>> few_families({"bm25_a": "bm25", "bm25_b": "bm25"}), few_families({"ann": "ann", "ben": "ben"})
    (True, False)
    """
    return len(set(families.values())) <= min(FEW_FAMILIES, len(families) - 1)


def shown_groups(systems: Sequence[str], styles: Styles) -> dict[str, list[str]]:
    """Map each family that a legend names to its systems; if it would name none, or too many, map "" to all systems.

    >>> alone = [f"run{at}x" for at in range(9)]
    >>> list(shown_groups(alone, system_styles(alone))), list(shown_groups(alone[:2], system_styles(alone)))
    ([''], ['run0x', 'run1x'])
    """
    groups = by_family(systems, styles)
    have_members, few = len(groups) < len(systems), len(groups) <= FEW_FAMILIES
    shown = have_members and few if len(systems) >= MANY else have_members or few
    return groups if shown else {"": list(systems)}


def by_family(systems: Iterable[str], styles: Styles) -> dict[str, list[str]]:
    """Map families to their systems, in order; a family named like its only member gets the member's short name."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(styles[system].family, []).append(system)
    short = {name: styles[name].shown for name, members in groups.items() if members == [name]}
    return {name if short.get(name, "") in ("", *groups) else short[name]: members for name, members in groups.items()}


def look_of_line(at: int) -> dict[str, str]:
    """Return the colour and dash of the line with this index in a figure whose lines are not systems.

    >>> look_of_line(1), look_of_line(0) == look_of_line(24)
    ({'color': '#9f701e', 'dash': 'dash'}, True)
    """
    return {"color": PALETTE[at % len(PALETTE)], "dash": DASHES[at % len(DASHES)]}


def _shade(colour: str, place: int, count: int) -> str:
    """Return a colour made a little darker or lighter, according to the place among `count` members."""
    if count == 1:
        return colour
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    low, high = max(light - 0.12, 0.25), min(light + 0.12, 0.72)
    shaded = colorsys.hls_to_rgb(hue, low + (high - low) * place / (count - 1), strength)
    return "#" + "".join(f"{round(255 * part):02x}" for part in shaded)


def measure_title(measure: Value | str) -> str:
    """Return a measure, or its text, as the title of an axis; a long list of numbers is shortened to its ends.

    >>> measure_title("RBP(rho=0.8)"), measure_title("uRBPgr(gains=[0, 0.1, 0.5, 1])")
    ('RBP, ρ = .8', 'uRBPgr, ρ = .8, gains from 0 to 1')
    """
    return plain(_NUMBERS.sub(r" from \1 to \2", reading_name(measure)))


@lru_cache(maxsize=4096, typed=True)
def plain(text: object) -> str:
    """Return foreign text escaped for plotly, which interprets a subset of HTML in names, labels and hover texts.

    >>> plain("<b>x</b>")
    '&lt;b&gt;x&lt;/b&gt;'
    """
    return escape(str(text), quote=False)
