"""Ways to treat unassessed documents."""

from __future__ import annotations

from evalcore.measures.base import Measure, as_measure
from evalcore.measures.precision import Bpref, infAP
from evalcore.measures.unassessed import can_be_worth, with_unassessed
from evalcore.structures.documents import Collection

NOTHING, LEFT_OUT, EVERYTHING = "worth nothing", "left out", "worth 1"
WORTHS = {NOTHING: "0", LEFT_OUT: "left out", EVERYTHING: "1"}
ABOUT = {
    NOTHING: "an unassessed document gains 0, the lower end of the residual",
    LEFT_OUT: "documents below an unassessed one move up: condensed lists (Sakai 2007)",
    EVERYTHING: "an unassessed document gains 1, the upper end of the residual (Moffat & Zobel 2008)",
    "Bpref": "only documents judged not relevant count against relevant ones (Buckley & Voorhees 2004)",
    "infAP": "what was not judged is taken to be relevant as often as what was (Yilmaz & Aslam 2006)",
}
"""The answers, and what each takes an unassessed document for."""


def answers(measure: Measure | str, collection: Collection) -> dict[str, Measure]:
    """The measures that answer for unassessed documents in each way that a measure allows, by the names in ABOUT.

    Bpref and infAP are measures of their own, of the first aspect that the measure reads, with its border `rel`.

    >>> from evalcore.data import collection
    >>> c = collection({"a": {"t": {"x": 1.0}}}, {"t": {"x": 1}})
    >>> list(answers("RBP", c)), list(answers("AP", c))[:2]
    (['worth nothing', 'left out', 'worth 1', 'Bpref', 'infAP'], ['worth nothing', 'left out'])
    """
    parsed = as_measure(measure, collection)
    result = {name: with_unassessed(parsed, worth) for name, worth in WORTHS.items() if can_be_worth(parsed, worth)}
    aspects = [name for name in parsed.columns if name in collection.aspects]
    if aspects:
        aspect, rel = aspects[0], getattr(parsed, "rel", None)
        result |= {"Bpref": Bpref(rel, aspect), "infAP": infAP(rel, aspect=aspect)}
    return result
