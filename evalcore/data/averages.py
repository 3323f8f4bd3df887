"""Topics that count in a system's mean: all assessed topics, or only those for which it retrieved something.

trec_eval averages a run over the topics in the run or, with -c, over all assessed topics, and a missing topic then
counts as an empty ranking. Here "all" is the default, so that all systems are averaged over the same topics;
"retrieved" is trec_eval's default. With "retrieved", a topic for which a system retrieved nothing is nan in a frame of
scores, and is left out of the system's mean and of its comparisons with other systems. A system that retrieved nothing
at all is averaged over all topics.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from evalcore.common.arrays import IntArray
from evalcore.data.report_tables import first_names
from evalcore.errors import counted, refuse_no_collection, shorten
from evalcore.structures.documents import Collection, Rankings, Topics, check_topics

NAMED = 3  # systems in a sentence, and topics for each


def average_over(collection: Collection, topics: Topics) -> Collection:
    """Return the collection with means over "all" assessed topics, or over those with results ("retrieved").

    With "retrieved", a system has no score (nan) on a topic for which it retrieved nothing, and systems are compared on
    the topics that they share. Other scores do not change. Raises InputError for any other value of `topics`.
    """
    check_topics(topics)
    refuse_no_collection(collection)
    if topics == collection.rankings.average_over:
        return collection
    rankings = replace(collection.rankings, average_over=topics)
    fingerprint = hashlib.sha256(f"{collection.fingerprint}\nmeans over {topics}".encode()).hexdigest()
    return replace(collection, rankings=rankings, fingerprint=fingerprint)


def lacked_topics(rankings: Rankings, topics: tuple[str, ...]) -> dict[str, list[str]]:
    """Return, for each system that retrieved nothing for some topics, the list of these topics.

    >>> from evalcore.data.small_collections import small_collection
    >>> import pandas as pd
    >>> c = small_collection(pd.DataFrame({"relevance": [1]}, index=["a"]), {"one": ["a"], "none": []})
    >>> lacked_topics(c.rankings, c.topics)
    {'none': ['topic']}
    """
    if rankings.given and not rankings.length.any():
        return {}  # it is unknown what was retrieved
    lacks: IntArray = rankings.length == 0
    at = np.flatnonzero(lacks.any(axis=1)).tolist()
    return {rankings.systems[s]: [topics[t] for t in np.flatnonzero(lacks[s])] for s in at}


def lacked_text(rankings: Rankings, topics: tuple[str, ...]) -> str:
    """Return a text that names the first systems without results for some topics, and these topics.

    It also states the effect on means. It is "" if every system has results for every topic, or if the rankings are
    unknown.
    """
    lacked = lacked_topics(rankings, topics)
    if not lacked:
        return ""
    count = f"{len(lacked):,} of {counted(len(rankings.systems), 'system')}"
    text = f"{count} retrieved nothing for some of the {counted(len(topics), 'topic')}: {_named(lacked)}"
    return f"{text}; {describe(rankings.average_over)}"


def describe(topics: Topics) -> str:
    """Return a text on the topics that count in means, for a note or a caption."""
    if topics == "all":
        return "means are over all assessed topics; missing topics score as empty rankings"
    return "means are over the topics for which a system retrieved something"


def _named(lacked: Mapping[str, list[str]]) -> str:
    return first_names([f"{shorten(system)} lacks {_listed(missing)}" for system, missing in lacked.items()], NAMED)


def _listed(missing: list[str]) -> str:
    more = ", ..." if len(missing) > NAMED else ""
    return f"{len(missing):,} ({', '.join(map(shorten, missing[:NAMED]))}{more})"
