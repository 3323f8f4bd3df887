"""`evalcore serve`: serve the app to many visitors: several processes behind nginx.

Start the app several times on this machine, on the ports after --port, and nginx on --port, which leads each visitor
always to the same of them. One that ends, is silent for half a minute or takes more memory than --memory is started
again; its visitors go on at another one, where their page is what its address says and their uploads are gone.
Ctrl-C ends all. One process computes one move at a time, so more of them than cores gain nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shutil
import subprocess
from pathlib import Path

from evalcore.apart import ONE_THREAD
from evalcore.cli import app
from evalcore.cli import options as arguments
from evalcore.cli.base import UsageError
from evalcore.cli.nginx import site, whole
from evalcore.cli.workers import Bounds, serve_until_ended
from evalcore.errors import InputError, readable
from evalcore.writing import temporary_folder

USAGE = (
    "[--workers N] [--data WHERE...] [--port N] [--address IP] [--host NAME...] [--framed-by ORIGIN...] [--memory MB]"
)
EXAMPLES = ("evalcore serve --nginx-conf", "evalcore serve --workers 4 --host eval.example.org --nginx-conf")
PORT = 8501
PLACES = ("/usr/sbin/nginx", "/usr/local/sbin/nginx")  # where it is installed, though not on everybody's PATH


def add_arguments(parser: argparse.ArgumentParser) -> None:
    app.add_served(parser, f"of nginx, default: {PORT}; those after it are the workers'")
    parser.add_argument("--workers", type=int, metavar="N", help="processes of the app (default: one for each core)")
    parser.add_argument(
        "--address", default="127.0.0.1", metavar="IP", help="what nginx listens at; 0.0.0.0: every network"
    )
    parser.add_argument(
        "--memory", type=float, metavar="MB", help="a worker that takes more is started again (default: any amount)"
    )
    arguments.flag(parser, "--no-nginx", help="the workers alone, for a proxy with the lines of --nginx-conf")
    arguments.flag(parser, "--nginx-conf", help="print the lines for nginx (/etc/nginx/conf.d/evalcore.conf), and stop")


def run(options: argparse.Namespace) -> None:
    """Serve until it is ended. Raises InputError where nginx is missing or a worker does not start."""
    options.port = PORT if options.port is None else options.port
    options.workers = (os.cpu_count() or 2) if options.workers is None else options.workers
    app.refuse_port(options.port)
    if not 0 < options.workers < 1000 or options.port + options.workers > 65535:
        raise UsageError(f"--workers: expected a number from 1 to 999, and as many ports, found {options.workers}")
    if options.memory is not None and not options.memory > 0:
        raise UsageError(f"--memory: expected a number of MB above 0, found {options.memory:g}")
    ports = range(options.port + 1, options.port + 1 + options.workers)
    _refuse_names(options)
    address = f"[{options.address}]" if ":" in options.address else options.address
    listen = f"{address}:{options.port}"
    if options.nginx_conf:
        print(site(listen, ports, options.host or ()), end="")
        return
    commands = {port: app.streamlit_command(options, port, headless=True) for port in ports}
    with app.home(), temporary_folder() as folder:
        front = [] if options.no_nginx else _front(folder, listen, ports)
        serve_until_ended(commands, front, listen, environment(options.workers), Bounds(options.memory))


def _refuse_names(options: argparse.Namespace) -> None:
    """Raise UsageError for what nginx would read as more than an address or a name."""
    named = [("--address", options.address), *(("--host", name) for name in options.host or ())]
    for option, name in named:
        if not re.fullmatch(r"[\w.:*-]+", name):
            raise UsageError(f"{option}: expected an address or a name, found {name!r}")


def _front(folder: Path, listen: str, ports: range) -> list[str]:
    """The command that runs nginx, whose files are in the folder."""
    program = nginx()
    if program is None:
        raise InputError(
            "expected the program nginx, found none: apt-get install nginx-light (Debian, Ubuntu), brew install nginx "
            "(macOS); evalcore app serves a few visitors without it"
        )
    folder.chmod(0o755)  # started by root, nginx reads it as another user
    (folder / "nginx.conf").write_text(whole(str(folder), listen, ports), encoding="utf-8")
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run([*command, "-t", "-q"], capture_output=True, text=True, errors="replace")
    if tried.returncode:
        problem = next((line for line in tried.stderr.splitlines() if "[emerg]" in line), tried.stderr.strip())
        problem = re.sub(r".*\[emerg\] (\d+#\d+: )?", "", problem)
        raise InputError(f"expected nginx 1.19.5 or later that can listen at {listen}, found: {readable(problem)}")
    return [*command, "-g", "daemon off;"]


def nginx() -> str | None:
    """Where nginx is; None where it is not installed."""
    return shutil.which("nginx") or next(filter(os.path.exists, PLACES), None)


def environment(workers: int) -> dict[str, str]:
    """The workers': they share the cores for long computations, and one secret."""
    at_once = max(((os.cpu_count() or 2) - 1) // workers, 1)
    limits = ",".join(filter(None, [f"computations={at_once}", os.environ.get("EVALCORE_LIMITS")]))
    secret = {"STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32)}
    return {**ONE_THREAD, **secret, **os.environ, "EVALCORE_LIMITS": limits}
