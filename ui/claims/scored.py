"""Scores under every specification, cached for all claims about them, and the study of each claim."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

import evalcore as ec
from evalcore.claims import Multiverse, Study, growing
from evalcore.claims.curve import RESAMPLES
from evalcore.common.progress import Tell
from evalcore.limits import of_specifications
from ui.claims import texts
from ui.claims.claim_settings import ClaimSettings
from ui.computing import work
from ui.computing.work import ResultCache
from ui.data.as_python import TextLines
from ui.screen.calls import Call, call
from ui.screen.text import counted, markdown
from ui.server.browser_store import once
from ui.widgets.plot import plot

PATIENCE = 0.4  # seconds before the first preview of unfinished scores, ...
BETWEEN = 1.5  # ...and between two previews
MOST, ROOM = 32, 512e6  # number of results kept for all sessions, and total bytes of their scores


Early = Callable[[Study], tuple[str, Any]]


def judged(page: ClaimSettings, so_far: Early) -> Call[Any]:
    """Return the call of the study. Its value is None if the work was stopped or not started; the page then says so.

    `so_far` turns a study of only some specifications into a decision in words and a figure.
    """
    specs = call("specs", ec.specifications, page.collection if page.is_usual else TextLines(page.text))
    specs = specs.by(lambda _: page.specifications)
    made: Call[Any] = call("study", ec.claim, str(page.claim), specs.it, page.collection, kind=page.effect)
    return made.by(lambda *_, kind: _judged(page, so_far))


def _judged(page: ClaimSettings, so_far: Early) -> Study | None:
    """Return the study, which is cached; None if the work was stopped or not started.

    Scores depend only on the collection and the specifications, so another claim about them is judged at once.
    """
    said, bar, early = st.container(key="so far").empty(), st.container(), st.empty()  # see present.js
    drawn = list[Multiverse]()
    design, collection = page.design, page.collection
    scored = ("claim scores", collection.fingerprint, collection.title, page.text)  # a result contains the title
    name = ("claim", *scored[1:], str(page.claim), page.effect)
    asked = of_specifications(len(design), len(collection.systems), len(collection.topics), RESAMPLES)
    part = ("claim scores so far", *scored[1:])

    def draw(grown: Multiverse) -> None:
        drawn.append(grown)
        _multiverses().add(part, grown)
        _draw_early(page, so_far, grown, said, early)

    label = f"Scoring {counted(len(design), 'specification')}"
    with bar:
        jobs: dict[Hashable, work.Job[Multiverse]] = {scored: lambda tell: _scores(page, draw, tell)}
        studied = work.results("claim scores", label, jobs, asked, cache=_multiverses())
        if scored not in studied:  # work stopped: keep the preview, and draw it again on the next run
            for grown in () if drawn else _multiverses().find({part: None}).values():
                draw(grown)
            return None
        of = f"Judging {markdown(page.claim)}"
        steps: dict[Hashable, work.Job[Study]] = {name: lambda tell: _study(page, studied[scored])}
        studies = work.results("claim", of, steps, asked, cache=_studies())
    said.empty()
    early.empty()
    return studies.get(name)


def _scores(page: ClaimSettings, draw: Callable[[Multiverse], None], tell: Tell) -> Multiverse:
    drawn = time.monotonic() - BETWEEN + PATIENCE
    for grown in growing(page.design, page.collection, tell=tell):
        if grown.share < 1 and time.monotonic() - drawn > BETWEEN:
            draw(grown)
            drawn = time.monotonic()
    return grown


def _study(page: ClaimSettings, multiverse: Multiverse) -> Study:
    """Return the study, with every result that the page shows already computed."""
    study = Study(page.claim, multiverse, page.effect, resamples=RESAMPLES)
    study.curve, study.joint, study.sources, study.verdict  # noqa: B018  cached properties: computed on first access
    return study


def _draw_early(page: ClaimSettings, so_far: Early, multiverse: Multiverse, said: Any, early: Any) -> None:
    decided, drawn = so_far(Study(page.claim, multiverse, page.effect, resamples=RESAMPLES))
    text = texts.so_far(len(multiverse), len(page.design))
    said.markdown(f"{text}. {decided}")
    with early.container():
        plot(drawn, f"curve at {multiverse.share}", text, "claim", {"displayModeBar": False})


@once
def _multiverses() -> ResultCache:
    return ResultCache(MOST, lambda result: int(result.scores.nbytes), ROOM)


@once
def _studies() -> ResultCache:
    return ResultCache(MOST, lambda result: int(result.multiverse.scores.nbytes), ROOM)
