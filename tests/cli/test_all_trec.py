"""`evalcore score -m official` and `-m all_trec`: what trec_eval prints, to the letter.

The golden text is made of pytrec_eval's values, in the order that it takes from trec_eval's own table, by the formats
of trec_eval's sources.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from cli_support import Run

from evalcore.notation.trec_eval import ALL_TREC, GEOMETRIC, OFFICIAL, names_of_trec_eval

QRELS = {
    "301": {"a": 1, "b": 0, "c": 2, "d": -1, "e": 1, "f": 12},
    "302": {"a": 0, "c": 1},
    "303": {"g": 2, "h": 1, "i": 0},
}
RUN = {
    "301": {"x": 9.0, "a": 8.0, "d": 7.0, "f": 6.5, "c": 6.0, "b": 5.0, "y": 4.0},
    "302": {"b": 3.0, "a": 2.5, "c": 2.0},
    "303": {**{f"n{at}": 50.0 - at for at in range(25)}, "h": 20.0, "i": 19.0, "g": 18.0},
}
RELSTRINGS = {"301": "-1.>20-", "302": "-01", "303": "-" * 10}


def golden(names: tuple[str, ...], by_topic: bool) -> str:
    """Text that trec_eval prints: its names in its order, from its values, by its formats."""
    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, pytrec_eval.supported_measures)
    values = evaluator.evaluate(RUN)
    whole = [name for name in values["301"] if name.startswith("num_")]
    keys = [name for family in names for name, _ in names_of_trec_eval(family)]
    lines = []
    for topic in QRELS if by_topic else ():
        for name in keys:
            if name == "relstring":
                lines.append(f"{name:<22}\t{topic}\t'{RELSTRINGS[topic]}'")
            elif name != "num_q" and name not in GEOMETRIC:
                value = values[topic][name]
                lines.append(
                    f"{name:<22}\t{topic}\t{value:.0f}" if name in whole else f"{name:<22}\t{topic}\t{value:6.4f}"
                )
    lines.append(f"{'runid':<22}\tall\tmine")
    for name in keys:
        listed = [values[topic][name] for topic in QRELS if name not in ("num_q", "relstring")]
        if name == "num_q":
            lines.append(f"{name:<22}\tall\t{len(QRELS)}")
        elif name in whole:
            lines.append(f"{name:<22}\tall\t{sum(listed):.0f}")
        elif name != "relstring":
            mean = math.exp(np.mean(listed)) if name in GEOMETRIC else np.mean(listed)
            lines.append(f"{name:<22}\tall\t{mean:6.4f}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, found in QRELS.items() for d, g in found.items()))
    (tmp_path / "mine").write_text(
        "".join(f"{t} Q0 {d} {k} {s} mine\n" for t, found in RUN.items() for k, (d, s) in enumerate(found.items(), 1))
    )
    return ["--runs", str(tmp_path / "mine"), "--aspect", f"relevance={tmp_path / 'qrels'}"]


@pytest.mark.parametrize(("asked", "names"), [("official", OFFICIAL), ("all_trec", ALL_TREC)])
@pytest.mark.parametrize("by_topic", [False, True])
def test_output_equals_trec_eval_to_the_letter(
    asked: str, names: tuple[str, ...], by_topic: bool, files: list[str], run: Run
) -> None:
    ran = run(["score", *files, "-m", asked, *(["-q"] if by_topic else [])])
    assert ran.out == golden(names, by_topic)


def test_topics_are_in_the_order_of_trec_eval(tmp_path: Path, run: Run) -> None:
    """It sorts lines by strcmp of the topic (get_trec_results.c)."""
    (tmp_path / "qrels").write_text("9 0 a 1\n10 0 a 1\n1000 0 a 1\n")
    (tmp_path / "mine").write_text("9 Q0 a 1 1 mine\n10 Q0 a 1 1 mine\n1000 Q0 a 1 1 mine\n")
    found = ["--runs", str(tmp_path / "mine"), "--aspect", f"relevance={tmp_path / 'qrels'}"]
    lines = run(["score", *found, "-m", "map", "-q"]).lines
    assert [line.split("\t")[1] for line in lines] == ["10", "1000", "9", "all", "all"]
