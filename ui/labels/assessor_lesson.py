"""Step Assessor: can a model replace human assessors, and what do a few human labels add to it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

import evalcore as ec
from evalcore import InputError
from evalcore.common.cached import cached_property
from evalcore.common.rounding import TIE
from evalcore.data import Collection
from evalcore.figures.style import Styles
from evalcore.labels.combining import COMBINED, HUMAN, LINES, MODEL, Combined, KeptLabels, TwoSources
from evalcore.measures import RBP
from evalcore.meta import leaders
from evalcore.notation.display_names import reading_name
from ui.address.families import plotted
from ui.address.settings import setting
from ui.computing.cached import cached_call
from ui.glossary.words import term
from ui.labels.noise_lesson import ASPECT, lacks_grades
from ui.screen.calls import Call, call, line
from ui.screen.items import Figure, Metric
from ui.teaching.guided_path.base import Lesson, LessonContent, LessonSettings
from ui.teaching.guided_path.statements import Statement, state
from ui.widgets.fields import Number

SHARE_HELP = "The share of the human labels that the estimate may use; the rest are hidden"
DRAW_HELP = "A different draw keeps the human labels of different documents"
NAMES = {COMBINED: "τ, both together", HUMAN: "τ, humans alone", MODEL: "τ, model alone"}


def lacks_two_sources(collection: Collection) -> str:
    if lack := lacks_grades(collection):
        return lack
    try:
        whole = TwoSources.of(RBP(), collection, aspect=ASPECT).complete
    except InputError:
        return "its relevance labels come from one source, or cover few topics"
    return "" if whole else "the model labelled documents that have no human label"


@dataclass(frozen=True)
class Few(LessonSettings, lacks=lacks_two_sources):
    """Settings of the step: the share of human labels to keep, and the draw."""

    share: float = setting(Number("Human labels kept", 0.05, 1.0, 0.6, 0.05, format="percent", help=SHARE_HELP))
    draw_of: int = setting(Number("Draw", 0, 20, 0, 1, help=DRAW_HELP))

    @property
    def kept(self) -> KeptLabels:
        return KeptLabels(self.share, seed=self.draw_of)

    @cached_property
    def combined(self) -> Call[Combined]:
        """The call that computes the scores with the kept human labels, with the model's labels, and with both."""
        made = call("combined", ec.combine, RBP(), self.data, kept=str(self.kept), aspect=ASPECT)
        return made.known(made.value)

    @cached_property
    def truth(self) -> Call[pd.Series]:
        """The call that computes the scores with all human labels."""
        labels: Any = self.combined.it.all_labels
        return line("all_labels", labels)

    @cached_property
    def kappa(self) -> Call[float]:
        """The call that computes the agreement (kappa) of the model with the human labels, over all labels."""
        both = (self.combined.value.human, self.combined.value.model)
        agreement = call("agreement", ec.source_agreement, self.data, both, ASPECT)
        return cached_call(line("kappa", agreement.it.coefficient("kappa").estimate), self.data)

    def means(self, name: str) -> Call[pd.Series]:
        return line(f"means_{LINES.index(name)}", self.combined.it.scores[name].mean())

    @cached_property
    def taus(self) -> dict[str, Call[float]]:
        """Map each set of labels to the call of τ between its ranking and the ranking with all human labels."""
        return {name: call(f"tau_{at}", ec.tau, self.means(name).it, self.truth.it) for at, name in enumerate(LINES)}


def show(page: Few, styles: Styles) -> LessonContent:
    combined = page.combined
    figure = plotted("", page.data, combined.it, shown=10, height=370).here(styles=styles)
    alt = f"Mean {reading_name(RBP())} of the best systems with human labels, with the model's labels, and with both"
    caption = "Lines: 95% intervals. Ticks: scores with all human labels; {n} labels are kept."
    return LessonContent(
        (Figure(figure, "path-assessor", alt),),
        (state("drawn", caption, n=combined.value.n_labels),),
        tuple(answer(page)),
        (combined, page.truth, page.kappa, *page.taus.values()),
        (
            r"\hat\theta = \frac{1}{T} \sum_t \Bigl( \sum_d w_d\, m_d + \sum_{d \in \text{kept}} w_d "
            r"\frac{g_d - m_d}{c_d} \Bigr)",
        ),
        numbers=tuple(numbers(page)),
    )


def numbers(page: Few) -> Iterator[Metric]:
    for name, tau in page.taus.items():
        yield Metric.of(NAMES[name], tau, "Kendall's τ_b with the ranking under all human labels")


def answer(page: Few) -> Iterator[Statement]:
    """Yield statements on agreement, the closest ranking, the winners, and the true scores inside the intervals."""
    combined, truth = page.combined.value, page.truth.value
    kappa = f"{term('kappa', 'κ')} {{kappa:score2}}"
    text = f"{{model}} agrees with {{human}} ({kappa}); τ of their rankings is {{tau:score}}."
    own = {"model": combined.model, "human": combined.human, "kappa": page.kappa.value}
    yield state("agrees", text, tau=page.taus[MODEL].value, **own)
    if combined.n_hidden:
        text = "From the {n} labels kept, κ is estimated as {kept:score2}."
        yield state("estimate", text, n=combined.n_labels, kept=combined.agreement.estimate)
    yield nearest(page, truth)
    firsts = {name: leaders(page.means(line).value) for name, line in (("both", COMBINED), ("people", HUMAN))}
    text = "All human labels put {first:systems} first; the model puts {model:systems} first"
    if combined.n_hidden:
        text += ", the kept labels alone {people:systems}, both together {both:systems}"
    yield state("first", f"{text}.", first=leaders(truth), model=leaders(page.means(MODEL).value), **firsts)
    if not combined.n_hidden:
        yield state("all labels", "All human labels are kept, so there is nothing left to estimate.")
        return
    if why := combined.why_no_help:
        yield state("no help", "Both together are no better than human labels alone: {why}.", why=why)
    else:
        text = "Combining both is **worth {worth:.2f}** times as many human labels."
        yield state("worth", text, worth=combined.worth)
    text = "The combined intervals contain {held} of {count} true scores; the model's, which ignore its bias, {beside}."
    held = {name: inside(combined, truth, line) for name, line in (("held", COMBINED), ("beside", MODEL))}
    yield state("held", text, count=len(truth), **held)


def nearest(page: Few, truth: pd.Series) -> Statement:
    """Name the labels whose ranking is closest to the ranking with all human labels, and state τ between the two.

    If these are the model's labels alone, the statement adds that only human labels can show this.
    """
    best = max(tau.value for tau in page.taus.values())
    near = [name for name, tau in page.taus.items() if tau.value > best - TIE]
    text = "Closest to the order under all human labels: {near}, with τ {tau:score}."
    if near == [MODEL]:
        text = (
            "**So few labels do not help here:** {near} is closest, with τ {tau:score}, because its errors hit all "
            "systems alike. Only human labels can show that: the model's own intervals contain {beside} of {count} "
            "true scores."
        )
    elif near == [COMBINED]:
        text = f"**Not alone.** {text} Human labels correct the model, and the model fills the gaps."
    values = {"beside": inside(page.combined.value, truth, MODEL), "count": len(truth)}
    named = " and ".join(NAMES[name].removeprefix("τ, ") for name in near)
    return state("nearest", text, near=named, tau=best, **values)


def inside(combined: Combined, truth: pd.Series, line: str) -> int:
    """Return how many true scores lie inside their intervals; `line` names the set of labels behind the intervals.

    The intervals are for the mean over these topics, but with the model's labels alone for the mean over all possible
    topics.
    """
    table = combined.estimates(line).loc[truth.index]
    low, high = ("low", "high") if line == MODEL else ("these_low", "these_high")
    return int(((table[low] <= truth) & (truth <= table[high])).sum())


LESSON = Lesson("Assessor", Few, {"share": 0.6, "draw_of": 0.4}, show)
