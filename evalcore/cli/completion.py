"""`evalcore completion`: a script that lets a shell complete commands, options and measures."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

NAME = "completion"
HELP = "a script for the shell: Tab completes commands, options and measures"
USAGE = "bash | zsh | fish"
DESCRIPTION = """\
Print a completion script. For good:
  bash   evalcore completion bash > ~/.local/share/bash-completion/completions/evalcore
  zsh    evalcore completion zsh > a folder of $fpath, as _evalcore
  fish   evalcore completion fish > ~/.config/fish/completions/evalcore.fish"""
EXAMPLES = ("evalcore completion bash", 'eval "$(evalcore completion bash)"')


@dataclass(frozen=True)
class Flag:
    """One option: its spellings, its words (none: a file, or free text), whether it takes a value, its help."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    takes_value: bool
    help: str


@dataclass(frozen=True)
class Words:
    """What a command offers after its name."""

    help: str
    flags: tuple[Flag, ...]
    positional: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("shell", choices=sorted(_SCRIPTS))


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    from evalcore.cli import build_parser
    from evalcore.cli.names import known_names

    measures = tuple(known_names())
    print(_SCRIPTS[options.shell](_commands(build_parser(), measures)), end="")


def _commands(parser: argparse.ArgumentParser, measures: tuple[str, ...]) -> dict[str, Words]:
    (choices,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in choices._choices_actions}
    return {name: _words(one, helps[name], measures) for name, one in choices.choices.items()}


def _words(parser: argparse.ArgumentParser, help: str, measures: tuple[str, ...]) -> Words:
    flags: list[Flag] = []
    positional: list[str] = []
    for action in parser._actions:
        words = tuple(map(str, action.choices or (measures if action.dest in ("measure", "names") else ())))
        if action.option_strings:
            text = (action.help or "").split(";")[0]
            flags.append(Flag(tuple(action.option_strings), words, action.nargs != 0, text))
        else:
            positional += words
    return Words(help, tuple(flags), tuple(positional))


def _bash(commands: Mapping[str, Words]) -> str:
    cases = "\n".join(_bash_case(name, words) for name, words in commands.items())
    return f"""\
# bash completion for evalcore
_evalcore() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W {shlex.quote(" ".join(["--help", "--version", *commands]))} -- "$current"))
        return
    fi
    case "$command" in
{cases}
    esac
    if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}}
complete -o default -F _evalcore evalcore
"""


def _bash_case(name: str, words: Words) -> str:
    """Words after an option that has them; options where a dash was typed; else positional words, or files."""
    known = [flag for flag in words.flags if flag.words]
    free = [name for flag in words.flags if flag.takes_value and not flag.words for name in flag.names]
    lines = [f"            {'|'.join(flag.names)}) words={shlex.quote(' '.join(flag.words))} ;;" for flag in known]
    lines += [f"            {'|'.join(free)}) ;;"] if free else []
    every = shlex.quote(" ".join(spelling for flag in words.flags for spelling in flag.names))
    plain = shlex.quote(" ".join(words.positional))
    return "\n".join(
        [
            f"    {name})",
            '        case "$previous" in',
            *lines,
            f'            *) case "$current" in -*) words={every} ;; *) words={plain} ;; esac ;;',
            "        esac ;;",
        ]
    )


def _zsh(commands: Mapping[str, Words]) -> str:
    listed = "\n".join(f"        {shlex.quote(f'{name}:{_plain(words.help)}')}" for name, words in commands.items())
    cases = "\n".join(_zsh_case(name, words) for name, words in commands.items())
    return f"""\
#compdef evalcore
# zsh completion for evalcore
_evalcore() {{
    local -a commands
    commands=(
{listed}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}
    esac
}}
# From a folder of $fpath this file is the function itself, and this its first call; else it was sourced.
if [ "$funcstack[1]" = _evalcore ]; then _evalcore "$@"; else compdef _evalcore evalcore; fi
"""


def _zsh_case(name: str, words: Words) -> str:
    specs = [_zsh_spec(flag, spelling) for flag in words.flags for spelling in flag.names]
    rest = f"({' '.join(words.positional)})" if words.positional else "_files"
    lines = " \\\n            ".join([*specs, shlex.quote(f"*:argument:{rest}")])
    return f"    {name})\n        _arguments \\\n            {lines}\n        ;;"


def _zsh_spec(flag: Flag, spelling: str) -> str:
    value = (f":value:({' '.join(flag.words)})" if flag.words else ":value:_files") if flag.takes_value else ""
    return shlex.quote(f"*{spelling}[{_plain(flag.help)}]{value}")


def _fish(commands: Mapping[str, Words]) -> str:
    lines = ["# fish completion for evalcore"]
    for name, words in commands.items():
        about = f"-d {shlex.quote(_plain(words.help))}"
        lines.append(f"complete -c evalcore -n __fish_use_subcommand -f -a {name} {about}")
        lines += [_fish_line(name, flag) for flag in words.flags]
        if words.positional:
            plain = shlex.quote(" ".join(words.positional))
            lines.append(f"complete -c evalcore -n '__fish_seen_subcommand_from {name}' -f -a {plain}")
    return "\n".join(lines) + "\n"


def _fish_line(command: str, flag: Flag) -> str:
    spelled = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names]
    value = ["-x", "-a", shlex.quote(" ".join(flag.words))] if flag.words else ["-r"] if flag.takes_value else []
    about = ["-d", shlex.quote(_plain(flag.help))]
    return " ".join(["complete -c evalcore -n", f"'__fish_seen_subcommand_from {command}'", *spelled, *value, *about])


def _plain(text: str) -> str:
    """Help without what a shell would read."""
    return "".join(letter for letter in text if letter not in '"`[]:$\\()').strip()


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
