"""Measures and their parts: every measure is an object that can be written as text, such as nDCG@10.

A module is imported when one of its names is first used, so that using one measure does not import them all. Code
that lists all measures (`Value.registry`) imports every module.
"""

from __future__ import annotations

from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING

from evalcore.common.lazy_imports import names_from
from evalcore.notation.values import Value
from evalcore.subjects import added, names_in

if TYPE_CHECKING:
    from evalcore.measures.aggregates import CAM, GM, MM, WHAM, Aggregate
    from evalcore.measures.base import GainMeasure, Measure, parse
    from evalcore.measures.catalogue import short_names, suggestions
    from evalcore.measures.compatibility import Compat
    from evalcore.measures.cwl.costly import BPM, IFT, TBG, IFTGoal, IFTRate, U
    from evalcore.measures.cwl.inst import INSQ, INST
    from evalcore.measures.cwl.nerr import NERR8, NERR9, NERR10, NERR11
    from evalcore.measures.cwl.sdcg import SDCG
    from evalcore.measures.cwl.user_models import UserModel, has_user_model, user_model
    from evalcore.measures.dcg import DCG, ERRlike, GainDiscount, nDCG, nDCGb
    from evalcore.measures.diversity import ERRIA, IA, NRBP, STREC, DSharp, alphaDCG, alphanDCG, nERRIA, nNRBP
    from evalcore.measures.err import ERR, nERR
    from evalcore.measures.evaluation import coverage_text, covered_topics, evaluate, residual, sweep
    from evalcore.measures.given_scores import GroupWeights, Score
    from evalcore.measures.logarithms import Log
    from evalcore.measures.nuggets import NuggetRecall
    from evalcore.measures.precision import AP, RR, Bpref, P, R, Rprec, infAP
    from evalcore.measures.products import Product
    from evalcore.measures.q_measure import Q
    from evalcore.measures.rbp import RBP, GradedRBP
    from evalcore.measures.retrieved import (
        Accuracy,
        AvgIPrec,
        IPrec,
        Judged,
        NumNonRelJudgedRet,
        NumRel,
        NumRelRet,
        NumRet,
        RelP,
        SetAP,
        SetF,
        SetP,
        SetR,
        Success,
        Unjudged,
        Utility,
    )
    from evalcore.measures.toma import TOMA, AboveWorst, ByClass, ByDistance, CustomWeights, GeometricWeights, TopHalf
    from evalcore.measures.trec_gains import BinG, G, Rndcg, nDCGrel
    from evalcore.measures.tuple_orders import Chebyshev, Euclidean, Manhattan, Minkowski, TupleOrder
    from evalcore.measures.urbp import HRBP, uRBP, uRBP1, uRBP2, uRBPgr

__all__ = [
    "AP", "BPM", "CAM", "DCG", "ERR", "ERRIA", "GM", "HRBP", "IA", "IFT", "INSQ", "INST", "MM",
    "NERR8", "NERR9", "NERR10", "NERR11", "NRBP", "RBP", "RR", "SDCG", "STREC", "TBG", "TOMA",
    "WHAM", "AboveWorst", "Accuracy", "Aggregate", "AvgIPrec", "BinG", "Bpref", "ByClass", "ByDistance", "Chebyshev",
    "Compat", "CustomWeights", "DSharp", "ERRlike", "Euclidean", "G", "GainDiscount", "GainMeasure",
    "GeometricWeights", "GradedRBP", "GroupWeights", "IFTGoal", "IFTRate", "IPrec", "Judged", "Log", "Manhattan",
    "Measure", "Minkowski", "NuggetRecall", "NumNonRelJudgedRet", "NumRel", "NumRelRet", "NumRet", "P",
    "Product", "Q", "R", "RelP", "Rndcg", "Rprec", "Score", "SetAP", "SetF", "SetP", "SetR",
    "Success", "TopHalf", "TupleOrder", "U", "Unjudged", "UserModel", "Utility", "alphaDCG",
    "alphanDCG", "coverage_text", "covered_topics", "evaluate", "has_user_model",
    "infAP", "nDCG", "nDCGb", "nDCGrel", "nERR", "nERRIA", "nNRBP", "parse", "residual", "short_names",
    "suggestions", "sweep", "uRBP", "uRBP1", "uRBP2", "uRBPgr", "user_model",
]  # fmt: skip

if TYPE_CHECKING:  # what subjects add, for type checkers
    from evalcore.focused.document_measures import AgP, gP, gR
    from evalcore.focused.document_scores import DocumentF, DocumentP, DocumentR, DocumentScore, Entry, EntryScreen
    from evalcore.focused.tasks import (
        TASKS,
        Task,
        generalised_curves,
        interpolated_curves,
        official_table,
        precision_recall,
        ranked_documents,
    )
    from evalcore.focused.text_measures import FocusedMeasure, TextAP, TextP, TextR, iAP, iP
    from evalcore.navigation.counting_measures import EPRUM, PRUM, ExpectedRatio
    from evalcore.navigation.effort_precision import ECG, EffortTo, InverseEffort, MAep, ep, gr
    from evalcore.navigation.models import Both, Browse, ReadOn, Scroll, Stay, Walk
    from evalcore.navigation.worth import Effort, GivenGain, Specificity

    __all__ += [
        "ECG", "EPRUM", "PRUM", "TASKS", "AgP", "Both", "Browse", "DocumentF", "DocumentP", "DocumentR",
        "DocumentScore", "Effort", "EffortTo", "Entry", "EntryScreen", "ExpectedRatio", "FocusedMeasure",
        "GivenGain", "InverseEffort", "MAep", "ReadOn", "Scroll", "Specificity", "Stay", "Task", "TextAP", "TextP",
        "TextR", "Walk", "ep", "gP", "gR", "generalised_curves", "gr", "iAP", "iP", "interpolated_curves",
        "official_table", "precision_recall", "ranked_documents",
    ]  # fmt: skip
else:
    __all__ += names_in(added("measures"))

# The names of each module; first those that define values, in the order in which lists of all values have them.
_NAMES = {
    "parts.gains": "",
    "parts.discounts": "",
    "dcg": "DCG ERRlike GainDiscount nDCG nDCGb",
    "aggregates": "CAM GM MM WHAM Aggregate",
    "err": "ERR nERR",
    "rbp": "RBP GradedRBP",
    "precision": "AP RR Bpref P R Rprec infAP",
    "q_measure": "Q",
    "tuple_orders": "Chebyshev Euclidean Manhattan Minkowski TupleOrder",
    "toma": "TOMA AboveWorst ByClass ByDistance CustomWeights GeometricWeights TopHalf",
    "urbp": "HRBP uRBP uRBP1 uRBP2 uRBPgr",
    "compatibility": "Compat",
    "products": "Product",
    "given_scores": "GroupWeights Score",
    "logarithms": "Log",
    "nuggets": "NuggetRecall",
    "cwl.inst": "INSQ INST",
    "cwl.sdcg": "SDCG",
    "cwl.nerr": "NERR8 NERR9 NERR10 NERR11",
    "cwl.costly": "BPM IFT IFTGoal IFTRate TBG U",
    "retrieved": "Accuracy AvgIPrec IPrec Judged NumNonRelJudgedRet NumRel NumRelRet NumRet RelP SetAP SetF SetP SetR "
    "Success Unjudged Utility",
    "trec_gains": "BinG G Rndcg nDCGrel",
    "diversity": "DSharp ERRIA IA NRBP STREC alphaDCG alphanDCG nERRIA nNRBP",
    "base": "GainMeasure Measure parse",
    "catalogue": "short_names suggestions",
    "cwl.user_models": "UserModel has_user_model user_model",
    "evaluation": "coverage_text covered_topics evaluate residual sweep",
}
_MODULES = {f"{__name__}.{module}": names for module, names in _NAMES.items()} | added("measures")
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}
_tidy = Lock()

if not TYPE_CHECKING:
    __getattr__ = names_from(_MODULES, globals())

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULE_OF})


def _find(name: str | None) -> None:
    """Import the module that defines a value; import all modules for None or an unlisted name."""
    if name in _MODULE_OF:
        import_module(_MODULE_OF[name])
        return
    for module in _MODULES:
        import_module(module)
    with _tidy:
        Value.registry.complete(key=lambda cls: _place(cls.__module__))
        Value.aliases.complete(key=lambda of: _place(Value.registry[of].__module__))


def _place(module: str) -> int:
    """Return the position of a module among the modules that define values; unlisted modules come last."""
    return next((at for at, own in enumerate(_MODULES) if f"{module}.".startswith(f"{own}.")), len(_MODULES))


Value.registry.find = _find
Value.aliases.find = lambda name: None if name in _MODULE_OF else _find(name)
