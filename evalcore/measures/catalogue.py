"""Sets of measures that fit a collection, for menus and overviews; and names short enough for an axis."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import Any

import numpy as np

from evalcore import measures as m
from evalcore.common.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.base import (
    MOST_COMBINED,
    GainMeasure,
    HasPoolAndRankings,
    Measure,
    combined_aspects,
    unwrapped,
)
from evalcore.measures.diversity import OfSubtopics
from evalcore.measures.nuggets import of_nuggets
from evalcore.measures.parts.gains import Probability, Share
from evalcore.measures.toma import EQUAL_RANGES
from evalcore.measures.tuple_orders import Distance
from evalcore.notation.values import Value, parse_value, written
from evalcore.structures.documents import Assessments, Scale
from evalcore.subjects import modules

PAPER_THRESHOLDS = (15.0, 10.0, 20.0)  # of FOG, in Zuccon 2016
FIRST_LOOK, COMBINED, GIVEN, WEIGHTED = "First look", "TOMA, CAM and MM", "Given scores", "Weights of measures, groups"
CLASSIC, USER_MODELS, TREC_EVAL = "One aspect, classic", "Readers (C/W/L)", "trec_eval"
GRADED, CONDENSED = "Graded", "Condensed lists"
SUBTOPICS = "Subtopics"
OF_SUBTOPICS: tuple[OfSubtopics, ...] = (
    m.alphanDCG(), m.ERRIA(), m.nERRIA(), m.NRBP(), m.nNRBP(), m.STREC(), m.IA(), m.IA(m.P(cutoff=10)),
    m.IA(m.ERR(cutoff=10)), m.DSharp(),
)  # fmt: skip
COUNTS = ("num_", "num")  # prefixes of counts among the measures of evaluation tools
MOST_GIVEN = 8  # scores in the overview
BASES: tuple[GainMeasure, ...] = (m.nDCG(), m.AP())
DISTANCES: Mapping[str, Distance] = {"EUCL": m.Euclidean(), "MANH": m.Manhattan(), "CHEB": m.Chebyshev()}


def suggestions(collection: HasPoolAndRankings) -> dict[str, list[Measure]]:
    """Return sets of measures by name, fitted to the collection's aspects and signals; the first is an overview.

    Combinations leave out aspects whose scale has a single grade.
    """
    pool = collection.assessments
    scales = pool.scales
    given = _given(collection)
    if not pool.aspects or not collection.rankings.length.any():
        return given
    graded = [scales[name] for name in pool.leading_first]
    telling = [scales[name] for name in combined_aspects(pool)]
    others = [_understandable(pool, scale, graded[0].name) for scale in scales.values() if scale is not graded[0]]
    of_one = {name: [base.with_(aspect=graded[0].name) for base in bases] for name, bases in _of_one(graded[0]).items()}
    # gm_map and gm_bpref of trec_eval
    of_one[TREC_EVAL] += [m.Log(base) for base in of_one[TREC_EVAL] if type(base) in (m.AP, m.Bpref)]
    known: dict[str, list[Measure]] = {
        FIRST_LOOK: _first_look(graded[0], telling, others),
        CLASSIC: of_one.pop(CLASSIC),
        "Each aspect alone": [
            base.with_(aspect=scale.name) for scale, base in product(graded, (m.nDCG(), m.AP(), m.RBP()))
        ],
        "RBP and uRBP": [m.RBP(aspect=graded[0].name), *chain(*others), *_understandable_bases(telling)],
        **of_one,
        COMBINED: [aspect for base in BASES for aspect in several_aspects(base, telling).values()],
    }
    if getattr(collection, "subtopics", None) is not None:
        known |= {SUBTOPICS: [measure.with_(aspect=graded[0].name) for measure in OF_SUBTOPICS]}
        known[FIRST_LOOK] += known[SUBTOPICS][:1]
    added = (module.suggestions(collection, graded[0]) for module in modules("suggestions"))
    special: dict[str, list[Measure]] = next(filter(None, added), {})
    known = special | {name: listed for name, listed in known.items() if name not in special}
    given = {GIVEN: list(chain(*given.values()))} if given else {}
    return {name: listed for name, listed in known.items() if len(listed) > 1} | given


def _given(collection: HasPoolAndRankings) -> dict[str, list[Measure]]:
    """Return sets of measures, by name, for given scores: an overview, all scores, and weighted means.

    The overview leaves out counts, unless only counts are given. Returns {} if no scores are given.
    """
    given = getattr(collection.rankings, "given", {})
    scores: list[Measure] = [m.Score(name, table.good) for name, table in given.items()]
    telling = [score for score, name in zip(scores, given, strict=True) if not name.lower().startswith(COUNTS)]
    answers = of_nuggets(given)
    first = answers or sorted(telling or scores, key=lambda score: score.good == "low")
    alike = () if answers else tuple(score for score in first if score.good == first[0].good)[:MOST_COMBINED]
    weighted: list[Measure] = [m.CAM(alike, weights=(1.0,) * len(alike))] if len(alike) > 1 else []
    weighted += [m.GroupWeights(first[0], by=name) for name in collection.assessments.groups if first]
    if len(first) < 2:
        first = [*first, *weighted]
    sets = {FIRST_LOOK: first[:MOST_GIVEN], GIVEN: scores, WEIGHTED: weighted}
    return {name: listed for name, listed in sets.items() if listed and (name == FIRST_LOOK or listed != first)}


def several_aspects(base: GainMeasure, scales: Sequence[Scale], embedding: str = EQUAL_RANGES) -> dict[str, Measure]:
    """Map the names in Maistro et al. 2021, Table 4, to the measures with this base: EUCL, MANH, CHEB (TOMA), CAM, MM.

    In that table the paper embeds labels in "equal steps", which gives different scores if scales differ in length. A
    base that needs binary relevance counts labels above zero, or classes above the worst, as relevant (section 4.1).
    Returns {} for fewer than two aspects.
    """
    if len(scales) < 2:
        return {}
    names = tuple(scale.name for scale in scales)
    return {
        **{name: m.TOMA(base, names, distance, embedding) for name, distance in DISTANCES.items()},
        "CAM": m.CAM(base, aspects=names),
        "MM": m.MM(base, aspects=names),
    }


def _first_look(first: Scale, telling: Sequence[Scale], others: Sequence[Sequence[Measure]]) -> list[Measure]:
    bases = (m.RBP(), m.nDCG(cutoff=10), m.AP(), m.P(cutoff=10))
    single: list[Measure] = [base.with_(aspect=first.name) for base in bases]
    names = tuple(scale.name for scale in telling)
    base = BASES[0]  # as on every page that combines aspects
    several: list[Measure] = [m.CAM(base, aspects=names), m.MM(base, aspects=names), m.TOMA(base, aspects=names)]
    return [*single, *(listed[0] for listed in others[:2]), *(several if len(names) > 1 else [])]


def _of_one(scale: Scale) -> dict[str, tuple[Measure, ...]]:
    """Return sets of measures of one aspect, by name."""
    return {
        CLASSIC: (
            m.P(cutoff=10), m.AP(), m.Rprec(), m.RR(), m.Bpref(), m.nDCG(cutoff=10), m.nDCG(), m.ERR(cutoff=20), m.Q(),
            m.RBP(rho=0.5), m.RBP(rho=0.8), m.RBP(rho=0.95), *((m.GradedRBP(),) if len(scale.grades) > 2 else ()),
        ),
        USER_MODELS: (
            m.INST(), m.INST(T=3.0), m.INSQ(), m.SDCG(), m.NERR8(), m.NERR9(), m.NERR10(), m.NERR11(), m.BPM(),
            m.IFT(), m.IFTGoal(), m.IFTRate(), m.TBG(), m.U(),
        ),
        TREC_EVAL: (
            m.AP(), m.Rprec(), m.Bpref(), m.RR(), m.P(cutoff=5), m.P(cutoff=10), m.R(cutoff=100), m.infAP(),
            m.IPrec(recall=0.0), m.IPrec(recall=0.5), m.AvgIPrec(), m.BinG(), m.G(), m.nDCG(), m.nDCGrel(), m.Rndcg(),
            m.RelP(), m.Success(), m.SetP(), m.SetR(), m.SetF(), m.SetAP(), m.Utility(), m.Accuracy(),
        ),
        GRADED: (
            m.nDCG(cutoff=10), m.nDCG(dcg="exp-log2", cutoff=10), m.nDCGb(cutoff=10), m.Q(cutoff=10), m.ERR(cutoff=10),
            m.nERR(cutoff=10), m.GradedRBP(),
        ),
        CONDENSED: (
            m.nDCG(judged_only=True), m.nDCG(judged_only=True, cutoff=10), m.AP(judged_only=True),
            m.RR(judged_only=True), m.P(judged_only=True), m.Rprec(judged_only=True), m.Bpref(), m.infAP(), m.Judged(),
            m.Unjudged(),
        ),
    }  # fmt: skip


def _understandable(pool: Assessments, scale: Scale, relevance: str) -> list[Measure]:
    """Return measures on one column of understandability; in each kind, the usual threshold comes first.

    For grades they are uRBPgr (if the grades are few), uRBP and HRBP; for a signal, uRBP1, uRBP2 and HRBP.
    """
    read: dict[str, Any] = {"aspect": scale.name, "relevance": relevance}
    if scale.kind == "signal":
        thresholds = usual_thresholds(pool, scale)
        steps: list[Measure] = [kind(threshold=at, **read) for kind in (m.uRBP1, m.uRBP2) for at in thresholds]
        return [*steps, m.HRBP(threshold=thresholds[0], **read)]
    graded = [] if scale.continuous else [m.uRBPgr(gains=usual_gains(scale), **read)]
    borders = scale.grades[1:] if len(scale.grades) <= 5 else (scale.border,)
    usual = sorted(borders, key=lambda threshold: abs(threshold - scale.border))
    means = [m.HRBP(threshold=threshold, **read) for threshold in usual[:1]]
    return [*graded, *(m.uRBP(threshold=threshold, **read) for threshold in usual), *means]


def _understandable_bases(scales: Sequence[Scale]) -> list[Measure]:
    """Return nDCG and ERR on the product of the gains of two aspects (Zuccon 2016, section 6); [] for one aspect."""
    if len(scales) < 2:
        return []
    first, second = (scale.name for scale in scales[:2])
    gains = {first: Share(), second: Share()}
    return [m.Product(m.nDCG(cutoff=10), gains=gains), m.Product(m.ERR(cutoff=20), gains=gains, f=Probability(max=1))]


def usual_thresholds(pool: Assessments, scale: Scale) -> tuple[float, ...]:
    """Return the usual thresholds of a scale.

    If a threshold is declared, it is the only one. Otherwise, values like FOG scores have the thresholds of Zuccon
    2016, and other values have their median (0 if there are no values).
    """
    if scale.threshold is not None:
        return (scale.threshold,)
    values = pool.column(scale.name)
    known = values[~np.isnan(values)]
    return PAPER_THRESHOLDS if like_fog(values) else (float(np.round(np.median(known), 2)) if len(known) else 0.0,)


def like_fog(values: FloatArray) -> bool:
    """Return whether values look like FOG scores: the least is below 10, and the largest is above 20 and below 40."""
    return bool(np.fmin.reduce(values, initial=np.inf) < 10 and 20 < np.fmax.reduce(values, initial=-np.inf) < 40)


def usual_gains(scale: Scale) -> tuple[float, ...]:
    """Return the gains of grades, worst to best.

    They are the declared gains, if any; otherwise the gains of Zuccon 2016 for four grades, else equal steps.
    """
    if scale.gains:
        return tuple(scale.gains if scale.good == "high" else scale.gains[::-1])
    count = len(scale.grades)
    return tuple(m.uRBPgr().gains) if count == 4 else tuple(at / max(count - 1, 1) for at in range(count))


def short_names(texts: Iterable[str]) -> dict[str, str]:
    """Map each measure's text to a short name with only the parameters in which measures of one kind differ.

    Other texts, such as the names in a table of scores, stay unchanged.

    >>> list(short_names(["RBP(rho=0.5)", "RBP(rho=0.8)", "AP"]).values())
    ['RBP(rho=0.5)', 'RBP(rho=0.8)', 'AP']
    >>> short_names(['CAM(nDCG@10, aspects=["relevance", "trust"])'])
    {'CAM(nDCG@10, aspects=["relevance", "trust"])': 'CAM(nDCG@10)'}
    """
    return dict(_short_names(tuple(dict.fromkeys(texts))))


@lru_cache(maxsize=64)
def _short_names(texts: tuple[str, ...]) -> dict[str, str]:
    parsed = {text: _parsed(text) for text in texts}
    measures = [measure for measure in parsed.values() if measure is not None]
    names = {text: text if measure is None else _short(measure, measures) for text, measure in parsed.items()}
    taken = list(names.values())
    return {text: name if taken.count(name) == 1 else text for text, name in names.items()}


def _parsed(text: str) -> Measure | None:
    try:
        measure: Measure = parse_value(text, Measure)  # names of trec_eval stay unchanged
    except InputError:
        return None
    return measure


def _short(measure: Measure, among: Sequence[Measure]) -> str:
    """Return a measure's text with only the parameters that distinguish it from others of its kind."""
    measure, source = unwrapped(measure)
    if isinstance(measure, m.Score) and measure.name:
        return measure.name
    of_kind = [pair for pair in map(unwrapped, among) if type(pair[0]) is type(measure)]
    alike = [other for other, _ in of_kind]
    shown, cutoff = [], ""
    for field in dataclasses.fields(measure):
        value = getattr(measure, field.name)
        if field.name == "cutoff":
            cutoff = "" if value is None else f"@{value}"
        elif field.metadata.get("positional"):
            shown.append(_inside(value))
        elif field.name in _telling(alike):
            shown.append(value if field.name == "aspect" else f"{field.name}={written(value)}")
    if source and len({source for _, source in of_kind}) > 1:
        shown.append(f"source={written(source)}")
    return type(measure).__name__ + (f"({', '.join(shown)})" if shown else "") + cutoff


def _telling(alike: Sequence[Measure]) -> list[str]:
    """Return the names of fields that suffice to distinguish measures of one kind, aspects first.

    The cut-off and positional fields are not among them, because short names always show them.
    """
    names = [field.name for field in dataclasses.fields(alike[0])]
    fixed = [name for name in names if name == "cutoff" or alike[0].parameters()[name].metadata.get("positional")]
    rest = sorted((name for name in names if name not in fixed), key=lambda name: not name.startswith("aspect"))
    telling: list[str] = []
    for name in rest:
        if len(_different(alike, [*fixed, *telling, name])) > len(_different(alike, [*fixed, *telling])):
            telling.append(name)
    return telling


def _different(measures: Sequence[Measure], names: Sequence[str]) -> set[tuple[object, ...]]:
    return {tuple(getattr(measure, name) for name in names) for measure in measures}


def _inside(value: Value | tuple[Value, ...]) -> str:
    """Return the kind and cut-off of the inner measure as text; for several, the distinct texts joined by commas."""
    several = value if isinstance(value, tuple) else (value,)
    parts = [unwrapped(measure)[0] if isinstance(measure, Measure) else measure for measure in several]
    kinds = [_called(part) + (f"@{cut}" if (cut := getattr(part, "cutoff", None)) else "") for part in parts]
    return ", ".join(dict.fromkeys(kinds))


def _called(part: Value) -> str:
    """Return the name of a value's class; for a given score, the name of the score."""
    return part.name if isinstance(part, m.Score) and part.name else type(part).__name__
