"""A few files of one commit of a git repository, got by the program git."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalcore.data.patterns import fits
from evalcore.errors import InputError, readable

_FILES = ("100644", "100755")  # modes of what git calls a file: no links, no other repositories
_SPECIAL = re.compile(r"[\\*?\[\] ]")  # what a pattern of git means something by; a space at its end means nothing
_USER = re.compile(r"(?<=://)[^/@\s]+@")  # a name and password in an address
_SAID = re.compile(r"^(?:fatal|error|ssh|remote): *", re.IGNORECASE)
# What git itself writes into the settings of such a clone. Others, in a folder sent by somebody, may name programs.
_OWN_KEYS = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)"
    r"|extensions\.(partialclone|objectformat)|remote\.origin\.(url|fetch|promisor|partialclonefilter)|evalcore\.collection"
)
# Files come as they are stored: no line ends, keywords or large-file pointers are turned into something else.
_ATTRIBUTES = "* -text -filter -ident -working-tree-encoding\n"
_SETTINGS = {
    "core.sparseCheckout": "true",
    "core.sparseCheckoutCone": "false",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "gc.auto": "0",
    "http.lowSpeedLimit": "1000",  # bytes a second, for a minute: a line that is dead
    "http.lowSpeedTime": "60",
}
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh", "LC_ALL": "C"}


@dataclass(frozen=True)
class Clone:
    """A folder with some files of a repository as they are at one commit, and what git knows of them in `.git`."""

    folder: Path

    @property
    def commit(self) -> str:
        """The commit that the files are of; "" before all of them were there."""
        try:
            return self._git("rev-parse", "--verify", "--quiet", "refs/evalcore/complete").strip()
        except InputError:
            return ""

    def begin(self, name: str, location: str) -> bool:
        """An empty repository for the collection of that name; whether it is new, or one begun before is taken up.

        Raises InputError for a folder with other files, and without git.
        """
        require_git()
        if new := not self.holds(name):
            folder = self.folder
            if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not self._is_begun())):
                expected = f"a new or empty folder, or one that {name} was fetched to before"
                raise InputError(f"expected {expected}, found other files", str(self.folder))
            self.folder.mkdir(parents=True, exist_ok=True)
            self._git("init", "--quiet", "--template=")
        self._sweep()
        (self.folder / ".git" / "info").mkdir(exist_ok=True)
        (self.folder / ".git" / "info" / "attributes").write_text(_ATTRIBUTES)
        for key, value in {"remote.origin.url": location, "evalcore.collection": name}.items():
            self._git("config", key, value)
        return new

    def _sweep(self) -> None:
        """Remove what a process that was killed has left: locks, and files that it had begun."""
        place = self.folder / ".git"
        for left in (*place.rglob("*.lock"), *(place / "objects").rglob("tmp_*")):
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink(missing_ok=True)

    def undo(self, folder: bool) -> None:
        """Take away a repository that nothing was got for, and its folder where that is asked for."""
        shutil.rmtree(self.folder / ".git")
        if folder:
            self.folder.rmdir()

    def holds(self, name: str) -> bool:
        """Whether the folder is one that the collection of that name was fetched to.

        Raises InputError where its repository has settings that `fetch` does not make.
        """
        if not os.path.lexists(self.folder / ".git") or self._is_begun():
            return False
        self._refuse_links()
        keys = self._git("config", "--local", "--no-includes", "--list", "--name-only", "-z").split("\0")
        if foreign := [key for key in keys if key and not _OWN_KEYS.fullmatch(key)]:
            problem = (
                f"expected git's settings as fetch made them, found others: {', '.join(map(readable, foreign[:3]))}"
            )
            raise InputError(problem, str(self.folder / ".git" / "config"))
        try:
            return self._git("config", "evalcore.collection").strip() == name
        except InputError:
            # Killed before the name was written: a repository without any commit, and nothing beside it.
            return os.listdir(self.folder) == [".git"] and not (self.folder / ".git" / "FETCH_HEAD").exists()

    def _is_begun(self) -> bool:
        """Whether there is nothing but a repository whose making broke off."""
        place = self.folder / ".git"
        if not place.is_dir() or place.is_symlink() or os.listdir(self.folder) != [".git"]:
            return False
        self._refuse_links()
        return not all((place / name).exists() for name in ("HEAD", "config", "objects", "refs"))

    def _refuse_links(self) -> None:
        """Raises InputError for a repository with links, which git does not make: they would be written through."""
        place = self.folder / ".git"
        for folder, folders, names in os.walk(place):
            for path in (place, *(Path(folder, name) for name in (*folders, *names))):
                if path.is_symlink():
                    raise InputError("expected git's own files and folders, found a link", str(path))

    def fetch(self, location: str) -> str:
        """The newest commit of the repository, without its past and without the content of its files.

        Raises InputError where there is no repository, or none that can be reached.
        """
        try:
            # Where the server knows no filters, all content of that commit comes at once.
            self._git("fetch", "--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "origin", "HEAD")
        except InputError as error:
            raise _unreachable(location, error.problem) from None
        return self._git("rev-parse", "FETCH_HEAD").strip()

    def files(self, commit: str) -> dict[str, str]:
        """The files of a commit: the digest of each by its name."""
        result = {}
        for line in filter(None, self._git("ls-tree", "-r", "-z", "--full-tree", commit).split("\0")):
            about, _, name = line.partition("\t")
            mode, _, digest = about.split()
            if mode in _FILES and not any(ord(letter) < 32 for letter in name):
                result[name] = digest
        return result

    def check_out(self, commit: str, names: Iterable[str]) -> None:
        """Put these files, and those asked for before, where they belong; their content is got in one go."""
        patterns = "".join(f"/{_SPECIAL.sub(lambda match: chr(92) + match[0], name)}\n" for name in names)
        path = self.folder / ".git" / "info" / "sparse-checkout"
        path.write_bytes(os.fsencode(patterns))
        self._git("read-tree", "--reset", "-u", commit)

    def put_back(self, names: Sequence[str]) -> None:
        """These files as the commit has them, over what is there."""
        self._git("checkout-index", "--force", "-z", "--stdin", stdin="\0".join(names) + "\0")

    def finish(self, commit: str) -> None:
        """Remember that all files of this commit are there."""
        self._git("update-ref", "refs/evalcore/complete", commit)

    def changed(self, files: Mapping[str, str]) -> list[str]:
        """Those of the files that are missing, or have another content than the commit's."""
        return [name for name, digest in files.items() if _digest(self.folder / name, len(digest)) != digest]

    def _git(self, *arguments: str, stdin: str = "") -> str:
        """What git says. Raises InputError with its complaint."""
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        places = [f"--git-dir={self.folder / '.git'}", f"--work-tree={self.folder}"]
        command = [require_git(), *settings, *places, *arguments]
        environment = {name: value for name, value in os.environ.items() if name not in _OTHER_PLACES}
        done = subprocess.run(
            command, cwd=self.folder, env={**environment, **_ENVIRONMENT}, input=os.fsencode(stdin), capture_output=True
        )
        if done.returncode:
            raise InputError(_complaint(os.fsdecode(done.stderr)))
        return os.fsdecode(done.stdout)


_OTHER_PLACES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)  # fmt: skip


def require_git() -> str:
    """The program git. Raises InputError where there is none."""
    program = shutil.which("git")
    if program is None:
        raise InputError("expected the program git, found none: install it (https://git-scm.com/downloads)")
    return program


def absolute(location: str) -> str:
    """A location as git finds it from any folder. Raises InputError for one that git would take for an option."""
    if location.startswith("-"):
        raise InputError(f"expected the address or folder of a git repository, found {location!r}")
    return os.path.abspath(location) if os.path.exists(location) else location


def without_password(text: str) -> str:
    """An address, or a text with some, without the name and password that may stand in it.

    >>> without_password("https://me:secret@example.org/data.git")
    'https://example.org/data.git'
    """
    return _USER.sub("", text)


def fitting(names: Iterable[str], pattern: str) -> Iterator[str]:
    """The names that a pattern fits; a star stays within its folder, and fits no hidden file.

    >>> list(fitting(["runs/a/x", "runs/a/.x", "runs/x"], "runs/*/*"))
    ['runs/a/x']
    """
    for name in names:
        parts = name.split("/")
        if not any(part.startswith(".") for part in parts) and fits(pattern, parts):
            yield name


def _digest(path: Path, length: int) -> str:
    """What git calls the content of a file: SHA-1, or SHA-256 in a repository that says so; "" for no file."""
    try:
        content = path.read_bytes()
    except OSError:
        return ""
    header = b"blob %d\0" % len(content)
    kind = "sha256" if length == 64 else "sha1"
    return hashlib.new(kind, header + content, usedforsecurity=False).hexdigest()


def _complaint(output: str) -> str:
    """The one line of what git said that tells why: the first that is called fatal, else the last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["no reason given"]
    fatal = [line for line in lines if line.startswith("fatal:")]
    full = [line for line in lines if "No space left" in line]
    return without_password(_SAID.sub("", (full or fatal or lines[-1:])[0]))


def _unreachable(location: str, why: str) -> InputError:
    if "No space left" in why:
        return InputError(f"expected room on the disk, found: {why}")
    where = without_password(location)
    advice = "--from takes another location, such as a mirror or a clone on this machine"
    return InputError(f"expected a git repository that can be reached, found: {why}; {advice}", where)
