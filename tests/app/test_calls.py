"""*As Python* prints what a page computes: a call is run and printed from the same function and arguments."""

from __future__ import annotations

from collections.abc import Callable
from operator import neg
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from app_support import SAMPLE
from evalcore import figures
from evalcore.measures import RBP, AgP, Entry
from evalcore.meta import winner
from ui.screen.calls import Call, call, each, keyed, line, lines, mapped, record, value_call


def text(value: Any) -> str:
    """Return the last line of Python code that makes a value."""
    return lines([line("", value)])[-1]


def test_a_measure_is_printed_as_its_text() -> None:
    made = line("m", RBP(rho=0.5))
    assert lines([made]) == ["m = 'RBP(rho=0.5)'"]
    assert made.value == "RBP(rho=0.5)"  # type: ignore[comparison-overlap]


def test_a_value_object_is_printed_as_a_call_of_its_class() -> None:
    made = value_call(Entry(A=0.5))
    assert text(record(AgP)(made.it)) == "ec.measures.AgP(ec.measures.Entry(A=0.5))"


def test_a_function_outside_evalcore_is_imported_in_the_script() -> None:
    means = call("means", ec.directed, record(pd.Series)({"a": 0.5, "b": 0.25}), "high")
    first = call("first", winner, means.it)
    best = call("best", ec.best_first, means.it)
    figure = call("", figures.bump, {"x": means.it}, {})
    assert lines([first, best, figure]) == [
        "from evalcore.figures import bump",
        "",
        "means = ec.directed(pd.Series({'a': 0.5, 'b': 0.25}), 'high')",
        "first = ec.meta.winner(means)",
        "best = ec.best_first(means)",
        "bump({'x': means}, {})",
    ]
    assert first.value == "a"


def test_a_collection_is_printed_as_c() -> None:
    c = ec.load(SAMPLE)
    systems = line("systems", record(c).systems)
    assert lines([systems]) == ["systems = c.systems"]
    assert systems.value == c.systems


def test_a_page_may_run_a_different_function_with_the_same_result() -> None:
    tau: Call[Any] = call("tau", ec.tau, [1, 2], [1, 2]).by(lambda x, y: "kept")
    assert tau.value == "kept"
    assert lines([tau]) == ["tau = ec.tau([1, 2], [1, 2])"]


def test_a_page_may_give_options_that_are_not_printed() -> None:
    told: list[float] = []

    def slow(number: int, tell: Callable[[float], object] = print) -> int:
        tell(0.5)
        return number

    made = call("n", slow, 1)
    assert made.here(tell=told.append)() == 1
    assert told == [0.5]
    assert made.here(tell=told.append).key == made.key


def test_a_call_without_a_name_is_printed_where_it_is_used() -> None:
    x = call("", pd.Series, [1, 2])
    assert lines([line("mean", x.it.mean())]) == ["mean = pd.Series([1, 2]).mean()"]


def test_two_calls_of_one_name_get_different_names() -> None:
    assert lines([line("n", 1), line("n", 2), line("n", 1)]) == ["n = 1", "n_2 = 2"]


def test_lines_with_different_arguments_get_different_names() -> None:
    one, other, again = (line("x", line("n", number).it + 1) for number in (1, 2, 1))
    assert one.key == again.key != other.key


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.Series([1]), np.array([1])])
def test_a_frame_is_refused_as_an_argument(frame: Any) -> None:
    with pytest.raises(TypeError, match="the call that makes the table or array"):
        lines([line("x", frame)])


def test_an_argument_at_its_default_is_left_out() -> None:
    def function(x: int, names: list[str] | None = None, rows: tuple[int, ...] = (), must: int | None = 1) -> int:
        return x

    made = call("", function, 1, names=None, rows=(), must=None)
    assert lines([made])[-1] == "function(1, must=None)"


def test_operations_on_a_value_are_printed_and_executed() -> None:
    frame = call("x", pd.DataFrame, {"a": [1.0, 2.0], "b": [3.0, 5.0]})
    x = frame.it
    recorded = {
        "x.T": x.T,
        "x['a']": x["a"],
        "x.loc[0, 'b']": x.loc[0, "b"],
        "x.iloc[1:]": x.iloc[1:],
        "x.iloc[::-1, :1]": x.iloc[::-1, :1],
        "x.rename(columns={'a': 'c'})": x.rename(columns={"a": "c"}),
        "(x['a'] - x['b']).abs()": (x["a"] - x["b"]).abs(),
        "x['a'] - (x['b'] - 1)": x["a"] - (x["b"] - 1),
        "-(x['a'] + 1)": -(x["a"] + 1),
        "~(x['a'] > 1)": ~(x["a"] > 1),
        "(x['a'] > 1) & (x['b'] == 5)": (x["a"] > 1) & (x["b"] == 5),
        "1 - x['a'] ** 2": 1 - x["a"] ** 2,
        "(x['a'] ** 2) ** 0.5": (x["a"] ** 2) ** 0.5,
        "(-x['a']) ** 2": (-x["a"]) ** 2,
        "len(x['a'])": record(len)(x["a"]),
    }
    for written, value in recorded.items():
        made: Call[Any] = line("", value)
        assert lines([made])[-1] == written
        expected = eval(written, {"x": frame.value})
        assert np.array_equal(np.asarray(made.value), np.asarray(expected)), written


NUMBERS = st.integers(-3, 3)
TWO = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "<": lambda a, b: a < b}
TREES = st.recursive(
    st.one_of(NUMBERS, st.just("n")),
    lambda inner: st.one_of(st.tuples(st.sampled_from(sorted(TWO)), inner, inner), st.tuples(st.just("neg"), inner)),
    max_leaves=12,
)


@given(tree=TREES)
def test_printed_arithmetic_evaluates_to_the_same_value(tree: Any) -> None:
    n = line("n", 3)

    def built(part: Any, leaf: Any) -> Any:
        match part:
            case ("neg", one):
                return neg(built(one, leaf))
            case (sign, one, other):
                return TWO[sign](built(one, leaf), built(other, leaf))
        return leaf if part == "n" else part

    made: Call[Any] = line("", built(tree, n.it))
    assert made.value == built(tree, 3) == eval(lines([made])[-1], {"n": 3})


def test_a_loop_is_printed_as_a_comprehension() -> None:
    x, two = line("x", {"a": 1, "b": 3}), line("two", 2)
    made: dict[str, Call[Any]] = {
        "mapped": line("mapped", mapped(x.it, lambda value: value * two.it)),
        "keyed": line("keyed", keyed(["a", "b"], lambda name: x.it[name] + 1)),
        "each": line("each", each([1, 4], lambda number: record(np.sqrt)(number) - two.it)),
        "nested": line("nested", keyed(x.it, lambda name: each([0, 1], lambda more: x.it[name] + more))),
    }
    written = lines(made.values())
    assert written == [
        "x = {'a': 1, 'b': 3}",
        "two = 2",
        "mapped = {name: value * two for name, value in x.items()}",
        "keyed = {name: x[name] + 1 for name in ['a', 'b']}",
        "each = [np.sqrt(number) - two for number in [1, 4]]",
        "nested = {name: [x[name] + more for more in [0, 1]] for name in x}",
    ]
    names: dict[str, Any] = {"np": np}
    exec("\n".join(written), names)
    assert {name: one.value for name, one in made.items()} == {name: names[name] for name in made}


def test_a_placeholder_cannot_be_used_as_a_value() -> None:
    x = line("x", 1).it
    with pytest.raises(TypeError, match=r"made\.value"):
        bool(x)
    with pytest.raises(TypeError):
        iter(x)  # type: ignore[call-overload]


def test_infinity_and_nan_are_printed_with_numpy() -> None:
    assert text([np.inf, -np.inf, np.nan]) == "[np.inf, -np.inf, np.nan]"
