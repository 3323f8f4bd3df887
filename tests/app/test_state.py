"""A view is a value: whatever a person does, in whatever order, the page shows what its address says."""

from __future__ import annotations

import os

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, settings
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
    address_of,
    controls_show_the_value,
    fresh,
    move_to,
    open_app,
    set_control,
    settable,
    snapshot,
)
from ui.site import SITE

PAGES = os.environ.get("STATE_PAGES", "").split() or [stem for listed in SITE.values() for stem, _, _ in listed]
SAMPLES = ["sample data", "focused sample", "navigation sample"]
STEPS = int(os.environ.get("STATE_STEPS", "12"))
WALKS = int(os.environ.get("STATE_WALKS", "6"))


class Visit(RuleBasedStateMachine):
    """One person's visit: pages, collections, filters, controls, pins, back and forward."""

    def __init__(self) -> None:
        super().__init__()
        self.page = "understandability"
        self.app: AppTest = open_app(self.page)
        self.history = [self._here()]
        self.at = 0

    def _here(self) -> tuple[str, dict[str, list[str]]]:
        return self.page, address_of(self.app)

    def _went(self) -> None:
        if self._here() != self.history[self.at]:
            self.history = [*self.history[: self.at + 1], self._here()]
            self.at += 1

    @rule(page=st.sampled_from(PAGES))
    def go(self, page: str) -> None:
        move_to(self.app, page)
        self.page = page
        self._went()

    @rule(name=st.sampled_from(SAMPLES))
    def pick(self, name: str) -> None:
        self.app.selectbox(key="data").set_value(name).run()
        self._went()

    @rule(which=st.integers(0, 10_000), how=st.integers(0, 10_000))
    def set(self, which: int, how: int) -> None:
        known = settable(self.app)
        if known:
            set_control(known[which % len(known)], how)
            self._went()

    @rule()
    def pin(self) -> None:
        for button in self.app.button:
            if button.label == "Pin this setting" and not button.disabled:
                button.click().run()
                self._went()
                return

    @precondition(lambda self: self.at > 0)
    @rule()
    def back(self) -> None:
        self._to(self.at - 1)

    @precondition(lambda self: self.at < len(self.history) - 1)
    @rule()
    def forward(self) -> None:
        self._to(self.at + 1)

    def _to(self, at: int) -> None:
        page, said = self.history[at]
        move_to(self.app, page, said)
        self.page, self.at = page, at

    @rule()
    def reset(self) -> None:
        next(one for one in self.app.button if one.label == "Reset this page").click().run()
        self._went()
        page, said = self._here()
        bare = fresh(page, {key: texts for key, texts in said.items() if key in SHARED})
        assert snapshot(self.app) == snapshot(bare)

    @invariant()
    def nothing_raises(self) -> None:
        assert not self.app.exception, (self._here(), self.app.exception)

    @invariant()
    def controls_are_the_value(self) -> None:
        controls_show_the_value(self.app)

    @invariant()
    def the_address_opens_what_is_shown(self) -> None:
        page, said = self._here()
        assert snapshot(self.app) == snapshot(fresh(page, said)), (page, said)


def test_whatever_is_done_the_address_opens_what_is_shown() -> None:
    limits = settings(
        max_examples=WALKS,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a step takes a second: a walk is told as it was
        print_blob=True,
    )
    run_state_machine_as_test(Visit, settings=limits)
