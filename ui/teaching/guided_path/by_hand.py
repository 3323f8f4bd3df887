"""Actions by hand in a step of the guided path, in their order: a setting, kept in the link, that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.address.edits import MOST, Editing
from ui.widgets.callback import callback
from ui.widgets.component import component as of_module
from ui.widgets.fields import MisfitError, Several

COMPARED = "assessor"  # the setting that says whether the truth is shown
Fitting = Callable[[Sequence[str]], tuple[tuple[str, ...], str]]


@dataclass(frozen=True)
class ByHand(Several):
    """Actions as texts that begin with `line`, the name of their list or document; those of another are ignored.

    `fitting` returns the actions that fit, and what was expected of the first that does not.
    """

    line: str
    fitting: Fitting

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        own = [text.removeprefix(self.line) for text in texts if text.startswith(self.line)]
        fit, problem = self.fitting(own[:MOST])
        kept = tuple(self.line + name for name in fit)
        problem = problem or (f"expected at most {MOST} of them" if len(own) > MOST else "")
        if problem:
            raise MisfitError(problem.removeprefix("expected "), kept)
        return kept

    def words(self, value: Any) -> str:
        return str(len(value))


def component(name: str, at: str) -> Callable[..., Any]:
    """Return the component to touch: the .js beside a module, its .css after that of this one, in an element `name`."""
    return of_module(name, at, f'<div class="by-hand {name}"></div>', styled_as=__file__)


def touched(mount: Callable[..., Any], key: str, page: Editing, line: str, **data: Any) -> None:
    """Show the component; it sends all actions after each new one, how many to undo, or if the truth is shown."""

    @callback
    def sent() -> None:
        page.make([str(row) for row in st.session_state[key]["edits"]])

    @callback
    def back() -> None:
        page.take_back(int(st.session_state[key]["back"]["by"]))

    @callback
    def compared() -> None:
        page.change(**{COMPARED: bool(st.session_state[key]["compared"]["on"])})

    given = {**data, "edits": list(page.made), "undone": page.undone, "line": line, "most": MOST}
    mount(key=key, data=given, on_edits_change=sent, on_back_change=back, on_compared_change=compared)
