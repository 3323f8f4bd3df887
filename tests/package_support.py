"""What `.ci/package` asks of the built package, run by its own Python in a folder of its own, without pytest.

python package_support.py files ARCHIVE WHEEL    no file too many, none missing; their sizes
python package_support.py examples [--bare]      every example of every help text; bare: or the line that installs it
python package_support.py pages                  `evalcore app` shows every page, under its theme; the server's memory
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TOP = {"app.py", "evalcore", "ir_evalcore.egg-info", "pages", "sample_data", "ui", ".streamlit"}
TOP_FILES = {"LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg", "setup.py"}
APP = ("app.py", ".streamlit/", "pages/", "ui/", "sample_data/")
WHEEL_MB = 4.5  # 0.5 of it plotly.js, which spares the app and each written file two thirds of the whole
WAITING = "needs.txt"  # the examples that a bare environment could not run
USUAL = ("evalcore: note: Under ", "evalcore: note: Confidence: ")
SECONDS = 180.0  # for an answer of the app, which in CI has what the tests leave


# --- what is in it --------------------------------------------------------------------------------------------------


def check_files(archive: Path, wheel: Path) -> None:
    """Check the lists of files; every file of package and app that git knows is in the wheel."""
    with tarfile.open(archive) as tar:
        sources = {member.name.partition("/")[2] for member in tar.getmembers() if member.isfile()}
    with zipfile.ZipFile(wheel) as file:
        held = {name for name in file.namelist() if not name.endswith("/")}
    same("top of the sources", {name.split("/")[0] for name in sources} - TOP_FILES, TOP)
    packaged = {name for name in held if ".dist-info/" not in name}
    same("wheel", packaged, {packed for name in tracked() if (packed := place(name))})
    for path in (archive, wheel):
        size = path.stat().st_size / 1e6
        print(f"package: {path.name} {size:.1f} MB")
        assert size < WHEEL_MB, "larger than people expect"


def tracked() -> list[str]:
    """Return the files that git knows or would add."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")


def place(name: str) -> str:
    """Return the place of a file of the checkout in the wheel; "" if it has none there."""
    if name.startswith("evalcore/"):
        return name
    if name.startswith("sample_data/") and (name.endswith(".py") or re.match("sample_data/.*source/", name)):
        return ""
    return f"evalcore/_app/{name}" if name.startswith(APP) else ""


def same(what: str, found: set[str], expected: set[str]) -> None:
    assert found == expected, f"{what}: too many {sorted(found - expected)}, missing {sorted(expected - found)}"


# --- every example --------------------------------------------------------------------------------------------------


def run_examples(bare: bool) -> None:
    """Run the examples in this folder with nothing but the package; if not bare, the examples that were left over."""
    from evalcore.cli import COMMANDS

    lines = [line for command in COMMANDS.values() for line in command.EXAMPLES if not line.startswith("eval ")]
    if bare:
        ran("evalcore sample")
        waiting = [line for line in lines if not ran(line, may_lack_packages=True)]
        Path(WAITING).write_text("\n".join(waiting))
        print(f"package: {len(lines) - len(waiting)} of {len(lines)} examples run bare, the others say what to install")
        assert waiting, "plotly and streamlit are missing here"
        return
    for line in Path(WAITING).read_text().splitlines():
        ran(line)


def ran(line: str, may_lack_packages: bool = False) -> bool:
    """Run commands with pipes between them, which must work without complaint; False if packages are missing."""
    started: list[Sequence[str]] = []
    usual = ("evalcore: note: ",) if line.startswith("evalcore papers") else USUAL  # it says in notes what it found
    subprocess.call = started.append  # type: ignore[assignment]
    given = b""
    for command in line.split(" | "):
        code, given, errors = one_command(shlex.split(command)[1:], given)
        if may_lack_packages and re.search(r": pip install 'ir-evalcore\[\w+\]'$", errors):
            assert (code, len(errors.splitlines())) == (1, 1), line
            return False
        messages = [message for message in errors.splitlines() if not message.startswith(usual)]
        assert (code, messages) == (0, []), f"{line}: {errors}"
    words = shlex.split(line)
    if words[1] == "app":
        assert len(started) == 1, line
    elif "-o" in words:
        assert Path(words[words.index("-o") + 1]).exists(), line
    elif words[1] != "sample":
        assert len(given.splitlines()) > 1, line
    for asked in started:
        assert Path(asked[4]).is_file(), asked
    return True


def one_command(arguments: list[str], given: bytes) -> tuple[int, bytes, str]:
    """Return the exit code, output and errors of a command in this process."""
    from evalcore.cli import main

    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(given)), out, err
    try:
        code = main(arguments)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        out.flush()
        err.flush()
    return code, out.buffer.getvalue(), err.buffer.getvalue().decode().strip()  # type: ignore[attr-defined]


# --- every page -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Start the installed app; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("evalcore")), "app", "--no-browser", "--port", str(port)]
    app = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/_stcore/health", app)
        yield address
    finally:
        os.killpg(app.pid, signal.SIGTERM)
        app.wait(60)


def wait_for(url: str, app: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and app.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=5).close()
            return
        time.sleep(0.1)
    raise AssertionError("the app did not answer")


def megabytes(process: int) -> float:
    """Return the memory of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) * 1024 / 1e6


def visit_pages() -> None:
    """Open a session on every page."""
    stems = sorted(path.stem for path in (installed_app() / "pages").glob("*.py"))
    theme = tomllib.loads((installed_app() / ".streamlit/config.toml").read_text())["theme"]
    with served() as address:
        for stem in ["", *stems]:
            found = asyncio.run(visit(address, stem))
            assert found["font"] == theme["font"], "the theme is not the app's"
    print(f"package: {len(stems)} pages of the installed app")


def installed_app() -> Path:
    from evalcore.cli.app import app_folder

    folder = app_folder()
    assert folder.is_relative_to(sys.prefix), folder
    return folder


async def visit(address: str, page: str) -> dict[str, Any]:
    """Open a page by its link, as a browser does; return the theme that came with it."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from websockets.asyncio.client import connect

    font, titles = "", 0
    url = address.replace("http", "ws") + "/_stcore/stream"
    async with connect(url, subprotocols=["streamlit"], max_size=None) as socket:  # type: ignore[list-item]
        asked = BackMsg()
        asked.rerun_script.page_name = page
        await socket.send(asked.SerializeToString())
        while True:
            frame = await asyncio.wait_for(socket.recv(), SECONDS)
            message = ForwardMsg.FromString(frame if isinstance(frame, bytes) else frame.encode())
            kind = message.WhichOneof("type")
            if kind == "new_session":
                font = message.new_session.custom_theme.body_font
            elif kind == "delta":
                shown = message.delta.new_element.WhichOneof("type")
                titles += shown == "heading"
                assert shown != "exception", f"{page}: {message.delta.new_element.exception.message}"
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                assert message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY, page
                assert titles, f"{page} has no title"
                return {"font": font}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["files", archive, wheel]:
            check_files(Path(archive), Path(wheel))
        case ["examples", *bare]:
            run_examples(bool(bare))
        case ["pages"]:
            visit_pages()
        case other:
            sys.exit(f"expected files, examples or pages, found {other}\n{__doc__}")
