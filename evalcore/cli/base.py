"""What a command of the command line is: a module with a name, a help text, examples, arguments and `run`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Protocol


class UsageError(Exception):
    """A command that cannot be understood: exit code 2."""


class Command(Protocol):
    """A module of this package.

    `USAGE` is what follows the command's name; `EXAMPLES` are shell lines, each of which a test runs in the checkout.
    """

    @property
    def NAME(self) -> str: ...
    @property
    def HELP(self) -> str: ...
    @property
    def USAGE(self) -> str: ...
    @property
    def DESCRIPTION(self) -> str: ...
    @property
    def EXAMPLES(self) -> Sequence[str]: ...

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the command takes."""

    def run(self, options: argparse.Namespace) -> None:
        """Do it. Raises InputError for bad input, UsageError for arguments that do not fit together."""


def describe(command: Command, commands: Any) -> None:
    """Add a command to the parser's commands."""
    examples = "\n".join(f"  {line}" for line in command.EXAMPLES)
    parser = commands.add_parser(
        command.NAME,
        help=command.HELP,
        usage=f"evalcore {command.NAME} {command.USAGE}",
        description=f"{command.DESCRIPTION}\n\nexamples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    parser.set_defaults(run=command.run, command=command.NAME)
