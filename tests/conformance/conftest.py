"""The worlds that all of these tests share, and what is made of them once."""

from __future__ import annotations

import pytest
from conformance.adversarial import SMALL_SCALES, WORLDS, World, in_memory, joined, through_files, untied, worlds
from conformance.peers import Scores, of_ranx

from evalcore.structures.documents import Collection


@pytest.fixture(scope="session")
def small_worlds() -> list[World]:
    return worlds(seed=1, count=WORLDS)


@pytest.fixture(scope="session")
def everything(small_worlds: list[World]) -> World:
    """All topics of the small worlds in one world."""
    return joined(small_worlds)[0]


@pytest.fixture(scope="session")
def everything_untied(everything: World) -> World:
    """The same world with lists that every tool orders alike."""
    return untied(everything)


@pytest.fixture(scope="session")
def up_to_4() -> World:
    """All topics of other worlds, whose grades end at 4, in one world."""
    return joined(worlds(seed=2, count=WORLDS // 2, scales=SMALL_SCALES))[0]


@pytest.fixture(scope="session")
def loaded(everything: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Collection]:
    """All topics in one, as they come in: through files and in memory."""
    folder = tmp_path_factory.mktemp("everything") / "collection"
    return {"through files": through_files(everything, folder), "in memory": in_memory(everything)}


@pytest.fixture(scope="session")
def rbp_of_ranx(everything: World, everything_untied: World) -> dict[str, Scores]:
    """RBP of ranx on all topics; ranx multiplies by the grade, so it gets 0 and 1."""
    binary = {topic: {d: int(grade > 0) for d, grade in grades.items()} for topic, grades in everything.qrels.items()}
    return of_ranx(World(binary, everything_untied.runs), ["rbp.50", "rbp.80", "rbp.95"])
