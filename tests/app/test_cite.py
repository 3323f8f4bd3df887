"""*Cite this view*: how a paper can state the way a view was measured."""

import evalcore as ec
from app_support import open_app


def paragraph(page: str, **link: object) -> str:
    found = [code.value for code in open_app(page, **link).code if code.value.startswith("Computed with")]
    return found[0] if found else ""


def test_a_citation_names_version_data_measures_papers_settings_and_link() -> None:
    methods = paragraph("understandability", rho="0.5")
    collection = ec.load("sample_data/health")
    for part in (
        f"evalcore {ec.__version__}",
        f"32 systems, 40 topics, 3,122 assessed documents, relevance, understandability, credibility, fog "
        f"(fingerprint {collection.fingerprint})",
        "Labels are by assessors.",
        "Measures: RBP(rho=0.5) (Moffat & Zobel 2008); uRBPgr(rho=0.5) (Zuccon 2016).",
        "Persistence ρ: 0.5",
        "Gains of the grades: 0 0, 1 0.4, 2 0.8, 3 1",  # at its default, and yet a number of the measure
        "can be reopened at /tune?understandability.rho=0.5&tune.view=understandability",
    ):
        assert part in methods


def test_a_citation_names_random_steps() -> None:
    methods = paragraph("understandability", doubt="all")
    for part in ("rank_intervals (2,000 resamples, seed 0)", "correlation_intervals (1,000 resamples, seed 0)"):
        assert part in methods


def test_a_citation_names_shared_settings_that_are_not_at_their_default() -> None:
    assert "Labels of" not in paragraph("understandability")
    assert "Labels are by llm." in paragraph("understandability", source="llm")


def test_a_page_without_data_has_no_citation() -> None:
    assert paragraph("glossary") == ""


def test_a_page_on_its_own_sample_cites_that_sample() -> None:
    assert "Data: Repair manual (synthetic)" in paragraph("focused_retrieval")
