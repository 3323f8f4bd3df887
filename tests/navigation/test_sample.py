"""The sample collection `site/`: make_site.py writes it, and the facts in sample_data/README.md are true."""

from __future__ import annotations

from pathlib import Path

import pytest

import evalcore as ec
from sample_data.make_site import SYSTEMS, TOPICS, make

SITE = Path(__file__).parents[2] / "sample_data" / "site"
STAY = "MAep(navigation=Stay)"
WALK = "MAep(navigation=Walk(stop=0.3))"
READING = "effort=Effort(rank=5, click=2, second=1)"


def means(text: str, collection: ec.Collection):
    return ec.evaluate(text, collection).mean()


def test_make_site_writes_the_committed_files(tmp_path):
    make(tmp_path)
    names = {path.relative_to(SITE) for path in SITE.rglob("*") if path.is_file()}
    assert names == {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert [name for name in sorted(names) if (tmp_path / name).read_bytes() != (SITE / name).read_bytes()] == []


def test_the_size_and_form_of_the_sample(site):
    assert len(site.systems) == len(SYSTEMS) == 12
    assert len(site.topics) == len(TOPICS) == 16
    assert site.report.notes == ()
    assert sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file()) < 350_000
    assert (site.rankings.length == 30).all()


def test_navigation_changes_the_ranking(site):
    stay, walk = means(STAY, site), means(WALK, site)
    assert stay.idxmax() == "archive_boost"
    assert walk.idxmax() == "section_bm25"
    assert ec.tau(stay, walk) == pytest.approx(0.39, abs=0.005)
    assert stay["archive_pdf"] > 1.8 * stay["hub_distil"]
    assert walk["hub_distil"] > walk["archive_pdf"]


def test_reading_time_reverses_the_ranking(site):
    stay = means(STAY, site)
    walk = means(WALK.replace("))", f"), {READING})"), site)
    assert ec.tau(stay, walk) == pytest.approx(0.03, abs=0.005)
    assert walk.idxmax() == "section_dense"
    for archive in ("archive_boost", "archive_long", "archive_pdf"):
        assert walk["hub_distil"] > walk[archive]
