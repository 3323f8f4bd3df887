"""Anything that a description names exists, or a message says that it does not: for every key, misspelt."""

from __future__ import annotations

import pytest

import evalcore as ec
from evalcore.errors import InputError

FILES = [
    ("qrels.txt", b"1 0 a 1\n1 0 b 0\n"),
    ("judges.csv", b"topic,document,relevance,assessor\n1,a,1,ann\n1,b,0,bob\n"),
    ("fog.csv", b"document,fog\na,3\nb,9\n"),
    ("runs/one.run", b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"),
    ("texts/a.txt", b"A text."),
    ("texts/b.txt", b"Another text."),
    ("topics.tsv", b"1\tone\n"),
    ("groups.csv", b"topic,kind\n1,short\n"),
    ("systems.csv", b"system,index\none,bm25\n"),
    ("links.csv", b"source,target\na,b\n"),
    ("scores.csv", b"system,topic,map\none,1,0.5\n"),
]
ASPECT = "[aspects.relevance]\nfile = 'qrels.txt'\n"
KEYS = {
    "runs": f"runs = ['runs/*', '{{}}']\n{ASPECT}",
    "aspects file": "[aspects.relevance]\nfile = '{}'\n",
    "aspects files": "[aspects.relevance]\nfile = ['qrels.txt', '{}']\n",
    "aspects column": "[aspects.relevance]\nfile = 'judges.csv'\ncolumn = '{}'\n",
    "aspects assessor_column": "[aspects.relevance]\nfile = 'judges.csv'\nassessor_column = '{}'\n",
    "aspects source": "[aspects.relevance]\nfile = 'judges.csv'\nassessor_column = 'assessor'\nsource = '{}'\n",
    "sources file": f"{ASPECT}sources.other.file = '{{}}'\n",
    "signals file": f"{ASPECT}[signals.fog]\nfile = '{{}}'\n",
    "signals column": f"{ASPECT}[signals.fog]\nfile = 'fog.csv'\ncolumn = '{{}}'\n",
    "documents folder": f"{ASPECT}[documents]\nfolder = '{{}}'\n",
    "documents folder of signals": f"{ASPECT}[documents]\nfolder = '{{}}'\nsignals = ['fog']\n",
    "documents file": f"{ASPECT}[documents]\nfile = '{{}}'\n",
    "topics file": f"{ASPECT}[topics]\nfile = '{{}}'\n",
    "topics groups": f"{ASPECT}[topics]\ngroups = '{{}}'\n",
    "systems file": f"{ASPECT}[systems]\nfile = '{{}}'\n",
    "navigation links": f"{ASPECT}[navigation]\nlinks = '{{}}'\n",
    "navigation components": f"{ASPECT}[navigation]\ncomponents = '{{}}'\n",
    "scores file": f"{ASPECT}[scores.map]\nfile = ['scores.csv', '{{}}']\n",
    "scores measure": f"{ASPECT}[scores.map]\nfile = 'scores.csv'\nmeasure = '{{}}'\n",
    "passages file": "[passages]\nfile = ['qrels.txt', '{}']\n",
    "a key": f"{ASPECT}[documents]\nfolder = 'texts'\n{{}} = 'fog'\n",
}


@pytest.mark.parametrize("key", KEYS)
def test_missing_files_of_a_description_are_reported(key: str) -> None:
    with pytest.raises(InputError, match="misspelt"):
        ec.load_files(FILES, manifest=KEYS[key].format("misspelt"))
