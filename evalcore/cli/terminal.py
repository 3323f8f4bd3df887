"""Output to a terminal: progress, and text from files with control characters escaped."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TextIO, TypeVar

from evalcore.common.progress import checkpoint
from evalcore.errors import readable

Item = TypeVar("Item")


def clean(text: str) -> str:
    r"""Return text for one line of output, with control characters escaped.

    >>> clean("a\tb\x1b[2J")
    'a\\tb\\x1b[2J'
    """
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in readable(text))


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def print_note(text: str) -> None:
    """Print a note of one line on standard error."""
    print(f"evalcore: note: {clean(text)}", file=sys.stderr, flush=True)


class Progress:
    """A progress line, shown only if standard error is a terminal; work may be ended when it reports progress."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty()

    def __call__(self, share: float, text: str = "") -> None:
        checkpoint(share)
        if self.shown:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r{clean(f'{share:4.0%} {text}')[:width]:{width}}")
            self.stream.flush()

    def over(self, named: Mapping[str, Item]) -> Iterator[tuple[str, Item]]:
        """Yield each (name, item), after showing the name."""
        for name, column in named.items():
            self(0.0, name)
            yield name, column

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def named(self, text: str) -> Callable[[float], None]:
        """Return a function that shows a share under this text, for work that reports only its share."""
        return lambda share: self(share, text)

    def note(self, text: str) -> None:
        """Print one line on standard error, only if that is a terminal."""
        if self.shown:
            self.stream.write(f"\r\x1b[Kevalcore: {clean(text)}\n")


def open_streams() -> None:
    """Open the standard streams that were closed when the process started (`>&-`).

    Otherwise the next opened file would become standard output. With closed streams, notes are dropped, nothing is read
    from standard input, and writing output is an error (EBADF), as with other tools.
    """
    ways = {"stdin": (os.O_RDONLY, "r"), "stdout": (os.O_RDONLY, "w"), "stderr": (os.O_WRONLY, "w")}
    for name, (access, mode) in ways.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, access), mode, closefd=False))  # noqa: SIM115


def close_quietly(stream: TextIO) -> None:
    """Discard the buffer of a closed stream, so that Python does not report an error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
