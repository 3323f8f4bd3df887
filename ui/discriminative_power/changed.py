"""Which decisions the interval scale changes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import partial

import pandas as pd

import evalcore as ec
from evalcore.meta import PairedBootstrap
from evalcore.meta.discrimination import DECISIONS
from evalcore.progress import Tell
from ui.computing import work
from ui.discriminative_power.controls import Power
from ui.discriminative_power.top_systems import cut_scores
from ui.screen.items import Headline, Item, Text
from ui.screen.text import counted, markdown

SAME = DECISIONS[0], DECISIONS[-1]  # told apart with the same winner, or by neither


def tests_before(page: Power, tests: Mapping[str, PairedBootstrap]) -> dict[str, PairedBootstrap]:
    """For each measure of ours on an interval scale, the test of its scores of the same documents as they are.

    Nothing where scores are as they are.
    """
    if page.first is None:
        return {}
    plain = cut_scores(page, page.first)
    frames = {text: plain[text].loc[page.scores[text].index, page.systems] for text in page.ours if text in tests}
    keys = {text: (work.digest(one), page.resamples, page.seed, "bootstrap") for text, one in frames.items()}
    jobs: dict[Hashable, work.Job[PairedBootstrap]]
    jobs = {keys[text]: partial(_tested, page, one) for text, one in frames.items()}
    found = work.results("changed", "Resampling scores as they are", jobs, page.asked(len(jobs)))
    return {text: found[key] for text, key in keys.items() if key in found}


def _tested(page: Power, frame: pd.DataFrame, progress: Tell) -> PairedBootstrap:
    return ec.paired_bootstrap(frame, counts=page.draws, progress=progress)


def changed_decisions(
    before: Mapping[str, PairedBootstrap], tests: Mapping[str, PairedBootstrap], alpha: float
) -> dict[str, int]:
    """For each measure that was tested before, how many pairs are decided otherwise now."""
    return {text: changes(one, tests[text], alpha) for text, one in before.items()}


def changes(before: PairedBootstrap, after: PairedBootstrap, alpha: float) -> int:
    """The pairs of which two tests do not say the same."""
    return int((~ec.pair_decisions(before, after, alpha)["decision"].isin(SAME)).sum())


def otherwise(page: Power, changed: Mapping[str, int], n_pairs: int) -> Iterator[Item]:
    """How many decisions the interval scale changes, in a sentence."""
    if not changed:
        return
    most, least = max(changed, key=changed.__getitem__), min(changed, key=changed.__getitem__)
    pairs = f"**{changed[most]}** of {counted(n_pairs, 'pair')}"
    line = f"On an interval scale of the first {counted(page.first or 0, 'document')}, "
    if len(changed) == 1:
        line += f"{markdown(page.names[most])} decides {pairs} otherwise than its scores do"
    elif changed[most] == changed[least]:
        line += f"each measure decides {pairs} otherwise than its scores do"
    else:
        line += f"most change under {markdown(page.names[most])}, which decides {pairs} otherwise than its scores do; "
        line += f"least under {markdown(page.names[least])}: **{changed[least]}**"
    yield Headline(f"{line}.")
    if len(page.ours) < len(page.scores):
        yield Text("Scores of other tools stay as they are.", "note")
