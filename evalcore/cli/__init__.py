"""The command line: `evalcore COMMAND ...`, one module for each command.

Before a command runs, only what its help needs is imported, so `--help` answers at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import cast

import evalcore as ec
from evalcore.cli.base import Command, UsageError, describe
from evalcore.cli.output import refuse_out
from evalcore.cli.terminal import clean, close_quietly, open_streams
from evalcore.errors import InputError
from evalcore.subjects import added

# The commands in the order of the help (those of subjects after `sweep`), with their modules; `COMMANDS` maps their
# names to the imported modules.
_BEFORE, _AFTER = "inspect score compare sweep", "report convert fetch measures sample app"
_NAMES = [*_BEFORE.split(), *added("commands"), *_AFTER.split()]
_MODULE_OF = {name: f"{__name__}.{name}" for name in _NAMES} | {"inspect": f"{__name__}.inspection"} | added("commands")


FINE, INPUT_ERROR, USAGE_ERROR, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141

DESCRIPTION = "How much does our ranking of systems depend on how we measured?"
EPILOG = """\
A collection is a folder or a zip of runs and assessments (`evalcore inspect sample_data/health`).
`evalcore sample` copies the sample data that all examples use.
A measure is written as in Python and in the app: AP, nDCG@10, uRBP(rho=0.8).
`evalcore measures` lists all measures, `evalcore COMMAND --help` shows examples.

Exit codes: 0 success, 1 unusable input, 2 an invalid command;
with `claim --must hold` also 3 undecided, 4 reversed.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    open_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly(sys.stdout)
        close_quietly(sys.stderr)
        return PIPE_CLOSED
    except OSError as error:  # raised by the flush: a full disk, a closed stream
        close_quietly(sys.stdout)
        return _refused(error)
    return code


def __getattr__(name: str) -> dict[str, Command]:
    if name != "COMMANDS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return {command: _command(command) for command in _MODULE_OF}


def _command(name: str) -> Command:
    return cast(Command, import_module(_MODULE_OF[name]))


def _run(arguments: Sequence[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    first = words[0] if words else ""
    parser = build_parser([first] if first in _MODULE_OF else None)
    try:
        options = parser.parse_args(arguments)
        refuse_out(options)
        options.run(options)
    except SystemExit as stop:  # argparse has printed the reason, or a claim that must hold does not
        return stop.code if isinstance(stop.code, int) else USAGE_ERROR
    except UsageError as error:
        return _complain(f"{error} (evalcore {options.command} --help)", USAGE_ERROR)
    except InputError as error:
        return _complain(_located(error), INPUT_ERROR)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _refused(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    return FINE


def build_parser(only: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands or, with `only`, of the named ones, without importing the others."""
    parser = argparse.ArgumentParser(
        "evalcore", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=False)
    for name in _MODULE_OF if only is None else only:
        describe(name, _command(name), commands)
    parser.set_defaults(run=lambda options: _without_command(parser, options))
    return parser


def _without_command(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.version:
        print(f"evalcore {ec.__version__}")
    else:
        parser.error("expected a command, found none")


def _located(error: InputError) -> str:
    line = f", line {error.line}" if error.line is not None else ""
    return f"{error.where}{line}: {error.problem}" if error.where else error.problem


def _refused(error: OSError) -> int:
    """Print an error of the operating system, and return the exit code.

    An error that names no file concerns standard output.
    """
    if error.filename:
        return _complain(f"{error.filename}: {error.strerror}", INPUT_ERROR)
    problem = f"cannot write: {error.strerror or error}"
    return _complain(f"standard output: {problem}", INPUT_ERROR)


def _complain(text: str, code: int) -> int:
    print(f"evalcore: {clean(text)}", file=sys.stderr)
    return code
