"""Every page on collections of another shape than the sample: it shows something, or says in words what it lacks."""

from __future__ import annotations

import pytest
from odd_support import DECLARED, RANKINGS, SHAPES, write

from app_support import an_app
from ui.address.site import PAGES


@pytest.mark.parametrize(("shape", "declared"), [*((shape, "") for shape in SHAPES), *DECLARED.items()])
def test_every_page(shape, declared, tmp_path, monkeypatch):
    folder = write(tmp_path / "odd", shape, declared)
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", str(folder)])
    app = an_app(120)
    app.run()
    assert app.session_state["open collection"].systems == tuple(sorted(RANKINGS))
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, (page, app.exception[0].value)
        assert app.title, page
        assert not app.error, (page, app.error[0].value)
