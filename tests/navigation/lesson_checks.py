"""Checks of statements in this subject's steps of the guided path, run by tests/teaching/app/test_guided_claims.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from teaching.lesson_support import (
    Unchecked,
)

import evalcore as ec
from evalcore.measures import InverseEffort
from evalcore.navigation.browsing import hand_walk
from evalcore.navigation.ideals import expected_effort
from evalcore.navigation.topic_graphs import topic_graphs, traverse
from evalcore.navigation.walk_tables import walkthrough
from ui.navigation.lesson import LESSON
from ui.teaching.guided_path.base import LessonContent


def links(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    assert unchecked.drawn["gain"] == 0
    assert [number.value for number in content.numbers] == ["0", "0.000", "none", "none"]
    unchecked.in_other_states()  # the walk before its first step is the first case below
    first = page.with_(edits=(f"{page.line}next",)).walk
    along = ["next", f"follow:{first.ways[0][0]}", "next"] if first.ways else ["next"]
    for steps in ([], ["next"], ["next"] * 3, along) if page.system is None else (["next"] * 3, along):
        walks_hold(page, steps)


def walks_hold(page: Any, steps: list[str]) -> None:
    """Check statements about a walk, from the cost and gain of each step, and from section 6.1 written out."""
    made = page.with_(edits=tuple(page.line + step for step in steps))
    assert not made.misfits
    unchecked = Unchecked(LESSON.show(made, {}))
    graph, users, topic, system = made.walked
    effort = sum(1.0 if step == "next" else made.click for step in steps)
    pool = graph.assessments
    grades = {
        str(one): grade
        for one, at, grade in zip(pool.documents, pool.topic, pool.column("relevance"), strict=True)
        if pool.topics[at] == topic and grade > 0
    }
    listed = [str(graph.navigation.components.ids[one]) for one in graph.navigation.runs.ranking(
        graph.systems.index(system), graph.topics.index(topic))]  # fmt: skip
    seen = {*listed[: steps.count("next")], *(step.removeprefix("follow:") for step in steps if step != "next")}
    gain = float(sum(grades.get(one, 0.0) for one in seen))
    second = walkthrough(graph, users, topic, system, len(listed))
    expected = second.expected[int((second.effort <= effort + 1e-9).sum()) - 1]
    if not steps:
        unchecked.must("not begun")
    elif not gain:
        unchecked.must("no gain", spent=effort, expected=expected)
    else:
        measure = InverseEffort(navigation=users.navigation, effort=users.effort, level=gain)
        inverse, ideal = ec.evaluate(measure, graph, topics="all")[system][topic], ideal_effort(made, gain)
        values = {"gain": gain, "spent": effort, "ideal": ideal, "precision": ideal / effort}
        past_links(unchecked, made, steps, gain, ideal)
        one = unchecked.must("gained", users=ideal * inverse, expected=expected, **values)
        more = int(np.sign(round(one["users"], 3) - round(one["precision"], 3)))
        assert one["beside"] == {0: "as you", 1: "more than you", -1: "less than you"}[more]
    if page.system is None:
        first, second = made.from_d1, made.from_d2
        seen_by = [0.0, first, 1 - (1 - first) * (1 - second), 1.0]  # P(d3 in S) after each rank
        inverse = sum((seen_by[rank] - seen_by[rank - 1]) / rank for rank in (1, 2, 3))
        at_first = {"along_printed": 0.63, "without_printed": 0.3} if (first, second) == (0.4, 0.3) else {}
        assert set(unchecked.must("printed", along=inverse, without=1 / 3, **at_first).values) == {
            "along", "without", *at_first
        }  # fmt: skip
        if not made.click:
            assert expected == pytest.approx(seen_by[steps.count("next")])
        assert (unchecked.drawn["first"], unchecked.drawn["second"]) == (first, second)
    else:
        whole = {"worth": second.expected[-1], "total": float(sum(grades.values())), "effort": second.effort[-1]}
        unchecked.must("in general", **whole)
        assert unchecked.drawn["stopping"] == users.navigation.stop == 0.3
    assert unchecked.drawn["gain"] == pytest.approx(gain)
    assert unchecked.drawn["total"] == pytest.approx(sum(grades.values()))
    unchecked.all_checked()


def past_links(unchecked: Unchecked, page: Any, steps: list[str], gain: float, ideal: float) -> None:
    """Check the walk from result to result, until it has this gain, or to the end of the ranking."""
    if not any(step.startswith("follow:") for step in steps):
        unchecked.must("no link")
        return
    graph, users, topic, system = page.walked
    walk = hand_walk(graph, users, topic, system, ["next"] * len(page.walk.results))
    effort = next((spent for spent, gained in zip(walk.effort, walk.gain, strict=True) if gained > gain - 1e-9), np.inf)
    mine = float(page.walk.effort[-1])
    if np.isinf(effort):
        assert "Following the link" in unchecked.must("past links never", spent=mine).text
        return
    better = "Both equal" if mine == pytest.approx(effort) else "Following the link" if mine < effort else "Skipping it"
    values = {"spent": mine, "mine": ideal / mine, "effort": effort, "past": ideal / effort}
    unchecked.must("past links", better=better, **values)


def ideal_effort(page: Any, gain: float) -> float:
    """Return E[ce] to a gain down all components ordered by gain, from section 6 written out."""
    graph, users, topic, _ = page.walked
    scene = topic_graphs(graph, users)[graph.topics.index(topic)]
    order = sorted(
        range(len(scene.gains)), key=lambda at: (-scene.gains[at], round(scene.consulting[scene.target[at]], 9))
    )
    return float(expected_effort(traverse(scene, scene.target[order]), np.array([gain]))[0])


CHECKS = {"Links": links}
LONG = {"Links"}  # steps whose controls are moved one by one
