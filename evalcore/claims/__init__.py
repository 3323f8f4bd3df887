"""Claims under every reasonable way to measure: specification curves over topics, settings and measures.

A module is imported when one of its names is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalcore.claims.choices import (
        Choice,
        Option,
        Specifications,
        measure_choice,
        parameter_choice,
        source_choice,
        unassessed_choice,
    )
    from evalcore.claims.curve import Curve, specification_curve
    from evalcore.claims.design import Design, Specification, design_of
    from evalcore.claims.joint import JointTest, joint_test
    from evalcore.claims.paper import methods_paragraph
    from evalcore.claims.scoring import Multiverse, growing, multiverse
    from evalcore.claims.sources import Sources, Turn, options_behind, sources_of
    from evalcore.claims.statement import Claim, parse_claim
    from evalcore.claims.study import Study, claim, specifications
    from evalcore.claims.text import digest, parse_specifications, write_specifications
    from evalcore.claims.usual_choices import sensible
    from evalcore.claims.verdict import Verdict, verdict_of
    from evalcore.common.latex import latex_table, latex_text

__all__ = [
    "Choice", "Claim", "Curve", "Design", "JointTest", "Multiverse", "Option", "Sources", "Specification",
    "Specifications", "Study", "Turn", "Verdict", "claim", "design_of", "digest",
    "growing", "joint_test", "latex_table", "latex_text", "measure_choice", "methods_paragraph", "multiverse",
    "options_behind", "parameter_choice", "parse_claim", "parse_specifications", "sensible", "source_choice",
    "sources_of", "specification_curve", "specifications", "unassessed_choice", "verdict_of",
    "write_specifications",
]  # fmt: skip

_NAMES = {
    "evalcore.claims.choices": "Choice Option Specifications measure_choice parameter_choice source_choice "
    "unassessed_choice",
    "evalcore.claims.curve": "Curve specification_curve",
    "evalcore.claims.design": "Design Specification design_of",
    "evalcore.claims.joint": "JointTest joint_test",
    "evalcore.claims.paper": "methods_paragraph",
    "evalcore.claims.scoring": "Multiverse growing multiverse",
    "evalcore.claims.sources": "Sources Turn options_behind sources_of",
    "evalcore.claims.statement": "Claim parse_claim",
    "evalcore.claims.study": "Study claim specifications",
    "evalcore.claims.text": "digest parse_specifications write_specifications",
    "evalcore.claims.usual_choices": "sensible",
    "evalcore.claims.verdict": "Verdict verdict_of",
    "evalcore.common.latex": "latex_table latex_text",
}

if not TYPE_CHECKING:
    from evalcore.common.lazy_imports import names_from

    __getattr__ = names_from(_NAMES, globals())

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
