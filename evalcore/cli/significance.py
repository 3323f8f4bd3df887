"""Arguments of commands that test pairs of systems: which test, and what corrects for their number."""

from __future__ import annotations

import argparse

from evalcore import constants

# By their names in lower case
TESTS = {name.lower(): name for name in constants.PAIRED_TESTS}
CORRECTIONS = {name.lower(): name for name in constants.CORRECTIONS}
TUKEY = "tukey"


def add_tests(group: argparse._ArgumentGroup, tests: tuple[str, ...], correction: str) -> None:
    """The test, the first of them by default, and the correction."""
    group.add_argument(
        "--test", choices=tests, default=tests[0], help=f"paired, over topics: {', '.join(tests)} (default: {tests[0]})"
    )
    group.add_argument(
        "--correction",
        choices=tuple(CORRECTIONS),
        default=correction,
        metavar="NAME",
        help=f"of p for the number of tests: {', '.join(CORRECTIONS)} (default: {correction})",
    )
