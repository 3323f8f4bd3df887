"""Every page with hostile values for every key of its link."""

from __future__ import annotations

import os
from random import Random

import pytest
from fuzz.links import STEMS, link, opened

from ui.address.settings import declared

SEEDS = [int(seed) for seed in os.environ.get("LINK_SEEDS", "1").split()]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stem", STEMS)
def test_a_hostile_link_is_no_error_page(stem: str, seed: int) -> None:
    opened(link(stem, Random(f"{stem} {seed}")))


@pytest.mark.parametrize("stem", STEMS)
def test_links_are_made_of_every_key(stem: str) -> None:
    texts = b"".join(link(stem, Random(seed)) for seed in range(20)).decode()
    assert [key for key in declared(stem) if f"{key}=" not in texts] == []
