"""Does a claim hold, whichever reasonable way we measure? Specification curves over topics, settings and measures."""

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
from evalcore.latex import latex_table, latex_text

__all__ = [
    "Choice", "Claim", "Curve", "Design", "JointTest", "Multiverse", "Option", "Sources", "Specification",
    "Specifications", "Study", "Turn", "Verdict", "claim", "design_of", "digest",
    "growing", "joint_test", "latex_table", "latex_text", "measure_choice", "methods_paragraph", "multiverse",
    "options_behind", "parameter_choice", "parse_claim", "parse_specifications", "sensible", "source_choice",
    "sources_of", "specification_curve", "specifications", "unassessed_choice", "verdict_of",
    "write_specifications",
]  # fmt: skip
