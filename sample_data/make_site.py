"""Generator of the sample collection `site/`: the web site of an invented town, with links between its pages.

    python -m sample_data.make_site

Sections of pages can be returned. For each topic there are

- hubs: an index, questions, forms and an overview, with little content of their own and links to answers; they are not
assessed;
- guides of several sections, some with answers, which link back to a hub;
- long documents in the archive, most with answers, but without links;
- news without answers, some with a link to the index.

Systems recognise some of the relevance and have a preference: for hubs, for the archive, or for single sections. Judged
only by their results, systems that prefer the archive do well; for users who follow links, systems that prefer hubs do.

Random numbers come from streams named by their purpose. They are of the class `RandomState`, because numpy promises
never to change its streams.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from sample_data.files import write_all

HERE = Path(__file__).parent
SEED = "site-1"
DEPTH = 30  # components per ranking
JUDGED = 12  # assessed ranks of every system
HUBS = ("index", "questions", "forms", "overview")
GUIDES, ARCHIVE, NEWS = 6, 5, 10  # other pages per topic

TOPICS = {
    "t01": ("parking", "resident parking permit for a second car"),
    "t02": ("dogs", "register a dog and what it costs"),
    "t03": ("waste", "when is bulky waste collected"),
    "t04": ("passport", "passport for a child before a holiday"),
    "t05": ("school", "change to another primary school"),
    "t06": ("pool", "swimming lessons for adults"),
    "t07": ("trees", "permission to fell a tree in the garden"),
    "t08": ("market", "rent a stall at the weekly market"),
    "t09": ("library", "borrow e-books with a library card"),
    "t10": ("cycling", "report a pothole in a cycle path"),
    "t11": ("wedding", "book a date at the registry office"),
    "t12": ("moving", "register a new address after moving"),
    "t13": ("noise", "complain about noise from a building site"),
    "t14": ("allotment", "waiting list for an allotment garden"),
    "t15": ("solar", "subsidy for solar panels on a roof"),
    "t16": ("youth", "youth centre open in the school holidays"),
}


@dataclass(frozen=True)
class System:
    """A system: `skill` is the weight of the relevance that the system recognises; the other fields are preferences."""

    skill: float
    hub: float = 0.0
    archive: float = 0.0
    first: float = 0.0  # preference for first sections of pages


SYSTEMS = {
    "text_tf": System(0.55, first=0.3),
    "text_bm25": System(0.85, first=0.2),
    "text_dense": System(1.10),
    "archive_pdf": System(0.80, archive=1.3),
    "archive_boost": System(1.05, archive=0.9),
    "archive_long": System(0.65, archive=1.7),
    "hub_links": System(0.55, hub=3.2, first=0.6),
    "hub_rank": System(0.75, hub=2.6, first=0.4),
    "hub_distil": System(0.90, hub=3.6, archive=-0.4),
    "section_bm25": System(0.90, first=-0.5),
    "section_dense": System(1.20, first=-0.4),
    "mix_fusion": System(1.00, hub=1.2, archive=0.5),
}


def stream(*names: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(" ".join((SEED, *names)).encode()))


# Pages and their sections


def sections(topic: str, word: str) -> pd.DataFrame:
    """Return the sections on a topic, one row each: page, kind, offset, size, grade, highlighted characters."""
    random = stream("sections", topic)
    rows = [(f"{word}/{hub}", "hub", 0, random.randint(400, 900), 0) for hub in HUBS]
    for guide in range(1, GUIDES + 1):
        rows += guide_sections(f"{word}/guide{guide}", random)
    for number in range(1, ARCHIVE + 1):
        grade = random.choice([0, 1, 2], p=[0.35, 0.3, 0.35])
        rows.append((f"{word}/archive{number}", "archive", 0, random.randint(2500, 7000), grade))
    rows += [(f"{word}/news{number}", "news", 0, random.randint(300, 900), 0) for number in range(1, NEWS + 1)]
    table = pd.DataFrame(rows, columns=["page", "kind", "offset", "size", "grade"])
    place = table.groupby("page").cumcount() + 1
    several = table.groupby("page")["page"].transform("size") > 1
    table.index = pd.Index(table["page"].where(~several, table["page"] + "#" + place.astype(str)), name="id")
    share = random.uniform(0.25, 0.9, len(table)) * (table["grade"] / 2)
    return table.assign(first=place.to_numpy() == 1, rsize=(share * table["size"]).round().astype(int), topic=topic)


def guide_sections(page: str, random: np.random.RandomState) -> list[tuple[str, str, int, int, int]]:
    """Return three to five consecutive sections: page, kind, offset, size, grade.

    The first section introduces the topic, the others may answer the question.
    """
    sizes = random.randint(200, 1100, random.randint(3, 6))
    offsets = np.append(0, np.cumsum(sizes)[:-1])
    grades = np.append(
        random.choice([0, 1], p=[0.8, 0.2]), random.choice([0, 1, 2], len(sizes) - 1, p=[0.6, 0.25, 0.15])
    )
    return [
        (page, "guide", int(at), int(size), int(grade)) for at, size, grade in zip(offsets, sizes, grades, strict=True)
    ]


def links(topic: str, site: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the links on a topic as (source, target).

    They lead from hubs to answers, from answers back to a hub, and from news to the index.
    """
    random = stream("links", topic)
    word = TOPICS[topic][0]
    guides = site[site["kind"] == "guide"]
    answers, firsts = guides.index[guides["grade"] > 0], guides.index[guides["first"]]
    found = []
    for hub in HUBS:
        listed = [name for name in answers if random.random_sample() < 0.55]
        found += [(f"{word}/{hub}", name) for name in dict.fromkeys([*listed, random.choice(firsts)])]
    found += [(name, f"{word}/{random.choice(HUBS)}") for name in dict.fromkeys([*answers, *firsts])]
    found += [
        (f"{word}/news{number}", f"{word}/index") for number in range(1, NEWS + 1) if random.random_sample() < 0.3
    ]
    return [(str(source), str(target)) for source, target in found]


# Rankings


def rankings(topic: str, own: pd.DataFrame, others: pd.DataFrame) -> dict[str, pd.Series]:
    """Return each system's ranking: scores by section, best first.

    Systems confuse sections of other topics with the topic's own.
    """
    random = stream("shared", topic)
    table = pd.concat([own, others.assign(grade=-1)])
    # A guide answers in words other than the question's.
    seen = table["kind"].map({"guide": 0.5, "archive": 0.9}).fillna(0.0) * table["grade"].clip(0) + (
        table["grade"] >= 0
    )
    match = seen + random.normal(size=len(table))
    return {name: ranking(name, topic, table, match) for name in SYSTEMS}


def ranking(name: str, topic: str, table: pd.DataFrame, match: pd.Series) -> pd.Series:
    system, noise = SYSTEMS[name], stream("own", name, topic).normal(size=len(table))
    mine = table["grade"] >= 0
    score = (
        system.skill * match
        + 0.7 * noise
        + system.hub * ((table["kind"] == "hub") & mine)
        + system.archive * (table["kind"] == "archive")
        + system.first * table["first"]
    )
    return score.nlargest(DEPTH).round(6)


def confused(topic: str, sites: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a few sections of two other topics."""
    random = stream("confused", topic)
    names = [name for name in TOPICS if name != topic]
    chosen = random.choice(names, 2, replace=False)
    return pd.concat([sites[name].iloc[np.sort(random.choice(len(sites[name]), 10, replace=False))] for name in chosen])


def assessed(lists: dict[str, pd.Series], own: pd.DataFrame) -> list[tuple[str, int]]:
    """Return (section, grade) for sections in the first `JUDGED` ranks of any system, and for all answers.

    Hubs are left out.
    """
    pool = {name for scores in lists.values() for name in scores.index[:JUDGED]} | set(own.index[own["grade"] > 0])
    grades = own["grade"].to_dict()
    return [(name, int(grades.get(name, 0))) for name in sorted(pool) if grades.get(name, 0) or not name.endswith(HUBS)]


# Files


def make(folder: Path) -> None:
    """Write the whole collection into a folder."""
    sites = {topic: sections(topic, word) for topic, (word, _) in TOPICS.items()}
    lists = {topic: rankings(topic, site, confused(topic, sites)) for topic, site in sites.items()}
    contents = {
        "collection.toml": MANIFEST,
        "topics.tsv": "".join(f"{topic}\t{query}\n" for topic, (_, query) in TOPICS.items()),
        "qrels.txt": "".join(
            f"{topic} 0 {name} {grade}\n" for topic in TOPICS for name, grade in assessed(lists[topic], sites[topic])
        ),
        "links.csv": csv(["source", "target"], site_links(sites)),
        "components.csv": csv(["id", "document", "topic", "offset", "size", "rsize"], component_rows(sites)),
        **{f"runs/{system}.run": run(system, lists) for system in SYSTEMS},
    }
    write_all(folder, contents)


def site_links(sites: dict[str, pd.DataFrame]) -> list[tuple[str, str]]:
    home = [pair for word, _ in TOPICS.values() for pair in (("home", f"{word}/index"), (f"{word}/overview", "home"))]
    return [*home, *(pair for topic, site in sites.items() for pair in links(topic, site))]


def component_rows(sites: dict[str, pd.DataFrame]) -> Iterable[tuple[object, ...]]:
    yield "home", "home", "", 0, 400, ""
    for site in sites.values():
        for row in site.itertuples():
            yield row.Index, row.page, row.topic, row.offset, row.size, row.rsize


def csv(header: list[str], rows: Iterable[Iterable[object]]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in [header, *rows])


def run(system: str, lists: dict[str, dict[str, pd.Series]]) -> str:
    return "".join(
        f"{topic} Q0 {name} {rank} {score:.6f} {system}\n"
        for topic, by_system in lists.items()
        for rank, (name, score) in enumerate(by_system[system].items(), start=1)
    )


MANIFEST = """\
title = "Town site"
description = "Search on the web site of an invented town: sections of pages, with the links between them"
order = "score"
runs = ["runs/*"]

[aspects.relevance]
file = "qrels.txt"
grades = [0, 1, 2]
names = ["no answer", "helps", "answers"]

[navigation]
links = "links.csv"
components = "components.csv"

[topics]
file = "topics.tsv"
"""


if __name__ == "__main__":
    make(HERE / "site")
