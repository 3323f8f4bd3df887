"""Input without an answer is refused in words, by the function that gets it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore import meta
from evalcore.errors import InputError

untyped: Any = meta  # for what types would refuse before the function does

SCORES = pd.DataFrame({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.2, 0.1]})
WORDS = SCORES.astype(str) + "?"
WORDS_OF_TWO, MORE_WORDS = WORDS.iloc[0], WORDS.iloc[1]


def test_input_without_an_answer_is_refused(subtests: pytest.Subtests) -> None:
    for ask, complaint in [
        (lambda: meta.tau(WORDS_OF_TWO, MORE_WORDS), "expected numbers as scores, found other values in x"),
        (lambda: meta.ranks(WORDS_OF_TWO), "expected numbers as scores, found other values in scores"),
        (lambda: meta.winners(WORDS), "expected numbers as scores, found other values in scores"),
        (lambda: meta.winner(pd.Series(dtype=float)), "expected at least 1 system, found none"),
        (lambda: meta.winners(SCORES[[]]), "expected at least 1 system, found none"),
        (lambda: meta.discriminative_power({}), "expected the scores of at least one measure, found none"),
        (lambda: untyped.shared_part({"x": SCORES["a"]}), "expected a frame of topics x systems, found Series for x"),
        (lambda: meta.named_pairs({"AP": {"x": SCORES}}, [("x", "y")]), "AP: expected pairs of x, found 'y'"),
        (lambda: meta.equivalent_groups(SCORES), "expected the same measures as rows and columns"),
        (lambda: untyped.difference_sd_interval(SCORES, None), "expected a level between 0 and 1, .*, found None"),
        (lambda: untyped.difference_sd_interval(SCORES, "95%"), "expected a level between 0 and 1, .*, found 95%"),
        (lambda: meta.corrected_pairs(meta.paired_bootstrap(SCORES, 9), "z"), "expected one of .*, found 'z'"),
        (lambda: meta.paired_bootstrap(SCORES, 9, seed=-1), "expected a seed of at least 0, found -1"),
        (lambda: untyped.tukey_p(SCORES, 9.5), "expected a whole number as number of resamples, found 9.5"),
        (lambda: untyped.permutation_p([0.1], 9, 0.5), "expected a whole number as seed, found 0.5"),
        (lambda: meta.permutation_p([0.1], -9), "expected a number of resamples of at least 0, found -9"),
        (lambda: meta.movers(SCORES.mean(), SCORES.mean()[["a", "a"]]), "expected every system once, found more"),
        (lambda: untyped.smallest_effect(np.inf), "expected at least 2 topics, found inf"),
        (lambda: meta.wilcoxon_p(np.ones((2, 3)), np.ones(3)), "expected two tables of the same shape"),
    ]:
        with subtests.test(f"{ask}, {complaint}"), pytest.raises(InputError, match=complaint):
            ask()
