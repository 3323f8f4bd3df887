"""Measures by text, trec_eval's names, lists, files and sets."""

from __future__ import annotations

import pytest
from cli_support import Run

import evalcore as ec
from evalcore.cli.names import known_names, read_measures, split
from evalcore.notation.trec_eval import CUTOFFS, SETS, TREC_EVAL_AT, TREC_EVAL_BY


@pytest.mark.parametrize(
    ("text", "names", "measures"),
    [
        ("map", ["map"], ["AP"]),
        ("P_10", ["P_10"], ["P@10"]),
        ("ndcg_cut.10,20", ["ndcg_cut_10", "ndcg_cut_20"], ["nDCG@10", "nDCG@20"]),
        ("recall_100, bpref", ["recall_100", "bpref"], ["R@100", "Bpref"]),
        ("RBP( rho = 0.50 )", ["RBP(rho=0.5)"], ["RBP(rho=0.5)"]),
        ("AP,", ["AP"], ["AP"]),
        ("map, P.5,10, RR", ["map", "P_5", "P_10", "RR"], ["AP", "P@5", "P@10", "RR"]),
        ("P@3, P()", ["P@3", "P@10"], ["P@3", "P@10"]),
        ("Rprec", ["Rprec"], ["Rprec"]),
        ('CAM(nDCG@10, aspects=["a", "b"]), MAP', ['CAM(nDCG@10, aspects=["a", "b"])', "AP"], None),
    ],
)
def test_texts(text: str, names: list[str], measures: list[str] | None) -> None:
    found = dict(read_measures(text))
    assert list(found) == names
    assert list(map(str, found.values())) == (measures or names)


def test_commas_inside_quotes_and_brackets_do_not_split() -> None:
    assert split("""A(x="),(", y='[,') , B({1: 2, 3: 4}),,""") == ["""A(x="),(", y='[,')""", "B({1: 2, 3: 4})"]


def test_every_known_name_is_read() -> None:
    names = known_names()
    assert {"AP", "Precision", "map", "P", "ndcg_cut_10"} <= set(names)
    for name in names:
        several = name in TREC_EVAL_AT or name in TREC_EVAL_BY or name in SETS
        assert (len(list(read_measures(name))) > 1) == several
    assert len(list(read_measures("P"))) == len(CUTOFFS)


def test_measures_from_a_file(small, run: Run) -> None:
    (small / "measures.txt").write_text("# what we report\nAP\n\nP_5, RR\n")
    assert run("score . -m @measures.txt -f table").lines[0].split() == ["system", "AP", "P_5", "RR"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("score . -m urbp", "measure 'urbp': expected a measure, found "),
        ("score . -m urbp", "found 'urbp'; did you mean uRBP?"),
        ("score . -m ndcg@10", "did you mean nDCG?"),
        ("score . -m 'RBP(rho=2)'", "evalcore: RBP(rho=...): expected a number in (0, 1), found 2"),
        ("score . -m 'RBP('", "expected a call such as RBP(rho=0.8), found 'RBP('"),
        ("score . -m ','", "expected a call such as RBP(rho=0.8), found ','"),
        ("score . -m yaap", "found 'yaap'"),
        ("score . -m 'AP(aspect=\"trust\")'", "expected an aspect or signal of this collection (relevance"),
        ("score . -m @measures.txt", "evalcore: measures.txt, line 2: expected a measure such as "),
        ("score . -m @none.txt", "evalcore: none.txt: cannot read the file: No such file"),
        ("score . --set nonsense", "evalcore: --set: expected a set that fits this collection (First look; "),
    ],
)
def test_unknown_names_are_refused(line: str, complaint: str, small, run: Run) -> None:
    (small / "measures.txt").write_text("AP\nnonsense\n")
    ran = run(line)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert complaint in ran.err


def test_a_set_and_measures_add_up(small, run: Run) -> None:
    sets = ec.measures.suggestions(ec.load(small))
    columns = run(["score", ".", "--set", "One aspect, classic", "-m", "map", "-f", "csv"]).lines
    names = list(dict.fromkeys(line.split(",")[1] for line in columns[1:] if '"' not in line))
    assert names == ["map", *map(str, sets["One aspect, classic"])]
