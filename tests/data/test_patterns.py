"""Patterns of a `collection.toml`, which may be a stranger's: what they match, and what they may cost."""

from __future__ import annotations

import fnmatch
import resource

import pytest
from bounded_support import printed_within
from hypothesis import given
from hypothesis import strategies as st

import evalcore as ec
from evalcore import InputError, limits
from evalcore.data.patterns import fits
from evalcore.limits import Bound

QRELS = ("qrels.txt", b"1 0 a 1\n")
MANIFEST = '[aspects.relevance]\nfile = "qrels.txt"\n'
SECONDS = 20  # of a processor: the worst that is accepted takes less than one


def run_file(number: int) -> tuple[str, bytes]:
    return f"runs/{number:05}", b"1 Q0 a 1 1.0 t\n"


@given(
    st.lists(st.text("ab*?[]!-", max_size=5), min_size=1, max_size=3), st.lists(st.text("ab", max_size=4), max_size=3)
)
def test_a_pattern_fits_part_by_part_as_fnmatch_has_it(pattern, parts):
    wanted = len(parts) == len(pattern) and all(map(fnmatch.fnmatchcase, parts, pattern))
    assert fits("/".join(pattern), parts) is wanted


def test_a_name_of_a_file_stands_for_itself_before_it_is_a_pattern():
    files = [QRELS, ("runs/a[1].txt", b"1 Q0 a 1 1.0 t\n"), ("runs/a1.txt", b"1 Q0 b 1 1.0 t\n")]
    loaded = ec.load_files(files, manifest=f'runs = "runs/a[1].txt"\n{MANIFEST}')
    assert loaded.systems == ("a[1]",)


COSTLY = {
    "one long pattern": "runs = ['" + "[a-" * 300_000 + "']\n" + MANIFEST,
    "many patterns": f"runs = {[f'runs/*{number}' for number in range(20_000)]}\n{MANIFEST}",
    "many aspects": "".join(f'[aspects.a{number}]\nfile = "qrels*{number}"\n' for number in range(20_000)),
    "many sources": MANIFEST
    + "".join(f'[aspects.relevance.sources.a{number}]\nfile = "*{number}"\n' for number in range(10_000)),
    "many files of highlights": f"passages = {{ file = {[f'*/*/x{number}*' for number in range(20_000)]} }}\n".replace(
        "'", '"'
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("manifest", COSTLY.values(), ids=COSTLY)
def test_a_costly_description_is_refused_at_once(manifest, tmp_path):
    code = (
        "import sys, evalcore as ec\n"
        "files = [('qrels.txt', b'1 0 a 1\\n'), *((f'runs/{n:05}', b'1 Q0 a 1 1.0 t\\n') for n in range(10_000))]\n"
        "try:\n    ec.load_files(files, manifest=open(sys.argv[1]).read())\n"
        "except ec.InputError as error:\n    print(error)\n"
    )
    (tmp_path / "collection.toml").write_text(manifest)
    printed = printed_within({resource.RLIMIT_CPU: SECONDS}, code, str(tmp_path / "collection.toml"))
    assert "collection.toml: expected" in printed
    assert len(printed) < 300


REPEATED = {
    "one pattern again and again": f"runs = {['runs/*'] * 150_000}\n{MANIFEST}",
    "one file of labels again and again": "[aspects.relevance]\nfile = " + str(["qrels.txt"] * 75_000),
    "one pattern in every score": "".join(f"scores.s{at}.file = '*'\n" for at in range(10_000)),
    "many patterns of all files": f"runs = {[f'runs/{chr(63) * at}*' for at in range(1, 5)] * 9_000}\n{MANIFEST}",
    "a long map of a long scale": "[aspects.relevance]\nfile = 'qrels.txt'\n"
    f"grades = {[*range(60_000)]}\nmap = {[[at + 60_000, 59_999] for at in range(25_000)]}\n",
}


@pytest.mark.parametrize("manifest", REPEATED.values(), ids=REPEATED)
def test_naming_a_file_repeatedly_costs_nothing_more(manifest, tmp_path):
    """A bound that counts each name once does not bound the work done for each mention."""
    code = (
        "import sys, evalcore as ec\n"
        "files = [('qrels.txt', b'1 0 a 1\\n'), *((f'runs/{n:05}', b'1 Q0 a 1 1.0 t\\n') for n in range(300))]\n"
        "try:\n    print(len(ec.load_files(files, manifest=open(sys.argv[1]).read()).systems))\n"
        "except ec.InputError as error:\n    print(str(error)[:300])\n"
    )
    (tmp_path / "collection.toml").write_text(manifest)
    printed_within({resource.RLIMIT_CPU: SECONDS}, code, str(tmp_path / "collection.toml"))


def test_each_limit_of_patterns_allows_exactly_its_number(monkeypatch):
    files = [QRELS, *map(run_file, range(3))]
    monkeypatch.setitem(limits.BOUNDS, "pattern_characters", Bound(6, "characters of a pattern"))
    assert len(ec.load_files(files, manifest=f'runs = "runs/*"\n{MANIFEST}').systems) == 3
    with pytest.raises(InputError, match=r"patterns of at most 6 characters, found 'runs/0\*' of 7"):
        ec.load_files(files, manifest=f'runs = "runs/0*"\n{MANIFEST}')


def test_pairs_of_patterns_and_names_are_counted_first(monkeypatch):
    files = [QRELS, *map(run_file, range(3))]  # 9 + 3 * 10 characters, and 32 more for each
    monkeypatch.setitem(limits.BOUNDS, "pattern_pairs", Bound((6 + 32) * (39 + 4 * 32), "pairs"))
    assert len(ec.load_files(files, manifest=f'runs = "runs/*"\n{MANIFEST}').systems) == 3
    with pytest.raises(InputError, match=r"collection\.toml: expected at most 6,346 pairs, found 39 x 167"):
        ec.load_files(files, manifest=f'runs = "runs/0*"\n{MANIFEST}')
