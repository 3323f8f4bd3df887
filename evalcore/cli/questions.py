"""Commands that answer several questions: one option selects the question, others apply to some questions only."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.cli.base import UsageError

# Declarations of an option without a value, one with one or more values, and one that may be repeated.
FLAG: Mapping[str, Any] = {"action": "store_const", "const": True}
SEVERAL: Mapping[str, Any] = {"nargs": "+", "action": "extend"}
AGAIN: Mapping[str, Any] = {"action": "append"}


@dataclass(frozen=True)
class Question:
    """A question: its option, the function that answers it, and the options that apply to it, with their defaults.

    `answer` makes the table. `about` are the arguments of argparse that declare the question's own option.
    """

    option: str
    help: str
    answer: Callable[..., Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=lambda: FLAG)
    missing: str = "refuse"  # default treatment of missing scores


def add_questions(
    parser: argparse.ArgumentParser, questions: Sequence[Question], options: Mapping[str, Mapping[str, Any]]
) -> None:
    """Add the questions (the first is the default), and the options that apply to some of them."""
    group = parser.add_argument_group("question", f"at most one of these; default: {questions[0].option}")
    ways = group.add_mutually_exclusive_group()
    for question in questions:
        ways.add_argument(question.option, help=question.help, **question.about)
    group = parser.add_argument_group("options of a question", "each with its questions and its default in brackets")
    for option, about in options.items():
        group.add_argument(option, **{**about, "help": f"{about['help']} [{_owners(option, questions)}]"})


def asked_question(options: argparse.Namespace, questions: Sequence[Question]) -> Question:
    """Return the selected question, after filling in the defaults of its options.

    Raises UsageError for an option that belongs to other questions.
    """
    asked = next((one for one in questions if getattr(options, _dest(one.option)) is not None), questions[0])
    for option in dict.fromkeys(name for question in questions for name in question.defaults):
        if getattr(options, _dest(option)) is None:
            setattr(options, _dest(option), asked.defaults.get(option))
        elif option not in asked.defaults:
            owners = ", ".join(question.option for question in questions if option in question.defaults)
            raise UsageError(f"{option} belongs to {owners}, not to {asked.option}")
    return asked


def _dest(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


def _owners(option: str, questions: Sequence[Question]) -> str:
    """Return, as text, the questions that an option applies to, grouped by the option's default value."""
    of_default: dict[str, list[str]] = {}
    for question in questions:
        if option in question.defaults:
            text = "" if question.defaults[option] is None else f": {question.defaults[option]}"
            of_default.setdefault(text, []).append(question.option)
    return "; ".join(f"{', '.join(owners)}{text}" for text, owners in of_default.items())
