"""Views of every page that shows numbers, which several tests look at."""

from __future__ import annotations

from typing import Any

from subject_support import of_subjects

from ui.address.places import PAGES

FEW = {"measures": ["AP", "RBP", "uRBP"], "resamples": "1,000", "seed": "5"}

WITHOUT_LINES = {
    "home",
    "learn",
    "glossary",
    "collection",
    "classroom",
}  # pictures, contents, words, what files hold: no score
# Every page with lines and each of its looks: page, then settings.
VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("understandability", {}),
    ("understandability", {"source": "llm", "doubt": "all"}),
    ("understandability", {"model": "step", "threshold": "2", "also": ["3"], "look": "Ranks"}),
    ("understandability", {"doubt": "all", "look": "Along one parameter", "model": "step"}),
    ("understandability", {"look": "Map of two", "fineness": "coarse"}),
    ("understandability", {"look": "u(k) and gains", "column": "fog"}),
    ("understandability", {"look": "Ranks", "rel": "2"}),
    ("aspect_weights", {"doubt": "all", "mean": "MM", "weights": ["relevance:1", "credibility:0.2"]}),
    ("aspect_weights", {"look": "Ranks", "aspects": ["relevance", "understandability"]}),
    ("aspect_weights", {"look": "Scatter", "base": "P@5", "mean": "MM"}),
    ("aspect_weights", {"look": "Along one parameter"}),
    ("toma", {"distance": "Manhattan()"}),
    ("toma", {"look": "Scatter", "scenario": "equal steps"}),
    ("toma", {"up": "understandability", "further": ["credibility"], "importance": ["understandability:2"]}),
    ("toma", {"look": "Ranks", "base": "AP"}),
    ("toma", {"look": "Map of two", "fineness": "coarse"}),
    ("measures", {"doubt": "all", "aspect": "understandability", "discount": "Geometric(rho=0.5)"}),
    ("aspect_weights", {"mean": "Product", "exponents": ["relevance:2"]}),
    ("understandability", {"look": "u(k) and gains", "column": "fog", "model": "smooth", "normalised": "true"}),
    ("understandability", {"base": "ERR", "model": "step"}),
    ("toma", {"picture": "all distances"}),
    ("toma", {"graded": "fog", "shares": ["best:0.1"]}),
    ("toma", {"graded": "fog", "graded_by": "cut points", "cuts": ["Grade 1:8"], "look": "Scatter"}),
    ("toma", {"picture": "nine orders"}),
    ("measures", {"look": "Scatter", "other": "INSQ"}),
    ("moved", {}),
    ("moved", {"x": "RBP(rho=0.8)", "y": "P@5", "system": "bm25_base"}),
    ("moved", {"x": "nDCG", "y": "AP", "system": "bm25_base", "topic": "q03"}),
    ("topic", {"measure": "AP"}),
    ("topic", {"topic": "q03", "depth": "10", "compared": ["bm25_base"]}),
    ("topic", {"look": "What if?", "edits": ["move:q03:bm25_base:9:1"], "topic": "q03", "system": "bm25_base"}),
    ("correlations", {"vary": "RBP(rho=0.8)", "at": "0.5", "test": "RBP(rho=0.8)"}),
    ("correlations", {}),
    ("correlations", {"correlation": "τ_AP", "doubt": "all", "test": "AP"}),
    ("correlations", {"over": "topic by topic", "doubt": "all"}),
    ("correlations", {"like": "*base*, expert*, plain*", "ontopics": ["q01", "q03", "q04", "q06"]}),
    ("correlations", {"correlation": "Pearson r", "doubt": "all", "reference": "AP"}),
    ("correlations", {"look": "Measures of aspects", "bases": ["AP", "nDCG@10"], "embedding": "equal steps"}),
    ("correlations", {"look": "Measures of aspects", "aspects": ["relevance", "credibility"]}),
    ("discriminative_power", {**FEW, "alpha": "0.05"}),
    ("discriminative_power", {**FEW, "correction": "Holm", "measure": "AP"}),
    ("discriminative_power", {**FEW, "a": "plain_fog", "b": "bm25_base", "test": "randomised Tukey HSD"}),
    ("topics_needed", {**FEW, "measure": "RBP(rho=0.8)", "difference": "0.1"}),
    ("topics_needed", {**FEW, "design": "one-way ANOVA", "wanted": "0.95"}),
    ("top_documents", {**FEW, "depth": "3", "bands": "2"}),
    ("sensitivity", {"at": "10"}),
    ("sensitivity", {"look": "Ranks", "path": "rho"}),
    ("sensitivity", {"look": "Along one parameter"}),
    ("sensitivity", {"look": "Map of two", "fineness": "coarse"}),
    ("sensitivity", {"doubt": "all", "look": "Map of two", "fineness": "coarse", "measure": "MM(nDCG())"}),
    ("sensitivity", {"look": "Along one parameter", "measure": "TOMA(nDCG@10)", "path": "distance"}),
]
VIEWS += [view for module in of_subjects("views") for view in module.VIEWS]
VIEWS += [(page, {}) for page in PAGES if page not in WITHOUT_LINES | {page for page, _ in VIEWS}]
SAMPLES = {page: data for module in of_subjects("views") for page, data in module.SAMPLES.items()}
