"""Download single files of a GitHub repository at one commit by HTTPS, and check them.

GitHub lists the files of a commit with their digests.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from queue import Empty, Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from evalcore.common.progress import Progress, checkpoint
from evalcore.data.toml_text import toml_text
from evalcore.errors import InputError, not_installed, readable
from evalcore.limits import most

if TYPE_CHECKING:
    import requests

API = "https://api.github.com/repos"
RAW = "https://raw.githubusercontent.com"
LISTING_BYTES = 50_000_000
SECONDS = 60.0  # without a byte until we give up on a server...
SLOWEST = 1000.0  # ...or with fewer bytes a second from then on
STAGING = ".fetching"  # the folder of unfinished downloads
LONGEST_NAME = 255  # bytes of a file's name, on most disks
_FILES = ("100644", "100755")  # modes of files in git, not of links or other repositories
_SHA = "[0-9a-f]{40}"
_PIECE = 1 << 14
_LOOK = 0.1  # seconds between two checks whether to continue


@dataclass(frozen=True)
class RemoteFile:
    """A file of a commit: its size in bytes, and its digest, the blob id of git, as `git:HEX`."""

    name: str
    size: int
    digest: str

    def is_at(self, path: Path) -> bool:
        """Return true if the file at a path has this size and digest."""
        return path.is_file() and path.stat().st_size == self.size and digest_of(path) == self.digest


@dataclass(frozen=True)
class Commit:
    """The files of a repository (`owner/name`) at one commit, by name."""

    repository: str
    sha: str
    files: Mapping[str, RemoteFile]

    def address(self, name: str) -> str:
        return f"{RAW}/{self.repository}/{self.sha}/{quote(name)}"


def digest_of(path: Path) -> str:
    """Return the blob id that git gives to a file, as `git:HEX`.

    >>> digest_of(Path(os.devnull))
    'git:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    with path.open("rb") as file:
        blob = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
        while piece := file.read(_PIECE):
            blob.update(piece)
        return f"git:{blob.hexdigest()}"


def require_pooch() -> Any:
    """Return the package pooch. Raises InputError if it is not installed."""
    try:
        import pooch
    except ImportError:
        raise not_installed("pooch", "fetch") from None
    return pooch


def newest(repository: str) -> Commit:
    """Return the newest commit of a repository, as GitHub lists it.

    Raises InputError if GitHub gives no complete list.
    """
    sha = _text(f"{API}/{repository}/commits/HEAD", "application/vnd.github.sha").strip()
    if not re.fullmatch(_SHA, sha):
        raise InputError("GitHub's answer is not a commit", repository)
    text = _text(f"{API}/{repository}/git/trees/{sha}?recursive=1", "application/vnd.github+json")
    try:
        tree = json.loads(text)
        if tree["truncated"]:
            raise InputError("GitHub lists only some of this repository's files", repository)
        files = [
            {"name": entry["path"], "size": entry["size"], "digest": f"git:{entry['sha']}"}
            for entry in tree["tree"]
            if entry["mode"] in _FILES and entry["path"].isprintable()
        ]
        return read_commit(repository, {"commit": sha, "files": files})
    except InputError:
        raise
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise InputError("GitHub's list of files has an unexpected form", repository) from None


def read_commit(repository: str, content: Mapping[str, Any]) -> Commit:
    """Return the commit in a description: a mapping with its hash as `commit`, and `files` with name, size and digest.

    Raises InputError for a file name that leads out of the folder or is too long, and ValueError, KeyError or TypeError
    for an invalid description.
    """
    sha, files = content["commit"], {}
    if not re.fullmatch(_SHA, sha):
        raise ValueError(sha)
    for entry in content["files"]:
        name, size, digest = str(entry["name"]), int(entry["size"]), str(entry["digest"])
        path = PureWindowsPath(name)  # it knows every way out of a folder on any system
        if path.anchor or ".." in path.parts:
            raise InputError(f"the file name {readable(name)!r} leads out of the folder", repository)
        if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts):
            raise InputError(f"the file name {readable(name)[:40]!r}... is too long for a disk", repository)
        if not re.fullmatch(f"git:{_SHA}", digest):
            raise ValueError(digest)
        files[name] = RemoteFile(name, size, digest)
    return Commit(repository, sha, files)


def written_commit(commit: Commit) -> str:
    """Return a commit as TOML text whose content `read_commit` reads."""
    lines = [
        f"  {{ name = {toml_text(file.name)}, size = {file.size}, digest = {toml_text(file.digest)} }},\n"
        for file in commit.files.values()
    ]
    return f"commit = {toml_text(commit.sha)}\nfiles = [\n{''.join(lines)}]\n"


def download(commit: Commit, names: Sequence[str], folder: Path, tell: Progress) -> None:
    """Download files to their places in a folder, one after the other.

    A file appears only once it is complete and checked. Raises InputError for a file that does not match its digest,
    for a link that leads out of the folder, and for a server that does not answer, redirects, or sends more or less
    than the listed size.
    """
    pooch = require_pooch()
    pooch.get_logger().setLevel("WARNING")
    with _staging(folder) as staging:
        for at, name in enumerate(names):
            tell(at / len(names), f"Downloading {readable(name)}: {at + 1} of {len(names)}")
            file, target = commit.files[name], folder / name
            if not target.parent.resolve().is_relative_to(folder.resolve()):
                raise InputError("a link leads out of the folder", str(target.parent))
            with _explained(commit.address(name)):
                got = pooch.retrieve(commit.address(name), None, "file", staging, downloader=_Downloader(file))
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(got, target)


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """Provide an empty folder for unfinished downloads, and delete it afterwards."""
    staging = folder / STAGING
    shutil.rmtree(staging, ignore_errors=True)
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@dataclass(frozen=True)
class _Downloader:
    """Writes the answer of a server to the path that pooch gives, with checks that pooch does not make."""

    file: RemoteFile

    def __call__(self, url: str, output_file: str, _: object) -> None:
        path = Path(output_file)
        path.unlink()  # pooch made it readable only by the user
        with path.open("wb") as out:
            for piece in _pieces(url, min(self.file.size, most("file_bytes"))):
                out.write(piece)
        if path.stat().st_size < self.file.size:
            raise InputError(f"the server sent {path.stat().st_size:,} of {self.file.size:,} bytes; try again", url)
        if not self.file.is_at(path):
            raise InputError(f"the content does not match the digest {self.file.digest}", url)


def _text(url: str, kind: str) -> str:
    with _explained(url):
        return b"".join(_pieces(url, LISTING_BYTES, Accept=kind)).decode()


def _pieces(url: str, most: int, **headers: str) -> Iterator[bytes]:
    """Yield the answer of a server in pieces as it arrives, without decompressing it.

    Raises InputError for a refusal, a redirect, more than `most` bytes, and fewer than `SLOWEST` bytes a second after
    the first `SECONDS`, even if the server sends an endless header or interim responses (1xx) meanwhile.
    """
    pieces: Queue[bytes | Exception] = Queue(4)
    begun, got = time.monotonic(), 0
    Thread(target=_ask, args=(url, most, headers, pieces), daemon=True).start()
    while True:
        checkpoint()
        try:
            piece = pieces.get(timeout=_LOOK)
        except Empty:
            if (waited := time.monotonic() - begun) > SECONDS + got / SLOWEST:
                raise InputError(f"the server sent only {got:,} bytes in {waited:.0f} s; try again", url) from None
            continue
        if isinstance(piece, Exception):
            raise piece
        if not piece:
            return
        got += len(piece)
        yield piece


def _ask(url: str, most: int, headers: Mapping[str, str], pieces: Queue[bytes | Exception]) -> None:
    """Put the answer of a server into a queue: its pieces, then an empty piece or the error."""
    import requests

    asked, got = {"Accept-Encoding": "identity", **headers}, 0
    try:
        with closing(requests.get(url, stream=True, timeout=SECONDS, allow_redirects=False, headers=asked)) as answer:
            _refuse(answer, url)
            for piece in answer.iter_content(_PIECE):
                got += len(piece)
                if got > most:
                    raise InputError(f"the server sends more than the expected {most:,} bytes", url)
                pieces.put(piece, timeout=SECONDS)
        pieces.put(b"")
    except Exception as error:  # for the thread that waits, if it is still waiting
        with suppress(Full):
            pieces.put(error, timeout=SECONDS)


def _refuse(answer: requests.Response, url: str) -> None:
    if answer.is_redirect:
        raise InputError(f"the server redirects to {readable(answer.headers['Location'])}, which is refused", url)
    if answer.status_code in (403, 429) and answer.headers.get("X-RateLimit-Remaining") == "0":
        raise InputError("GitHub is refusing requests from this address (rate limit); try again in an hour", url)
    if answer.headers.get("Content-Encoding", "identity") != "identity":  # unpacked data may have any size
        raise InputError("the server compresses its answer, although an uncompressed one was requested", url)
    if answer.status_code != 200:
        raise InputError(f"the server answered {answer.status_code} {readable(answer.reason or '')}", url)


@contextmanager
def _explained(url: str) -> Iterator[None]:
    """Turn errors of the connection or of the disk into InputErrors that explain them."""
    import requests

    try:
        yield
    except requests.RequestException as error:
        raise InputError(f"the download was interrupted ({_reason(error)}); run it again to continue", url) from None
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", url) from None


def _reason(error: Any) -> str:
    """Return the innermost reason why a request failed, shortened to one line."""
    while error.args and isinstance(error.args[0], Exception):
        error = error.args[0]
    reason = getattr(error, "reason", None) or error
    return readable(str(reason).rsplit(">: ", 1)[-1])[:200]
