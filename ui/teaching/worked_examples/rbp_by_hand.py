"""RBP by hand (Zuccon 2016): what each document adds to RBP and uRBP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Assessments, Collection
from evalcore.data.small_collections import small_collection
from evalcore.explain.arithmetic import Arithmetic, arithmetic
from evalcore.measures import RBP, GainMeasure, uRBP, uRBPgr
from ui.screen.calls import Call, call, line, mapped, record
from ui.screen.items import Figure, Item, Latex, Metric, Table, Text, in_row
from ui.stage import show
from ui.teaching.worked_examples.arithmetic import ranks, short
from ui.teaching.worked_examples.controls import EASE, JUDGED, RELEVANT, ExampleSettings

SCALES = {"relevance": (0, 1), EASE.name: EASE.grades}
PAIR = {"d1": 1.0, "d2": 1.0}  # ERRATA 6, on [1, 1]
CASCADE = {"ERR": "ERR(max_rel=1)", "without the cascade": "ERRlike(max_rel=1)"}


def rbp_by_hand(page: ExampleSettings, columns: Sequence[st.delta_generator.DeltaGenerator]) -> None:
    for place, name in zip(columns, ("length", "rho"), strict=False):
        with place:
            page.draw(name)
    page.draw_in_row(*(f"rank{rank}" for rank in range(1, len(JUDGED) + 1)))
    by_hand = ByHand(page)
    show.screen(answer(by_hand))
    show.explain(
        "A grey bar is the most that a rank can give, (1 − ρ)ρᵏ⁻¹. Each measure takes its share: RBP all of it for a "
        "relevant document, uRBP only if a reader also understands it (easy or very easy), uRBPgr by the grade.",
        "A score is the sum of its bars. The residual is what nobody knows yet: the grey bars of documents not "
        "assessed and all ranks below the list. With all assessed the score lies between score and score + residual.",
        "Make the reader impatient (small ρ): rank 1 decides. Make the first document very hard: uRBP loses its "
        "largest bar and RBP does not notice.",
    )
    show.screen(written_out(by_hand))
    show.screen(err_against_errlike())


@dataclass(frozen=True)
class ByHand:
    """One ranking, and its scores taken apart, as calls."""

    page: ExampleSettings

    @property
    def measures(self) -> dict[str, GainMeasure]:
        rho = self.page.rho
        return {"RBP": RBP(rho=rho), "uRBP": uRBP(rho=rho), "uRBPgr": uRBPgr(rho=rho)}

    @cached_property
    def collection(self) -> Call[Collection]:
        """d1 at rank 1 and so on; what is not assessed is not in the pool."""
        judged = self.page.judged
        labels = line("labels", record(pd.DataFrame)(assessed(judged), index=list(SCALES), dtype=float).T)
        scales = line("scales", [record(ec.Scale)(name, grades=grades) for name, grades in SCALES.items()])
        return call("c", small_collection, labels.it, {"ranking": documents(judged)}, scales.it)

    @cached_property
    def parts(self) -> Call[dict[str, Arithmetic]]:
        """The arithmetic of each measure, by its name."""
        texts = {name: str(measure) for name, measure in self.measures.items()}
        return line("parts", taken_apart(texts, self.collection.it))

    @cached_property
    def scores(self) -> Call[dict[str, float]]:
        return line("scores", mapped(self.parts.it, lambda part: part.score))

    @cached_property
    def residual(self) -> Call[float]:
        """How much each score could still rise."""
        residual: Any = record(ec.residual)(self.measures["RBP"], self.collection.it).iloc[0, 0]
        return line("residual", residual)

    @cached_property
    def credits(self) -> Call[pd.DataFrame]:
        """What each rank adds to each score: ranks x measures."""
        adds = mapped(self.parts.it, lambda part: part.terms["contribution"] / part.normaliser)
        return call("credits", pd.DataFrame, adds)

    @cached_property
    def at_most(self) -> Call[pd.Series]:
        """The most that each rank could add."""
        return line("at_most", self.parts.it["RBP"].terms["discount"] / self.parts.it["RBP"].normaliser)


def taken_apart(texts: Mapping[str, str], collection: Collection) -> dict[str, Arithmetic]:
    """The arithmetic of each measure, in a call."""
    pool, rankings = collection.assessments, collection.rankings
    return mapped(texts, lambda text: record(arithmetic)(record(ec.parse)(text), pool, rankings))


def documents(judged: Sequence[tuple[str, str]]) -> list[str]:
    """What stands at each rank."""
    return [f"d{rank}" for rank in range(1, len(judged) + 1)]


def assessed(judged: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Grades of relevance and of understandability of each assessed document, d1 at rank 1 and so on.

    Where none is, there is one that is not retrieved: a topic nobody labelled has no score.
    """
    gains = {
        f"d{rank}": (float(relevance == RELEVANT[0]), float(EASE.names.index(ease)))
        for rank, (relevance, ease) in enumerate(judged, start=1)
        if relevance != RELEVANT[2]
    }
    return gains or {"elsewhere": (0.0, 0.0)}


def answer(by_hand: ByHand) -> Iterator[Item]:
    """Each score, how much it could still rise, and what each rank adds."""
    residual, scores = by_hand.residual, by_hand.scores
    metrics = [
        Metric(name, f"{score:.4f}", help=f"At most {score + residual.value:.4f} once all is assessed", calls=(scores,))
        for name, score in scores.value.items()
    ]
    metrics.append(Metric.of("residual", residual, "How much each score could still rise", form=".4f"))
    yield in_row(*metrics)
    figure = call("", figures.rank_credits, by_hand.credits.it, by_hand.at_most.it)
    alt = "What each rank adds to RBP, uRBP and uRBPgr; the values are in the table below"
    yield Figure(figure, "credits", alt)


def written_out(by_hand: ByHand) -> Iterator[Item]:
    """Each term of each sum, and all of them as a table."""
    rho, parts, residual = by_hand.page.rho, by_hand.parts.value, by_hand.residual.value
    yield Text("Each term written out", "heading")
    for name, part in parts.items():
        pool = by_hand.collection.value.assessments
        yield Latex(rank_biased_latex(name, by_hand.measures[name], part, pool, rho), (by_hand.scores,))
    yield Latex(residual_latex(parts["RBP"], rho, residual), (by_hand.residual,))
    yield Text.note(
        "Each term is r · u · ρᵏ⁻¹ (RBP: without u). r is 1 for a relevant document; u is 1 for easy and very easy "
        "(uRBP), or 0, 0.4, 0.8, 1 from very hard to very easy (uRBPgr): Zuccon 2016, Eqs. 3 and 4, section 4.1."
    )
    names = parts["RBP"].terms["document"].replace("", "not assessed")
    table = pd.DataFrame({"document": names, "at most": by_hand.at_most.value}).join(by_hand.credits.value)
    caption = f"RBP, uRBP and uRBPgr by hand, rank by rank, ρ = {rho:g}."
    yield Table(table, "rbp by hand", caption=caption, calls=(by_hand.at_most, by_hand.credits))


def rank_biased_latex(name: str, measure: GainMeasure, part: Arithmetic, pool: Assessments, rho: float) -> str:
    """The sum with one factor per aspect and the discount of each rank."""
    factors = [gain.of(pool.column(column), pool.scale(column)) for column, gain in measure.gain_functions().items()]
    row = {document: at for at, document in enumerate(pool.documents)}
    terms = []
    for power, document in enumerate(part.terms["document"]):
        gains = [short(values[row[document]]) for values in factors] if document else ["0"]
        terms.append(r" \cdot ".join([*gains, f"{short(rho)}^{{{power}}}"]))
    return rf"\mathrm{{{name}}} = (1 - {short(rho)}) \left({' + '.join(terms)}\right) = \mathbf{{{part.score:.4f}}}"


def residual_latex(part: Arithmetic, rho: float, residual: float) -> str:
    count = len(part.terms)
    unknown = [f"{short(rho)}^{{{power}}}" for power, name in enumerate(part.terms["document"]) if not name]
    inside = rf"(1 - {short(rho)}) \left({' + '.join(unknown)}\right) + " if unknown else ""
    below = rf"\underbrace{{{short(rho)}^{{{count}}}}}_{{\text{{below rank {count}}}}}"
    return rf"\mathrm{{residual}} = {inside}{below} = \mathbf{{{residual:.4f}}}"


def err_against_errlike() -> Iterator[Item]:
    """What the sum that section 3 prints for ERR lacks."""
    yield Text("Not every 1/k is ERR", "heading")
    labels = call("", pd.DataFrame, {"relevance": PAIR})
    pair = call("pair", small_collection, labels.it, {"s": list(PAIR)})
    parts = line("of_pair", taken_apart(CASCADE, pair.it))
    scores = line("err", mapped(parts.it, lambda part: part.score))
    lines = []
    for name, part in parts.value.items():
        terms = [
            rf"\tfrac{{1}}{{{rank}}} \cdot {short(gain)}"
            + (rf" \cdot {short(discount * rank)}" if discount * rank != 1 else "")
            for rank, gain, discount in ranks(part)
        ]
        lines.append(rf"\text{{{name}: }} & {' + '.join(terms)} = \mathbf{{{short(part.score)}}}")
    yield Latex(r"\begin{aligned}" + r" \\[4pt] ".join(lines) + r"\end{aligned}", (scores,))
    yield Text.note(
        "Two relevant documents, each satisfies a reader with probability 1/2. In ERR only the half that rank 1 "
        "did not satisfy goes on to rank 2. Section 3 of the paper prints the sum without that factor, which is "
        "another measure (here `ERRlike`): a satisfied reader goes on as if nothing had been found."
    )
