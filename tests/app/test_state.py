"""A view is a value: whatever people do, in whatever order, the page shows what its address states."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pandas as pd
import pytest
import streamlit
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from streamlit.testing.v1 import AppTest

from app_support import (
    SHARED,
    TYPED,
    address_of,
    controls_show_the_value,
    fresh,
    move_to,
    open_app,
    set_control,
    settable,
    snapshot,
    takes_texts,
    type_into,
)
from ui.address.places import PAGES as PAGES_OF_APP
from ui.server import browser_store

PAGES = os.environ.get("STATE_PAGES", "").split() or [*PAGES_OF_APP]
STEPS = int(os.environ.get("STATE_STEPS", "10"))
WALKS = int(os.environ.get("STATE_WALKS", "2"))
SEED = int(os.environ.get("STATE_SEED", "1"))  # another number, other walks

# Two systems, three topics, labels 1 to 5 and below 0, names that try to be more than text.
RANKED = {"[a](b) *x*.run": "abcde", "$x$ :red[y].run": "cfgab"}
LABELS = {
    "qrels.txt": (-2, 0, 1, 2, 0, 1, -2),
    "qread.txt": (1, 2, 3, 4, 5, 1, 3),
    "qtrust.txt": (0, 4, 2, -2, 1, 3, 0),
}
DESCRIBED = b"""title = "A <b>small</b> *one*"
runs = "*.run"
[aspects.relevance]
file = "qrels.txt"
[aspects."ease $x$ <b>"]
file = "qread.txt"
grades = [1, 2, 3, 4, 5]
[aspects.harm]
file = "qtrust.txt"
good = "low"
"""


def small() -> list[tuple[str, bytes]]:
    """Return a collection unlike the samples, which does not declare the meaning of its labels."""
    files = {}
    for name, ranking in RANKED.items():
        ranked = [(t, d, at) for t in range(3) for at, d in enumerate(ranking[t:] + ranking[:t], start=1)]
        files[name] = "".join(f"t:{t} Q0 {d}&#{t} {at} {9 - at} tag\n" for t, d, at in ranked)
    for name, labels in LABELS.items():
        judged = [(t, d, labels[(at + t) % len(labels)]) for t in range(3) for at, d in enumerate("abcdefg")]
        files[name] = "".join(f"t:{t} 0 {d}&#{t} {label}\n" for t, d, label in judged)
    return [(name, text.encode()) for name, text in files.items()]


def zipped() -> list[tuple[str, bytes]]:
    """Return the same collection as a zip, with a description."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in [*small(), ("collection.toml", DESCRIBED)]:
            archive.writestr(name, content)
    return [("small.zip", packed.getvalue())]


def turned(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of labels with the good end of the last aspect reversed."""
    edited = table.copy()
    edited.loc[edited.index[-1], "good"] = "high" if str(edited["good"].iloc[-1]).startswith("low") else "low"
    return edited


def without_worst(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of labels with grade 2 declared to mean "not judged"."""
    return table.assign(missing="2")


def a_word(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table of labels with words as a scale, which is invalid."""
    return table.assign(scale="easy, hard")


class Visit(RuleBasedStateMachine):
    """One person's visit: pages, collections, uploads, corrections, filters, controls, kept views, Back and Forward."""

    arguments: tuple[str, ...] = ()  # of the app

    def __init__(self) -> None:
        super().__init__()
        self.patched = pytest.MonkeyPatch()
        self.edit: Callable[[pd.DataFrame], pd.DataFrame] | None = None
        self._patch()
        self.page = "understandability"
        self.app: AppTest = open_app(self.page)
        self.history = [self._here()]
        self.at = 0

    def _patch(self) -> None:
        """Give every session the same browser, and edit the table of labels with the function `edit`."""
        shelves, editor = browser_store.Shelves(), streamlit.data_editor
        self.patched.setattr("sys.argv", ["app.py", *self.arguments])
        self.patched.setattr(browser_store, "browser", lambda: "one")
        self.patched.setattr(browser_store, "_shelves", lambda: shelves)

        def edited(table: pd.DataFrame, **how: object) -> pd.DataFrame:
            shown = editor(table, **how)  # type: ignore[call-overload]
            return self.edit(shown) if self.edit else shown

        self.patched.setattr(streamlit, "data_editor", edited)

    def teardown(self) -> None:
        self.patched.undo()

    def _here(self) -> tuple[str, dict[str, list[str]]]:
        return self.page, address_of(self.app)

    def _went(self) -> None:
        if any("do not apply to this collection" in str(warning.value) for warning in self.app.warning):
            self.app.run()  # a refusal is shown once
        if self._here() != self.history[self.at]:
            self.history = [*self.history[: self.at + 1], self._here()]
            self.at += 1

    def _press(self, label: str) -> bool:
        for button in self.app.button:
            if button.label == label and not button.disabled:
                button.click().run()
                self._went()
                return True
        return False

    @rule(page=st.sampled_from(PAGES))
    def go(self, page: str) -> None:
        move_to(self.app, page)
        self.page = page
        self._went()

    @rule(which=st.integers(0, 100))
    def pick(self, which: int) -> None:
        known = self.app.selectbox(key="data")
        known.set_value(known.options[which % len(known.options)]).run()
        self._went()

    @rule(packed=st.booleans())
    def upload(self, packed: bool) -> None:
        files = [(name, content, "") for name, content in (zipped() if packed else small())]
        self.app.file_uploader(key="upload files").set_value(files).run()  # type: ignore[union-attr]
        assert self._press("Open")
        self.app.file_uploader(key="upload files").set_value([]).run()  # type: ignore[union-attr]

    @rule(label=st.sampled_from(["Confirm all", "Not now", "Forget your files", "Only highlighted systems"]))
    def press(self, label: str) -> None:
        self._press(label)

    @rule(edit=st.sampled_from([turned, without_worst, a_word]))
    def correct(self, edit: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
        self.edit = edit
        self.app.run()
        self._press("Read again with these labels")
        self.edit = None
        self.app.run()

    @rule(which=st.integers(0, 10_000), how=st.integers(0, 10_000))
    def set(self, which: int, how: int) -> None:
        self._set([one for one in settable(self.app) if "." in (one.key or "")], which, how)

    @rule(which=st.integers(0, 10_000), how=st.integers(0, 10_000))
    def set_for_all_pages(self, which: int, how: int) -> None:
        self._set([one for one in settable(self.app) if "." not in (one.key or "")], which, how)

    def _set(self, known: list[Any], which: int, how: int) -> None:
        if known:
            set_control(known[which % len(known)], how)
            self._went()

    @rule(which=st.integers(0, 10_000), text=st.sampled_from(TYPED))
    def type(self, which: int, text: str) -> None:
        if known := takes_texts(self.app):
            type_into(known[which % len(known)], text)
            self._went()

    @rule()
    def pin(self) -> None:
        self._press("Pin this setting")

    @precondition(lambda self: self.at > 0)
    @rule()
    def back(self) -> None:
        self._to(self.at - 1)

    @precondition(lambda self: self.at < len(self.history) - 1)
    @rule()
    def forward(self) -> None:
        self._to(self.at + 1)

    def _to(self, at: int) -> None:
        page, address = self.history[at]
        move_to(self.app, page, address)
        self.page, self.at = page, at

    @rule()
    def reset(self) -> None:
        self._press("Reset this page")
        page, address = self._here()
        bare = fresh(page, {key: texts for key, texts in address.items() if key in SHARED})
        assert snapshot(self.app) == snapshot(bare)

    @invariant()
    def nothing_raises(self) -> None:
        assert not self.app.exception, (self._here(), self.app.exception)

    @invariant()
    def controls_are_the_value(self) -> None:
        controls_show_the_value(self.app)

    @invariant()
    def the_address_opens_what_is_shown(self) -> None:
        page, address = self._here()
        assert snapshot(self.app) == snapshot(fresh(page, address)), (page, address)


def walk(visit: type[Visit], walks: int, steps: int) -> None:
    limits = settings(
        max_examples=walks,
        stateful_step_count=steps,
        deadline=None,
        derandomize=False,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a step takes a second: failing walks are not shrunk
        print_blob=True,
    )
    print(f"STATE_SEED={SEED} STATE_WALKS={walks} STATE_STEPS={steps} walks the same way again")
    run_state_machine_as_test(seed(SEED)(visit), settings=limits)


@pytest.mark.slow
def test_the_address_always_reopens_the_current_view() -> None:
    walk(Visit, WALKS, STEPS)
