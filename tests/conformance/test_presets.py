"""The measures that a collection is offered by default give the defaults of the peers, on every shape of qrels.

That is: what has a grade above 0 is relevant, whatever grades the files list.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from conformance.adversarial import World, in_memory, joined, through_files, untied
from conformance.peers import Scores, all_decimals, disagreements, of_ir_measures, trec_eval

import evalcore as ec
from evalcore.measures import ERR, Measure, suggestions
from evalcore.notation.trec_eval import ALL_TREC, names_of_trec_eval
from evalcore.structures.documents import Collection

FAMILIES = [name for name in ALL_TREC if not name.startswith(("num_", "gm_", "relstring", "utility"))]
NAMES = {str(ec.parse(ours)): name for family in reversed(FAMILIES) for name, ours in names_of_trec_eval(family)}
NAMES |= {f"RBP(rho={rho})": f"rbp.{rho:.2f}".replace("0.", "") for rho in (0.5, 0.8, 0.95)}
ALWAYS = {"P_10", "map", "Rprec", "recip_rank", "bpref", "ndcg", "ndcg_cut_10", "rbp.50", "rbp.80", "rbp.95"}
COUNT = 40  # collections, each way
Peers = dict[str, Scores]
Numbers = list[dict[str, str]]


@pytest.fixture(scope="module")
def peers(small_worlds: list[World], rbp_of_ranx: Peers) -> tuple[Peers, Numbers]:
    """The peers' default scores of every topic, and the number that each topic of each collection has there."""
    everything, numbers = joined(small_worlds)
    found = {name: _defined(scores) for name, scores in trec_eval(everything, FAMILIES).items()}
    found |= rbp_of_ranx
    qrels = {t: grades for t, grades in everything.qrels.items() if max(grades.values()) <= 4}
    with all_decimals():
        found |= of_ir_measures(untied(World(qrels, everything.runs)), ["ERR@20"], "gdeval")
    return found, numbers


def _defined(scores: Scores) -> Scores:
    """Leave out 0 / 0 of topics without relevant documents, for which our score is 0."""
    return {
        system: {topic: value for topic, value in found.items() if not math.isnan(value)}
        for system, found in scores.items()
    }


def named_by_peers(measure: Measure, world: World) -> str:
    """Return a peer's name for the measure with all at its defaults; "" if none has it.

    ERR is scaled by the highest grade, which gdeval.pl takes to be 4.
    """
    if type(measure) is ERR and measure.cutoff == 20:
        return "ERR@20" if world.highest == 4 else ""
    return NAMES.get(str(measure), "")


def offered(collection: Collection, world: World) -> dict[str, list[Measure]]:
    """Measures in all presets of a collection, by the peers' names."""
    listed = {str(one): one for preset in suggestions(collection).values() for one in preset}
    named: dict[str, list[Measure]] = {}
    for measure in listed.values():
        named.setdefault(named_by_peers(measure, world), []).append(measure)
    return named


def check(worlds: list[World], collections: list[Collection], peers: Peers, numbers: Numbers) -> None:
    problems, compared, expected = [], 0, 0
    for world, collection, number in zip(worlds, collections, numbers, strict=True):
        named = offered(collection, world)
        assert set(named) >= ALWAYS | ({"ERR@20"} if world.highest == 4 else set())
        listed = {text: name for name, some in named.items() for text in map(str, some) if name}
        for text, scores in ec.evaluate(list(listed), collection).items():
            wrong, count = disagreements(scores, peers[listed[text]], collection, world, number)
            problems += [f"{text} {problem}" for problem in wrong]
            compared += count
        expected += len(listed) * len(collection.topics) * len(collection.systems)
    assert not problems, f"{len(problems)} of {compared} values differ: " + "; ".join(problems[:3])
    assert compared == expected >= len(worlds) * len(ALWAYS)


@pytest.mark.slow
def test_collections_through_files_and_in_memory(small_worlds, peers, tmp_path: Path):
    found, numbers = peers
    chosen = small_worlds[: 2 * COUNT]
    read = [through_files(world, tmp_path / str(at), seed=at) for at, world in enumerate(chosen[:COUNT])]
    check(chosen, [*read, *map(in_memory, chosen[COUNT:])], found, numbers[: 2 * COUNT])
