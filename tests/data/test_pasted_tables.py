"""Tables of scores as they are copied from papers, web pages and spreadsheets, alone in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec

CSV = "Model,A,B\nx,0.1,0.2\ny,0.3,0.4\n"
MARKDOWN = "| Model | A | B |\n|:---|---:|---:|\n| **x** | 0.1 | [0.2](https://x.y) |\n| `y` | *0.3* | 0.4 |\n"
LATEX = r"""\begin{tabular}{lrr}
\toprule
Model & A & B \\ \cmidrule(lr){2-3}
x & 0.1 & \textbf{0.2} \\
y & \underline{0.3} & $0.4$ \\[2pt]
\bottomrule
\end{tabular}
"""
TABLES = {
    "s.csv": CSV,
    "s.md": MARKDOWN,
    "s.txt": MARKDOWN,
    "bare.md": "Model | A | B\n--- | --- | ---\nx | 0.1 | 0.2\ny | 0.3 | 0.4\n",
    "README.md": f"# Results\n\nOf two models.\n\n{MARKDOWN}\nThat | is all.\n",
    "s.tex": LATEX,
    "latex.txt": LATEX,
    "bars.psv": CSV.replace(",", "|"),
    "columns.txt": "Model  A    B\nx      0.1  0.2\ny      0.3  0.4\n",
    "unknown.csv": CSV.replace("Model", "Embedding"),
    "semicolons.csv": CSV.replace("Model", "Name").replace(",", ";").replace(".", ","),
    "ranked.csv": "Rank,Model,Mean (Task),A,B\n1,x,0.15,0.1,0.2\n2,y,0.35,0.3,0.4\n",
    "about.csv": "Model,License,Params,A,B\nx,mit,7B,0.1,0.2\ny,apache,0.5B,0.3,0.4\n",
    "nested.json": '{"x": {"A": 0.1, "B": 0.2}, "y": {"A": 0.3, "B": 0.4}}',
    "pandas.csv": ",x,y\nA,0.1,0.3\nB,0.2,0.4\n",  # as `evaluate(...).to_csv()` has them, topics down
}


def scores(folder: Path) -> list[list[float]]:
    c = ec.load(folder, use_cache=False)
    assert (c.systems, c.topics) == (("x", "y"), ("A", "B"))
    found: list[list[float]] = ec.evaluate(f'Score("{next(iter(c.rankings.given))}")', c).T.to_numpy().tolist()
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", TABLES)
def test_each_is_read(tmp_path, name, encoding):
    (tmp_path / name).write_text(TABLES[name], encoding)
    assert scores(tmp_path) == [[0.1, 0.2], [0.3, 0.4]]
    (tmp_path / "collection.toml").write_text(ec.load(tmp_path, use_cache=False).manifest)
    assert scores(tmp_path) == [[0.1, 0.2], [0.3, 0.4]]


@pytest.mark.parametrize(("name", "text", "message"), [
    ("s.md", MARKDOWN.replace("0.4", "good"), "s.md line 4: expected a number as score, found 'good'"),
    ("s.tex", LATEX.replace("0.1", "high"), "s.tex line 4: expected a number as score, found 'high'"),
    ("s.csv", "x,0.1,0.2\ny,0.3,0.4\n", "s.csv line 1: expected names of columns in the first line"),
    ("s.html", "<table><tr><td>x</td></tr></table>", "s.html: expected a table of scores (CSV), found a web page"),
    ("s.xlsx", "PK\x03\x04\0", "s.xlsx: a workbook of a spreadsheet; save its sheet as CSV"),
])  # fmt: skip
def test_an_error_says_where_and_what_to_do(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ec.InputError) as error:
        ec.load(tmp_path, use_cache=False)
    assert message in str(error.value)


@pytest.mark.parametrize("others", [
    {"a.run": "1 Q0 d1 1 3.5 a\n"},
    {"run.json": '{"1": {"d1": 0.5, "d2": 0.25}, "2": {"d3": 1.0}}'},
    {"qrels.txt": "1 0 d1 1\n"},
])  # fmt: skip
def test_a_table_of_whatever_is_none_of_scores_beside_runs_or_labels(tmp_path, others):
    (tmp_path / "lengths.csv").write_text("name,length\nd1,17\nd2,5\n")
    for name, text in others.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ec.InputError, match="expected"):
        ec.load(tmp_path, use_cache=False)
