"""Which decisions the interval scale changes."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.meta.discrimination import DECISIONS
from ui.discriminative_power.controls import Power, of_each
from ui.discriminative_power.pairs import Tests, bootstrapped
from ui.discriminative_power.top_systems import cut_scores
from ui.screen.calls import Call
from ui.screen.items import Headline, Item, Text
from ui.screen.text import counted, markdown

SAME = DECISIONS[0], DECISIONS[-1]  # told apart with the same winner, or by neither


def tests_before(page: Power, tests: Tests) -> Tests | None:
    """For each measure of ours on an interval scale, the test of its scores of the same documents as they are.

    None where scores are as they are.
    """
    if page.first is None:
        return None
    plain = cut_scores(page, page.first)
    frames = of_each("plain", "{cut}[text].loc[result.index, result.columns]", page.scored, cut=plain)
    known = {text: frames.value[text] for text in page.ours if text in tests.value}
    before = bootstrapped(page, "changed", "Resampling scores as they are", known)
    return page.each("before", "ec.paired_bootstrap({plain}[text], {drawn})", before, plain=frames)


def changed_decisions(page: Power, before: Tests | None, tests: Tests) -> Call[dict[str, int]] | None:
    """For each measure that was tested before, how many pairs are decided otherwise now; None where none was."""
    if before is None or not before.value:
        return None
    text = "int((~ec.pair_decisions(result, {tests}[text], {alpha})['decision'].isin({same})).sum())"
    return of_each("changed", text, before, tests=tests, alpha=page.alpha, same=SAME)


def otherwise(page: Power, changed: Call[dict[str, int]], n_pairs: int) -> Iterator[Item]:
    """How many decisions the interval scale changes, in a sentence."""
    count = changed.value
    most, least = max(count, key=count.__getitem__), min(count, key=count.__getitem__)
    pairs = f"**{count[most]}** of {counted(n_pairs, 'pair')}"
    line = f"On an interval scale of the first {counted(page.first or 0, 'document')}, "
    if len(count) == 1:
        line += f"{markdown(page.names[most])} decides {pairs} otherwise than its scores do"
    elif count[most] == count[least]:
        line += f"each measure decides {pairs} otherwise than its scores do"
    else:
        line += f"most change under {markdown(page.names[most])}, which decides {pairs} otherwise than its scores do; "
        line += f"least under {markdown(page.names[least])}: **{count[least]}**"
    yield Headline(f"{line}.", (changed,))
    if len(page.ours) < len(page.scores):
        yield Text("Scores of other tools stay as they are.", "note")
