"""Forms of this subject's measures, which tests/measures/test_every_measure.py tries."""

FORMS = [
    "ep(recall=0.3, ideal=\"effort\")",
    "ep(effort=Effort(rank=2, click=0.5), interpolation=\"linear\")",
    "ep(level=2, method=\"normal\")",
    "EffortTo(level=1.5, gain=Share)",
    "MAep(navigation=Scroll(theta=0.01), gain=Exponential, aspect=\"credibility\")",
    "MAep(navigation=Both([Walk(stop=0.3), ReadOn]), interpolation=\"linear\", method=\"normal\")",
    "EPRUM(units=2, navigation=Stay)",
    "PRUM(recall=1, rel=2, navigation=Browse)",
]  # fmt: skip
OF_OTHER_DATA = ()  # classes of measures that need more than rankings of documents
UNBOUNDED = {"EffortTo"}  # infinite if the level is never reached
