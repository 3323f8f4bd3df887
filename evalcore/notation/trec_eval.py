"""The names that trec_eval gives its measures, and what they are in our notation."""

from __future__ import annotations

import re

from evalcore.errors import InputError

TREC_EVAL = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref", "infAP": "infAP"}
TREC_EVAL_AT = {"P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP"}
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # of a name of TREC_EVAL_AT that says none
# What else trec_eval has, beside its prefs_...; and its names for several at once.
TREC_EVAL_ONLY = (
    "all_trec", "all_prefs", "official", "set", "prefs", "runid", "relstring", "num_q", "num_ret", "num_rel",
    "num_rel_ret", "num_nonrel_judged_ret", "gm_map", "gm_bpref", "yaap", "11pt_avg", "iprec_at_recall",
    "Rprec_mult", "relative_P", "utility", "binG", "G", "ndcg_rel", "Rndcg", "success", "set_P", "set_relative_P",
    "set_recall", "set_map", "set_F", "qrels_jg",
)  # fmt: skip
AT = re.compile(rf"({'|'.join(TREC_EVAL_AT)})[._](\d+(?:,\d+)*)")


def names_of_trec_eval(text: str) -> list[tuple[str, str]]:
    """Names as trec_eval prints them and measures in our notation; none for what is no name of trec_eval.

    Raises InputError for a measure of trec_eval that there is none of here.

    >>> names_of_trec_eval("ndcg_cut.5,10")
    [('ndcg_cut_5', 'nDCG@5'), ('ndcg_cut_10', 'nDCG@10')]
    """
    if text in TREC_EVAL:
        return [(text, TREC_EVAL[text])]
    match = AT.fullmatch(text)
    if match or text in TREC_EVAL_AT:
        kind, cutoffs = match.groups() if match else (text, ",".join(map(str, CUTOFFS)))
        return [(f"{kind}_{cutoff}", f"{TREC_EVAL_AT[kind]}@{cutoff}") for cutoff in cutoffs.split(",")]
    if re.split(r"[._](?=\d)|_avgjg$", text)[0] in TREC_EVAL_ONLY or text.startswith("prefs_"):
        offered = f"{', '.join(TREC_EVAL)}; with cut-offs {', '.join(TREC_EVAL_AT)}"
        raise InputError(f"expected one of trec_eval's measures that are computed here ({offered}), found {text!r}")
    return []
