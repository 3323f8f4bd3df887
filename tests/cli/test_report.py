"""`evalcore report`."""

from __future__ import annotations

from cli_support import Run


def test_a_report_of_two_measures_compares_them(run: Run, in_checkout) -> None:
    ran = run(["report", "sample_data/health", "-m", "RBP, AP", "-o", "out.html", "--title", "Two measures"])
    assert (ran.code, ran.err) == (0, "")
    html = (in_checkout / "out.html").read_text()
    assert "<title>Two measures</title>" in html
    assert html.count("Plotly.newPlot(") == 4  # scatter, ranks, intervals, and the map of measures
    assert "Ranks with their intervals" in html
    assert "tau_b of each pair of measures" in html


def test_one_measure_gives_its_scores(run: Run, in_checkout) -> None:
    assert run(["report", "sample_data/health", "-m", "AP", "-o", "out.html"]).code == 0
    assert "Mean scores over topics" in (in_checkout / "out.html").read_text()


def test_a_file_to_write_is_needed(run: Run) -> None:
    ran = run(["report", "sample_data/health", "-m", "AP"])
    assert ran.code == 2
    assert "-o/--out" in ran.err
