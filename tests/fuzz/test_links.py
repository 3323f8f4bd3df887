"""Every page with hostile values for every key of its link."""

from __future__ import annotations

import os
from random import Random

import pytest
from fuzz.links import STEMS, link, opened

from ui.address.settings import declared

pytestmark = pytest.mark.slow

SEEDS = [int(seed) for seed in os.environ.get("LINK_SEEDS", "1").split()]


def test_a_hostile_link_is_no_error_page(subtests: pytest.Subtests) -> None:
    for seed in SEEDS:
        for stem in STEMS:
            with subtests.test(f"{seed}, {stem}"):
                opened(link(stem, Random(f"{stem} {seed}")))


def test_links_are_made_of_every_key(subtests: pytest.Subtests) -> None:
    for stem in STEMS:
        with subtests.test(str(stem)):
            texts = b"".join(link(stem, Random(seed)) for seed in range(20)).decode()
            assert [key for key in declared(stem) if f"{key}=" not in texts] == []
