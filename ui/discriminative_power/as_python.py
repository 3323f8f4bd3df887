"""The lines that recompute what the page Discriminative power shows."""

from __future__ import annotations

from ui.address import families
from ui.discriminative_power.changed import SAME
from ui.discriminative_power.controls import (
    ALL_PAIRS,
    ANOVA,
    BASELINES,
    COMPONENTS,
    NEEDED,
    ONE_PAIR,
    TOPICS,
    TUKEY,
    TWO_MEASURES,
    Power,
)
from ui.discriminative_power.pairs import CORRECTED
from ui.discriminative_power.topics_needed import ANOVA_DESIGN, PAIRED


def code(page: Power) -> tuple[str, ...]:
    """Scores, the power of each measure, and the closer look that is open."""
    looks = {
        ONE_PAIR: _pair,
        ALL_PAIRS: _pairs,
        BASELINES: _baselines,
        NEEDED: _needed,
        TOPICS: _topics,
        ANOVA: _anova,
        TWO_MEASURES: _decisions,
    }
    return (
        "from evalcore.rounding import less",
        "",
        *page.code(),
        f"alpha, drawn = {page.alpha!r}, {{'n_resamples': {page.resamples}, 'seed': {page.seed}}}",
        "power = ec.discriminative_power(scores, alpha, **drawn)",
        "tests = {text: ec.paired_bootstrap(frame, **drawn) for text, frame in scores.items()}",
        "curves = {text: one.curve() for text, one in tests.items()}",
        *(_changed(page) if page.first is not None else ()),
        *looks.get(page.look, _top)(page),
        *families.plot_code(page.collection, f"tests, alpha=alpha, pair={page.pair!r}"),
    )


def _changed(page: Power) -> list[str]:
    return [
        f"cut = ec.evaluate({page.ours!r}, ec.cut_rankings(c, {page.first}))",
        "cut = {text: frame.loc[scores[text].index, scores[text].columns] for text, frame in cut.items()}",
        "before = {text: ec.paired_bootstrap(frame, **drawn) for text, frame in cut.items()}",
        "decided = {text: ec.pair_decisions(before[text], tests[text], alpha)['decision'] for text in cut}",
        f"changed = {{text: (~one.isin({SAME!r})).sum() for text, one in decided.items()}}",
    ]


def _baselines(page: Power) -> list[str]:
    how = f"{list(page.baselines or ())!r}, {page.baseline_test!r}, {page.baseline_correction!r}"
    return [
        f"gains = ec.against_baselines(scores[{page.measure!r}], {how}, **drawn)",
        "apart = gains[less(gains['p_corrected'], alpha)]",
        f"none = dict.fromkeys({list(page.baselines or ())!r}, 0)",
        "ahead = none | apart[apart['gain'] > 0].groupby('baseline').size().to_dict()",
        "behind = none | apart[apart['gain'] < 0].groupby('baseline').size().to_dict()",
    ]


def _topics(page: Power) -> list[str]:
    if page.difference is None:
        return []
    n, design = page.n_topics, f"{page.design!r}" + (f", {len(page.systems)}" if page.design == ANOVA_DESIGN else "")
    divided = "" if page.design == PAIRED else " / 2**0.5"
    ways = {
        "topics": "ec.topics_needed(effect, alpha, wanted, *design)",
        "power": f"ec.power({n}, effect, alpha, *design)",
        "found": f"sd * ec.smallest_effect({n}, alpha, wanted, *design)",
        **({"interval": "ec.topics_for_interval(effect, 1 - alpha, *design)"} if page.design != ANOVA_DESIGN else {}),
    }
    return [
        f"difference, wanted, design = {page.difference!r}, {page.wanted!r}, ({design},)",
        f"sd = {{text: ec.difference_sd(frame){divided} for text, frame in scores.items()}}",
        "ways = {",
        *(f"    {name!r}: lambda effect, sd: {way}," for name, way in ways.items()),
        "}",
        "designed = {text: {} for text in scores}",
        "for text, name in [(text, name) for text in scores for name in ways]:",
        "    try:",
        "        designed[text][name] = ways[name](difference / sd[text], sd[text])",
        "    except (ValueError, ZeroDivisionError) as why:",
        "        print(text, name, why)",
    ]


def _anova(page: Power) -> list[str]:
    if page.explained == COMPONENTS and not page.components:
        return []
    factors = list(page.factors or page.components)
    parts = f"ec.component_anova(frame, c.system_table, {factors!r}, {bool(page.interactions)})"
    return [
        "analyses = {}",
        "for text, frame in scores.items():",
        "    try:",
        f"        analyses[text] = {parts if page.explained == COMPONENTS else 'ec.two_way_anova(frame)'}",
        "    except ValueError as why:",
        "        print(text, why)",
        "shares = {text: one.table['omega2'].drop('error') for text, one in analyses.items()}",
        "explained = {text: one.clip(lower=0) for text, one in shares.items()}",
        "rest = {text: max(1 - one.sum(), 0) for text, one in explained.items()}",
    ]


def _pair(page: Power) -> list[str]:
    if page.pair is None:
        return []
    corrected = (
        f"{{way: ec.meta.corrected_pairs(tests[text], way, {page.correction!r}) for way in {tuple(CORRECTED)!r}}}"
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
    aspects = list(page.looked_at)
    return [
        f"cut = {{depth: {{**scores, **ec.evaluate({page.ours!r}, ec.cut_rankings(c, depth))}}"
        f" for depth in {(page.depth, page.sum_depth)}}}",
        f"zero = ec.zero_aspect_documents(cut[{page.depth}], c, {aspects!r}, {page.depth})",
        f"sums = ec.label_sums_by_rank(cut[{page.sum_depth}], c, {aspects!r}, {page.sum_depth}, {page.bands}, "
        f"{page.shares})",
        "unassessed = sums.groupby('measure')['unassessed'].sum()",
    ]
