r"""The words of the field and of this app, each explained once. Plain text; formulas are LaTeX.

Entries of measures and their parts are made by `ui.glossary` from their own declarations; here is only one sentence for
each, where the docstring is too terse for a first reading.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word and its explanation; `also` are other names of it, `see` the headwords of related entries."""

    name: str
    text: str
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


COLLECTION = (
    Term(
        "topic",
        "What somebody wants to know, with the query they might type. Scores are computed topic by topic and then "
        "averaged.",
        also=("information need", "query"),
        see=("mean over topics",),
    ),
    Term(
        "mean over topics",
        "What stands for a system: the mean of its scores on all assessed topics. One for which it retrieved nothing "
        "counts as an empty ranking, as in trec_eval -c; the filter can leave such topics out of the system's mean, as "
        "trec_eval does without -c, and then two systems are compared on the topics that both have.",
        also=("mean score",),
        see=("topic",),
    ),
    Term(
        "document", "What a system returns and a person reads: a web page, an article, a passage.", see=("component",)
    ),
    Term("rank", "The place of a document in a ranking, counted from 1 at the top.", see=("ranking",)),
    Term("ranking", "The documents that one system returns for one topic, best first.", see=("rank", "system")),
    Term(
        "system",
        "Whatever ranks documents for topics: a search engine with one setting. What it returned for all topics is a "
        "run, one file; here a system is named after that file.",
        also=("run", "systems"),
        see=("ranking",),
    ),
    Term(
        "pool",
        "The documents that were assessed for a topic. Usually the first documents of many systems are put together, "
        "so that what no system ranked high stays unassessed.",
        also=("pooling",),
        see=("unassessed",),
    ),
    Term(
        "qrels",
        "The file with the assessments, short for query relevance judgements: topic, document and grade, one line for "
        "each. There is one for each aspect: qrels, qread, qtrust.",
        also=("assessments", "judgements"),
        see=("grade",),
    ),
    Term(
        "aspect",
        "A side of a document on which an assessor grades it: relevance, understandability, credibility, usefulness.",
        also=("aspects", "dimension"),
        see=("grade", "signal"),
    ),
    Term(
        "relevance",
        "Whether a document is about the topic and helps with it. Most measures look at nothing else.",
        also=("relevant", "topicality"),
        see=("aspect",),
    ),
    Term(
        "understandability",
        "How easily the reader for whom the search is made understands a document. It is graded by assessors, or "
        "estimated by a readability such as FOG.",
        see=("aspect", "FOG"),
    ),
    Term("credibility", "How far a document can be trusted, as an assessor sees it.", also=("trustworthiness",)),
    Term(
        "grade",
        "What an assessor gave a document on an aspect, such as 0, 1 or 2. Its label is its name, such as highly "
        "relevant. Above 0 it is positive, 0 is the worst, below 0 the document was not judged, unless the collection "
        "declares another scale. What a grade is worth is decided by the gain of a measure.",
        also=("label", "grades", "labels"),
        see=("gain", "unassessed"),
    ),
    Term(
        "signal",
        "A continuous number of a document that nobody had to assess: its readability, PageRank or spam score.",
        see=("aspect", "threshold"),
    ),
    Term(
        "FOG",
        "A readability: roughly the school years it takes to read a text. It grows with long sentences and with hard "
        "words, which are all of more than two syllables; low is easy. Tools differ: textstat's (here textstat_fog) "
        "takes no word of a list of easy ones for hard, and leaves very short sentences out of the count.",
        formula=r"\mathrm{FOG} = 0.4 \cdot (\text{words per sentence} + \text{percentage of hard words})",
        source="Zuccon 2016, Eq. 5",
        also=("readability",),
    ),
    Term(
        "unassessed",
        "A document that was returned but never graded. It keeps its rank and gains nothing, which may be unfair to "
        "systems that find what others did not.",
        also=("not assessed", "unjudged"),
        see=("pool", "residual"),
    ),
    Term("direction", "Which end of a scale is the good one: a high grade of relevance, but a low FOG."),
)

MEASURING = (
    Term(
        "measure",
        "A rule that turns a ranking and the grades of its documents into a score. Here a measure is written as a "
        "call, such as RBP(rho=0.8), the same in figures, links and programs.",
        also=("metric",),
        see=("score",),
    ),
    Term(
        "score",
        "The number that a measure gives one ranking, mostly from 0 to 1. The score of a system is the mean over "
        "topics.",
    ),
    Term(
        "gain",
        "What a document is worth to the reader: a number made of its grades. In uRBP it is the gain of relevance "
        "times the gain of understandability.",
        formula=r"g(k) = r(k) \cdot u(k)",
        source="Zuccon 2016, Eq. 2",
        see=("grade", "discount"),
    ),
    Term(
        "discount",
        "What a gain at rank k still counts. It falls with the rank because fewer readers get that far.",
        formula=r"M = \frac{1}{N} \sum_{k=1}^{K} g(k) \cdot d(k)",
        source="Carterette 2011; Zuccon 2016, Eq. 1",
        see=("gain", "persistence", "normaliser"),
    ),
    Term(
        "persistence",
        "The probability ρ that a reader goes on to the next rank. Near 1 the reader is patient and deep ranks count; "
        "at 0.5 two documents are read on average.",
        formula=r"d(k) = \rho^{k-1}, \qquad \text{documents read on average} = \frac{1}{1 - \rho}",
        source="Moffat & Zobel 2008",
        also=("rho", "ρ"),
        see=("RBP", "discount"),
    ),
    Term(
        "user model",
        "What a measure assumes about the person who reads a ranking: how far they read, what stops them, what they "
        "understand.",
        see=("persistence", "cascade"),
    ),
    Term(
        "cascade",
        "A user model in which a reader who is satisfied stops, so that what stands below a good document counts less.",
        see=("ERR",),
    ),
    Term(
        "normaliser",
        "What the sum of discounted gains is divided by, mostly so that 1 is the best score.",
        see=("ideal ranking",),
    ),
    Term(
        "cut-off",
        "The deepest rank that a measure looks at, written after an @: nDCG@10.",
        also=("depth", "@10"),
    ),
    Term(
        "threshold",
        "The border from which a grade or a signal counts as good. Near it small differences of the document decide "
        "between all and nothing, unless the border is smoothed as in uRBP2.",
        formula=r"u_1 = \left[\, x < th \,\right], \qquad u_2 = \frac{1}{2} - \frac{\arctan(x - th)}{\pi}",
        source="Zuccon 2016, Eqs. 6 and 7",
        see=("uRBP1", "uRBP2"),
    ),
    Term(
        "residual",
        "How much a score could still rise if every unassessed document turned out to be perfect. The true score lies "
        "between the score and score + residual.",
        source="Moffat & Zobel 2008, section 3.3",
        see=("unassessed",),
    ),
    Term(
        "ideal ranking",
        "The best ranking that the assessed documents of a topic allow: best gain first. A score divided by that of "
        "the ideal ranking says how much of what was possible was reached.",
        source="Järvelin & Kekäläinen 2002",
        also=("ideal",),
        see=("nDCG", "upper bound"),
    ),
    Term(
        "upper bound",
        "The best score that any ranking of a topic's documents can get. For CAM and MM it may be below 1, because no "
        "order pleases all aspects at once.",
        source="Maistro et al. 2021, section 4.2",
        see=("ideal ranking",),
    ),
    Term(
        "contribution",
        "What one document adds to a score: its gain times the discount of its rank, over the normaliser.",
        also=("credit",),
    ),
)

ASPECTS = (
    Term(
        "combine labels, then score",
        "One of two ways to measure several aspects: the labels of each document become one gain, and the ranking is "
        "scored once. It sees whether the same document is good on all aspects.",
        see=("score, then combine", "uRBP", "Product", "TOMA"),
    ),
    Term(
        "score, then combine",
        "The other way to measure several aspects: each aspect gets a score of its own, and the scores are averaged. "
        "It cannot see which document was good on which aspect.",
        see=("combine labels, then score", "CAM", "MM"),
    ),
    Term(
        "weight",
        "How much something counts in a mean. CAM and MM weigh aspects; TOMA weighs classes of labels, none less than "
        "the class below it.",
        source="Maistro et al. 2021, Eqs. 4 to 6",
        also=("weights", "importance"),
        see=("class",),
    ),
    Term(
        "tuple of labels",
        "The labels of one document on all aspects, together: (highly relevant, not correct).",
        also=("label tuple",),
        see=("admissible tuple",),
    ),
    Term(
        "admissible tuple",
        "A combination of labels that a document may have. If what is not relevant cannot be correct either, then "
        "(not relevant, correct) is not admissible and makes no class of its own.",
        source="Maistro et al. 2021, section 3.4",
        see=("tuple of labels", "class"),
    ),
    Term(
        "partial order",
        "What is certain about tuples of labels: one is better if it is at least as good on every aspect. Two tuples "
        "each better on one aspect cannot be compared.",
        source="Maistro et al. 2021, section 3.1",
        also=("not comparable",),
        see=("distance",),
    ),
    Term(
        "embedding",
        "Where the labels of an aspect stand on a line of numbers, worst to best. By equal ranges, the default, every "
        "aspect is equally long, so none counts more for having more labels; by equal steps all labels are one apart, "
        "as in the paper's experiments. Where aspects have equally many labels, both are the same.",
        source="Maistro et al. 2021, sections 3.2, 3.4 and 4.1",
        also=("equal ranges", "equal steps"),
        see=("distance",),
    ),
    Term(
        "distance",
        "How far a tuple of labels is from the best one. It decides between tuples that the partial order leaves open.",
        formula=r"l \preceq l' \iff \mathrm{Dist}(l, l^*) \ge \mathrm{Dist}(l', l^*)",
        source="Maistro et al. 2021, Eq. 2",
        see=("Euclidean", "Manhattan", "Chebyshev"),
    ),
    Term(
        "class",
        "All tuples of labels at the same distance from the best one. TOMA takes them for equally good and gives them "
        "one weight.",
        source="Maistro et al. 2021, section 3.3",
        also=("equivalence class", "classes"),
        see=("weight", "distance"),
    ),
    Term(
        "zero-aspect document",
        "A document that has the worst label on every aspect. How many of them stand among the first five is a test "
        "of a measure: it should not call such a ranking best.",
        source="Maistro et al. 2021, Table 5",
    ),
    Term(
        "winner map",
        "A picture of all settings, each point coloured by the system that is first there. A claim far from every "
        "border is safe; near a border it is a claim about the setting.",
        see=("weight", "sensitivity"),
    ),
)

AGREEMENT = (
    Term(
        "tau",
        "Kendall's τ: how alike two rankings of the same systems are. Pairs ordered alike less pairs ordered "
        "differently; 1 is the same order, −1 the reverse. τ_b, used here, leaves tied pairs out of the count.",
        formula=r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}",
        source="Kendall 1945",
        also=("τ", "tau_b", "Kendall's tau"),
        see=("tau_AP", "ties", "equivalence"),
    ),
    Term(
        "tau_a",
        "Kendall's τ over all pairs. Tied pairs count as pairs, so two equal lists with ties stay below 1.",
        formula=r"\tau_a = \frac{C - D}{N (N - 1) / 2}",
        source="Kendall 1938",
        also=("τ_a",),
        see=("tau", "ties"),
    ),
    Term(
        "tau_AP",
        "AP correlation: like τ, but what is swapped near the top of the list costs more. It has a direction: one list "
        "is walked down, the other is the reference.",
        formula=r"\tau_{AP} = \frac{2}{N - 1} \sum_{i=2}^{N} \frac{C(i)}{i - 1} - 1",
        source="Yilmaz, Aslam & Robertson 2008",
        also=("τ_AP", "AP correlation"),
        see=("tau", "tau_AP,b"),
    ),
    Term(
        "tau_AP,b",
        "τ_AP for lists with ties: the mean of both directions. A list with ties agrees fully with itself.",
        source="Urbano & Marrero 2017",
        also=("τ_AP,b", "tau_ap_b"),
        see=("tau_AP", "ties"),
    ),
    Term(
        "ties",
        "Systems with the same score, to a part in 10^12 (adding up in another order may change that much), or "
        "documents that a system scored alike. Somebody has to decide what a tie means, and correlations differ in how "
        "they do. Documents tied in a run are ordered by their id, descending, as trec_eval does.",
        also=("tie", "tied"),
        see=("tau", "tau_a", "tau_AP,b"),
    ),
    Term(
        "concordant",
        "A pair of systems that two measures order alike. A pair ordered differently is discordant, or swapped.",
        also=("discordant", "swapped pair"),
        see=("tau",),
    ),
    Term(
        "equivalence",
        "Two rankings of systems that correlate above 0.9 are often called equivalent. The winner may still differ.",
        source="Voorhees 2001; Maistro et al. 2021, section 4.3.1",
        also=("equivalent",),
        see=("tau",),
    ),
    Term(
        "Spearman",
        "Spearman's ρ: how close the ranks of the systems under two measures lie to a straight line.",
        source="Spearman 1904",
    ),
    Term(
        "Pearson",
        "Pearson's r: how close the scores themselves, not the ranks, lie to a straight line.",
        source="Pearson 1895",
    ),
    Term(
        "RBO",
        "Rank-biased overlap: the share of systems (or documents) that two lists have in common down to each depth, "
        "averaged with more weight on the top.",
        formula=r"\mathrm{RBO} = (1 - p) \sum_{d} p^{d-1} A(d)",
        source="Webber, Moffat & Zobel 2010",
        also=("rank-biased overlap",),
        see=("Compat",),
    ),
    Term(
        "prefix overlap",
        "The mean share of systems that two lists have in common among the first i. Zuccon 2016 prints it as τ_AP, "
        "which it is not.",
        source="Zuccon 2016, section 6",
        see=("tau_AP",),
    ),
)

SIGNIFICANCE = (
    Term(
        "discriminative power",
        "The share of all pairs of systems that a measure tells apart by a significance test. It says how sharp a "
        "measure is, not whether it measures the right thing.",
        source="Sakai 2006",
        see=("ASL", "bootstrap"),
    ),
    Term(
        "ASL",
        "Achieved significance level: the share of resamples that, with the difference taken out, still show one at "
        "least as large. The bootstrap's p-value; below α the pair is told apart.",
        formula=r"\mathrm{ASL} = \frac{\#\{\,|t^*| \ge |t|\,\}}{B}",
        source="Sakai 2006",
        also=("achieved significance level",),
        see=("bootstrap", "p-value"),
    ),
    Term(
        "bootstrap",
        "Draw as many topics as there are, with replacement, again and again, and see how a result varies. It answers: "
        "what if other topics like these had been used?",
        source="Efron 1979",
        also=("resample", "resamples"),
        see=("ASL", "confidence interval"),
    ),
    Term(
        "p-value",
        "How likely a difference at least this large would be if both systems were equally good. It is not the "
        "probability that they are.",
        also=("p", "significance"),
        see=("ASL", "correction", "effect size"),
    ),
    Term(
        "paired test",
        "A test that compares two systems topic by topic, so that easy and hard topics cancel out. The t-test, the "
        "bootstrap and the permutation test are of this kind.",
        also=("t-test", "permutation test"),
        see=("p-value",),
    ),
    Term(
        "effect size",
        "How large a difference is compared with how much it varies over topics. Unlike a p-value it does not grow "
        "with the number of topics.",
        formula=r"d_z = \frac{\text{mean difference}}{\text{standard deviation of the differences}}",
        source="Cohen 1988; Hedges 1981",
        also=("Cohen's d", "Hedges' g"),
        see=("p-value",),
    ),
    Term(
        "correction",
        "With many pairs tested, some look different by chance. A correction raises their p-values: Bonferroni and "
        "Holm guard against any mistake, Benjamini and Hochberg keep the share of mistakes small.",
        source="Dunn 1961; Holm 1979; Benjamini & Hochberg 1995",
        also=("multiple testing", "Bonferroni", "Holm"),
        see=("p-value",),
    ),
    Term(
        "confidence interval",
        "The range in which a number would probably lie with other topics of the same kind; here the middle 95 % of "
        "its bootstrap resamples.",
        also=("interval",),
        see=("bootstrap",),
    ),
    Term(
        "told apart",
        "A pair of systems that a measure calls different: by a test, or because their means differ by more than a "
        "given limit.",
        see=("discriminative power",),
    ),
)

SENSITIVITY = (
    Term(
        "sensitivity",
        "How much a result changes when a parameter or a choice changes. If the winner depends on it, the claim is "
        "about the choice as much as about the systems.",
        see=("sweep", "Sobol index", "winner map"),
    ),
    Term(
        "sweep",
        "A measure computed for many values of one parameter, so that one sees where the ranking of systems changes.",
        see=("sensitivity",),
    ),
    Term(
        "Sobol index",
        "The share of the variation of a result that one parameter causes when all vary at once. The total index also "
        "counts what it causes together with others.",
        formula=r"S_i = \frac{\mathrm{Var}\left(\mathrm{E}[Y \mid X_i]\right)}{\mathrm{Var}(Y)}",
        source="Sobol 1993; Saltelli 2002",
        also=("Sobol",),
        see=("sensitivity",),
    ),
    Term(
        "baseline",
        "The setting or the system that others are compared with. Pinned, it stays in the figures, and everything "
        "shows its change against it.",
        also=("pin",),
    ),
    Term(
        "leave one out",
        "Compute a result again without one topic, for each topic in turn. If one topic alone changes the winner, the "
        "result rests on it.",
        also=("jackknife",),
        see=("bootstrap",),
    ),
)

FOCUSED = (
    Term(
        "focused retrieval",
        "Search that returns the parts of documents worth reading instead of whole documents.",
        source="Pehcevski et al. 2007",
        also=("INEX",),
        see=("highlighted text", "iP"),
    ),
    Term(
        "highlighted text",
        "What an assessor marked as relevant, character by character, as with a yellow pen. Measures of focused "
        "retrieval count characters in and outside of it.",
        formula=r"P[r] = \frac{\sum_{i \le r} \mathrm{rsize}(p_i)}{\sum_{i \le r} \mathrm{size}(p_i)}",
        source="Pehcevski et al. 2007, Eq. 1",
        also=("rsize", "Trel"),
        see=("specificity",),
    ),
    Term(
        "specificity",
        "The share of a document part that is highlighted: 1 if every character is to the point.",
        formula=r"\mathrm{spec}(c) = \frac{\mathrm{rsize}(c)}{\mathrm{size}(c)}",
        source="ep/gr, Eq. 1",
        see=("highlighted text", "component"),
    ),
    Term(
        "best entry point",
        "The place in a document where one should begin to read. The nearer a system points to it, the better.",
        source="Pehcevski et al. 2007, section 5",
        also=("BEP",),
        see=("Entry", "EntryScreen"),
    ),
    Term(
        "recall level",
        "A share of all highlighted text, such as 1 %. Precision is read off where a ranking has found that much.",
        also=("interpolated precision",),
        see=("iP", "iAP"),
    ),
)

NAVIGATION = (
    Term(
        "navigation",
        "What a reader does after clicking a result: scroll, follow links, open neighbours. A document may be found "
        "although no system returned it.",
        source="ep/gr, section 5",
        also=("browsing",),
        see=("component", "effort-precision"),
    ),
    Term(
        "component",
        "A part that can be returned and read on its own: a section, a paragraph, a page of a site.",
        source="ep/gr",
        also=("components", "element"),
        see=("navigation",),
    ),
    Term(
        "effort",
        "What it costs the reader to get on: ranks visited, characters read, clicks, seconds.",
        source="ep/gr, section 4.2",
        also=("cumulated effort",),
        see=("effort-precision",),
    ),
    Term(
        "effort-precision",
        "The effort that the ideal ranking takes to reach a level of gain, over the effort that this ranking takes. 1 "
        "is as quick as can be, 0 never gets there.",
        formula=r"\mathrm{ep}[gr] = \frac{\mathrm{ce}_{ideal}[gr]}{\mathrm{ce}_{run}[gr]}",
        source="ep/gr, Eq. 6",
        also=("ep/gr",),
        see=("gain-recall", "effort"),
    ),
    Term(
        "gain-recall",
        "The gain collected so far, as a share of all the gain there is for the topic.",
        formula=r"\mathrm{gr}[i] = \frac{\sum_{j \le i} g[j]}{\text{total gain}}",
        source="ep/gr, Eq. 7",
        also=("cumulated gain",),
        see=("effort-precision",),
    ),
)

APP = (
    Term(
        "collection",
        "Runs and assessments that belong together: topics, systems, graded documents. A folder or zip, with a "
        "collection.toml where its files do not speak for themselves.",
        see=("fingerprint",),
    ),
    Term(
        "fingerprint",
        "A short code computed from what the files hold, wherever they lie. Two views with the same fingerprint were "
        "made on the same data, so their numbers can be compared.",
        see=("collection", "view"),
    ),
    Term(
        "view",
        "Everything one sees on a page with its settings. The address in the browser is its link and opens it again.",
        also=("link",),
        see=("fingerprint",),
    ),
)

TERMS: dict[str, tuple[Term, ...]] = {
    "Test collections": COLLECTION,
    "Inside a measure": MEASURING,
    "Several aspects": ASPECTS,
    "Agreement of rankings": AGREEMENT,
    "Significance": SIGNIFICANCE,
    "Sensitivity": SENSITIVITY,
    "Focused retrieval": FOCUSED,
    "Navigation": NAVIGATION,
    "This app": APP,
}

# What a measure is in one sentence, for a first reading; its docstring with the formula stands below it.
IN_WORDS = {
    "AgP": "AP for documents that each have a score of their own between 0 and 1, by the text that was read in them.",
    "AP": "Look at the precision each time a relevant document turns up, and average. One that never does counts as 0.",
    "Bpref": "How rarely a document known to be bad stands above a relevant one. What nobody assessed is passed over.",
    "CAM": "Score each aspect by itself, then take the weighted mean of the scores.",
    "Compat": (
        "How alike a ranking is to the ideal one, the top counting most. It needs an order of documents but no gains."
    ),
    "DCG": "Add up the grades of the documents, each divided by a logarithm of its rank. It has no upper limit.",
    "ECG": "The gain that a reader may expect down to a rank, counting what they find by navigating from the results.",
    "EffortTo": "The effort that a reader may expect to spend until this much gain is collected; less is better.",
    "ep": (
        "The effort that the ideal list takes to a level of gain, over the effort that this list may be expected to "
        "take."
    ),
    "EPRUM": (
        "How many ranks an ideal list takes to give this share of what is relevant, over how many this list takes."
    ),
    "ERR": (
        "The reader stops at the first document that satisfies them; the score is the expected 1 / rank of that stop."
    ),
    "ERRlike": "ERR without its idea: a reader who is already satisfied goes on as if nothing had been found.",
    "ExpectedRatio": "The share of all relevant units that a reader may expect to see by this rank.",
    "GainDiscount": (
        "The building set of measures: choose what a grade is worth, what a rank counts, and what to divide by."
    ),
    "GM": (
        "Score each aspect by itself, then take the geometric mean: a weak aspect costs more than in CAM, less than "
        "in MM."
    ),
    "gP": "The mean score of the first documents, each between 0 and 1 by the text that was read in it.",
    "gR": "The share of the documents with highlighted text that stands among the first.",
    "gr": "The gain that a reader may expect down to a rank, as a share of all the gain there is.",
    "iAP": "The mean precision over 101 levels of recall, from 0 % to 100 % of the highlighted text.",
    "InverseEffort": (
        "The expected inverse of the effort it takes to collect this much gain; 0 for readers who never do."
    ),
    "iP": "The best precision that can be had once this share of the highlighted text is found.",
    "MAep": "Effort-precision at every point where the gain rises, averaged over all relevant components.",
    "MM": (
        "Score each aspect by itself, then take the harmonic mean: one weak aspect pulls the score down, one at 0 "
        "makes it 0."
    ),
    "nDCG": "DCG divided by the DCG of the ideal ranking, so that 1 is the best score on every topic.",
    "NGRE": "How rarely a worse document stands above a better one, the errors of each aspect summed up first.",
    "NLRE": "How rarely a worse document stands above a better one, neighbour by neighbour.",
    "nWCS": (
        "Cumulated gain of all aspects, divided by that of the same documents in their best order, or of the best "
        "documents that were assessed."
    ),
    "P": "The share of the first K documents that is relevant.",
    "Product": "Multiply the gains of a document on all aspects, then score the ranking once by any measure.",
    "PRUM": "The probability that something a reader sees is relevant to them, once this share of it was found.",
    "Q": "A blend of AP and cumulated gain: AP for graded relevance.",
    "R": "The share of all relevant documents that stands among the first K.",
    "RBP": "The share of what a reader looks at that is relevant, if they go on from rank to rank with probability ρ.",
    "Rprec": "Precision among the first R documents, R being how many relevant ones there are.",
    "RR": "One over the rank of the first relevant document: 1 at the top, 0.5 at rank 2.",
    "TextAP": (
        "AP for document parts, in characters: how pure the returned text is, times how much of the highlighted text "
        "was found."
    ),
    "TextP": "The share of the returned characters that is highlighted.",
    "TextR": "The share of the highlighted characters that was returned.",
    "TOMA": (
        "Order the combinations of labels by their distance to the best one, give each class a weight, then score the"
        " ranking by any measure."
    ),
    "uRBP": "RBP that credits a relevant document only if its reader also understands it.",
    "uRBP1": "uRBP with a readability instead of grades: understood below the threshold, not understood from it on.",
    "uRBP2": "uRBP1 with a smooth border: a document just beyond the threshold still counts a little.",
    "uRBPgr": "RBP that credits a relevant document by how well its reader understands it, a gain for each grade.",
    "WHAM": "MM of relevance and credibility, under its earlier name.",
}
