"""What all pages keep to."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any
from weakref import WeakValueDictionary

import pandas as pd
import pytest
from streamlit.runtime.state import session_state_proxy

from evalcore import direction
from ui.screen.elsewhere import elsewhere
from ui.stage import paths, report_sliders


@pytest.fixture(autouse=True)
def scores_say_which_end_is_good() -> Iterator[None]:
    """On a page, whatever is ranked, correlated or tested says which end is good: none lost it on its way."""
    known = direction.good_of

    def declared_good(scores: object) -> direction.Good:
        if isinstance(scores, pd.Series | pd.DataFrame):
            assert direction.GOOD in scores.attrs, "scores that do not say which end is good: see evalcore.direction"
        return known(scores)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(direction, "good_of", declared_good)
        yield


@pytest.fixture(autouse=True)
def no_session_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn for another place of a slider reads no session: a path is drawn by a thread that has none."""
    found = session_state_proxy.get_session_state

    def refused() -> Any:
        assert elsewhere() is None, "what follows a slider reads the session"
        return found()

    monkeypatch.setattr(session_state_proxy, "get_session_state", refused)


@pytest.fixture(autouse=True)
def nothing_drawn_beside_tests(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sliders of a report are drawn when it is asked for, not by a thread that goes on in the next tests."""
    if not request.node.get_closest_marker("beside"):
        monkeypatch.setattr(report_sliders, "_queue", SimpleQueue)


@pytest.fixture(autouse=True)
def no_path_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees the same is offered the same path, as it is by then; an earlier test may have gone on with it."""
    monkeypatch.setattr(paths, "_OFFERED", WeakValueDictionary())
