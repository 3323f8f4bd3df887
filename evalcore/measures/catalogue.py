"""Sets of measures that fit a collection, for menus and first looks; and names short enough for an axis."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import Any

import numpy as np

from evalcore.arrays import FloatArray
from evalcore.errors import InputError
from evalcore.measures.aggregates import CAM, MM
from evalcore.measures.base import GainMeasure, HasPoolAndRankings, Measure, unwrapped
from evalcore.measures.cwl.bpm import BPM
from evalcore.measures.cwl.ift import IFT, IFTGoal, IFTRate
from evalcore.measures.cwl.inst import INSQ, INST
from evalcore.measures.cwl.nerr import NERR8, NERR9, NERR10, NERR11
from evalcore.measures.cwl.sdcg import SDCG
from evalcore.measures.cwl.time_biased import TBG, U
from evalcore.measures.dcg import nDCG, nDCGb
from evalcore.measures.diversity import ERRIA, IA, NRBP, STREC, DSharp, OfSubtopics, alphanDCG, nERRIA, nNRBP
from evalcore.measures.err import ERR, nERR
from evalcore.measures.fairness import AWRF, EVEN, RELEVANT
from evalcore.measures.focused.document_scores import EntryScore
from evalcore.measures.focused.documents import AgP, gP, gR
from evalcore.measures.focused.tasks import TASKS
from evalcore.measures.focused.text import TextAP, TextP, TextR, iP
from evalcore.measures.given import GroupWeights, Score
from evalcore.measures.logarithms import Log
from evalcore.measures.navigation import (
    ECG,
    EPRUM,
    PRUM,
    Browse,
    EffortTo,
    ExpectedRatio,
    InverseEffort,
    MAep,
    Specificity,
    Stay,
    Walk,
    ep,
    gr,
)
from evalcore.measures.ntcir import GAP, NCU, Omeasure, Pmeasure, Pplus
from evalcore.measures.nuggets import of_nuggets
from evalcore.measures.parts.gains import Probability, Share
from evalcore.measures.precision import AP, RR, Bpref, P, R, Rprec, infAP
from evalcore.measures.products import Product
from evalcore.measures.q_measure import Q
from evalcore.measures.rbp import RBP, GradedRBP
from evalcore.measures.retrieved import (
    Accuracy,
    AvgIPrec,
    IPrec,
    Judged,
    RelP,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    Unjudged,
    Utility,
)
from evalcore.measures.toma import EQUAL_RANGES, TOMA
from evalcore.measures.trec_gains import BinG, G, Rndcg, nDCGrel
from evalcore.measures.tuple_orders import Chebyshev, Distance, Euclidean, Manhattan
from evalcore.measures.urbp import HRBP, uRBP, uRBP1, uRBP2, uRBPgr
from evalcore.notation.values import Value, parse_value, written
from evalcore.structures.documents import Assessments, Scale
from evalcore.structures.links import Navigation
from evalcore.structures.passages import Passages

PAPER_THRESHOLDS = (15.0, 10.0, 20.0)  # of FOG, in Zuccon 2016
FIRST_LOOK, COMBINED, GIVEN, WEIGHTED = "First look", "TOMA, CAM and MM", "Given scores", "Weights of measures, groups"
USER_MODELS, TREC_EVAL, GRADED, CONDENSED = "Readers (C/W/L)", "trec_eval", "Graded", "Condensed lists"
SUBTOPICS, FAIRNESS = "Subtopics", "Fairness of exposure"
OF_SUBTOPICS: tuple[OfSubtopics, ...] = (
    alphanDCG(), ERRIA(), nERRIA(), NRBP(), nNRBP(), STREC(), IA(), IA(P(cutoff=10)), IA(ERR(cutoff=10)), DSharp(),
)  # fmt: skip
COUNTS = ("num_", "num")  # how counts are called among the measures of evaluation tools
MOST_GIVEN = 8  # scores of a first look
MOST_COMBINED = 5  # aspects, of more the first ones: classes and weightings multiply with each
BASES: tuple[GainMeasure, ...] = (nDCG(), AP())
DISTANCES: Mapping[str, Distance] = {"EUCL": Euclidean(), "MANH": Manhattan(), "CHEB": Chebyshev()}


def suggestions(collection: HasPoolAndRankings) -> dict[str, list[Measure]]:
    """Sets of measures by name, each fit to the aspects and signals that the collection has; the first is a first look.

    Aspects on which every document has the same declared label are left out where aspects are combined.
    """
    pool = collection.assessments
    scales = pool.scales
    given = _given(collection)
    if not pool.aspects or not collection.rankings.length.any():
        return given
    graded = [scales[name] for name in pool.leading_first]
    telling = [scales[name] for name in combined_aspects(pool)]
    others = [
        _understandable(pool, scale, graded[0].name)
        for scale in scales.values()
        if scale is not graded[0] and not scale.of_groups
    ]
    known = {
        FIRST_LOOK: _first_look(graded[0], telling, others),
        "One aspect, classic": _classic(graded[0]),
        "Each aspect by itself": _single(graded),
        "RBP and uRBP": [RBP(aspect=graded[0].name), *chain(*others), *_understandable_bases(telling)],
        USER_MODELS: _user_models(graded[0]),
        TREC_EVAL: _as_trec_eval(graded[0]),
        GRADED: _graded(graded[0]),
        CONDENSED: _condensed(graded[0]),
        COMBINED: [aspect for base in BASES for aspect in several_aspects(base, telling).values()],
    }
    if getattr(collection, "subtopics", None) is not None:
        known |= {SUBTOPICS: [measure.with_(aspect=graded[0].name) for measure in OF_SUBTOPICS]}
        known[FIRST_LOOK] += known[SUBTOPICS][:1]
    if pool.groupings:
        known |= {FAIRNESS: _fair(pool.groupings, graded[0])}
        known[FIRST_LOOK] += known[FAIRNESS][:1]
    special = _focused(collection, graded[0]) or _navigating(collection, graded[0])
    known = special | {name: listed for name, listed in known.items() if name not in special}
    given = {GIVEN: list(chain(*given.values()))} if given else {}
    return {name: listed for name, listed in known.items() if len(listed) > 1} | given


def _given(collection: HasPoolAndRankings) -> dict[str, list[Measure]]:
    """Scores that the collection has been given: the first that are no counts, and all; none where it has none."""
    given = getattr(collection.rankings, "given", {})
    scores: list[Measure] = [Score(name, table.good) for name, table in given.items()]
    telling = [score for score, name in zip(scores, given, strict=True) if not name.lower().startswith(COUNTS)]
    answers = of_nuggets(given)
    first = answers or sorted(telling or scores, key=lambda score: score.good == "low")
    alike = () if answers else tuple(score for score in first if score.good == first[0].good)[:MOST_COMBINED]
    weighted: list[Measure] = [CAM(alike, weights=(1.0,) * len(alike))] if len(alike) > 1 else []
    weighted += [GroupWeights(first[0], by=name) for name in collection.assessments.groups if first]
    if len(first) < 2:
        first = [*first, *weighted]
    sets = {FIRST_LOOK: first[:MOST_GIVEN], GIVEN: scores, WEIGHTED: weighted}
    return {name: listed for name, listed in sets.items() if listed and (name == FIRST_LOOK or listed != first)}


def combined_aspects(pool: Assessments) -> tuple[str, ...]:
    """The aspects that TOMA, CAM and MM join where nobody chose any: the leading one first, at most five.

    An aspect on which every document has the same declared label tells nothing apart and is left out.

    >>> from evalcore.data import collection
    >>> labels = {"credibility": {"t": {"a": 1, "b": 0}}, "relevance": {"t": {"a": 1, "b": 0}}}
    >>> combined_aspects(collection({"run": {"t": {"a": 1.0}}}, labels).assessments)
    ('relevance', 'credibility')
    """
    return tuple(name for name in pool.leading_first if len(pool.scales[name].grades) > 1)[:MOST_COMBINED]


def _focused(collection: HasPoolAndRankings, scale: Scale) -> dict[str, list[Measure]]:
    """For a collection with passages, the official measures of each task of focused retrieval, as far as they apply."""
    passages: Passages | None = getattr(collection, "passages", None)
    if passages is None:
        return {}
    begins = bool((passages.parts.start >= 0).all() and (passages.highlights.best_entry >= 0).any())
    tasks = [task for task in TASKS.values() if begins or not isinstance(task.score, EntryScore)]
    documents = [measure.with_(aspect=scale.name) for measure in (AP(), nDCG(cutoff=10))]
    first: list[Measure] = [iP(recall=0.01), *(task.official for task in tasks), *documents]
    text: list[Measure] = [TextAP(), TextP(), TextR(), iP(recall=0.01), gP(), gR(), AgP()]
    return {FIRST_LOOK: first} | {f"Task {task.name}": list(task.measures) for task in tasks} | {"Text": text}


def _navigating(collection: HasPoolAndRankings, scale: Scale) -> dict[str, list[Measure]]:
    """For a collection with links: effort-precision of users who stay, walk a little, and walk far."""
    navigation: Navigation | None = getattr(collection, "navigation", None)
    if navigation is None:
        return {}
    users = (Stay(), Walk(stop=0.7), Walk(stop=0.3))
    documents = [measure.with_(aspect=scale.name) for measure in (AP(), nDCG(cutoff=10))]
    first: list[Measure] = [*(MAep(navigation=user) for user in users), *documents]
    every: list[Measure] = [kind(navigation=user) for kind in (MAep, ep, EPRUM) for user in users]
    kinds = (PRUM, ExpectedRatio, ECG, gr, InverseEffort, EffortTo)
    parts: list[Measure] = [kind(navigation=Walk()) for kind in kinds]
    parts += [MAep(navigation=Walk(), ideal="effort"), MAep(navigation=Walk(), interpolation="linear")]
    if (navigation.worths.rsize > 0).any():
        parts.append(MAep(navigation=Walk(), gain=Specificity()))
    if len(navigation.links) and not np.isnan(navigation.links.probability).any():
        parts.append(MAep(navigation=Browse()))
    return {FIRST_LOOK: first, "Navigation": every, "Gains and efforts": parts}


def several_aspects(base: GainMeasure, scales: Sequence[Scale], embedding: str = EQUAL_RANGES) -> dict[str, Measure]:
    """What Maistro et al. 2021, Table 4, makes of a base: TOMA by distance (EUCL, MANH, CHEB), CAM and MM.

    The paper embeds labels by "equal steps" there, which is something else where scales differ in length. A base that
    knows only yes and no counts labels above zero, or classes but the worst, as yes (section 4.1). Nothing is made of
    fewer than two aspects.
    """
    if len(scales) < 2:
        return {}
    names = tuple(scale.name for scale in scales)
    return {
        **{name: TOMA(base, names, distance, embedding) for name, distance in DISTANCES.items()},
        "CAM": CAM(base, aspects=names),
        "MM": MM(base, aspects=names),
    }


def _first_look(first: Scale, telling: Sequence[Scale], others: Sequence[Sequence[Measure]]) -> list[Measure]:
    bases = (RBP(), nDCG(cutoff=10), AP(), P(cutoff=10))
    single: list[Measure] = [base.with_(aspect=first.name) for base in bases]
    names = tuple(scale.name for scale in telling)
    base = BASES[0]  # as every page that combines aspects begins with
    several: list[Measure] = [CAM(base, aspects=names), MM(base, aspects=names), TOMA(base, aspects=names)]
    return [*single, *(listed[0] for listed in others[:2]), *(several if len(names) > 1 else [])]


def _classic(scale: Scale) -> list[Measure]:
    bases = (
        P(cutoff=10), AP(), Rprec(), RR(), Bpref(), nDCG(cutoff=10), nDCG(), ERR(cutoff=20), Q(),
        RBP(rho=0.5), RBP(rho=0.8), RBP(rho=0.95),
    )  # fmt: skip
    graded = (GradedRBP(),) if len(scale.grades) > 2 else ()
    return [base.with_(aspect=scale.name) for base in (*bases, *graded)]


def _as_trec_eval(scale: Scale) -> list[Measure]:
    bases = (
        AP(), Rprec(), Bpref(), RR(), P(cutoff=5), P(cutoff=10), R(cutoff=100), infAP(), IPrec(recall=0.0),
        IPrec(recall=0.5), AvgIPrec(), BinG(), G(), nDCG(), nDCGrel(), Rndcg(), RelP(), Success(), SetP(),
        SetR(), SetF(), SetAP(), Utility(), Accuracy(),
    )  # fmt: skip
    known: list[Measure] = [base.with_(aspect=scale.name) for base in bases]
    return [*known, *(Log(base) for base in known if type(base) in (AP, Bpref))]  # gm_map, gm_bpref


def _graded(scale: Scale) -> list[Measure]:
    bases = (
        nDCG(cutoff=10), nDCG(dcg="exp-log2", cutoff=10), nDCGb(cutoff=10), Q(cutoff=10), ERR(cutoff=10),
        nERR(cutoff=10), Omeasure(), Pmeasure(), Pplus(), NCU(), NCU(stopping="graded"), GAP(), GradedRBP(),
    )  # fmt: skip
    return [base.with_(aspect=scale.name) for base in bases]


def _condensed(scale: Scale) -> list[Measure]:
    bases: tuple[Measure, ...] = (
        nDCG(judged_only=True), nDCG(judged_only=True, cutoff=10), AP(judged_only=True), RR(judged_only=True),
        P(judged_only=True), Rprec(judged_only=True), Bpref(), infAP(), Judged(), Unjudged(),
    )  # fmt: skip
    return [base.with_(aspect=scale.name) for base in bases]


def _fair(groupings: Sequence[str], scale: Scale) -> list[Measure]:
    """AWRF of each grouping, against relevant documents and equal shares; and of the first as one aspect more."""
    read: dict[str, Any] = {"relevance": scale.name, "cutoff": 10}
    fair = [AWRF(name, target, **read) for name in groupings for target in (RELEVANT, EVEN)]
    good = nDCG(cutoff=10).with_(aspect=scale.name)
    return [*fair, good, CAM((good, fair[0])), MM((good, fair[0]))]


def _user_models(scale: Scale) -> list[Measure]:
    bases = (
        INST(), INST(T=3.0), INSQ(), SDCG(), NERR8(), NERR9(), NERR10(), NERR11(), BPM(), IFT(), IFTGoal(), IFTRate(),
        TBG(), U(),
    )  # fmt: skip
    return [base.with_(aspect=scale.name) for base in bases]


def _single(scales: Sequence[Scale]) -> list[Measure]:
    return [base.with_(aspect=scale.name) for scale, base in product(scales, (nDCG(), AP(), RBP()))]


def _understandable(pool: Assessments, scale: Scale, relevance: str) -> list[Measure]:
    """uRBP, its kin and HRBP with one column as what makes a document understandable, the usual threshold first."""
    read: dict[str, Any] = {"aspect": scale.name, "relevance": relevance}
    if scale.kind == "signal":
        thresholds = usual_thresholds(pool, scale)
        steps: list[Measure] = [kind(threshold=at, **read) for kind in (uRBP1, uRBP2) for at in thresholds]
        return [*steps, HRBP(threshold=thresholds[0], **read)]
    graded = [] if scale.continuous else [uRBPgr(gains=usual_gains(scale), **read)]
    borders = scale.grades[1:] if len(scale.grades) <= 5 else (scale.border,)
    usual = sorted(borders, key=lambda threshold: abs(threshold - scale.border))
    means = [HRBP(threshold=threshold, **read) for threshold in usual[:1]]
    return [*graded, *(uRBP(threshold=threshold, **read) for threshold in usual), *means]


def _understandable_bases(scales: Sequence[Scale]) -> list[Measure]:
    """The same product of gains under nDCG and ERR (Zuccon 2016, section 6)."""
    if len(scales) < 2:
        return []
    first, second = (scale.name for scale in scales[:2])
    gains = {first: Share(), second: Share()}
    return [Product(nDCG(cutoff=10), gains=gains), Product(ERR(cutoff=20), gains=gains, f=Probability(max=1))]


def usual_thresholds(pool: Assessments, scale: Scale) -> tuple[float, ...]:
    """The declared threshold; the paper's where the values lie as FOG does; else the median."""
    if scale.threshold is not None:
        return (scale.threshold,)
    values = pool.column(scale.name)
    known = values[~np.isnan(values)]
    return PAPER_THRESHOLDS if like_fog(values) else (float(np.round(np.median(known), 2)) if len(known) else 0.0,)


def like_fog(values: FloatArray) -> bool:
    """Whether the paper's thresholds part these values, as those of FOG."""
    return bool(np.fmin.reduce(values, initial=np.inf) < 10 and 20 < np.fmax.reduce(values, initial=-np.inf) < 40)


def usual_gains(scale: Scale) -> tuple[float, ...]:
    """The declared gains; else the paper's for four grades; else equal steps."""
    if scale.gains:
        return tuple(scale.gains if scale.good == "high" else scale.gains[::-1])
    count = len(scale.grades)
    return tuple(uRBPgr().gains) if count == 4 else tuple(at / max(count - 1, 1) for at in range(count))


def short_names(texts: Iterable[str]) -> dict[str, str]:
    """A short name for each measure's text: only the parameters in which measures of one kind differ.

    Texts that are no measures, such as the names in a table of scores, stay as they are.

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
        measure: Measure = parse_value(text, Measure)  # names of trec_eval stay as they are
    except InputError:
        return None
    return measure


def _short(measure: Measure, among: Sequence[Measure]) -> str:
    """The call with what tells it from others of its kind; a measure inside keeps its place."""
    measure, source = unwrapped(measure)
    if isinstance(measure, Score) and measure.name:
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
    """The fewest fields, taken in order with aspects first, in which measures of one kind differ."""
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
    """The measure inside: its kind and cut-off; of a list, the kinds."""
    several = value if isinstance(value, tuple) else (value,)
    parts = [unwrapped(measure)[0] if isinstance(measure, Measure) else measure for measure in several]
    kinds = [_called(part) + (f"@{cut}" if (cut := getattr(part, "cutoff", None)) else "") for part in parts]
    return ", ".join(dict.fromkeys(kinds))


def _called(part: Value) -> str:
    """The kind of a value; of a given score its name."""
    return part.name if isinstance(part, Score) and part.name else type(part).__name__
