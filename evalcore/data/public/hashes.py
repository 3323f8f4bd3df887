"""Print the commit of public collections and the SHA-256 of their files, for the entries beside this module.

    python -m evalcore.data.public.hashes clef2015 chs2021

downloads the newest commit's files, checked by their blob ids, and prints the lines to add below `[public]`.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evalcore.data.public.download import digest_of, download, newest, written_commit
from evalcore.data.public.entries import public_collection
from evalcore.data.public.fetching import of_collection


def main(names: Sequence[str]) -> None:
    """Print what each entry is to state."""
    for name in names:
        known = public_collection(name)
        commit = of_collection(known.manifest, newest(known.repository))
        with tempfile.TemporaryDirectory() as folder:
            download(commit, list(commit.files), Path(folder), lambda share, text: print(text, file=sys.stderr))
            files = {
                file.name: replace(file, digest=digest_of(Path(folder, file.name), "sha256:"))
                for file in commit.files.values()
            }
        print(f"# {name}.toml\n{written_commit(replace(commit, files=files))}")


if __name__ == "__main__":
    main(sys.argv[1:])
