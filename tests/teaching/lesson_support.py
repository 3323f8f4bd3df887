"""The statements of a step of the guided path, and second opinions that several steps are held against."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from scipy.stats import kendalltau

import evalcore as ec
from evalcore.data import Collection
from ui.teaching.guided_path.base import LessonContent
from ui.teaching.guided_path.statements import Statement


@dataclass(frozen=True, eq=False)
class Looked(Statement):
    """A statement that knows which of its values a check has looked at."""

    looked: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> Any:
        self.looked.add(name)
        return self.values[name]


class Unchecked:
    """Statements of a step that are still to be checked: they are taken one by one, by their kinds."""

    def __init__(self, content: LessonContent) -> None:
        unchecked = (*content.answer, *content.caption)
        self.all = {one.kind: Looked(one.kind, one.template, one.values) for one in unchecked}
        self.left = dict(self.all)
        assert len(self.left) == len(unchecked)
        self.drawn: Any = self.left.pop("drawn", None)
        for one in unchecked:
            numbers_are_values(one)

    def all_checked(self) -> None:
        """Assert that each statement was taken, and each of its values looked at."""
        assert list(self.left) == []
        unread = [(kind, name) for kind, one in self.all.items() for name in sorted({*one.values} - one.looked)]
        assert unread == []

    def in_other_states(self) -> None:
        """Leave these statements: the check takes those of states made by hand, this one among them."""
        self.left.clear()
        self.all.clear()

    def take(self, kind: str) -> Statement | None:
        """A statement, which is then said no more; None where it is not said."""
        return self.left.pop(kind, None)

    def must(self, kind: str, **values: Any) -> Statement:
        """The same, which must be said, with these values among others."""
        found = self.take(kind)
        assert found is not None, f"{kind} is not among {list(self.left)}"
        for name, value in values.items():
            assert same(found[name], value), (kind, name, found[name], value)
        return found


LITERAL = re.compile(
    r"\[.*?\]\(/glossary.*?\"\)|\{.*?\}|rank 10|under 0\.1%|uRBP1|section 6\.1|[dD][123]|P@10|ep\\\[1\\\]|"
    r"0 / 0 counts as 0|are 0|is 0|scores 0|times 1 − ρ|hold 1 − ρᵏ|reach 1|a score of 1 needs|to 1\)|0\.01|95%|30%|"
    r"0\.4|0\.3|2\^grade − 1|rank 1\b|log2\(1 \+|count as 0|: 0 is (out|in)side"
)


def numbers_are_values(statement: Statement) -> None:
    """Assert that digits stand in values, which a check sees, except in what is true of every reader."""
    assert not re.search(r"\d", LITERAL.sub("", statement.template)), f"make digits values: {statement.template}"
    assert statement.text


def same(value: Any, expected: Any) -> bool:
    if isinstance(expected, float | np.floating):
        return bool(value == pytest.approx(float(expected), abs=1e-9, nan_ok=True))
    return bool(value == expected)


def called(content: LessonContent, label: str) -> Any:
    """Return the value that makes a number of a step."""
    return next(number for number in content.numbers if number.name == label).calls[0].value


def picture(content: LessonContent, at: int) -> go.Figure:
    """A figure of a step."""
    made = content.pictures[at].figure
    assert callable(made)
    return made()


@cache
def means(text: str, collection: Collection) -> pd.Series:
    return ec.evaluate(text, collection).mean().round(12)


def swaps(x: pd.Series, y: pd.Series) -> int:
    both = list(zip(x.tolist(), y[x.index].tolist(), strict=True))
    return sum((x_a - x_b) * (y_a - y_b) < 0 for (x_a, y_a), (x_b, y_b) in combinations(both, 2))


def best(scores: pd.Series) -> set[str]:
    return set(scores.index[scores == scores.max()])


def kendall(x: pd.Series, y: pd.Series) -> float:
    return float(kendalltau(x, y)[0])


def holds_first(unchecked: Unchecked, x: pd.Series, y: pd.Series) -> None:
    """Check the statement of the winners under two measures."""
    statement = unchecked.must("first")
    assert (set(statement["first"]), set(statement["other"])) == (best(x), best(y))
    assert ("both" in statement.text) == (best(x) == best(y))


def holds_alike(unchecked: Unchecked, x: pd.Series, y: pd.Series) -> None:
    """Check the agreement of two measures over all systems, and the winner under each."""
    statement = unchecked.must("alike", count=len(x), tau=kendall(x, y))
    assert ("cannot be compared" in statement.text) == (x.nunique() == 1 or y.nunique() == 1)
    holds_first(unchecked, x, y)
