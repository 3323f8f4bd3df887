"""Every sentence of a claim is true: `claims.slow_reader` checks each again, on small random collections."""

from __future__ import annotations

import re

import pytest
from claims.slow_reader import Truth, random_study, reads, untrue

from evalcore.claims import Study


@pytest.mark.parametrize("first", [0, *(pytest.param(at, marks=pytest.mark.slow) for at in range(10, 60, 10))])
def test_every_sentence_of_a_claim_is_true(first: int) -> None:
    assert [odd for number in range(first, first + 10) for odd in untrue(*random_study(number))] == []


def test_an_uncertain_lead_does_not_end_the_search_for_others() -> None:
    """In claim 202 the second lead that signs decide is not significant by resamples, but the third is."""
    study, collection = random_study(202)
    assert study.sentence.startswith("s1 in top 3 holds in 57% of 7 specifications")
    assert untrue(study, collection) == []


@pytest.mark.parametrize(("text", "share", "well"), [
    ("none", 0.0, True), ("none", 0.001, False), ("under 1%", 0.001, True), ("50%", 0.496, True), ("50%", 0.48, False),
    ("100%", 0.999, False), ("over 99%", 0.999, True),
])  # fmt: skip
def test_shares_are_rounded_correctly_in_words(text: str, share: float, well: bool) -> None:
    assert reads(text, share) == well


class Altered(Study):
    """A study with another sentence."""

    wording = ""

    @property
    def sentence(self) -> str:
        return self.wording


@pytest.mark.slow
def test_untrue_sentences_are_found() -> None:
    """Each number in a true sentence is replaced by another."""
    study, collection = random_study(23)
    assert "changes when" in study.sentence
    assert "undecided" in study.sentence
    text, truth = study.sentence, Truth(study, collection)
    for number in re.finditer(r"(?<![a-z>])[0-9]+(?=%| spec| of)", text):
        Altered.wording = f"{text[: number.start()]}{int(number[0]) + 7}{text[number.end() :]}"
        altered = Altered(**{name: getattr(study, name) for name in study.__dataclass_fields__})
        assert untrue(altered, collection, truth), Altered.wording
