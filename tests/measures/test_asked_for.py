"""Every measure that people miss elsewhere is typed, in menus, in ir_measures and on Topic; exceptions have reasons."""

from __future__ import annotations

import ir_measures
import pytest

import evalcore as ec
from app_support import SAMPLE
from evalcore.cli.names import read_measures
from evalcore.explain import read_down
from evalcore.integrations.ir_measures import EvalcoreProvider, measure
from evalcore.measures import AWRF, suggestions

DOCUMENTS, SUBTOPICS, ANSWERS, PASSAGES, LINKS = "health", "diversity", "answers", "manual", "site"
# As people call it, what is typed, and the sample that has what it reads.
ASKED = [
    ("INST", "INST(T=2)", DOCUMENTS),
    ("INSQ", "INSQ", DOCUMENTS),
    ("BPM static", "BPM", DOCUMENTS),
    ("BPM dynamic", "BPM(hb=1, hc=1)", DOCUMENTS),
    ("TBG", "TBG", DOCUMENTS),
    ("IFT goal", "IFTGoal", DOCUMENTS),
    ("IFT rate", "IFTRate", DOCUMENTS),
    ("IFT", "IFT", DOCUMENTS),
    ("U-measure", "U", DOCUMENTS),
    ("SDCG", "SDCG@10", DOCUMENTS),
    *((name, name, DOCUMENTS) for name in ("NERR8@10", "NERR9@10", "NERR10", "NERR11")),
    ("RBP with graded gains", "GradedRBP", DOCUMENTS),
    ("alpha-nDCG", "alphanDCG", SUBTOPICS),
    ("alpha-DCG", "alphaDCG", SUBTOPICS),
    ("ERR-IA", "ERRIA", SUBTOPICS),
    ("nERR-IA", "nERRIA", SUBTOPICS),
    ("NRBP", "NRBP", SUBTOPICS),
    ("AP-IA", "IA(AP)", SUBTOPICS),
    ("P-IA", "IA(P@10)", SUBTOPICS),
    ("intent-aware nDCG", "IA(nDCG@10)", SUBTOPICS),
    ("subtopic recall", "STREC@10", SUBTOPICS),
    ("D#-nDCG", "DSharp", SUBTOPICS),
    ("AWRF", "AWRF@10", SUBTOPICS),
    ("nugget recall", "NuggetRecall", ANSWERS),
    ("nERR", "nERR@10", DOCUMENTS),
    ("O-measure", "Omeasure", DOCUMENTS),
    ("P-measure", "Pmeasure", DOCUMENTS),
    ("P+-measure", "Pplus", DOCUMENTS),
    ("NCU", "NCU", DOCUMENTS),
    ("AP@k by min(R, k)", 'AP(per="min(R, K)")@10', DOCUMENTS),
    ("nDCG with base b", "nDCGb(b=3)@10", DOCUMENTS),
    ("GAP", "GAP", DOCUMENTS),
    *((name, name, DOCUMENTS) for name in ("GMAP", "gm_map", "gm_bpref", "11pt_avg", "utility", "set_P", "set_recall")),
    *((name, name, DOCUMENTS) for name in ("success_5", "iprec_at_recall_0.10", "Rprec_mult_0.60", "unj_5", "set_F")),
    *((name, name, DOCUMENTS) for name in ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")),
    ("F(beta)", "SetF(beta=2)", DOCUMENTS),
    ("Accuracy", "Accuracy", DOCUMENTS),
    ("nDCG on condensed lists", "nDCG(judged_only=True)@10", DOCUMENTS),
    ("AP on condensed lists", "AP(judged_only=True)", DOCUMENTS),
    ("Judged@k", "Judged@10", DOCUMENTS),
    ("u-nDCG", "u-nDCG@10", DOCUMENTS),
    ("u-ERR", "u-ERR@20", DOCUMENTS),
    ("H_RBP", "HRBP(rho=0.9, threshold=2)", DOCUMENTS),
    *((name, name, LINKS) for name in ("PRUM", "ExpectedRatio", "ECG", "gr", "EffortTo", "InverseEffort", "EPRUM")),
    *((name, name, PASSAGES) for name in ("TextAP", "TextP", "TextR", "gR")),
]
# What has no entry of its own in a menu, and where it is.
NOT_IN_MENUS = {
    "alphaDCG": "alphanDCG without its ideal; typed",
    "NumRet": "counts, of which no system is the better; typed",
    "NumRel": "counts, of which no system is the better; typed",
    "NumRelRet": "counts, of which no system is the better; typed",
    "NumNonRelJudgedRet": "counts, of which no system is the better; typed",
}
NOT_ON_TOPIC = {LINKS: "lists over a graph", PASSAGES: "passages, which Focused retrieval shows", ANSWERS: "no ranking"}
NOT_IN_IR_MEASURES = {
    SUBTOPICS: "qrels there have no column of subtopics",
    LINKS: "graphs",
    PASSAGES: "passages",
    ANSWERS: "no ranking",
}


@pytest.fixture(scope="module")
def samples() -> dict[str, ec.Collection]:
    return {name: ec.load(SAMPLE.parent / name) for name in (DOCUMENTS, SUBTOPICS, ANSWERS, PASSAGES, LINKS)}


@pytest.fixture(scope="module")
def menus(samples) -> set[str]:
    """The kinds of measures in some menu, those inside others too."""
    offered = [one for c in samples.values() for listed in suggestions(c).values() for one in listed]
    return {type(one).__name__ for one in offered}


def test_it_is_typed_in_python_and_on_the_command_line(subtests, samples):
    for name, text, sample in ASKED:
        with subtests.test(f"{name}, {text}"):
            ((_, one),) = read_measures(text)
            assert one == ec.parse(text)
            assert ec.evaluate(one, samples[sample]).notna().to_numpy().any()


def test_it_stands_in_a_menu(subtests, menus):
    for name, text, _ in ASKED:
        with subtests.test(f"{name}, {text}"):
            kind = type(ec.parse(text)).__name__
            assert (kind in menus) != (kind in NOT_IN_MENUS)


def test_topic_explains_it_rank_by_rank(subtests, samples):
    for name, text, sample in ASKED:
        with subtests.test(f"{name}, {text}"):
            c = samples[sample]
            if sample in NOT_ON_TOPIC:
                continue
            topic = ec.covered_topics(c, text)[0]
            assert "adds" in read_down(text, c, c.systems[0], topic, depth=5)


def test_ir_measures_has_it(subtests):
    for name, text, sample in ASKED:
        with subtests.test(f"{name}, {text}"):
            one = ec.parse(text)
            if sample in NOT_IN_IR_MEASURES and not isinstance(one, AWRF):
                continue  # groups of AWRF are numbers in a column of qrels there
            assert EvalcoreProvider().supports(measure(text))
            assert type(one).__name__ in ir_measures.measures.registry
