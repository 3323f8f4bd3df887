"""Controls drawn from declared parameters; each keeps its value in the link under its key.

A value in a link that does not fit is replaced by the default, and `link_problems` says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from evalcore.measures import Measure
from evalcore.measures.values import Range
from ui.text import markdown

Choice = TypeVar("Choice")
LINK_ICON = ":material/link_off:"
LONGEST = 300  # characters of what a message says was expected
_PROBLEMS, _SEEN = "link problems", "link keys seen"


def slider(
    label: str,
    key: str,
    low: float,
    high: float,
    default: float,
    step: float,
    *,
    help: str | None = None,
    format: str | None = None,
) -> float:
    """A slider between two numbers, bound to the link."""
    _check(key, lambda raw: low <= float(raw) <= high, f"a number from {low:g} to {high:g}")
    _keep_within(key, low, high, default)
    default = min(max(default, low), high)
    return float(st.slider(label, low, high, default, step, key=key, help=help, format=format, bind="query-params"))


def stepped_slider(label: str, key: str, values: Sequence[float], default: float, *, help: str | None = None) -> float:
    """A slider over given numbers, such as equal steps of a logarithm, bound to the link."""
    shown = [f"{value:g}" for value in values]
    _check(key, lambda raw: raw in shown, f"one of {', '.join(shown)}")
    picked = st.select_slider(label, shown, f"{default:g}", key=key, help=help, bind="query-params")
    return float(picked)


def span(label: str, key: str, low: float, high: float, step: float, *, help: str | None = None) -> tuple[float, float]:
    """Two ends between two numbers, at first these; bound to the link."""
    _check(key, lambda raw: low <= float(raw) <= high, f"numbers from {low:g} to {high:g}")
    kept = st.session_state.get(key)
    if kept is not None and not low <= kept[0] <= kept[1] <= high:
        del st.session_state[key]
    first, last = st.slider(label, low, high, (low, high), step, key=key, help=help, bind="query-params")
    return float(first), float(last)


def parameter_slider(
    measure: type[Measure], parameter: str, *, key: str | None = None, label: str | None = None, step: float = 0.01
) -> float:
    """A slider for one parameter of a measure: range, default and help come from its declaration."""
    declared = measure.parameters()[parameter]
    allowed: Range = declared.metadata["range"]
    step = allowed.step or step
    low = allowed.low + (step if allowed.open_low else 0)
    high = allowed.high - (step if allowed.open_high else 0)
    help = declared.metadata["help"]
    default = float(getattr(measure, parameter))
    return slider(label or parameter, key or parameter, low, high, default, step, help=help)


def choose(
    label: str,
    key: str,
    options: Sequence[Choice],
    default: Choice | None = None,
    *,
    names: Callable[[Choice], str] = str,
    help: str | None = None,
    segmented: bool = False,
    hide_label: bool = False,
) -> Choice:
    """One of several options, bound to the link. A hidden label is still read out."""
    shown = [names(option) for option in options]
    _check(key, lambda raw: raw in shown, "one of " + ", ".join(shown))
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]
    first = options[0] if default is None else default
    if segmented:
        picked = st.segmented_control(
            label,
            options,
            default=first,
            key=key,
            format_func=names,
            help=help,
            required=True,
            label_visibility="collapsed" if hide_label else "visible",
            bind="query-params",
        )
        return first if picked is None else picked
    index = list(options).index(first)
    return st.selectbox(label, options, index, key=key, format_func=names, help=help, bind="query-params")


def choose_many(
    label: str,
    key: str,
    options: Sequence[str],
    *,
    help: str | None = None,
    placeholder: str = "",
    most: int | None = None,
) -> list[str]:
    """Any number of options, bound to the link."""
    _check(key, lambda raw: raw in options, "names from this collection")
    if key in st.session_state:
        known = [option for option in st.session_state[key] if option in options]
        if known != list(st.session_state[key]):
            st.session_state[key] = known
    return st.multiselect(
        label, options, key=key, help=help, placeholder=placeholder, max_selections=most, bind="query-params"
    )


def numbers(
    label: str, key: str, low: float, high: float, default: Sequence[float], *, help: str | None = None, most: int = 4
) -> list[float]:
    """A few numbers that the user may add to, bound to the link; out-of-range ones are refused with a message."""
    options = [f"{value:g}" for value in default]
    kept = st.session_state.get(key, [])
    picked = st.multiselect(
        label,
        [*options, *(one for one in kept if one not in options)],
        key=key,
        help=help,
        accept_new_options=True,
        max_selections=most,
        placeholder="type a number",
        bind="query-params",
    )
    bad = [one for one in picked if not _is_number(one, low, high)]
    if bad:
        found = ", ".join(map(repr, bad))
        st.warning(f"Expected numbers from {low:g} to {high:g}, found {markdown(found)}: left out.", icon=LINK_ICON)
    return list(dict.fromkeys(float(one) for one in picked if one not in bad))


def switch(label: str, key: str, default: bool = False, *, help: str | None = None) -> bool:
    """On or off, bound to the link."""
    _check(key, lambda raw: raw.lower() in ("true", "false"), "true or false")
    return st.toggle(label, default, key=key, help=help, bind="query-params")


def line(label: str, key: str, default: str = "", *, help: str | None = None, placeholder: str = "") -> str:
    """A line of text, bound to the link."""
    return (
        st.text_input(label, default, key=key, help=help, placeholder=placeholder, bind="query-params") or ""
    ).strip()


def link_problems() -> None:
    """Say which values of the opened link did not fit and were replaced; once."""
    problems = st.session_state.pop(_PROBLEMS, [])
    if problems:
        lines = ["This link does not fit entirely; defaults are shown instead:", *problems]
        st.warning("  \n".join(lines), icon=LINK_ICON)


def _check(key: str, fits: Callable[[str], bool], expected: str) -> None:
    """Note a value in the link that its control would ignore, the first time the control is drawn."""
    seen = st.session_state.setdefault(_SEEN, set())
    if key in seen:
        return
    seen.add(key)
    for raw in st.query_params.get_all(key):
        try:
            good = fits(raw)
        except ValueError:
            good = False
        if not good:
            problem = f"{markdown(key)}: expected {markdown(expected[:LONGEST])}, found {markdown(raw[:40])}"
            st.session_state.setdefault(_PROBLEMS, []).append(problem)


def _keep_within(key: str, low: float, high: float, default: float) -> None:
    """A kept value that another collection's range excludes gives way to the default."""
    value = st.session_state.get(key)
    if value is not None and not low <= value <= high:
        st.session_state[key] = min(max(default, low), high)


def _is_number(text: str, low: float, high: float) -> bool:
    try:
        return math.isfinite(float(text)) and low <= float(text) <= high
    except ValueError:
        return False
