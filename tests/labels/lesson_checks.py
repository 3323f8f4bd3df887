"""Checks of statements in this subject's steps of the guided path, run by tests/teaching/app/test_guided_claims.py."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit
from teaching.lesson_support import (
    Unchecked,
    best,
    called,
    kendall,
    means,
    picture,
)

import evalcore as ec
from evalcore.data import Collection
from evalcore.labels.combining import LINES, TwoSources
from evalcore.labels.judges import Noise, source_agreement
from ui.labels.assessor_lesson import NAMES
from ui.teaching.guided_path.base import LessonContent


@cache
def noise(way: str, pair: tuple[str, str] | None, collection: Collection) -> Noise:
    return Noise.of("RBP", collection, way, aspect="relevance", sources=pair)


@cache
def noise_at(level: float, way: str, pair: tuple[str, str] | None, collection: Collection) -> dict[str, float]:
    return noise(way, pair, collection).at(level)


def labels(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c = page.data
    assert unchecked.drawn["draws"] == 50
    assert unchecked.drawn["measure"] == "RBP, ρ = .8"
    judges = [unchecked.drawn[name] for name in unchecked.drawn.values if name.startswith("judge_")]
    marked = [trace.text for trace in picture(content, 0).data if trace.marker.symbol == "diamond"]
    assert judges == [str(name) for names in marked for name in names]
    if unchecked.take("tied"):
        assert means("RBP", c).nunique() == 1
        assert np.isnan(called(content, "τ"))
        return
    draws = noise(*page.way, c)
    if round(100 * page.level) % 10 == 0:  # drawn again, which is slow
        here = noise_at(page.level, *page.way, c)
        for label, name in (("τ", "tau"), ("winner stays", "winner_stays"), ("κ", "kappa")):
            assert called(content, label) == pytest.approx(here[name], abs=1e-9)
    curve = {trace.name: (np.array(trace.x), np.array(trace.y)) for trace in picture(content, 0).data if trace.name}
    levels, taus = curve["mean τ with the original ranking"]
    if (taus >= 0.9).all():
        unchecked.must("stays equivalent", level=levels[-1], wanted=0.9)
    else:
        at = levels_below(levels, taus, 0.9)
        assert unchecked.must("falls", level=at, wanted=0.9)["kappa"] == pytest.approx(
            draws.way.kappa(at, draws.shares), abs=0.01
        )
    stays = curve["share of draws with the same winner"][1]
    if (stays >= 0.5).all():
        first = unchecked.must("always first", level=levels[-1])
    else:
        first = unchecked.must("first until", level=levels_below(levels, stays, 0.5))
    assert set(first["first"]) == best(means("RBP", c))
    if page.judge:
        beside_chance(unchecked, page, levels)


def levels_below(levels: np.ndarray[Any, Any], values: np.ndarray[Any, Any], wanted: float) -> float:
    """Return the level at which a line through points first falls to a value."""
    at = int(np.argmax(values < wanted))
    share = (values[at - 1] - wanted) / (values[at - 1] - values[at])
    return float(levels[at - 1] + share * (levels[at] - levels[at - 1]))


def beside_chance(unchecked: Unchecked, page: Any, levels: np.ndarray[Any, Any]) -> None:
    c, judge = page.data, page.judge
    found = source_agreement(c, (c.assessments.sources["relevance"].default, judge), "relevance")
    table = found.counts.sum(axis=0)
    differs = 1 - np.trace(table) / table.sum()
    tau = kendall(means("RBP", c), means(f"RBP(source={judge!r})", c))
    values = {"judge": judge, "differs": differs, "kappa": found.coefficient("kappa").estimate, "tau": tau}
    if differs > levels[-1] or np.isnan(tau):
        unchecked.must("judge", **values)
        return
    statement = unchecked.must("judge beside chance", **values)
    assert statement["random"] == pytest.approx(noise_at(float(differs), *page.way, c)["tau"], abs=0.01)
    own = round(tau, 3)
    assert statement["harm"] == ("less" if own > statement["high"] else "more" if own < statement["low"] else "as much")


def assessor(page: Any, content: LessonContent, unchecked: Unchecked) -> None:
    c, two = page.data, TwoSources.of("RBP", page.data)
    truth = means("RBP", c)
    found = ec.combine("RBP", c, kept=f"KeptLabels(share={page.share}, seed={page.draw_of})")
    by = {line: found.scores[line].mean().round(12) for line in LINES}
    for line in LINES:
        assert called(content, NAMES[line]) == pytest.approx(kendall(by[line], truth))
    same_tau = kendall(means("RBP(source='llm')", c), truth)
    agrees = unchecked.must("agrees", model="llm", human="assessors", tau=same_tau)
    kept = two.kept(page.kept)
    assert unchecked.drawn["n"] == kept.n_labels
    both = ~np.isnan(kept.human) & ~np.isnan(kept.model)  # of the documents that both labelled, and is kept
    one, other = ((labels[both][:, None] == two.scorer.grades) for labels in (kept.human, kept.model))
    same_grade, chance = (
        float(np.mean(kept.human[both] == kept.model[both])),
        float(one.mean(axis=0) @ other.mean(axis=0)),
    )
    estimate = (same_grade - chance) / (1 - chance)
    of_all = ec.source_agreement(c, ("assessors", "llm"), "relevance").coefficient("kappa")
    assert agrees["kappa"] == pytest.approx(of_all.estimate)
    if kept.n_labels < two.labels.n_labels:
        assert unchecked.must("estimate", n=kept.n_labels)["kept"] == pytest.approx(estimate)
    else:
        assert agrees["kappa"] == pytest.approx(estimate)
    taus = {NAMES[line].removeprefix("τ, "): kendall(by[line], truth) for line in LINES}
    near = [name for name, tau in taus.items() if tau == pytest.approx(max(taus.values()))]
    nearest = unchecked.must("nearest", near=" and ".join(near), tau=max(taus.values()))
    assert ("Not alone" in nearest.text) == (near == ["both together"])
    assert ("do not help here" in nearest.text) == (near == ["model alone"])
    first = unchecked.must("first")
    assert [set(first[one]) for one in ("first", "model")] == [best(truth), best(by["model alone"])]
    assert [set(first[one]) for one in ("people", "both")] == [best(by["human alone"]), best(by["combined"])]
    if kept.n_labels == two.labels.n_labels:
        unchecked.must("all labels")
        return
    if not unchecked.take("no help"):
        both, alone = ((found.errors[line][1] ** 2).sum() for line in ("combined", "human alone"))
        unchecked.must("worth", worth=alone / both)
    half = {line: stdtrit(found.freedom[line], 0.975) * found.errors[line] for line in LINES}
    held = (by["combined"] - truth).abs() <= half["combined"][1]
    beside = (by["model alone"] - truth).abs() <= half["model alone"][0]
    assert (nearest["beside"], nearest["count"]) == (int(beside.sum()), 32)
    unchecked.must("held", count=32, held=int(held.sum()), beside=int(beside.sum()))


CHECKS = {"Labels": labels, "Assessor": assessor}
LONG = {"Assessor"}  # steps whose controls are moved one by one
