"""Forms of this subject's measures, which tests/measures/test_every_measure.py tries."""

from evalcore.measures import FocusedMeasure

FORMS = [
    "iP(recall=0)",
    "iAP(levels=11)",
    "gP(DocumentF(beta=2))@5",
    "AgP(DocumentR)",
    "AgP(Entry(A=10))",
    "gP(EntryScreen(n=5))@3",
]  # fmt: skip
OF_OTHER_DATA = (FocusedMeasure,)  # classes of measures that need more than rankings of documents
UNBOUNDED = set[str]()
