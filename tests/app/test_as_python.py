"""The code that a page offers recomputes what the page shows."""

from __future__ import annotations

from python_support import run, snippet

from app_support import metric, open_app


def test_it_gives_the_correlations_on_the_screen(monkeypatch):
    app = open_app(rho="0.6", like="bm25*, dense*", ontopics=["q01", "q05", "q09"])
    names = run(snippet(app), monkeypatch)
    assert f"{names['tau']:.3f}" == metric(app, "τ")
    assert f"{names['tau_ap']:.3f}" == metric(app, "τ_AP")


def test_it_gives_the_winner_on_the_screen(monkeypatch):
    app = open_app("aspect_weights", weights=["relevance:1", "understandability:0.2"], mean="MM")
    first = run(snippet(app), monkeypatch)["first"].index[0]
    assert any(f"First: **{first}**".replace("_", "\\_") in one.value for one in app.markdown)


def test_it_gives_the_discriminative_power_on_the_screen(monkeypatch):
    app = open_app("discriminative_power", measures=["AP", "P@10"])
    power = run(snippet(app), monkeypatch)["power"]
    assert any(f"**{max(power.values()):.1%}**" in one.value for one in app.markdown)
