"""Every page on collections unlike the sample: it shows results, or explains what it lacks."""

from __future__ import annotations

import pytest
from odd_support import DECLARED, RANKINGS, SHAPES, write

from app_support import an_app, go_to, open_app
from ui.address.places import PAGES

CASES = [*((shape, "") for shape in SHAPES), *DECLARED.items()]


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "declared"), CASES)
def test_every_fourth_page_opens_on_an_odd_collection(shape, declared, tmp_path, monkeypatch):
    folder = write(tmp_path / "odd", shape, declared)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = an_app(120)
    app.run()
    assert app.session_state["open collection"].systems == tuple(sorted(RANKINGS))
    at = CASES.index((shape, declared))
    for page in list(PAGES)[at % 4 :: 4]:
        go_to(app, page).run()
        assert not app.exception, (page, app.exception[0].value)
        assert app.title, page
        assert not app.error, (page, app.error[0].value)


@pytest.mark.parametrize(("page", "lacks", "sample"), [
    ("focused_retrieval", "highlighted passages", "focused sample"),
    ("navigation", "links between documents", "navigation sample"),
])  # fmt: skip
def test_a_page_that_the_collection_does_not_fit_shows_a_sample(page, lacks, sample):
    app = open_app(page, data="sample data")
    assert not app.exception
    (said,) = [caption.value for caption in app.caption if "Shown here" in caption.value]
    assert f"This page needs {lacks}; the open collection has none.  \nShown here: *{sample}*" in said
    assert any(text.value.startswith("Under ") for text in app.markdown)
