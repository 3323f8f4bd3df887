"""Names that options of the command line share with the code that reads them, where neither has to import the other."""

from __future__ import annotations

from typing import Literal, get_args

Order = Literal["score", "rank", "file", "urbp-tool"]
Missing = Literal["refuse", "zero", "leave-out"]
Topics = Literal["all", "retrieved"]
"""What means are over: all assessed topics, or those of them that a system retrieved for."""

ORDERS: tuple[str, ...] = get_args(Order)  # of the documents of a ranking
LABELS = ("by-topic", "by-document")
RANK_TESTS = ("Nemenyi", "Holm")  # of two mean ranks
MISSING: tuple[str, ...] = get_args(Missing)  # what a score is that is not there
AVERAGES: tuple[str, ...] = get_args(Topics)
PARTS = "partitions.json"  # what says that a folder is a collection in parts
DATASET = "irds:"  # what the name of a data set of ir_datasets begins with
HIGHLIGHTED = ("relevance", "specificity")  # the columns that highlighted text gives
# What may be asked for at once, and what each limit counts
LIMITS = {
    "values": "numbers and names in the text of a measure",
    "parts": "measures that one is made of, as CAM is",
    "parameters": "parameters varied at once",
    "tests": "resamples x pairs of systems x measures",
    "memory": "MB that results and resamples take, as estimated before",
    "seconds": "seconds after which a computation ends",
}
