"""A system has the same name everywhere on a page: in sentences, figures and select boxes."""

from __future__ import annotations

import pytest

from app_support import open_app

LONG = ["team_EN_Run.1.dat", "team_EN_Run.2.dat", "other_EN_Run.1.dat"]
PAGES = ["sensitivity", "claim", "moved", "topic", "discriminative_power", "understandability"]


@pytest.mark.parametrize("page", PAGES)
def test_selects_show_the_names_of_figures_and_links_keep_those_of_files(page, tmp_path, monkeypatch):
    documents = [f"d{number}" for number in range(6)]
    for name, grades in (("qrels.txt", (2, 0, 1)), ("qread.txt", (0, 1, 2))):
        lines = (f"t{t} 0 {d} {grades[(t + at) % 3]}\n" for t in range(4) for at, d in enumerate(documents))
        (tmp_path / name).write_text("".join(lines))
    for shift, name in enumerate(LONG):
        rows = (f"t{t} Q0 {documents[(t * shift + r) % 6]} {r} {9 - r} x\n" for t in range(4) for r in range(6))
        (tmp_path / f"{name}.run").write_text("".join(rows))
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(tmp_path)])
    app = open_app(page)
    assert not app.exception
    offered = {option for control in (*app.main.selectbox, *app.main.multiselect) for option in control.options}
    assert offered & {"team 1", "team 2", "other"}
    assert not offered & set(LONG)
