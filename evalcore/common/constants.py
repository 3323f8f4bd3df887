"""Constants shared by command line options and the code that reads them, so that neither imports the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Order = Literal["score", "rank", "file", "urbp-tool"]
Missing = Literal["refuse", "zero", "leave-out"]
Topics = Literal["all", "retrieved"]
"""Topics of a mean: all assessed topics, or only those for which a system retrieved documents."""

LARGEST, SMALLEST = 1e15, 1e-100
"""Limits of the size of grades and parameters, beyond which sums and ratios would be inexact, infinite or nan."""

ORDERS: tuple[Order, ...] = get_args(Order)  # orders of a ranking's documents
LABELS = ("by-topic", "by-document")
CORRELATIONS = ("tau", "tau_a", "tau_ap", "tau_ap_b", "spearman", "pearson", "rbo", "prefix_overlap")
PAIRED_TESTS = ("Wilcoxon", "t-test", "permutation", "bootstrap")  # tests of two systems
CORRECTIONS = ("none", "Bonferroni", "Holm", "Benjamini-Hochberg")  # corrections of p for the number of tests
DESIGNS = {"paired": "paired t-test", "two-sample": "two-sample t-test", "anova": "one-way ANOVA"}  # of topic sets
EffectKind = Literal["difference", "standardised", "rank"]
EFFECTS: tuple[EffectKind, ...] = get_args(EffectKind)  # outputs of `evalcore claim`
COEFFICIENTS: Mapping[str, tuple[str, ...]] = {
    "agreement": ("none",),
    "kappa": ("none", "linear", "quadratic"),
    "alpha": ("nominal", "ordinal", "interval"),
    "AC": ("none", "linear", "quadratic"),
}
"""Coefficients, each with the weights that it accepts for the distance of two labels; the first is the default."""

COMBINED: Mapping[str, str] = {
    "majority": "the most frequent label; if several are equally frequent, the lowest",
    "median": "the median label; for an even number, the lower of the middle two",
    "mean": "the grade nearest to the mean of the labels; if two are equally near, the lower",
    "union": "the best label that any source gave",
    "agreed": "the label on which all sources agree, if at least two gave one; other documents are unassessed",
}
"""Sources that combine all other sources of an aspect, document by document, with descriptions."""

WAYS: Mapping[str, str] = {
    "neighbour": "a wrong label is a neighbouring grade; if there are two, each is equally likely",
    "any": "a wrong label is any other grade, each equally likely",
    "as measured": "errors copy the differences between two sources: which grades become which, and how often",
}
"""Kinds of errors in labels, with descriptions."""

MISSING: tuple[Missing, ...] = get_args(Missing)  # value of a missing score
AVERAGES: tuple[str, ...] = get_args(Topics)
LEAST_OF_LOGARITHMS = 1e-5  # lowest score in a geometric mean; lower ones are raised to it, as in trec_eval
NUGGETS: Mapping[str, tuple[str, str, str]] = {
    "vital": ("num_vital", "num_vital_support", "num_vital_partial_support"),
    "okay": ("num_okay", "num_okay_support", "num_okay_partial_support"),
}
"""Counts of the nuggets of an answer, by importance: all, the supported ones, and the partly supported ones."""
HIGHLIGHTED = ("relevance", "specificity")  # columns of highlighted text
