"""Settings of the page Claim: the claim, the reasonable ways to measure, and a selected section of the curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np
import pandas as pd

from evalcore import InputError
from evalcore.claims import Choice as ClaimChoice
from evalcore.claims import (
    Claim,
    Design,
    Specifications,
    design_of,
    parse_specifications,
    sensible,
    write_specifications,
)
from evalcore.common.cached import cached_property
from evalcore.common.constants import EffectKind
from evalcore.data import Collection
from evalcore.measures.base import parse
from evalcore.meta import best_first
from ui.address.families import all_short, rival
from ui.address.settings import Settings, setting
from ui.claims.fields import AsText, LeftOut, Stretch
from ui.computing.cached import cached
from ui.computing.measures import offered, scores
from ui.server.limits import LIMITS
from ui.widgets.fields import Choice, Field, Many, Number

FORMS = BEATS, FIRST, AMONG, ORDER = "A beats B", "A is first", "A is among the first", "an order of systems"
EFFECT_WORDS: dict[EffectKind, str] = {
    "difference": "difference of means",
    "standardised": "standardised difference",
    "rank": "rank",
}
EFFECT_HELP = (
    "The effect in the figure: a difference of means in the unit of each measure, a standardised difference (the "
    "difference divided by its standard deviation over topics, comparable across scales), or the rank of the first "
    "system of the claim. The decision is the same for all three, because it always compares the systems over topics."
)
TEXT_HELP = (
    "The options in use, with their weights, as TOML: edit them, or paste a different set. The link contains this "
    "text; the download omits the options that you excluded above."
)
STRETCH_HELP = "A section of the curve: click a point, drag a box, or move the ends. Double-click to clear it."


def _system(page: ClaimSettings, label: str = "System A", usual: Callable[[list[str]], str] = itemgetter(0)) -> Field:
    return Choice(label, page.collection.systems, usual(page.best), called=all_short)


def _k(page: ClaimSettings) -> Field:
    most = len(page.collection.systems) - 1
    return Number("Top", 1, most, min(3, most), 1)


def _order(page: ClaimSettings) -> Field:
    return Many("Best first", page.collection.systems, tuple(page.best[:3]), least=2, most=5, called=all_short)


def _effect(page: ClaimSettings) -> Field:
    offered = [kind for kind in EFFECT_WORDS if kind != "standardised" or page.form in (BEATS, ORDER)]
    of_scores = not page.collection.rankings.length.any()  # scores of other tools, each in a unit of its own
    usual = "standardised" if of_scores and "standardised" in offered else offered[0]
    return Choice("Effect", offered, usual, names=EFFECT_WORDS.__getitem__, help=EFFECT_HELP)


def _as_text(page: ClaimSettings) -> Field:
    usual = write_specifications(sensible(page.collection))
    return AsText("Specifications", help=TEXT_HELP, sensible=usual, fits=_check_measures)


def _check_measures(specifications: Specifications) -> None:
    for option in specifications.choices[0].options:
        LIMITS.check_measure(parse(option.value))


def _stretch(page: ClaimSettings) -> Field | None:
    with suppress(InputError):  # the page shows the error
        return Stretch("Range of specifications, by effect", 1, len(page.design), 1, help=STRETCH_HELP)
    return None


@dataclass(frozen=True)
class ClaimSettings(Settings, page="claim"):
    """A claim, the specifications under which it is judged, and a selected section of their curve."""

    form: str = setting(Choice("Claim", FORMS))
    a: str = setting(_system, form=tuple(form for form in FORMS if form != ORDER))
    b: str | None = setting(lambda page: _system(page, "System B", rival), form=BEATS)
    k: int | None = setting(_k, form=AMONG)
    order: tuple[str, ...] | None = setting(_order, form=ORDER)
    effect: EffectKind = setting(_effect)
    specs: str = setting(_as_text)
    left_out: tuple[str, ...] = setting(lambda page: LeftOut.of("Left out", page.base))
    stretch: tuple[float, float] | None = setting(_stretch)

    @cached_property
    def best(self) -> list[str]:
        """Systems, best first under the first measure that fits the collection.

        They are in the order of the collection if that measure has no scores.
        """
        try:
            return [str(name) for name in best_first(scores(self.collection, offered(self.collection)[0]).mean()).index]
        except InputError:
            return list(self.collection.systems)

    @property
    def claim(self) -> Claim:
        """The claim. Raises InputError if the two systems of a pair are the same."""
        if self.form == ORDER:
            return Claim(self.order or ())
        if self.form == BEATS:
            return Claim((self.a, str(self.b)))
        return Claim((self.a,), self.k or 1)

    @cached_property
    def base(self) -> Specifications:
        """The specifications that the user opened, or else the defaults; no option is left out yet."""
        return parse_specifications(self.specs) if self.specs else sensible(self.collection)

    @cached_property
    def specifications(self) -> Specifications:
        """The specifications in use: `base` without the options that are left out."""
        result = self.base
        for choice in self.rows:
            result = result.with_choice(choice.narrowed(self.counted(choice)))
        return result

    @property
    def rows(self) -> tuple[ClaimChoice, ...]:
        """The choices with more than one option."""
        return self._left_out.choices

    def counted(self, choice: ClaimChoice) -> tuple[str, ...]:
        """Return the names of a choice's options that are in use."""
        return self._left_out.counted(choice, self.left_out)

    @property
    def _left_out(self) -> LeftOut:
        field = self.field("left_out")
        assert isinstance(field, LeftOut)
        return field

    @property
    def is_usual(self) -> bool:
        """True if the specifications in use are exactly the defaults for the collection."""
        return self.text == write_specifications(sensible(self.collection))

    @property
    def text(self) -> str:
        """The specifications in use, as TOML to save and share."""
        return write_specifications(self.specifications)

    @property
    def design(self) -> Design:
        """All combinations of options, or a sample of them. Raises InputError if they do not fit the collection."""
        return _design(self.text, self.collection)

    def draw_stretch(self, count: int) -> None:
        """Draw the slider that selects a section of the curve, which has `count` columns.

        Options with equal scores share a column.
        """
        field = self.field("stretch")
        if isinstance(field, Stretch) and self.stretch is not None:
            low, high = (min(end, float(count)) for end in self.stretch)
            self.draw_field("stretch", replace(field, high=count), (low, high))

    def places(self, count: int) -> tuple[int, int] | None:
        """Return the section as (first position, position after the last), counted from 0; None for the whole curve."""
        if self.stretch is None or count < 1:
            return None
        low, high = (min(int(end), count) for end in self.stretch)
        return None if (low, high) == (1, count) else (low - 1, high)

    def stretch_of(self, numbers: pd.Series, clicked: Sequence[str]) -> tuple[float, float]:
        """Return the positions, counted from 1, of the first and the last clicked specification.

        `numbers` are the specifications in the curve's order. If none of them was clicked, return the ends of the
        whole curve.
        """
        chosen = np.flatnonzero(numbers.astype(str).isin(set(clicked)))
        return (chosen[0] + 1.0, chosen[-1] + 1.0) if len(chosen) else (1.0, float(len(self.design)))

    def look_at(self, numbers: pd.Series, clicked: list[str]) -> None:
        """Select the section from the first to the last clicked specification; the whole curve if none was clicked."""
        self.change(stretch=self.stretch_of(numbers, list(map(str, clicked))))


@cached(16)
def _design(text: str, collection: Collection) -> Design:
    result = design_of(parse_specifications(text), collection)
    for measure in set(result.measures):
        LIMITS.check_measure(measure)
    return result
