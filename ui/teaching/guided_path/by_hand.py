"""Actions by hand in a step of the guided path: the setting that stores them, in order, in the link, and the undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.address.edits import MOST, Editing
from ui.widgets.callback import callback
from ui.widgets.component import component as of_module
from ui.widgets.fields import MisfitError, Several

COMPARED = "assessor"  # the setting that shows or hides the truth
Fitting = Callable[[Sequence[str]], tuple[tuple[str, ...], str]]


@dataclass(frozen=True)
class ByHand(Several):
    """A field for actions by hand. Each is a text that begins with `line`, the name of the list or document acted on.

    Actions on other lists or documents are ignored. `fitting` returns the valid actions, and what was expected in place
    of the first invalid one.
    """

    line: str
    fitting: Fitting

    def read(self, texts: Sequence[str]) -> tuple[str, ...]:
        own = [text.removeprefix(self.line) for text in texts if text.startswith(self.line)]
        fit, problem = self.fitting(own[:MOST])
        kept = tuple(self.line + name for name in fit)
        problem = problem or (f"expected at most {MOST} actions" if len(own) > MOST else "")
        if problem:
            raise MisfitError(problem.removeprefix("expected "), kept)
        return kept

    def words(self, value: Any) -> str:
        return str(len(value))


def component(name: str, at: str) -> Callable[..., Any]:
    """Return a component for actions by hand: the .js file beside a module, in an element of class `name`."""
    return of_module(name, at, f'<div class="by-hand {name}"></div>', styled_as=__file__)


def touched(mount: Callable[..., Any], key: str, page: Editing, line: str, **data: Any) -> None:
    """Show the component for actions by hand.

    After each action it sends all actions so far. It may also send the number of actions to undo, or whether to show
    the truth.
    """

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
