"""Translate names of measures in papers and NTCIREVAL to our notation: alpha-nDCG, u-ERR."""

from __future__ import annotations

import re

NAMES = {
    "alpha-nDCG": "alphanDCG", "alpha-DCG": "alphaDCG", "ERR-IA": "ERRIA", "nERR-IA": "nERRIA", "S-recall": "STREC",
    "Q-measure": "Q", "U-measure": "U", "u-RBP": "uRBP", "u-RBPgr": "uRBPgr",
}  # fmt: skip
_HEAD = re.compile(r"([^(@]+)(.*)", re.DOTALL)
_INTENT_AWARE = re.compile(r"(\w+)-IA(.*)", re.DOTALL)
_DIVERSE = re.compile("D[#♯]-(.+)", re.DOTALL)
_UNDERSTANDABLE = re.compile("u-?(nDCG|ERR)(.*)", re.DOTALL)
_OF_GAINS = {"nDCG": "", "ERR": ", f=Probability(max=1)"}


def as_in_papers(text: str) -> str | None:
    """Translate a name that papers use, with its parameters and cut-off, to our notation; None for other texts.

    >>> as_in_papers("α-nDCG@10"), as_in_papers("Q-measure(beta=10)")
    ('alphanDCG@10', 'Q(beta=10)')
    >>> as_in_papers("AP-IA"), as_in_papers("P-IA@10"), as_in_papers("D#-nDCG@10"), as_in_papers("AP")
    ('IA(AP)', 'IA(P@10)', 'DSharp(nDCG@10)', None)
    >>> as_in_papers("u-RBP"), as_in_papers("u-nDCG@10"), as_in_papers("uERR")
    ('uRBP', 'Product(nDCG@10)', 'Product(ERR, f=Probability(max=1))')
    """
    text = text.strip().replace("α", "alpha")
    if (head := _HEAD.fullmatch(text)) and head[1].strip() in NAMES:
        return f"{NAMES[head[1].strip()]}{head[2]}"
    if match := _DIVERSE.fullmatch(text):
        return f"DSharp({match[1]})"
    if match := _INTENT_AWARE.fullmatch(text):
        return f"IA({match[1]}{match[2]})"
    if match := _UNDERSTANDABLE.fullmatch(text):
        return f"Product({match[1]}{match[2]}{_OF_GAINS[match[1]]})"
    return None
