"""Forms of its measures that all tests of measures try: tests/measures/test_every_measure.py."""

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
OF_OTHER_DATA = ()  # classes of measures that rankings of documents do not suffice for
UNBOUNDED = {"EffortTo"}  # infinite where the level is never reached
