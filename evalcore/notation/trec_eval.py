"""Names of trec_eval's measures, their texts in our notation, and their order in its output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from evalcore.errors import InputError

TREC_EVAL: Mapping[str, str] = {
    "map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref", "infAP": "infAP",
    "num_q": "NumRet", "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet", "gm_map": "Log(AP)",
    "gm_bpref": "Log(Bpref)", "relstring": "NumRet", "utility": "Utility", "11pt_avg": "AvgIPrec", "binG": "BinG",
    "G": "G", "ndcg_rel": "nDCGrel", "Rndcg": "Rndcg", "set_P": "SetP", "set_relative_P": "SetP(relative=True)",
    "set_recall": "SetR", "set_map": "SetAP", "set_F": "SetF", "num_nonrel_judged_ret": "NumNonRelJudgedRet",
}  # fmt: skip
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # cut-offs of a name without any
TREC_EVAL_AT = {
    "P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP", "relative_P": "RelP", "success": "Success",
    "unj": "Unjudged",
}  # fmt: skip
OWN_CUTOFFS = {"success": (1, 5, 10), "unj": (5, 10, 20)}
# Names followed by a number that is not a rank: measure, parameter, and default numbers.
TREC_EVAL_BY: Mapping[str, tuple[str, str, tuple[float, ...]]] = {
    "iprec_at_recall": ("IPrec", "recall", tuple(at / 10 for at in range(11))),
    "Rprec_mult": ("Rprec", "multiple", tuple(at / 5 for at in range(1, 11))),
}
OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall",
    "P",
)  # fmt: skip
ALL_TREC = (
    *OFFICIAL, "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "ndcg",
    "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall",
    "set_map", "set_F", "num_nonrel_judged_ret",
)  # fmt: skip
SETS: Mapping[str, tuple[str, ...]] = {
    "official": OFFICIAL,
    "all_trec": ALL_TREC,
    "set": (*OFFICIAL[:4], "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
}
# Summaries over topics other than means; the first two are integers.
SUMMED = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
COUNTED = "num_q"
GEOMETRIC = ("gm_map", "gm_bpref")  # e to the power of the mean of logarithms
OF_TOPICS = "relstring"  # a text for each topic, and no summary
NO_SCORES = (COUNTED, *GEOMETRIC, OF_TOPICS)  # names without a number for each topic and a mean of these
# Other measures of trec_eval, besides prefs_...; and its names for groups of measures.
TREC_EVAL_ONLY = ("all_prefs", "prefs", "runid", "yaap", "qrels_jg", "rbp", "rbp_resid")
AT = re.compile(rf"({'|'.join(TREC_EVAL_AT)})[._](\d+(?:,\d+)*)")
BY = re.compile(rf"({'|'.join(TREC_EVAL_BY)})[._](\d*\.?\d+(?:,\d*\.?\d+)*)")


def names_of_trec_eval(text: str) -> list[tuple[str, str]]:
    """Return pairs of a name that trec_eval prints and the measure in our notation; empty for other texts.

    Raises InputError for a measure of trec_eval that is not computed here.

    >>> names_of_trec_eval("ndcg_cut.5,10")
    [('ndcg_cut_5', 'nDCG@5'), ('ndcg_cut_10', 'nDCG@10')]
    >>> names_of_trec_eval("iprec_at_recall.0,.1")
    [('iprec_at_recall_0.00', 'IPrec(recall=0)'), ('iprec_at_recall_0.10', 'IPrec(recall=0.1)')]
    """
    if text in SETS:
        return [pair for name in SETS[text] for pair in names_of_trec_eval(name)]
    if text in TREC_EVAL:
        return [(text, TREC_EVAL[text])]
    if match := AT.fullmatch(text):
        return [_at(match[1], int(cutoff)) for cutoff in match[2].split(",")]
    if text in TREC_EVAL_AT:
        return [_at(text, cutoff) for cutoff in OWN_CUTOFFS.get(text, CUTOFFS)]
    if match := BY.fullmatch(text):
        return [_by(match[1], float(value)) for value in match[2].split(",")]
    if text in TREC_EVAL_BY:
        return [_by(text, value) for value in TREC_EVAL_BY[text][2]]
    if re.split(r"[._](?=\d)|_avgjg$", text)[0] in (*TREC_EVAL_ONLY, *TREC_EVAL) or text.startswith("prefs_"):
        offered = f"{', '.join((*SETS, *TREC_EVAL))}; with cut-offs {', '.join((*TREC_EVAL_AT, *TREC_EVAL_BY))}"
        raise InputError(f"expected a measure of trec_eval that is computed here ({offered}), found {text!r}")
    return []


def one_of_trec_eval(text: str) -> str | None:
    """Translate a name of trec_eval for a single measure to our notation; None for any other text.

    >>> one_of_trec_eval("gm_map"), one_of_trec_eval("ndcg_cut.5"), one_of_trec_eval("ndcg_cut"), one_of_trec_eval("x")
    ('Log(AP)', 'nDCG@5', None, None)
    """
    try:
        (_, ours), *others = names_of_trec_eval(text) or (("", None),)
    except InputError:
        return None
    return None if others else ours


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of trec_eval's output; unchanged unless all are names of trec_eval.

    >>> in_order(["P_10", "map", "num_q"]), in_order(["P_10", "AP"])
    (['num_q', 'map', 'P_10'], ['P_10', 'AP'])
    """
    listed = list(names)
    places = [family(name) for name in listed]
    if not all(place in ALL_TREC for place in places):
        return listed
    return [listed[at] for at in sorted(range(len(listed)), key=lambda at: ALL_TREC.index(places[at]))]


def family(name: str) -> str:
    """Return a name of trec_eval without its final number.

    >>> family("P_10"), family("iprec_at_recall_0.10"), family("11pt_avg")
    ('P', 'iprec_at_recall', '11pt_avg')
    """
    return re.sub(r"_\d+(?:\.\d+)?$", "", name)


def _at(kind: str, cutoff: int) -> tuple[str, str]:
    return f"{kind}_{cutoff}", f"{TREC_EVAL_AT[kind]}@{cutoff}"


def _by(kind: str, value: float) -> tuple[str, str]:
    measure, parameter, _ = TREC_EVAL_BY[kind]
    return f"{kind}_{value:.2f}", f"{measure}({parameter}={value:g})"
