"""What a page computes is what As Python prints: calls, run and written from one text."""

from __future__ import annotations

import pandas as pd
import pytest

import evalcore as ec
from evalcore.measures import RBP
from evalcore.meta import winner
from ui.screen.calls import Call, call, lines


def test_a_measure_is_written_as_its_text():
    assert call("m", "{measure}", measure=RBP(rho=0.5)).written({}) == "'RBP(rho=0.5)'"


def test_a_function_of_ec_is_written_so_and_another_is_imported():
    means = call("means", "ec.directed(pd.Series({values}), 'high')", values={"a": 0.5, "b": 0.25})
    first = call("first", "{winner}({means})", winner=winner, means=means)
    best = call("best", "{best_first}({means})", best_first=ec.best_first, means=means)
    assert lines([first, best]) == [
        "from evalcore.meta import winner",
        "",
        "means = ec.directed(pd.Series({'a': 0.5, 'b': 0.25}), 'high')",
        "first = winner(means)",
        "best = ec.best_first(means)",
    ]
    assert first.value == "a"


def test_a_page_stands_another_function_behind_a_name():
    tau: Call[str] = Call("tau", "ec.tau({x}, {x})", {"x": [1, 2]}, {"ec.tau": lambda x, y: "kept"})
    assert tau.value == "kept"
    assert lines([tau]) == ["tau = ec.tau([1, 2], [1, 2])"]


def test_a_call_without_a_name_stands_where_it_is_used():
    x = call("", "pd.Series({values})", values=[1, 2])
    assert lines([call("mean", "{x}.mean()", x=x)]) == ["mean = pd.Series([1, 2]).mean()"]


def test_two_calls_of_one_name_get_different_names():
    assert lines([call("n", "1"), call("n", "2"), call("n", "1")]) == ["n = 1", "n_2 = 2"]


def test_a_frame_is_no_part():
    with pytest.raises(TypeError, match="a call that makes it"):
        call("x", "{frame}", frame=pd.DataFrame()).written({})
