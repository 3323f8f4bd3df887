"""What all pages keep to."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

from evalcore import direction


@pytest.fixture(autouse=True)
def scores_say_which_end_is_good() -> Iterator[None]:
    """On a page, whatever is ranked, correlated or tested says which end is good: none lost it on its way."""
    known = direction.good_of

    def said(scores: object) -> direction.Good:
        if isinstance(scores, pd.Series | pd.DataFrame):
            assert direction.GOOD in scores.attrs, "scores that do not say which end is good: see evalcore.direction"
        return known(scores)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(direction, "good_of", said)
        yield
