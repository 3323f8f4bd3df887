"""RBP by hand (Zuccon 2016): what each document adds to RBP and uRBP."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

import evalcore as ec
from evalcore import figures
from evalcore.data import Collection, Scale
from evalcore.data.small import small_collection
from evalcore.explain.arithmetic import Arithmetic, arithmetic
from evalcore.measures import ERR, RBP, ERRlike, GainMeasure, uRBP, uRBPgr
from ui.data.as_python import python
from ui.screen.items import Figure, Latex, Table, Text
from ui.stage import show
from ui.worked_examples.arithmetic import ranks, short
from ui.worked_examples.controls import EASE, JUDGED, RELEVANT, ExampleSettings

TOPICAL = Scale("relevance", grades=(0, 1))
COLUMNS = (TOPICAL.name, EASE.name)


def rbp_by_hand(page: ExampleSettings, places: Sequence[st.delta_generator.DeltaGenerator]) -> None:
    for place, name in zip(places, ("length", "rho"), strict=False):
        with place:
            page.draw(name)
    for rank, place in enumerate(st.columns(len(JUDGED), gap="small"), start=1):
        with place:
            page.draw(f"rank{rank}")
    rho, judged = page.rho, page.judged
    collection = hand_collection(judged)
    measures: dict[str, GainMeasure] = {"RBP": RBP(rho=rho), "uRBP": uRBP(rho=rho), "uRBPgr": uRBPgr(rho=rho)}
    parts = {name: arithmetic(one, collection.assessments, collection.rankings) for name, one in measures.items()}
    residual = float(ec.residual(measures["RBP"], collection).to_numpy()[0, 0])
    hand_headline(parts, residual)
    draw_credits(parts)
    show.explain(
        "A grey bar is the most that a rank can give, (1 − ρ)ρᵏ⁻¹. Each measure takes its share: RBP all of it for a "
        "relevant document, uRBP only if a reader also understands it (easy or very easy), uRBPgr by the grade.",
        "A score is the sum of its bars. The residual is what nobody knows yet: the grey bars of documents not "
        "assessed and all ranks below the list. With all assessed the score lies between score and score + residual.",
        "Make the reader impatient (small ρ): rank 1 decides. Make the first document very hard: uRBP loses its "
        "largest bar and RBP does not notice.",
    )
    show.put(Text("Each term written out", "heading"))
    for name, part in parts.items():
        show.put(Latex(rank_biased_latex(name, measures[name], part, collection, rho)))
    show.put(Latex(residual_latex(parts["RBP"], rho, residual)))
    show.put(
        Text(
            "Each term is r · u · ρᵏ⁻¹ (RBP: without u). r is 1 for a relevant document; u is 1 for easy and very easy "
            "(uRBP), or 0, 0.4, 0.8, 1 from very hard to very easy (uRBPgr): Zuccon 2016, Eqs. 3 and 4, section 4.1.",
            "note",
        )
    )
    show.put(
        Table(credit_table(parts), "rbp by hand", caption=f"RBP, uRBP and uRBPgr by hand, rank by rank, ρ = {rho:g}.")
    )
    err_against_errlike()
    python(lambda: code(judged, list(map(str, measures.values()))))


def assessed(judged: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Grades of relevance and of understandability of each assessed document, d1 at rank 1 and so on.

    Where none is, there is one that is not retrieved: a topic nobody labelled has no score.
    """
    found = {
        f"d{rank}": (float(relevance == RELEVANT[0]), float(EASE.names.index(ease)))
        for rank, (relevance, ease) in enumerate(judged, start=1)
        if relevance != RELEVANT[2]
    }
    return found or {"elsewhere": (0.0, 0.0)}


def hand_collection(judged: Sequence[tuple[str, str]]) -> Collection:
    """One ranking, d1 at rank 1 and so on; what is not assessed is not in the pool."""
    found = assessed(judged)
    labels = pd.DataFrame(list(found.values()), index=list(found), columns=list(COLUMNS), dtype=float)
    return small_collection(labels, {"ranking": [f"d{rank}" for rank in range(1, len(judged) + 1)]}, [TOPICAL, EASE])


def code(judged: Sequence[tuple[str, str]], measures: Sequence[str]) -> list[str]:
    """What recomputes the scores."""
    return [
        "import pandas as pd",
        "",
        "import evalcore as ec",
        "from evalcore.data.small import small_collection",
        "from evalcore.explain.arithmetic import arithmetic",
        "",
        f"assessed = {assessed(judged)!r}",
        f"columns = {list(COLUMNS)!r}",
        "labels = pd.DataFrame(list(assessed.values()), index=list(assessed), columns=columns, dtype=float)",
        f"ranking = {[f'd{rank}' for rank in range(1, len(judged) + 1)]!r}",
        "scales = [ec.Scale(columns[0], grades=(0, 1)), ec.Scale(columns[1], grades=(0, 1, 2, 3))]",
        'c = small_collection(labels, {"ranking": ranking}, scales)',
        f"parts = {{text: arithmetic(ec.parse(text), c.assessments, c.rankings) for text in {list(measures)!r}}}",
        "scores = {text: part.score for text, part in parts.items()}",
        "credits = {text: part.terms['contribution'] / part.normaliser for text, part in parts.items()}",
        "at_most = {text: part.terms['discount'] / part.normaliser for text, part in parts.items()}",
        f"residual = ec.residual({measures[0]!r}, c).iloc[0, 0]",
        'pair = small_collection(pd.DataFrame({"relevance": [1.0, 1.0]}, index=["d1", "d2"]), {"s": ["d1", "d2"]})',
        'err = [ec.evaluate(text, pair).iloc[0, 0] for text in ("ERR(max_rel=1)", "ERRlike(max_rel=1)")]',
    ]


def hand_headline(parts: dict[str, Arithmetic], residual: float) -> None:
    places = st.columns(len(parts) + 1)
    for place, (name, part) in zip(places, parts.items(), strict=False):
        show.metric(place, name, f"{part.score:.4f}", help=f"At most {part.score + residual:.4f} once all is assessed")
    show.metric(places[-1], "residual", f"{residual:.4f}", help="How much each score could still rise")


def credit_table(parts: dict[str, Arithmetic]) -> pd.DataFrame:
    """What each rank adds to each score, and the most it could."""
    first = parts["RBP"]
    most = first.terms["discount"] / first.normaliser
    credits = {name: part.terms["contribution"] / part.normaliser for name, part in parts.items()}
    documents = first.terms["document"].replace("", "not assessed")
    return pd.DataFrame({"document": documents, "at most": most, **credits})


def draw_credits(parts: dict[str, Arithmetic]) -> None:
    table = credit_table(parts)
    figure = figures.rank_credits(table[list(parts)], table["at most"])
    show.put(
        Figure(figure, "credits", "What each rank adds to RBP, uRBP and uRBPgr; the values are in the table below")
    )


def rank_biased_latex(name: str, measure: GainMeasure, part: Arithmetic, collection: Collection, rho: float) -> str:
    """The sum with one factor per aspect and the discount of each rank."""
    pool = collection.assessments
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


def err_against_errlike() -> None:
    """ERRATA 6, on [1, 1]."""
    show.put(Text("Not every 1/k is ERR", "heading"))
    collection = small_collection(pd.DataFrame({"relevance": [1.0, 1.0]}, index=["d1", "d2"]), {"s": ["d1", "d2"]})
    lines = []
    for name, measure in {"ERR": ERR(max_rel=1), "without the cascade": ERRlike(max_rel=1)}.items():
        part = arithmetic(measure, collection.assessments, collection.rankings)
        terms = [
            rf"\tfrac{{1}}{{{rank}}} \cdot {short(gain)}"
            + (rf" \cdot {short(discount * rank)}" if discount * rank != 1 else "")
            for rank, gain, discount in ranks(part)
        ]
        lines.append(rf"\text{{{name}: }} & {' + '.join(terms)} = \mathbf{{{short(part.score)}}}")
    show.put(Latex(r"\begin{aligned}" + r" \\[4pt] ".join(lines) + r"\end{aligned}"))
    show.put(
        Text(
            "Two relevant documents, each satisfies a reader with probability 1/2. In ERR only the half that rank 1 "
            "did not satisfy goes on to rank 2. Section 3 of the paper prints the sum without that factor, which is "
            "another measure (here `ERRlike`): a satisfied reader goes on as if nothing had been found.",
            "note",
        )
    )
