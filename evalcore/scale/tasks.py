"""Tasks: pieces of work that may run anywhere and again, since each depends on nothing but what it is given."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evalcore.progress import Tell, tell_share


@dataclass(frozen=True, eq=False)
class Task:
    """A function of a module, and its arguments. `name` says all that the result depends on."""

    name: tuple[object, ...]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    reads: str = ""  # a file that it looks for wherever it runs

    @property
    def key(self) -> str:
        """A short text that is the same exactly for tasks with the same function and name."""
        function = f"{self.function.__module__}.{self.function.__qualname__}"
        digest = hashlib.blake2b(repr((function, self.name)).encode(), digest_size=16).hexdigest()
        return f"{self.function.__name__}-{digest}"


class Runner(Protocol):
    """What runs tasks."""

    def run(self, tasks: Sequence[Task], tell: Tell | None = None) -> Iterator[Any]:
        """The result of each task, in their order; `tell` gets the share that is done, and may raise to end it."""
        ...


class LocalRunner:
    """One task after another, in this process: never more than one result in memory."""

    def run(self, tasks: Sequence[Task], tell: Tell | None = None) -> Iterator[Any]:
        """The result of each task, in their order."""
        for done, task in enumerate(tasks, start=1):
            yield task.function(*task.arguments)
            tell_share(tell, done / len(tasks))


@dataclass(frozen=True)
class ReportingRunner:
    """Another runner, which tells how far it is where its caller does not ask."""

    runner: Runner
    tell: Tell

    def run(self, tasks: Sequence[Task], tell: Tell | None = None) -> Iterator[Any]:
        """The result of each task, in their order."""
        return self.runner.run(tasks, tell or self.tell)
