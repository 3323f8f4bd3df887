"""`evalcore app`: open the app in a browser.

Start the app, on this machine only (127.0.0.1), and open it in a browser; Ctrl-C ends it. It opens sample data
unless you name a folder, and contacts no other host. For many visitors, compose.yaml runs several
copies behind nginx.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.terminal import print_note
from evalcore.common.own_process import ONE_THREAD
from evalcore.common.writing import temporary_folder
from evalcore.data.samples import APP as FOLDER
from evalcore.data.samples import PACKAGE
from evalcore.errors import DISTRIBUTION, InputError, not_installed

USAGE = "[--data WHERE...] [--port N] [--address IP] [--host NAME...] [--framed-by ORIGIN...] [--no-browser]"
EXAMPLES = ("evalcore app", "evalcore app --data sample_data/health --port 8502", "evalcore app --no-browser")
FRAMED_BY = "--framed-by"
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")  # names of the app without --host


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.several(parser, "--data", "WHERE", "one or more folders or zips to offer in the app")
    parser.add_argument("--port", type=int, metavar="N", help="port; default: the first free one from 8501")
    parser.add_argument(
        "--address",
        default="127.0.0.1",
        metavar="IP",
        help="address to listen on; default: this machine only; use 0.0.0.0 for every network, as in a container",
    )
    arguments.several(
        parser,
        "--host",
        "NAME",
        "another name of the server, such as a proxy's; requests to unknown host names are refused",
    )
    arguments.several(
        parser,
        FRAMED_BY,
        "ORIGIN",
        "site that may show the app in a frame, such as https://learn.example.org; default: none",
    )
    arguments.flag(parser, "--no-browser", help="print the address without opening a browser")


def run(options: argparse.Namespace) -> None:
    """Run the app until it ends. Raises SystemExit with its exit code unless that is 0."""
    command = streamlit_command(options)
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)
    code = 0
    with home(), ended_by_a_signal():
        code = subprocess.call(command)
    if code:
        raise SystemExit(code)


@contextmanager
def ended_by_a_signal() -> Iterator[None]:
    """In this block, let SIGTERM or a closed terminal end the app as Ctrl-C does: no error, no orphaned process."""

    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {kind: signal.getsignal(kind) for kind in kinds}
    heard = [kind for kind in kinds if before[kind] not in (signal.SIG_IGN, None)]  # nohup ignores SIGHUP
    for kind in heard:
        signal.signal(kind, ended)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for kind in heard:
            signal.signal(kind, before[kind])


@contextmanager
def home() -> Iterator[None]:
    """Make a temporary home directory if there is none, because Streamlit does not start without one."""
    try:
        Path.home()
    except RuntimeError:
        with temporary_folder() as folder:
            print_note("no home directory: collections are kept only until the app ends")
            os.environ["HOME"] = str(folder)
            try:
                yield
            finally:
                del os.environ["HOME"]
    else:
        yield


def streamlit_command(options: argparse.Namespace) -> list[str]:
    """Return the command that starts the app, as a list of arguments.

    Raises InputError if the app, Streamlit or the data are missing, and UsageError for an invalid port or origin.
    """
    folder = app_folder()
    if importlib.util.find_spec("streamlit") is None:
        raise not_installed("streamlit", "app")
    if options.port is not None and not 0 < options.port < 65536:
        raise UsageError(f"--port: expected a number from 1 to 65535, found {options.port}")
    for origin in options.framed_by or ():
        if not is_origin(origin):
            raise UsageError(f"{FRAMED_BY}: expected an origin such as https://learn.example.org, found {origin!r}")
    for place in options.data or ():
        if not Path(place).exists():
            raise InputError("expected a folder or a zip, found nothing at this path", place)
    settings = {"address": options.address, "port": options.port, "headless": "true" if options.no_browser else None}
    command = [sys.executable, "-m", "streamlit", "run", str(folder / "app.py")]
    command += [f"--server.{name}={value}" for name, value in settings.items() if value is not None]
    names = [*THIS_MACHINE, *options.host] if options.host else []
    command += [f"--server.allowedHosts={name}" for name in names]
    places = [part for place in options.data or () for part in ("--data", str(Path(place).resolve()))]
    places += [part for origin in options.framed_by or () for part in (FRAMED_BY, origin)]
    return [*command, "--", *places] if places else command


def app_folder() -> Path:
    """Return the folder of app.py and the samples. Raises InputError if the package was installed without them."""
    if FOLDER is None:
        raise InputError(
            f"expected the app in the package or beside it, found none at {PACKAGE}: install the wheel "
            f"(pip install '{DISTRIBUTION}[app]'), or run it from a checkout"
        )
    return FOLDER


def is_origin(text: str) -> bool:
    """Return whether a text is a web origin, such as https://learn.example.org.

    >>> is_origin("https://learn.example.org:8443"), is_origin("learn.example.org"), is_origin("https://a; b")
    (True, False, False)
    """
    return re.fullmatch(r"https?://(\*\.)?[\w.-]+(:\d+)?|https?://\[[\da-f:]+\](:\d+)?", text) is not None
