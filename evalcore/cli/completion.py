"""`evalcore --completion SHELL`: a script for the shell: Tab completes commands, options and measures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from evalcore.common.constants import COMBINED
from evalcore.common.kept import text

SHELLS = ("bash", "fish", "zsh")


def completion_script(shell: str) -> str:
    """The script, as it was kept on disk where no measure is imported yet."""
    if "evalcore.measures" in sys.modules:
        return _script(shell)
    return text(f"completion-{shell}", ("measures", "notation", "structures", "cli"), lambda: _script(shell))


def _script(shell: str) -> str:
    import shtab

    from evalcore.cli import build_parser
    from evalcore.cli.names import known_names

    parser = build_parser()
    # In the script, so that Tab needs no Python; the judges of a collection are not known there.
    words = {"measures": " ".join(known_names()), "sources": " ".join(COMBINED)}
    of = {"measure": "measures", "names": "measures", "source": "sources"}
    for action in _values(parser):
        action.complete = _offered(of[action.dest], words) if action.dest in of else shtab.FILE  # type: ignore[attr-defined]
    functions = [f'_evalcore_{what}() {{ compgen -W "{listed}" -- "$1"; }}' for what, listed in words.items()]
    script: str = shtab.complete(parser, shell, preamble="\n".join(functions) * (shell == "bash"))
    return script


def _offered(what: str, words: Mapping[str, str]) -> dict[str, str]:
    return {"bash": f"_evalcore_{what}", "zsh": f"({words[what]})", "fish": words[what]}


def _values(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments, of all commands, that take a value which is none of a few words."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _values(command)
        elif action.choices is None and action.nargs != 0:
            yield action
