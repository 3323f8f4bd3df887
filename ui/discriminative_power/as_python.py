"""The lines that recompute what the page Discriminative power shows."""

from __future__ import annotations

from ui.discriminative_power.controls import ALL_PAIRS, NEEDED, ONE_PAIR, TUKEY, TWO_MEASURES, Power
from ui.widgets.score_tables import MARK


def code(page: Power) -> tuple[str, ...]:
    """Scores, the power of each measure, and the closer look that is open."""
    looks = {ONE_PAIR: _pair, ALL_PAIRS: _pairs, NEEDED: _needed, TWO_MEASURES: _decisions}
    return (
        "from evalcore.rounding import less",
        "",
        *page.code(),
        f"alpha, drawn = {page.alpha!r}, {{'n_resamples': {page.resamples}, 'seed': {page.seed}}}",
        "power = ec.discriminative_power(scores, alpha, **drawn)",
        "tests = {text: ec.paired_bootstrap(frame, **drawn) for text, frame in scores.items()}",
        "curves = {text: one.curve() for text, one in tests.items()}",
        *looks.get(page.look, _top)(page),
    )


def _pair(page: Power) -> list[str]:
    if page.pair is None:
        return []
    corrected = (
        f"{{way: ec.meta.corrected_pairs(tests[text], way, {page.correction!r}) for way in ('t-test', 'bootstrap')}}"
    )
    return [
        f"pairs = {{text: ec.compare_systems(scores[text], *{page.pair!r}, **drawn) for text in scores}}",
        *([f"corrected = {{text: {corrected} for text in tests}}"] if page.correction != "none" else []),
        f"pair = pairs[{page.measure!r}]",
        "better = (pair.differences > 0).sum(), (pair.differences < 0).sum()",
    ]


def _pairs(page: Power) -> list[str]:
    found = f"ec.meta.corrected_pairs(tests[{page.measure!r}], {page.test!r}, {page.correction!r})"
    tukey = f"ec.tukey_p(scores[{page.measure!r}], **drawn)"
    return [f"pairs = {tukey if page.test == TUKEY else found}", "significant = less(pairs['p'], alpha).mean()"]


def _needed(page: Power) -> list[str]:
    return [
        "needed = power['needed_difference']",
        "pairs = {text: one.pairs.dropna(subset='asl') for text, one in tests.items()}",
        "size = {text: one['difference'].abs() for text, one in pairs.items()}",
        "apart = {text: less(one['asl'], alpha) for text, one in pairs.items()}",
        "smallest = {text: one[apart[text]].min() for text, one in size.items()}  # told apart",
        "largest = {text: one[~apart[text]].max() for text, one in size.items()}  # not told apart",
        "beyond = {text: (one > needed[text]).sum() for text, one in size.items()}",
    ]


def _decisions(page: Power) -> list[str]:
    if page.x == page.y:
        return []
    return [
        f"decisions = ec.pair_decisions(tests[{page.x!r}], tests[{page.y!r}], alpha)",
        "counts = decisions['decision'].value_counts()",
        f"pairs = decisions[decisions['decision'] == {page.decided!r}]",
    ]


def _top(page: Power) -> list[str]:
    ours = [text for text in page.scores if not text.endswith(MARK)]
    aspects = list(page.looked_at)
    return [
        f"cut = {{depth: {{**scores, **ec.evaluate({ours!r}, ec.cut_rankings(c, depth))}}"
        f" for depth in {(page.depth, page.sum_depth)}}}",
        f"zero = ec.zero_aspect_documents(cut[{page.depth}], c, {aspects!r}, {page.depth})",
        f"sums = ec.label_sums_by_rank(cut[{page.sum_depth}], c, {aspects!r}, {page.sum_depth}, {page.bands}, "
        f"{page.shares})",
        "unassessed = sums.groupby('measure')['unassessed'].sum()",
    ]
