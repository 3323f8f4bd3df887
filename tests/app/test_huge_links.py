"""Numbers of 400 and 5,000 digits in a link: the page states that they do not fit, and shows everything else."""

from __future__ import annotations

import pytest

from app_support import open_app

LINKS = {
    "understandability": {"depth": "{}", "rho": "{}"},
    "correlations": {"measures": "AP@{}"},
    "sensitivity": {"measure": "RBP(rho={})"},
    "discriminative_power": {"measures": "nDCG(gains={{0: {}}})"},
}


@pytest.mark.parametrize(("page", "digits"), [*((page, 400) for page in LINKS), ("understandability", 5000)])
def test_a_huge_number_in_a_link_does_not_fit(page: str, digits: int) -> None:
    app = open_app(page, **{key: text.format("9" * digits) for key, text in LINKS[page].items()})
    assert not app.exception
    assert "These settings do not apply to this collection" in app.warning[0].value
