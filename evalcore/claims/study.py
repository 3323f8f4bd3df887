"""A claim over a multiverse, with its results: curve, joint test, sources, verdict, tables, methods."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from evalcore.claims.choices import Specifications
from evalcore.claims.curve import LEVEL, RESAMPLES, Curve, specification_curve
from evalcore.claims.design import Design
from evalcore.claims.joint import PERMUTATIONS, JointTest, joint_test
from evalcore.claims.paper import methods_paragraph
from evalcore.claims.scoring import Multiverse, multiverse
from evalcore.claims.sources import Sources, sources_of
from evalcore.claims.statement import Claim, parse_claim
from evalcore.claims.text import digest, parse_specifications
from evalcore.claims.usual_choices import sensible
from evalcore.claims.verdict import Verdict, verdict_of
from evalcore.common.cached import cached_property
from evalcore.common.constants import EffectKind
from evalcore.common.latex import caption, latex_table
from evalcore.common.progress import Tell
from evalcore.common.short_forms import shown
from evalcore.data.toml_text import read_utf8
from evalcore.drawing import figures
from evalcore.errors import counted
from evalcore.measures.base import HasPoolAndRankings

DECISIONS = {"holds": 1, "undecided": 0, "fails": -1}
SpecificationsLike = Specifications | str | Path


@shown
@dataclass(frozen=True, eq=False)
class Study:
    """A claim and its results over all specifications of a multiverse; results are computed on first use."""

    claim: Claim
    multiverse: Multiverse
    kind: EffectKind = "difference"
    resamples: int = RESAMPLES
    permutations: int = PERMUTATIONS
    seed: int = 0
    level: float = LEVEL

    @cached_property
    def curve(self) -> Curve:
        """The specification curve: the effect of the claim in every specification."""
        settings = {"resamples": self.resamples, "seed": self.seed}
        return specification_curve(self.multiverse, self.claim, kind=self.kind, level=self.level, **settings)

    @cached_property
    def joint(self) -> JointTest:
        """The joint test of the curve, at the level of the intervals."""
        settings = {"permutations": self.permutations, "seed": self.seed}
        return joint_test(self.multiverse, self.claim, alpha=round(1 - self.level, 12), **settings)

    @cached_property
    def sources(self) -> Sources:
        """The sources of variance of the effect."""
        return sources_of(self.multiverse, self.curve)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict over all specifications."""
        return verdict_of(self.curve, self.sources, self.multiverse)

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        return self.verdict.sentence

    @property
    def digest(self) -> str:
        """The digest of the specifications."""
        return digest(self.multiverse.design.specifications)

    @property
    def options(self) -> dict[str, list[str]]:
        """A dict from each choice to the names of its options, in order."""
        choices = self.multiverse.design.choices
        return {choice.name: [option.name for option in choice.options] for choice in choices}

    @property
    def drawn(self) -> dict[str, Any]:
        """The arguments, by name, of `evalcore.figures.specification_curve` for this study, except the frame."""
        about = {"kind": self.kind, "top": self.claim.top, "failing": self.claim.failing}
        return {"options": self.options, "taken": self.multiverse.taken, **about}

    def frame(self) -> pd.DataFrame:
        """Tabulate the specifications, smallest effect first (`Curve.frame`)."""
        return self.curve.frame(self.multiverse)

    def choices(self) -> pd.DataFrame:
        """Tabulate the sources of variance, largest first; the column `turns` states where the verdict changes."""
        table = self.sources.table.copy()
        turns = {turn.choice: str(turn) for turn in self.sources.turns}
        table["turns"] = [turns.get(name, "") for name in table.index]
        return table.reset_index()

    def by_option(self) -> pd.DataFrame:
        """Tabulate, for each option, its shares of specifications in which the claim holds, is undecided or fails."""
        decision, rows = self.curve.decision, list[dict[str, Any]]()
        for choice, options in self.options.items():
            taken = self.multiverse.taken[choice]  # (specifications, options)
            used = [at for at in range(len(options)) if taken[:, at].sum() > 0]
            for at in used if len(used) > 1 else ():
                weight = taken[:, at] / taken[:, at].sum()
                of = {word: float(weight[decision == code].sum()) for word, code in DECISIONS.items()}
                rows.append({"choice": choice, "option": options[at], **of})
        return pd.DataFrame(rows, columns=["choice", "option", *DECISIONS])

    def summary(self) -> pd.DataFrame:
        """Tabulate the claim, the verdict and the joint test in one row."""
        verdict, joint = self.verdict, self.joint
        row = {
            "claim": verdict.claim,
            "specifications": verdict.specifications,
            "combinations": verdict.combinations,
            "holds": verdict.holds,
            verdict.failing.removeprefix("is "): verdict.fails,
            "undecided": verdict.undecided,
            "median effect": joint.median,
            "median p": joint.median_p,
            "significant": joint.significant,
            "significant p": joint.significant_p,
            "joint p": joint.p,
            "depends on": verdict.depends_on,
            "variance share": verdict.variance_share,
            "turns": f"{verdict.turns_of} {verdict.turns}".strip(),
            "digest": self.digest,
        }
        return pd.DataFrame([row])

    def latex(self) -> str:
        """Return the choices as a LaTeX table, with the verdict in its caption."""
        shown = self.choices().drop(columns=["holds least", "holds most"])
        shown["share"] = [f"{100 * share:.1f}%" for share in shown["share"]]
        return latex_table(shown, self.caption(f"Variance due to each choice. {self.sentence}"), label="choices")

    def latex_specifications(self) -> str:
        """Return a LaTeX table with a row for every specification."""
        what = f'The effect of the claim "{self.claim}" in every specification'
        return latex_table(self.frame(), self.caption(what), label="specifications")

    def caption(self, what: str, collection: str = "") -> str:
        """Return a caption for results of this claim: `what`, data, measures, settings and random draws."""
        made, design = self.multiverse, self.multiverse.design
        data = [collection, counted(len(made.systems), "system"), counted(len(made.topics), "topic"), made.labelled]
        print_of = [f"fingerprint {made.fingerprint[:12]}"] if made.fingerprint else []
        choices = design.specifications.choices
        measures = [option.name for choice in choices if choice.name == "measure" for option in choice.options]
        set_to = [("effect", self.kind), ("specifications", f"{len(design):,} (digest {self.digest})")]
        drawn = {"seed": self.seed, "resamples": self.resamples}
        return caption(what, ", ".join(filter(None, [*data, *print_of])), measures, set_to, drawn)

    def methods(self) -> str:
        """Return a paragraph for the methods section of a paper."""
        return methods_paragraph(self)

    def figure(self, **options: Any) -> Any:
        """Draw the specification curve; `options` are as in `evalcore.figures.specification_curve`."""
        return figures().specification_curve(self.frame(), **{**self.drawn, **options})


def claim(
    text: str | Claim,
    specs: SpecificationsLike | Design | Multiverse | None,
    collection: HasPoolAndRankings,
    *,
    kind: EffectKind = "difference",
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    tell: Tell | None = None,
) -> Study:
    """Return the study of a claim, such as "bm25 > tfidf", over every reasonable way to measure.

    specs : anything that `specifications` reads, or specifications that are already enumerated (`design_of`) or scored
    (`multiverse`); None for those that fit the collection. Raises InputError for a claim that cannot be parsed, and for
    unknown systems.
    """
    statement = parse_claim(text) if isinstance(text, str) else text
    statement.check(collection.rankings.systems)
    if not isinstance(specs, Multiverse):
        chosen = specs if isinstance(specs, Design) else specifications(collection if specs is None else specs)
        specs = multiverse(chosen, collection, tell=tell)
    return Study(statement, specs, kind, resamples, permutations, seed)


def specifications(source: SpecificationsLike | HasPoolAndRankings) -> Specifications:
    """Read specifications from a TOML file or its text; or make the default ones for a collection.

    Text has more than one line; a single line is a path. Raises InputError for invalid text or a missing file.
    """
    if isinstance(source, Specifications):
        return source
    if isinstance(source, str) and "\n" in source:
        return parse_specifications(source, "specifications")
    if not isinstance(source, str | Path):
        return sensible(source)
    return parse_specifications(read_utf8(source, "the file of specifications"), str(source))
