"""Deciding whether the numbers given for documents are scores of a ranking or labels, if nothing else shows it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Literal

Verdict = Literal["run", "labels", "either"]

MOST_LEVELS = 12  # on a scale of whole grades
LARGEST = 999  # the largest whole grade
_ENOUGH = 6  # documents after the first of their topic, all with different numbers: too many for a few grades
_WHOLE = re.compile(r"[-+]?\d+(\.0*)?")
# Measures as trec_eval, gdeval, ir_measures, ranx and this project name them
_MEASURES = re.compile(
    r"(runid|num_(q|ret|rel|rel_ret|nonrel.*)|(gm_)?(mean_)?(map|ap|mrr|rr|bpref|rprec|err|ndcg|dcg|rbp|rbo|inf_?ap|compat)"
    r"([_@.(].*)?|recip_rank|reciprocal_rank|iprec.*|(set_)?(p|r|f|recall|precision|f1|hits?|hit_rate|success|judged)"
    r"[_@(][^ ]*|set_.*|utility|11pt_avg|[a-z_]+_cut_\d+|(alpha[_-]?)?ndcg.*|err[-_]ia.*|nrbp.*|u?rbp(gr|\d)?([@(].*)?|"
    r"faithfulness|(answer|response)_(relevancy|correctness|similarity)|context_(precision|recall|relevancy|entity_recall)|"
    r"factual_correctness|semantic_similarity|noise_sensitivity|f1|nugget_[a-z_]+|(strict_)?(vital|all)_score|"
    r"accuracy|correctness|completeness|helpfulness|coherence|fluency|groundedness|hallucination|harmfulness|exact_match|"
    r"bleu.*|rouge.*|meteor|bert_?score.*|"
    r"[a-z]+\d?(\([^)]*\))?@\d+|(toma|cam|mm|gm|wham|nlre|ngre|nwcs|product|q|numq|numret|numrel|numrelret)(\(.*\))?)",
    re.IGNORECASE,
)


def is_measure(name: str) -> bool:
    """Return true if a word is the name of a measure, or of a count that evaluation tools print.

    >>> [is_measure(name) for name in ("map", "ndcg_cut_10", "AP@10", "uRBP(rho=0.8)", "d17", "relevance")]
    [True, True, True, True, False, False]
    """
    return bool(_MEASURES.fullmatch(name))


def is_number(text: str | bytes) -> bool:
    """Return true if text is a finite number.

    >>> is_number("0.5"), is_number(b"-1e3"), is_number("inf"), is_number("d1")
    (True, True, False, False)
    """
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def verdict(by_topic: Mapping[str, Iterable[str]]) -> Verdict:
    """Return "labels" if numbers, given by topic, look like labels, "run" if they look like scores, else "either".

    Labels have few distinct values, often repeated; scores are mostly distinct. If some texts are not numbers, the
    verdict is "run".

    >>> verdict({"1": ["0", "2", "0", "1"]}), verdict({"1": ["9", "7", "6", "5", "4", "3", "2"]}), verdict({"1": ["1"]})
    ('labels', 'run', 'either')
    >>> verdict({"1": ["12.5", "11"]}), verdict({"1": ["1", "0.5", "0.5", "1", "1", "0.5", "0.5", "1"]})
    ('run', 'labels')
    """
    groups = [list(numbers) for numbers in by_topic.values()]
    listed = [number for numbers in groups for number in numbers]
    try:
        levels = len({float(number) for number in listed})
    except ValueError:
        return "run"  # its reader reports the error
    again = any(len(set(numbers)) < len(numbers) for numbers in groups)
    if not all(map(_WHOLE.fullmatch, listed)) or max((abs(float(number)) for number in listed), default=0) > LARGEST:
        return "labels" if again and 1 < levels <= MOST_LEVELS and len(listed) >= 4 * levels else "run"
    if again and levels > 1:
        return "labels" if levels <= MOST_LEVELS else "either"
    return "run" if levels > _ENOUGH and sum(map(len, groups)) - len(groups) >= _ENOUGH else "either"


def is_ranking(by_topic: Mapping[str, Iterable[str]]) -> bool:
    """Return true if numbers are ranks: consecutive from 0 or 1 in every topic, and more than one in some topic.

    >>> is_ranking({"1": ["1", "2", "3"], "2": ["1"]}), is_ranking({"1": ["2", "1", "1"]}), is_ranking({"1": ["1"]})
    (True, False, False)
    """
    groups = [sorted(map(float, numbers)) for numbers in by_topic.values()]
    steps = all(numbers == [numbers[0] + at for at in range(len(numbers))] for numbers in groups)
    return steps and all(numbers[0] in (0, 1) for numbers in groups) and any(len(numbers) > 1 for numbers in groups)
