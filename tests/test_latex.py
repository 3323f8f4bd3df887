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

# Allowed after a backslash in a text; anything else there would have come from the text itself.
COMMANDS = (
    r"text(backslash|asciitilde|asciicircum|less|greater|bar)|ldots|ss|[aA]E|ae|oe|OE|[oOlLijSP]|copyright|pounds"
)
INK = re.compile(rf"\\({COMMANDS})\{{\}}|\\[&%$#_{{}},-]|\\(['`^~=u.\"rHvdcb])(?=\{{)|\$[^$]*\$|\\[ij](?=\}})")
PREAMBLE = r"\documentclass{article}\usepackage{booktabs}\begin{document}"


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


def test_plain_pdflatex_compiles_every_sign_and_hostile_names(tmp_path: Path) -> None:
    tex = shutil.which("pdflatex")
    if tex is None or not _has_booktabs():
        pytest.skip("no pdflatex with booktabs: apt-get install texlive-latex-recommended")
    signs = [*_GREEK, *_MATHS, *_TEXT, *"".join(f"{letter}{mark} " for letter in "aij" for mark in _ACCENTS).split()]
    every = pd.DataFrame({"sign": signs, "τ_AP, ρ ≥ 0.5": range(len(signs))})
    names = pd.DataFrame({name: [0.5] for name in SYSTEMS[:6]}).assign(x=["*a"]).rename(columns={"x": "[b]"})
    hostile = pd.DataFrame({"[x]": [*SYSTEMS, *TOPICS, *DOCUMENTS]})
    tables = [
        latex_table(one, "τ “of” 50% {", label="τ ü", index=True) for one in (every[:90], every[90:], names, hostile)
    ]
    (tmp_path / "t.tex").write_text("\n".join([PREAMBLE, *tables, r"\end{document}"]), encoding="ascii")
    command = [tex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "t.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-1500:]
    assert b"Missing character" not in (tmp_path / "t.log").read_bytes()


def _has_booktabs() -> bool:
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True) if shutil.which("kpsewhich") else None
    return bool(found and found.stdout)
