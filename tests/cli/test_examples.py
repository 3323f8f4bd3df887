"""Examples in help texts. `make package` runs each of them with nothing but what people install."""

from __future__ import annotations

import shlex

import pytest

from evalcore.cli import COMMANDS, build_parser

EXAMPLES = [line for command in COMMANDS.values() for line in command.EXAMPLES]


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_parses(line: str) -> None:
    for command in line.split(" | "):
        name, *arguments = shlex.split(command)
        assert name == "evalcore"
        assert build_parser(arguments[:1]).parse_args(arguments).command == arguments[0]


def test_every_command_has_examples() -> None:
    assert [name for name, command in COMMANDS.items() if not command.EXAMPLES] == []
