"""Step Aspects: why relevance is not enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.common.cached import cached_property
from evalcore.common.rounding import TIE, first_largest, less
from evalcore.figures.style import Styles
from evalcore.measures import RBP, uRBP
from evalcore.notation.display_names import reading_name
from ui.address import families
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.screen.calls import Call, call, keyed, line, record
from ui.screen.items import Figure
from ui.teaching.guided_path.base import (
    Lesson,
    LessonContent,
    LessonSettings,
    firsts,
    lacks_an_aspect,
    mean_scores,
    who_is_first,
)
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Choice, Field

ALIKE = 0.01
MOST = 6
DRAWN = (
    "Each mark is a system: mean RBP (horizontal) and mean uRBP (vertical). On the dotted line every relevant page is "
    "understood. The drop below it is credit lost to pages that readers cannot follow."
)


def _understood(page: Understood) -> Field:
    """Return the field for the grade from which (or below which) a reader understands a page."""
    scale = page.data.assessments.scale(page.second)
    names = dict(zip(scale.grades, scale.names or [f"{grade:g}" for grade in scale.grades], strict=True))
    borders = list(scale.grades[1:] or scale.grades)
    first = scale.border if scale.border in borders else borders[0]
    side = "from" if scale.good == "high" else "below"
    return Choice(f"Understood {side}", borders, first, names=names.__getitem__)


def _alike(page: Understood) -> Field:
    """Return the field for the pair of systems; its label states whether their RBP is equal or only the closest."""
    pairs = list(page.pairs.values())
    means = scores(page.data, RBP()).mean()
    alike = all(are_alike(means, *pair) for pair in pairs)
    return Choice("Two systems with equal RBP" if alike else "The two systems with the closest RBP", list(page.pairs))


@dataclass(frozen=True)
class Understood(LessonSettings, lacks=lacks_an_aspect):
    """Settings of the step: the grade from (or below) which a page is understood, and two systems with similar RBP."""

    understood: float = setting(_understood)
    alike: str = setting(_alike)

    @property
    def urbp(self) -> uRBP:
        return uRBP(aspect=self.second, threshold=self.understood)

    @cached_property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """Map the name of each pair of systems with similar RBP to the pair; if there is none, only the closest pair.

        The pairs do not depend on the setting `understood`.
        """
        usual = self.field("understood")
        assert usual
        x, y = (scores(self.data, measure) for measure in (RBP(), self.urbp.with_(threshold=usual.usual)))
        tested = len(x) > 1  # one topic is too few for a test
        pairs = ec.distinguished_pairs(x, y, same=ALIKE, apart=0.0).head(MOST) if tested else pd.DataFrame()
        if pairs.empty:
            pairs = nearest_pair(x.mean(), y.mean())
        listed = zip(pairs["system_a"].map(str), pairs["system_b"].map(str), strict=True)
        return {f"{a} and {b}": (a, b) for a, b in listed}


def show(page: Understood, styles: Styles) -> LessonContent:
    collection, rbp, urbp = page.data, RBP(), page.urbp
    x, y = mean_scores("x", rbp, collection), mean_scores("y", urbp, collection)
    a, b = better_first(page.pairs[page.alike], y.value)
    both = line("pair", keyed([a, b], lambda name: (x.it[name], y.it[name])))
    shares = {name: both.it[name][1] / (both.it[name][0] if by_rbp else 1) for name, (by_rbp, _) in both.value.items()}
    kept = line("kept", shares)
    scales = collection.assessments.scales
    return LessonContent(
        (scattered(page, x, y, (a, b), styles),),
        (state("drawn", DRAWN),),
        tuple(answer(a, b, x, y, kept)),
        (both, kept, firsts(x, y)),
        formulas=(rbp.latex(scales), urbp.latex(scales)),
    )


def scattered(
    page: Understood, x: Call[pd.Series], y: Call[pd.Series], pair: tuple[str, str], styles: Styles
) -> Figure:
    """Return the figure of all systems as a scatter, with a line between the two systems of the pair."""
    a, b = pair
    figure = call(
        "",
        figures.scatter,
        x.it,
        {"uRBP": y.it},
        selected=[b, a],
        apart={"the two": record(pd.DataFrame)({"system_a": [a], "system_b": [b]})},
        x_title=figures.measure_title(RBP()),
        y_title=figures.measure_title(page.urbp),
        styles=families.styles_of(page.data),
    ).here(styles=styles)
    across, up = reading_name(RBP()), reading_name(page.urbp)
    alt = f"Scatter of {len(x.value)} systems, {up} (vertical) against {across} (horizontal), two of them joined"
    return Figure(figure, "path-aspects", alt, layout={"height": 450, "dragmode": "zoom"})


def nearest_pair(x: pd.Series, y: pd.Series) -> pd.DataFrame:
    """Return a frame with one row: the two systems with the closest scores under x.

    "system_a" is the one with the higher score under y, "system_b" the other.
    """
    ordered = x.sort_values(kind="stable")
    at = int(first_largest(-ordered.diff().to_numpy()[1:]))
    a, b = sorted(ordered.index[at : at + 2], key=lambda name: -y[name])
    return pd.DataFrame({"system_a": [a], "system_b": [b]})


def better_first(pair: tuple[str, str], scores: pd.Series) -> tuple[str, str]:
    """Return two systems, the one with the higher score first; if they are tied, in the given order.

    >>> better_first(("a", "b"), pd.Series({"a": 0.1, "b": 0.2}))
    ('b', 'a')
    """
    a, b = pair
    return (b, a) if less(scores[a], scores[b]) else (a, b)


def are_alike(means: pd.Series, a: str, b: str) -> bool:
    return bool(abs(means[a] - means[b]) <= ALIKE + TIE)


def answer(a: str, b: str, x: Call[pd.Series], y: Call[pd.Series], kept: Call[dict[str, float]]) -> Iterator[Statement]:
    """Yield statements on the pair's scores, on the shares that readers understand, and on the winners."""
    rbp, urbp = x.value, y.value
    if not are_alike(rbp, a, b):
        yield state("not alike", "No two systems have equal RBP here; these are the closest.")
    better = bool(less(urbp[b], urbp[a]))
    which = "**{a}**: RBP gives it" if better else "Either: RBP gives {a}"
    text = f"{which} {{x_a:.3f}} and {{b}} {{x_b:.3f}}, uRBP {{y_a:.3f}} and {{y_b:.3f}}."
    yield state("the two", text, a=a, b=b, better=better, x_a=rbp[a], x_b=rbp[b], y_a=urbp[a], y_b=urbp[b])
    if rbp[a] and rbp[b]:
        text = "Readers understand {a:.0%} and {b:.0%} of what RBP credits (uRBP / RBP)."
        yield state("understood", text, a=kept.value[a], b=kept.value[b])
    yield who_is_first("Of all systems ", x, y, ("RBP", "uRBP"))


LESSON = Lesson("Aspects", Understood, {"understood": 0.38, "alike": 0.62}, show)
