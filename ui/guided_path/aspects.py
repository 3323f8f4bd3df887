"""Step 2: why relevance is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

import evalcore as ec
from evalcore import figures
from evalcore.figures.style import Styles
from evalcore.measures import RBP, uRBP
from evalcore.rounding import TIE, less
from ui.address.settings import setting
from ui.computing.measures import scores
from ui.glossary.words import term
from ui.guided_path.base import (
    STEPS,
    Lesson,
    LessonContent,
    LessonSettings,
    lacks_an_aspect,
    second_aspect,
    who_is_first,
)
from ui.screen.items import Figure
from ui.screen.text import markdown
from ui.widgets.fields import Choice, Field

ALIKE = 0.01
MOST = 6


def _understood(page: Understood) -> Field:
    """The grade from which on (or below which) a reader understands."""
    scale = page.data.assessments.scale(second_aspect(page.data))
    names = dict(zip(scale.grades, scale.names or [f"{grade:g}" for grade in scale.grades], strict=True))
    borders = list(scale.grades[1:] or scale.grades)
    first = scale.border if scale.border in borders else borders[0]
    side = "from" if scale.good == "high" else "below"
    return Choice(f"Understood {side}", borders, first, names=names.__getitem__)


def _alike(page: Understood) -> Field:
    """Two systems; the label says whether RBP takes them for equal."""
    pairs = list(page.pairs.values())
    means = scores(page.data, RBP()).mean()
    alike = all(are_alike(means, *pair.iloc[0][["system_a", "system_b"]]) for pair in pairs)
    return Choice("Two systems alike by RBP" if alike else "The two systems nearest by RBP", list(page.pairs))


@dataclass(frozen=True)
class Understood(LessonSettings):
    """What a reader understands, and which two systems are told apart by it."""

    lacks = staticmethod(lacks_an_aspect)
    understood: float = setting(_understood)
    alike: str = setting(_alike)

    @property
    def urbp(self) -> uRBP:
        return uRBP(aspect=second_aspect(self.data), threshold=self.understood)

    @cached_property
    def pairs(self) -> dict[str, pd.DataFrame]:
        """Two systems that RBP takes for equal, each as a frame of one row; the better one by uRBP is system_a."""
        x, y = (scores(self.data, one) for one in (RBP(), self.urbp))
        tested = len(x) > 1  # on one topic nothing can be tested
        pairs = ec.distinguished_pairs(x, y, same=ALIKE, apart=0.0).head(MOST) if tested else pd.DataFrame()
        if pairs.empty:
            pairs = nearest_pair(x.mean(), y.mean())
        names = [f"{a} and {b}" for a, b in zip(pairs["system_a"], pairs["system_b"], strict=True)]
        return {name: pairs.iloc[[at]] for at, name in enumerate(names)}


def show(page: Understood, styles: Styles) -> LessonContent:
    collection, rbp, urbp = page.data, RBP(), page.urbp
    x, y, pair = scores(collection, rbp), scores(collection, urbp), page.pairs[page.alike]
    a, b = str(pair["system_a"].iloc[0]), str(pair["system_b"].iloc[0])
    figure = figures.scatter(
        x.mean(),
        {"uRBP": y.mean()},
        styles,
        selected=[b, a],  # the lower one first: it is named below its mark
        apart={"the two": pair},
        x_title=figures.plain(rbp),
        y_title=figures.plain(urbp),
    ).update_layout(height=450, dragmode="zoom")
    alt = f"Scatter of {x.shape[1]} systems, {rbp} across and {urbp} up, two of them joined"
    return LessonContent(
        (Figure(figure, "path-aspects", alt),),
        "Each mark is a system: mean RBP to the right, mean uRBP up. On the dotted line all that is relevant is "
        "understood; how far a mark lies below it is what is not.",
        answer(a, b, x.mean(), y.mean()),
        formulas=(rbp.latex(collection.assessments.scales), urbp.latex(collection.assessments.scales)),
        code=(
            "from evalcore.meta import winner",
            "",
            f"x, y = (ec.evaluate(text, c).mean() for text in {[str(rbp), str(urbp)]!r})",
            f"pair = {{name: (x[name], y[name]) for name in {[a, b]!r}}}",
            "kept = {name: by_urbp / (by_rbp or 1) for name, (by_rbp, by_urbp) in pair.items()}",
            "first = winner(x), winner(y)",
        ),
    )


def nearest_pair(x: pd.Series, y: pd.Series) -> pd.DataFrame:
    """The two systems nearest to each other under x, the better one under y first."""
    ordered = x.sort_values()
    at = int(ordered.diff().to_numpy()[1:].argmin())
    a, b = sorted(ordered.index[at : at + 2], key=lambda name: -y[name])
    return pd.DataFrame({"system_a": [a], "system_b": [b]})


def are_alike(means: pd.Series, a: str, b: str) -> bool:
    return bool(abs(means[a] - means[b]) <= ALIKE + TIE)


def answer(a: str, b: str, x: pd.Series, y: pd.Series) -> str:
    apart = "" if are_alike(x, a, b) else "No two systems are alike by RBP here; these are the nearest. "
    which = f"**{markdown(a)}**: RBP gives it" if less(y[b], y[a]) else f"Either: RBP gives {markdown(a)}"
    kept = (
        f"uRBP / RBP is the share of the credit that a reader understands: {y[a] / x[a]:.0%} and {y[b] / x[b]:.0%}. "
        if x[a] and x[b]
        else ""
    )
    return (
        f"{apart}{which} {x[a]:.3f} and {markdown(b)} {x[b]:.3f}, "
        f"uRBP {y[a]:.3f} and {y[b]:.3f}. {kept}Of all systems {who_is_first(x, y, ('RBP', 'uRBP'))}."
    )


LESSON = Lesson(
    name=STEPS[1],
    title="Why is relevance not enough?",
    text=(
        f"A page can be about the question and still be of no use: written for specialists, say. So assessors grade a "
        f"second {term('aspect')}, such as understandability. RBP credits every relevant document. {term('uRBP')} "
        f"multiplies two gains: a document counts if it is relevant *and* understood, so its {term('gain')} is r · u "
        "instead of r."
    ),
    question="Which of these two systems would you give to a patient, and why?",
    settings=Understood,
    controls={"understood": 0.38, "alike": 0.62},
    show=show,
    page="understandability",
    page_label="On your own data: Understandability",
)
