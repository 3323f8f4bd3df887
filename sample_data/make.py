"""Generator of the sample collection `health/`: consumer health search with invented systems and documents.

    python -m sample_data.make

People wrote only the files in `source/`: the queries, 36 short texts with assessments, and `collection.toml`.
Everything else is drawn here, topic by topic:

1. documents differ in kind (leaflet, forum, journal...), and so in difficulty, credibility and popularity;
2. each has the grades that an assessor would give it;
3. every system ranks the candidates by the relevance that it can recognise, by its preferences, and by noise;
4. the documents with most weight in the rankings form the pool; only their grades are published;
5. an invented language model labels the relevance of the pool again, somewhat generously and often wrongly.

Random numbers come from streams named by their purpose, so that a new system does not change the other rankings. They
are of the class `RandomState`, because numpy promises never to change its streams.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from evalcore.data.readability import readability
from sample_data.files import write_all

HERE = Path(__file__).parent
SOURCE = HERE / "source"
SEED = "health-1"
CANDIDATES = 340  # documents per topic that a system can retrieve
SHARED = 6  # candidates that two topics on the same condition have in common
DEPTH = 100  # documents per ranking
POOL = (66, 89)  # fewest and most assessed documents per topic
RHO = Fraction(4, 5)  # persistence for the weights that select the pool

# Mean traits of a kind of site, in standard deviations; `share` is its share of the candidates.
KINDS = pd.DataFrame(
    [
        ("leaflet", 0.13, -1.1, 1.0, -0.2),
        ("forum", 0.20, -0.9, -1.2, 0.7),
        ("hospital", 0.17, 0.1, 0.9, 0.2),
        ("encyclopedia", 0.14, 0.6, 0.2, 0.5),
        ("journal", 0.20, 1.4, 1.2, -1.1),
        ("shop", 0.16, -0.4, -1.1, 0.5),
    ],
    columns=["kind", "share", "difficulty", "credibility", "popularity"],
).set_index("kind")
TRAITS = ["difficulty", "credibility", "popularity"]

# Probability of each relevance label of the language model (columns), given the assessor's grade (rows).
CONFUSION = np.array([[0.80, 0.16, 0.04], [0.14, 0.58, 0.28], [0.03, 0.17, 0.80]])
UNREAD = 0.01  # share of the documents that the language model does not label


@dataclass(frozen=True)
class System:
    """A system: `skill` is the weight of the relevance that the system recognises; the other fields are preferences."""

    skill: float
    plain: float = 0.0  # above 0: prefers easy pages, below 0: expert pages
    popular: float = 0.0
    credible: float = 0.0


SYSTEMS = {
    "baseline_boolean": System(0.28),
    "baseline_coord": System(0.33),
    "baseline_tf": System(0.43),
    "bm25_title": System(0.53),
    "bm25_base": System(0.65),
    "bm25_stem": System(0.70),
    "bm25_tuned": System(0.75),
    "bm25_prox": System(0.80),
    "bm25_rm3": System(0.88),
    "dense_small": System(0.70),
    "dense_distil": System(0.78),
    "dense_base": System(0.90),
    "dense_multi": System(1.00),
    "dense_large": System(1.10),
    "plain_fog": System(0.68, plain=0.25),
    "plain_lexicon": System(0.75, plain=0.20),
    "plain_rerank1": System(1.00, plain=0.25),
    "plain_rerank2": System(1.15, plain=0.40),
    "plain_rerank3": System(1.20, plain=0.60),
    "expert_mesh": System(0.70, plain=-0.15, credible=0.1),
    "expert_journal": System(0.75, plain=-0.45, credible=0.1),
    "expert_concepts": System(0.90, plain=-0.20, credible=0.1),
    "expert_rerank": System(1.10, plain=-0.30, credible=0.1),
    "expert_large": System(1.25, plain=-0.15, credible=0.1),
    "popular_links": System(0.50, popular=0.50),
    "popular_shares": System(0.45, popular=0.75),
    "popular_clicks": System(0.65, popular=0.45),
    "popular_mix": System(0.82, popular=0.35),
}

# Fusions, and the systems that they merge.
FUSIONS = {
    "fusion_lexical": ("bm25_title", "bm25_base", "bm25_prox"),
    "fusion_hybrid": ("bm25_tuned", "dense_base"),
    "fusion_balance": ("bm25_base", "plain_fog", "expert_mesh"),
    "fusion_readers": ("plain_lexicon", "popular_clicks"),
}

# Scores of a family in its runs: offset, scale, decimals. Few decimals cause ties.
SCALES = {
    "baseline": (12.0, 2.5, 2),
    "bm25": (14.0, 3.2, 4),
    "dense": (0.62, 0.06, 5),
    "plain": (1.5, 2.1, 3),
    "expert": (-6.0, 0.9, 3),
    "popular": (40.0, 9.0, 2),
    "fusion": (0.0, 1.0, 5),
}


def stream(*names: str) -> np.random.RandomState:
    """Return the random stream with this name."""
    return np.random.RandomState(zlib.crc32(" ".join((SEED, *names)).encode()))


def family(system: str) -> str:
    """Return the part of a system's name before the underscore."""
    return system.split("_")[0]


def text(docid: str) -> str:
    return (SOURCE / "texts" / f"{docid}.txt").read_text(encoding="utf-8")


# 1. Documents


def candidates(topic: str, topics: pd.DataFrame, texts: pd.DataFrame) -> pd.DataFrame:
    """Return the documents that can be retrieved for a topic, one row each.

    Two topics on the same condition have a few documents in common.
    """
    condition = str(topics["condition"][topic])
    siblings = list(topics.index[topics["condition"] == condition])
    start = siblings.index(topic) * (CANDIDATES - SHARED)
    corpus = invented_documents(condition, 2 * CANDIDATES - SHARED, set(texts["docid"]))
    return pd.concat([text_documents(texts[texts["topic"] == topic]), corpus[start : start + CANDIDATES]])


def invented_documents(condition: str, count: int, taken: set[str]) -> pd.DataFrame:
    """Return invented documents, one row each, without a text; their traits depend on the kind of site."""
    random = stream("documents", condition)
    kinds = random.choice(KINDS.index.to_numpy(), count, p=KINDS["share"])
    traits = KINDS.loc[kinds, TRAITS] + 0.6 * random.normal(size=(count, len(TRAITS)))
    fog = 13.6 + 2.4 * traits["difficulty"] + 1.5 * random.normal(size=count)
    return traits.assign(fog=fog.clip(5, 24).round(2)).set_index(pd.Index(docids(kinds, condition, taken)))


def docids(kinds: Iterable[str], condition: str, taken: set[str]) -> list[str]:
    """Return readable ids, numbered within kind and condition; numbers used by a text are skipped."""
    last: Counter[str] = Counter()
    ids = []
    for kind in kinds:
        last[kind] += 1
        while f"{kind}-{condition}-{last[kind]:02d}" in taken:
            last[kind] += 1
        ids.append(f"{kind}-{condition}-{last[kind]:02d}")
    return ids


def text_documents(texts: pd.DataFrame) -> pd.DataFrame:
    """Return the documents with a text, one row each; their traits follow from the grades that were given by hand."""
    kinds = texts["docid"].str.split("-").str[0]
    traits = {
        "difficulty": 1.6 - 0.9 * texts["understandability"],
        "credibility": 1.2 * (texts["credibility"] - 1),
        "popularity": kinds.map(KINDS["popularity"]),
        "fog": readability({docid: text(docid) for docid in texts["docid"]}, "fog").round(2).to_numpy(),
    }
    return pd.DataFrame(traits).set_index(pd.Index(texts["docid"]))


# 2. Assessments


def assess(topic: str, docs: pd.DataFrame, by_hand: pd.DataFrame) -> pd.DataFrame:
    """Return documents with grades on every aspect, and `match`, the part of relevance that systems can recognise."""
    random = stream("assess", topic)
    ease = random.normal()  # an easy topic has more relevant documents
    match, reader, trust = random.normal(size=(3, len(docs)))
    match += 0.2 * docs["difficulty"]  # long expert pages cover more of a question
    docs = docs.assign(
        match=match,
        qrels=np.digitize(match, np.array([1.6, 2.2]) - 0.3 * ease),
        qread=np.digitize(0.9 * reader - docs["difficulty"], [-1.6, -0.7, 0.6]),
        qcred=np.digitize(0.45 * trust + docs["credibility"], [-0.55, 0.6]),
    )
    return with_hand_grades(docs, by_hand)


def with_hand_grades(docs: pd.DataFrame, by_hand: pd.DataFrame) -> pd.DataFrame:
    """Return the documents, with the hand-assigned grades for those that have a text."""
    grades = by_hand.set_index("docid")
    columns = ["relevance", "understandability", "credibility"]
    docs.loc[grades.index, ["qrels", "qread", "qcred"]] = grades[columns].to_numpy()
    docs.loc[grades.index, "match"] = grades["relevance"].map({0: 0.9, 1: 2.0, 2: 2.9})
    return docs


# 3. Rankings


def rank(topic: str, docs: pd.DataFrame) -> dict[str, pd.Series]:
    """Return each system's ranking of a topic: scores by document, best first."""
    beliefs = {name: believe(name, topic, docs) for name in SYSTEMS}
    beliefs |= {name: fuse([beliefs[member] for member in members]) for name, members in FUSIONS.items()}
    return {name: printed(name, belief.nlargest(DEPTH)) for name, belief in beliefs.items()}


def believe(name: str, topic: str, docs: pd.DataFrame) -> pd.Series:
    """Return a system's estimated relevance of each candidate document.

    The systems of a family share most of their noise.
    """
    system = SYSTEMS[name]
    luck = np.exp(0.25 * stream("hardness", topic).normal())
    shared, own = (stream(who, topic).normal(size=len(docs)) for who in (family(name), name))
    return (
        system.skill * luck * docs["match"]
        - system.plain * docs["difficulty"]
        + system.popular * docs["popularity"]
        + system.credible * docs["credibility"]
        + 0.85 * shared
        + 0.55 * own
    )


def fuse(members: list[pd.Series]) -> pd.Series:
    """Return each document's sum of reciprocal ranks (Cormack, Clarke & Buettcher 2009).

    Sums are exact before they are rounded, so tied documents get exactly the same number.
    """
    ranks = pd.concat([60 + member.rank(ascending=False).astype(int) for member in members], axis=1)
    return ranks.apply(lambda row: float(sum(Fraction(1, int(rank)) for rank in row)), axis=1)


def printed(system: str, beliefs: pd.Series) -> pd.Series:
    """Return the estimates as scores, with the scale and the number of decimals of the system's family."""
    offset, scale, decimals = SCALES[family(system)]
    return (offset + scale * beliefs).round(decimals) + 0.0  # never prints -0.000


# 4. Pool


def pool(topic: str, docs: pd.DataFrame, rankings: dict[str, pd.Series], texts: pd.Series) -> pd.DataFrame:
    """Return the documents with a text, and those with the largest total RBP weight (Moffat et al. 2007)."""
    weights = dict.fromkeys(docs.index, Fraction(0))
    for ranking in rankings.values():
        for place, docid in enumerate(ranking.index):
            weights[docid] += RHO**place
    weight = pd.Series(weights).astype(float)  # exact sums, so that equal ones stay equal
    weight[texts] = np.inf
    return docs.loc[weight.nlargest(stream("pool", topic).randint(*POOL)).index].sort_index()


# 5. A second judge


def judge(topic: str, docs: pd.DataFrame) -> pd.Series:
    """Return the language model's relevance label of each document in the pool, nan if it gives none."""
    label, read = stream("llm", topic).uniform(size=(2, len(docs)))
    borders = np.cumsum(CONFUSION, axis=1)[docs["qrels"].to_numpy(), :-1]
    labels = (label[:, np.newaxis] > borders).sum(axis=1)
    return pd.Series(np.where(read < UNREAD, np.nan, labels), index=docs.index)


# Files


def make(folder: Path) -> None:
    """Write the whole collection into a folder."""
    topics = pd.read_csv(SOURCE / "topics.csv", index_col="topic")
    texts = pd.read_csv(SOURCE / "texts.csv")
    rankings, pools = {}, {}
    for topic in topics.index:
        by_hand = texts[texts["topic"] == topic]
        docs = assess(topic, candidates(topic, topics, texts), by_hand)
        rankings[topic] = rank(topic, docs)
        pools[topic] = pool(topic, docs, rankings[topic], by_hand["docid"])
        pools[topic]["qrels.llm"] = judge(topic, pools[topic])
    contents = written_by_hand(topics, texts) | assessment_files(pools) | run_files(rankings)
    write_all(folder, contents)


def written_by_hand(topics: pd.DataFrame, texts: pd.DataFrame) -> dict[str, str]:
    return {
        "collection.toml": (SOURCE / "collection.toml").read_text(encoding="utf-8"),
        "topics.tsv": "".join(f"{topic}\t{query}\n" for topic, query in topics["query"].items()),
    } | {f"documents/{docid}.txt": text(docid) for docid in texts["docid"].unique()}


def assessment_files(pools: dict[str, pd.DataFrame]) -> dict[str, str]:
    fog = pd.concat([docs["fog"] for docs in pools.values()]).sort_index()
    fog = fog[~fog.index.duplicated()]
    files = {f"{column}.txt": qrels(pools, column) for column in ("qrels", "qrels.llm", "qread", "qcred")}
    return files | {"fog.csv": "docid,fog\n" + "".join(f"{docid},{score}\n" for docid, score in fog.items())}


def qrels(pools: dict[str, pd.DataFrame], column: str) -> str:
    return "".join(
        f"{topic} 0 {docid} {grade:.0f}\n"
        for topic, docs in pools.items()
        for docid, grade in docs[column].dropna().items()
    )


def run_files(rankings: dict[str, dict[str, pd.Series]]) -> dict[str, str]:
    return {f"runs/{system}.run.gz": run(system, rankings) for system in (*SYSTEMS, *FUSIONS)}


def run(system: str, rankings: dict[str, dict[str, pd.Series]]) -> str:
    decimals = SCALES[family(system)][2]
    return "".join(
        f"{topic} Q0 {docid} {place} {score:.{decimals}f} {system}\n"
        for topic, by_system in rankings.items()
        for place, (docid, score) in enumerate(by_system[system].items(), start=1)
    )


if __name__ == "__main__":
    make(HERE / "health")
