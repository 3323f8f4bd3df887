"""Checks of statements in this subject's steps of the guided path, run by tests/teaching/app/test_guided_claims.py."""

from __future__ import annotations

from typing import Any

import pytest
from teaching.lesson_support import (
    Unchecked,
    called,
)

from evalcore.focused.overlay import overlay
from evalcore.measures import iAP, iP, ranked_documents
from ui.focused.lesson import LESSON
from ui.teaching.guided_path.base import LessonContent


def passages(page: Any, _: LessonContent, unchecked: Unchecked) -> None:
    unchecked.in_other_states()  # no marks are the first of those below
    row = ranked_documents(page.passages, page.system, page.topic).set_index("document").loc[page.document]
    start, size, end = int(row["start"]), int(row["size"]), page.length
    states = [
        [],
        [f"mark:0:{min(end, 50)}", "entry:0"],
        [f"mark:{start}:{min(start + max(size // 2, 1), end)}"],
        [f"mark:0:{end}", f"entry:{start}"],
        [f"mark:{start}:{start + 1}", f"erase:{start}:{start + 1}"],
    ]
    at = sum(map(len, map(str, (page.topic, page.system, page.document, page.A))))  # all of them where all is usual
    for state in states if not page.address() else [states[at % len(states)]]:
        marks_hold(page, state)


def marks_hold(page: Any, steps: list[str]) -> None:
    """Check statements about marks, by counting characters one by one."""
    made = page.with_(edits=tuple(page.line + step for step in steps))
    assert not made.misfits
    content = LESSON.show(made, {})
    unchecked = Unchecked(content)
    mine, entry = set[int](), -1
    for kind, *places in (step.split(":") for step in steps):
        if kind == "entry":
            entry = int(places[0])
        else:
            mine = (mine | set(range(*map(int, places)))) if kind == "mark" else mine - set(range(*map(int, places)))
    kept, system = page.passages, page.passages.parts.systems.index(page.system)
    found = overlay(kept, page.system, page.topic, page.document)
    returned = {at for stretch in found.stretches if stretch.rank for at in range(stretch.start, stretch.end)}
    theirs = {at for stretch in found.stretches if stretch.highlighted for at in range(stretch.start, stretch.end)}
    both = len(returned & mine)
    p, r = both / len(returned), both / len(mine) if mine else 0.0
    row = called(content, "P").iloc[0]
    assert (row["P"], row["R"], row["F"]) == pytest.approx((p, r, 2 * p * r / (p + r) if both else 0.0))
    unchecked.must("characters", returned=len(returned), marked=len(mine), both=both)
    if entry < 0:
        unchecked.must("no entry point")
    else:
        away = abs(found.begun - entry)
        near = {"near": page.A * page.length / (page.A * page.length + away), "screen": max(1000 - away, 0) / 1000}
        unchecked.must("entry point", system=page.system, away=away, n=1000, **near)
    if not mine:
        unchecked.must("nothing marked")
    elif not both:
        unchecked.must("nothing returned")
    elif p == r:
        unchecked.must("the same")
    else:
        vain, missed = len(returned - mine), len(mine - returned)
        lower, more = (
            ("P", "more useless text than missed useful text") if p < r else ("R", "more missed useful text than")
        )
        assert (vain > missed) == (lower == "P")
        assert more in unchecked.must("lower", lower=lower).text
    at = system, kept.highlights.topics.index(page.topic)
    early, average = (float(one.score_passages(kept)[at]) for one in (iP(recall=0.01), iAP()))
    hit, size = len(returned & theirs), len(theirs)
    shares = {"P": hit / len(returned), "R": hit / size if size else 0.0}
    unchecked.must("assessor", size=size, early=early, average=average, **shares)
    if not mine:
        unchecked.must("compare")
    else:
        shared = len(mine & theirs)
        unchecked.must("shared", size=len(mine), both=shared, alike=2 * shared / (len(mine) + size))
        if entry >= 0 and found.best_entry >= 0:
            unchecked.must("apart", apart=abs(entry - found.best_entry))
    unchecked.all_checked()


CHECKS = {"Passages": passages}
LONG = {"Passages"}  # steps whose controls are moved one by one
