"""This library's measures inside ir_measures: importing this module registers them.

ir_measures finds no plug-ins by itself, so a script says `import evalcore.integrations.ir_measures` once. Then uRBP,
TOMA, CAM, MM and all others that ir_measures lacks are measures like its own:

>>> import ir_measures
>>> qrels = [TwoAspectQrel("1", "a", 1, 0), TwoAspectQrel("1", "b", 1, 3)]
>>> run = [ir_measures.ScoredDoc("1", "b", 2.0), ir_measures.ScoredDoc("1", "a", 1.0)]
>>> ir_measures.calc_aggregate([ir_measures.parse_measure("uRBP(rho=0.5, threshold=2)")], qrels, run)
{uRBP(rho=0.5,threshold=2): 0.5}

Aspects are further columns of the qrels: fields of a named tuple, or columns of a frame. Parameters that hold a list or
a part are written as a text: `TOMA(base='nDCG', aspects='["relevance", "trust"]', distance='Manhattan')`. Any text of a
measure is read by `measure`, also for an aspect that ir_measures' own measures do not know:
`measure('AP(aspect="understandability")')`. Measures that both have stay with ir_measures' own providers; this one
computes them when it is asked itself: `provider.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)`. It orders equal
scores as trec_eval does, where ir_measures' own Compat and MS MARCO's RR put the first document id first. A topic
without judgements is no topic; without any, there are no scores, and their mean is nan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import pandas as pd

from evalcore.errors import InputError, not_installed

try:
    import ir_measures
except ImportError:
    raise not_installed("ir_measures", "ir_measures") from None
from ir_measures import measures as their
from ir_measures import providers
from ir_measures.providers.base import Any as AnyValue

from evalcore.data.assessments import Labels, checked
from evalcore.data.build_pool import build_pool, document_values
from evalcore.data.pool_index import PoolIndex
from evalcore.data.readability import FORMULAS, signal_scale
from evalcore.data.runs import read_run
from evalcore.data.sources import Source
from evalcore.measures import Measure, parse
from evalcore.measures.base import OfAspects
from evalcore.measures.diversity import OfSubtopics
from evalcore.notation.values import Value, written
from evalcore.structures.documents import Assessments, Rankings, Scale

NAME = "evalcore"
_IDS = ("query_id", "doc_id", "iteration")


class TwoAspectQrel(NamedTuple):
    """A line of qrels with two aspects; any named tuple with other or more aspects serves as well."""

    query_id: str
    doc_id: str
    relevance: float
    understandability: float


class OurMeasure(their.Measure):
    """A measure of this library as ir_measures sees it; one subclass for each."""

    KINDS: ClassVar[Mapping[str, str]] = {}  # the declared type of each parameter

    def text(self) -> str:
        """Return the text that `evalcore.parse` reads."""
        cutoff = f"@{self.params['cutoff']}" if self.params.get("cutoff") is not None else ""
        given = [
            f"{name}={_inner(value, self.KINDS.get(name, ''))}"
            for name, value in self.params.items()
            if name != "cutoff"
        ]
        return f"{self.NAME}({', '.join(given)}){cutoff}"

    def _param_repr(self, value: Any) -> str:
        return repr(value if isinstance(value, str | int | float | bool | None) else _written(value))


class Text(their.Measure):
    """Any measure of this library, by its text."""

    __name__ = NAME
    NAME = NAME
    PRETTY_NAME = "a measure of evalcore"
    SHORT_DESC = "A measure of evalcore, written as text."
    SUPPORTED_PARAMS = {"text": their.ParamInfo(dtype=str, required=True, desc="text that evalcore.parse reads")}  # noqa: RUF012

    def text(self) -> str:
        """Return the text that `evalcore.parse` reads."""
        return str(self["text"])


_text: Any = Text
# Measures of ir_measures that agree with those of this library, by the parameters that may be set
_COMPUTED = {
    "cutoff rel judged_only": "P R AP RR Success",
    "rel judged_only": "Rprec SetAP",
    "rel": "Bpref infAP SetR NumRel",
    "cutoff dcg gains judged_only": "nDCG",
    "cutoff": "ERR Judged",
    "p normalize": "Compat",
    "rel relative judged_only": "SetP",
    "rel beta judged_only": "SetF",
    "recall rel judged_only": "IPrec",
    "T min_rel max_rel": "INST INSQ NERR11",
    "cutoff min_rel max_rel": "SDCG NERR8 NERR9",
    "cutoff T min_rel max_rel": "BPM",
    "p min_rel max_rel": "NERR10",
}


class EvalcoreProvider(providers.Provider):
    """Computes this library's measures, and those of ir_measures that agree with it.

    `scales` says what a column of the qrels means where that is not a grade with high as the good end, or a known
    readability: `provider.scales["effort"] = Scale("effort", good="low")`.
    """

    NAME = NAME
    SUPPORTED_MEASURES = [  # noqa: RUF012
        their._RBP(cutoff=AnyValue(), rel=AnyValue(required=True), p=AnyValue()),
        *(
            getattr(their, f"_{name}")(**{parameter: AnyValue() for parameter in parameters.split()})
            for parameters, names in _COMPUTED.items()
            for name in names.split()
        ),
    ]

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.scales: dict[str, Scale] = {}

    def supports(self, measure: Any) -> bool:
        """Return whether this provider computes the measure."""
        return isinstance(measure, OurMeasure | Text) or bool(super().supports(measure))

    def qrel_inputs(self, measures: Iterable[Any]) -> list[str]:
        """The columns that the qrels must have."""
        columns = [name for measure in measures for name in translated(measure).columns]
        return ["query_id", "doc_id", *dict.fromkeys(columns)]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> EvalcoreEvaluator:
        wanted = {measure: translated(measure) for measure in measures}
        return EvalcoreEvaluator(wanted, ir_measures.util.QrelsConverter(qrels, strict=False), self.scales)


class EvalcoreEvaluator(providers.Evaluator):
    """Measures and a pool; scores one run after another."""

    def __init__(self, wanted: Mapping[Any, Measure], qrels: Any, scales: Mapping[str, Scale]) -> None:
        frame = qrels.as_pd_dataframe()
        names = [name for measure in wanted.values() for name in measure.columns]
        if any(isinstance(measure, OfAspects) and not measure.aspects for measure in wanted.values()):
            names += [name for name in frame.columns if name not in _IDS]  # it reads all aspects that there are
        pool = _pool(frame, names, scales) if len(frame) else None
        # Without any qrels there is no topic, and so no score; their mean is nan.
        self.judged = None if pool is None else (pool, PoolIndex.of(pool))
        self.wanted = wanted if pool is None else {name: one.meant_of(pool) for name, one in wanted.items()}
        # A frame may hold numbers as ids: they are given back as they came.
        self.topics = {str(topic): topic for topic in frame["query_id"].unique()}
        super().__init__(list(wanted), set(self.topics.values()))

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        if self.judged is None:
            return
        pool, index = self.judged
        frame = ir_measures.util.RunConverter(run).as_pd_dataframe()
        judged = _JudgedRun(pool, _rankings(frame, pool, index))
        for measure, ours in self.wanted.items():
            for topic, score in zip(pool.topics, ours.scores_on(judged)[0].tolist(), strict=True):
                if not isnan(score):  # the topic has labels of all that the measure reads
                    yield ir_measures.Metric(query_id=self.topics[topic], measure=measure, value=score)


@dataclass(frozen=True, eq=False)
class _JudgedRun:
    assessments: Assessments
    rankings: Rankings


def measure(text: str) -> Any:
    """The measure of that text as one of ir_measures. Raises InputError for an unknown one.

    >>> measure("TOMA(nDCG@10, distance=Manhattan)").text()
    'TOMA(nDCG@10, distance=Manhattan)'
    """
    return _text(text=str(parse(text)))


def translated(measure: Any) -> Measure:
    """This library's measure for one of ir_measures. Raises InputError if its parameters do not fit."""
    if isinstance(measure, OurMeasure | Text):
        return parse(measure.text())
    # ir_measures' ERR, as TREC's gdeval.pl, takes 4 for the highest grade.
    if measure.NAME == "IPrec":  # what stands after its @ is a recall
        return parse("IPrec").with_(**measure.params)
    return parse(re.sub(r"\bERR\b", "ERR(max_rel=4)", repr(measure)))


def _inner(value: Any, kind: str) -> str:
    """A parameter inside the text of a measure.

    A text is read as what it says where no text is expected, and where a list or table may stand and it is one.
    """
    if not isinstance(value, str):
        return _written(value)
    text = kind.startswith("str") or kind.endswith("| str")
    listed = "[" in kind and value.lstrip()[:1] in ("[", "{", '"')
    return _written(value) if text and not listed else value


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_written(key)}: {_written(item)}" for key, item in value.items()) + "}"
    return written(tuple(value) if isinstance(value, list) else value)


def _pool(frame: pd.DataFrame, wanted: Iterable[str], scales: Mapping[str, Scale]) -> Assessments:
    there = [name for name in frame.columns if name not in _IDS]
    for name in wanted:
        if name not in there:
            found = ", ".join(map(str, there)) or "none"
            raise InputError(f"expected a column {name!r} of the qrels beside query_id and doc_id, found {found}")
    names = [name for name in there if name == "relevance" or name in wanted]
    labels = [_labels(frame, name, scales.get(name) or _scale(name)) for name in names]
    graded = [checked(label) for label in labels if label.scale.kind == "grades"]
    signals = [checked(_of_documents(aspect)) for aspect in labels if aspect.scale.kind == "signal"]
    return build_pool(
        graded, signals={signal.scale.name: (signal.scale, document_values(signal)) for signal in signals}
    )


def _scale(name: str) -> Scale:
    return signal_scale(name) if name in FORMULAS else Scale(name)


def _labels(frame: pd.DataFrame, name: str, scale: Scale) -> Labels:
    known = frame[name].notna().to_numpy()
    topics, documents = (frame[column].astype(str).to_numpy(dtype=object)[known] for column in _IDS[:2])
    grades = frame[name].to_numpy(dtype=float, na_value=np.nan)[known]
    return Labels(scale, "qrels", topics, documents, grades, np.flatnonzero(known) + 1)


def _of_documents(labels: Labels) -> Labels:
    nowhere = np.full(len(labels.topics), "", dtype=object)
    return Labels(labels.scale, labels.name, nowhere, labels.documents, labels.grades, labels.lines)


def _rankings(frame: pd.DataFrame, pool: Assessments, index: PoolIndex) -> Rankings:
    """One run, ordered as every TREC run is."""
    known = frame[frame["query_id"].astype(str).isin(pool.topics)]
    rows = zip(known["query_id"], known["doc_id"], known["score"].astype(float).tolist(), strict=True)
    text = "\n".join(f"{topic} Q0 {document} 0 {score!r} run" for topic, document, score in rows).encode()
    if not text:
        nothing, empty = np.zeros(0, dtype=int), np.zeros(len(pool.topics) + 1, dtype=int)
        return Rankings(("run",), len(pool.topics), len(pool), empty, nothing, nothing, empty[None, 1:])
    run = read_run(Source("run", lambda: text), index)
    indptr = np.append(0, np.cumsum(np.bincount(run.topic, minlength=len(pool.topics))))
    return Rankings(("run",), len(pool.topics), len(pool), indptr, run.rank, run.row, run.length[None, :])


def _ours(cls: type[Value]) -> Any:
    """A class of this library as a measure of ir_measures."""
    known = {
        name: their.ParamInfo(desc=parameter.metadata.get("help", "")) for name, parameter in cls.parameters().items()
    }
    about = {
        "__name__": cls.__name__,
        "__doc__": cls.__doc__,
        "NAME": cls.__name__,
        "PRETTY_NAME": cls.__name__,
        "SHORT_DESC": (cls.__doc__ or "").strip().splitlines()[0],
        "SUPPORTED_PARAMS": known,
        "KINDS": {name: str(parameter.type) for name, parameter in cls.parameters().items()},
    }
    return type(f"_{cls.__name__}", (OurMeasure,), about)()


def _reads_qrels(cls: type[Value]) -> bool:
    """Return whether it is a measure of assessed documents: others read passages, graphs, or grades by subtopic."""
    return issubclass(cls, Measure) and not issubclass(cls, OfSubtopics) and bool(cls().columns)


def _register() -> EvalcoreProvider:
    """Add the measures that ir_measures lacks, and the provider behind all its own. Once is enough."""
    if NAME not in providers.registry:
        for name, cls in Value.registry.items():
            if _reads_qrels(cls) and name not in their.registry:
                others = [also for also, of in Value.aliases.items() if of == name and also not in their.registry]
                their.register(_ours(cls), others, name)
        their.register(_text(), name=NAME)
        ir_measures.DefaultPipeline.providers.append(providers.register(EvalcoreProvider()))
    return cast(EvalcoreProvider, providers.registry[NAME])


provider = _register()
