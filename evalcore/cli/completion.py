"""`evalcore completion`: a script that lets a shell complete commands, options and measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

NAME = "completion"
HELP = "a script for the shell: Tab completes commands, options and measures"
USAGE = "bash | zsh | fish"
DESCRIPTION = """\
Print a completion script. For good:
  bash   evalcore completion bash > ~/.local/share/bash-completion/completions/evalcore
  zsh    evalcore completion zsh > a folder of $fpath, as _evalcore
  fish   evalcore completion fish > ~/.config/fish/completions/evalcore.fish"""
EXAMPLES = ("evalcore completion bash", 'eval "$(evalcore completion bash)"')
SHELLS = ("bash", "fish", "zsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("shell", choices=SHELLS)


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    import shtab

    from evalcore.cli import build_parser
    from evalcore.cli.names import known_names

    parser, measures = build_parser(), " ".join(known_names())
    # In the script, so that Tab needs no Python.
    offered = {"bash": "_evalcore_measures", "zsh": f"({measures})", "fish": measures}
    for action in _values(parser):
        action.complete = offered if action.dest in ("measure", "names") else shtab.FILE  # type: ignore[attr-defined]
    preamble = f'_evalcore_measures() {{ compgen -W "{measures}" -- "$1"; }}' if options.shell == "bash" else ""
    print(shtab.complete(parser, options.shell, preamble=preamble), end="")


def _values(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments, of all commands, that take a value which is none of a few words."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _values(command)
        elif action.choices is None and action.nargs != 0:
            yield action
