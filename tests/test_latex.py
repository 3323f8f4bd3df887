"""LaTeX of tables and words: ASCII, balanced, nothing obeyed, and compiled by plain pdflatex where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hostile import DOCUMENTS, SYSTEMS, TOPICS
from hypothesis import given
from hypothesis import strategies as st

from evalcore.common.latex import _ACCENTS, _GREEK, _MATHS, _TEXT, caption, latex_table, latex_text
from evalcore.meta import rank_intervals
from evalcore.meta.intervals_of_ranks import ranks_table

# Allowed after a backslash in a text; anything else there would have come from the text itself.
COMMANDS = (
    r"text(backslash|asciitilde|asciicircum|less|greater|bar)|ldots|ss|[aA]E|ae|oe|OE|[oOlLijSP]|copyright|pounds"
)
INK = re.compile(rf"\\({COMMANDS})\{{\}}|\\[&%$#_{{}},-]|\\(['`^~=u.\"rHvdcb])(?=\{{)|\$[^$]*\$|\\[ij](?=\}})")
PREAMBLE = r"\documentclass[twocolumn]{article}\usepackage{booktabs}\begin{document}"


def unobeyed(text: str) -> str:
    """Characters of a text's LaTeX that are left for TeX to obey, without braces."""
    return re.sub(r"[^\\$&%#_^~]", "", INK.sub("", text).replace("~", ""))


def balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@given(st.text())
def test_any_name_is_plain_balanced_text(name: str) -> None:
    text = latex_text(name)
    assert text.isascii()
    assert balanced(text)
    assert "\n" not in text
    assert unobeyed(text) == ""


def test_signs_by_their_names(subtests: pytest.Subtests) -> None:
    for plain, text in [
        ("τ", r"$\tau$"),
        ("τ_AP at ρ = 0.8", r"$\tau_{AP}$ at $\rho$ = 0.8"),
        ("Δ ≤ 3 × 2 – …", r"$\Delta$ $\le$ 3 $\times$ 2 -- \ldots{}"),
        ("Zoë Çelik Łódź", r"Zo\"{e} \c{C}elik \L{}\'{o}d\'{z}"),
        ("naïve", r"na\"{\i}ve"),
        ("“a” 'b' \"c\"", "``a'' 'b' ''c''"),
        ("run--1 *x [y]", "run-{}-1 {*}x {[}y{]}"),
        ("\uff04x\uff05", r"\$x\%"),
        ("検", "{[}U+691C{]}"),
        ("χ²", r"$\chi$${}^{2}$"),
    ]:
        with subtests.test(f"{plain}, {text}"):
            assert latex_text(plain) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(12345, "12345"), (np.int64(-12345), "$-12345$"), (float("-inf"), r"$-\infty$"), (np.float64(0.123456), "0.1235")],
)
def test_numbers(number: float, text: str) -> None:
    assert latex_text(number) == text


def test_a_table_with_its_index_two_equal_columns_and_decimals_of_its_own() -> None:
    frame = pd.DataFrame([[0.5, 1, None]], columns=["τ", "n", "n"], index=pd.Index(["a_b"], name="system"))
    lines = latex_table(frame, index=True, decimals={"τ": 2}).splitlines()
    assert lines[0] == r"\begin{tabular}{lrrl}"
    assert lines[2] == r"system & $\tau$ & n & n \\"
    assert lines[4] == r"a\_b & 0.50 & 1 & -- \\"


def test_a_caption_leaves_out_what_there_is_nothing_to_say_of() -> None:
    assert caption("Who wins?") == "Who wins?"
    assert caption("Pairs", measures=["AP"], settings=[("α", "0.05")]) == "Pairs. Measure: AP. Settings: α 0.05."


def test_a_table_too_wide_for_a_column_spans_the_page_and_one_too_long_continues() -> None:
    wide = latex_table(pd.DataFrame([[0.5] * 8], columns=[f"measure {at} of eight" for at in range(8)]), "Wide")
    assert wide.startswith(r"\begin{table*}")
    assert r"\shortstack[r]{measure \\ 0 of \\ eight}" in wide
    parts = latex_table(pd.DataFrame({"topic": [f"t{at}" for at in range(100)]}), "Long").split(r"\end{table}")
    assert [len(re.findall(r"^t\d+ ", part, re.MULTILINE)) for part in parts] == [34, 34, 32, 0]
    assert [part.count(r"\caption{Continued.}") for part in parts] == [0, 1, 1, 0]
    assert [part.count(r"\label") for part in parts] == [0, 0, 0, 0]
    many = latex_table(pd.DataFrame([range(60)], index=pd.Index(["a"], name="system")), "Many", index=True)
    heads = re.findall(r"\\toprule\n(.*) \\\\\n", many)
    assert len(heads) > 1
    assert all(head.startswith("system & ") for head in heads)
    assert [int(name) for head in heads for name in head.split(" & ")[1:]] == list(range(60))


@pytest.mark.parametrize("count", [12, 40, 143])
@pytest.mark.parametrize("name", ["ECNU {}", "Laboratoire_Informatique_Appliquee_monot5-large-reranked_{:03d}"])
def test_ranks_and_scores_stay_within_the_columns_and_pages_of_an_article(
    tmp_path: Path, name: str, count: int
) -> None:
    rng, names = np.random.default_rng(count), [name.format(at) for at in range(count)]
    scores = pd.DataFrame(rng.normal(np.linspace(0.3, 0.6, count), 0.1, (50, count)), columns=names)
    measures = ["AP", "nDCG@10", "uRBP(rho=0.8)", "share first by uRBPgr(rho=0.8)", "ERR", "P@10", "R@1000"]
    plain = pd.DataFrame(rng.random((count, 7)), columns=measures, index=pd.Index(names, name="system"))
    tables = [
        ranks_table(rank_intervals(scores, 200).table, "AP", "", 0.95, {}),
        latex_table(plain, "Scores", index=True),
    ]
    log = compiled(tables, tmp_path)
    assert re.findall(r"Overfull .*|Float too large.*", log) == []


def test_plain_pdflatex_compiles_every_sign_and_hostile_names(tmp_path: Path) -> None:
    signs = [*_GREEK, *_MATHS, *_TEXT, *"".join(f"{letter}{mark} " for letter in "aij" for mark in _ACCENTS).split()]
    every = pd.DataFrame({"sign": signs, "τ_AP, ρ ≥ 0.5": range(len(signs))})
    names = pd.DataFrame({name: [0.5] for name in SYSTEMS[:6]}).assign(x=["*a"]).rename(columns={"x": "[b]"})
    hostile = pd.DataFrame({"[x]": [*SYSTEMS, *TOPICS, *DOCUMENTS]})
    tables = [
        latex_table(one, "τ “of” 50% {", label="τ ü", index=True) for one in (every[:90], every[90:], names, hostile)
    ]
    assert "Missing character" not in compiled(tables, tmp_path)


def compiled(tables: list[str], folder: Path) -> str:
    """Compile tables in an article of two columns; return the log."""
    tex = shutil.which("pdflatex")
    if tex is None or not _has_booktabs():
        pytest.skip("no pdflatex with booktabs: apt-get install texlive-latex-recommended")
    (folder / "t.tex").write_text("\n".join([PREAMBLE, *tables, r"\end{document}"]), encoding="ascii")
    command = [tex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "t.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-1500:]
    return (folder / "t.log").read_text("utf-8", "replace")


def _has_booktabs() -> bool:
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True) if shutil.which("kpsewhich") else None
    return bool(found and found.stdout)
