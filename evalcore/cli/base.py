"""Commands: modules whose docstring is their help, with arguments, examples and `run`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Protocol


class UsageError(Exception):
    """An invalid command line: exit code 2."""


class Command(Protocol):
    """A module that implements a command.

    Its docstring begins with the command and the question that it answers, "`evalcore score`: ..."; the text after a
    blank line describes the command in full. `USAGE` is printed after the command's name; `EXAMPLES` are shell lines,
    each of which a test runs in the checkout.
    """

    @property
    def USAGE(self) -> str: ...
    @property
    def EXAMPLES(self) -> Sequence[str]: ...

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments of the command."""

    def run(self, options: argparse.Namespace) -> None:
        """Run the command. Raises InputError for bad input, UsageError for contradictory arguments."""


def describe(name: str, command: Command, commands: Any) -> None:
    """Add the parser of one command to `commands`, with its help and arguments."""
    begun, _, description = (command.__doc__ or "").partition("\n\n")
    question = " ".join(begun.split()).partition(": ")[2].removesuffix(".")
    examples = "\n".join(f"  {line}" for line in command.EXAMPLES)
    parser = commands.add_parser(
        name,
        help=question,
        usage=f"evalcore {name} {command.USAGE}",
        description=f"{description.rstrip()}\n\nexamples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run, command=name)
