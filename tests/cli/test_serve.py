"""`evalcore serve`: several workers behind nginx, each visitor at one of them, also when one of them dies."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli.conftest import ROOT, Refused, Run
from websockets.exceptions import ConnectionClosedError

from benchmarks.sessions import Person, first_cookie, path_state
from browser_support import free_port
from evalcore.apart import end
from evalcore.cli import keeper, serve, workers
from evalcore.cli.nginx import COOKIE, site
from evalcore.cli.workers import Bounds, Worker, answers, megabytes
from evalcore.errors import InputError

PEOPLE = 20
NGINX = serve.nginx()


# --- two workers, 20 people ---------------------------------------------------------------------------------------


@dataclass
class Served:
    """A server of two workers."""

    address: str
    ports: tuple[int, int]
    process: subprocess.Popen[bytes]

    @property
    def all_ports(self) -> tuple[int, ...]:
        """Those of nginx and of the workers."""
        return (self.ports[0] - 1, *self.ports)

    def worker(self, port: int) -> int:
        """The process at a port."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return next(
            int(child) for child in children if f"--server.port={port}" in Path(f"/proc/{child}/cmdline").read_text()
        )


def three_free_ports() -> int:
    """The first of three ports in a row that are free."""
    while True:
        first = free_port()
        with socket.socket() as second, socket.socket() as third:
            try:
                second.bind(("127.0.0.1", first + 1))
                third.bind(("127.0.0.1", first + 2))
            except OSError:
                continue
            return first


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = started(tmp_path)
    try:
        yield found
    finally:
        found.process.terminate()
        assert found.process.wait(30) == 0, (tmp_path / "log").read_text()
    assert not any(map(answers, found.all_ports))  # nothing is left behind


def started(tmp_path: Path) -> Served:
    if NGINX is None:
        pytest.skip("no nginx found; on Debian: apt-get install nginx-light")
    if not Path("/proc/self/task").is_dir():
        pytest.skip("processes are looked up in /proc")
    port = three_free_ports()
    command = [sys.executable, "-m", "evalcore", "serve", "--workers", "2", "--port", str(port)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        wait_until(lambda: b"The app is at" in (tmp_path / "log").read_bytes() and answers(port))
    except BaseException:
        process.terminate()
        raise
    return Served(f"http://127.0.0.1:{port}", (port + 1, port + 2), process)


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 150
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def port_of(person: Person) -> int:
    return int(person.cookie.removeprefix(f"{COOKIE}="))


@pytest.mark.threads  # twenty people at once
def test_of_20_people_those_of_a_worker_that_dies_go_on_at_the_other(served: Served) -> None:
    asyncio.run(_with_people(served))


async def _with_people(served: Served) -> None:
    people = [Person(served.address, query="understandability.rho=0.5") for _ in range(PEOPLE)]
    try:
        await _killed_in_the_middle(served, people)
    finally:
        for one in filter(lambda one: one.socket, people):
            await one.socket.close()


async def _killed_in_the_middle(served: Served, people: list[Person]) -> None:
    for one in people:
        await one.open()
    assert Counter(map(port_of, people)) == dict.fromkeys(served.ports, PEOPLE // 2)
    dead, alive = served.ports
    killed = [person for person in people if port_of(person) == dead]
    others = [person for person in people if port_of(person) == alive]
    assert "gone" not in [await state(killed[0]), await state(others[0])]  # a path is known to one worker alone

    moves = [asyncio.create_task(other.move(1, 0.2)) for other in others]
    os.kill(served.worker(dead), signal.SIGKILL)
    await asyncio.gather(*(finds_another(one) for one in killed))
    assert {port_of(one) for one in killed} == {alive}
    await asyncio.gather(*map(goes_on, killed), *moves)
    await killed[0].run_script(0.7)
    assert "understandability.rho=0.7" in killed[0].query
    assert [error for person in people for error in person.errors] == []
    assert [len(other.took) for other in others] == [1] * len(others)

    await asyncio.to_thread(wait_until, lambda: answers(dead))
    assert await state(killed[0]) != "gone"  # they stay where they went
    await asyncio.to_thread(wait_until, lambda: first_cookie(served.address) == f"{COOKIE}={dead}")  # newcomers do not


async def finds_another(person: Person) -> None:
    with pytest.raises(ConnectionClosedError):
        await person.run_script(0.6)
    await person.connect()


async def goes_on(person: Person) -> None:
    """The page is what its address says, to the worker a new session; the move that was under way is lost."""
    person.slider = person.page_hash = ""
    await person.run_script(page="understandability")
    assert "understandability.rho=0.5" in person.query


async def state(person: Person) -> str:
    return await asyncio.to_thread(path_state, person.address, person.word, person.cookie)


def test_a_parent_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    served = started(tmp_path)
    served.process.kill()
    served.process.wait()
    wait_until(lambda: not any(map(answers, served.all_ports)))
    for port in served.all_ports:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", port))  # it is free


# --- one worker ---------------------------------------------------------------------------------------------------


@pytest.fixture
def silent() -> Iterator[Worker]:
    """A process that answers nobody."""
    worker = Worker(free_port(), [sys.executable, "-S", "-c", "import time; time.sleep(60)"], os.environ)
    worker.start()
    yield worker
    worker.end()


def test_a_worker_is_in_trouble_when_it_takes_too_much(silent: Worker) -> None:
    assert silent.process is not None
    process = silent.process.pid
    wait_until(lambda: 2 < megabytes(process) < 1000)  # once Python is there
    assert silent.trouble(Bounds()) == silent.trouble(Bounds(memory=1000)) == ""
    assert re.fullmatch(r"took \d+ MB of memory, more than 1", silent.trouble(Bounds(memory=1)))


def test_a_worker_is_in_trouble_when_it_was_silent(silent: Worker) -> None:
    silent.heard -= 45
    assert silent.trouble(Bounds(silence=30)) == ""  # it still starts
    silent.well = True
    assert silent.trouble(Bounds(silence=30)) == "was silent for 45 s"


def test_a_worker_is_in_trouble_when_it_ended() -> None:
    worker = Worker(free_port(), [sys.executable, "-S", "-c", "raise SystemExit(3)"], os.environ)
    worker.start()
    assert worker.process is not None
    worker.process.wait(20)
    assert worker.trouble(Bounds()) == "ended with 3"


@pytest.mark.parametrize(
    ("program", "problem"),
    [("raise SystemExit(3)", "ended with 3"), ("import time; time.sleep(60)", r"took \d+ MB of memory, more than 1")],
)
def test_a_worker_that_never_starts_is_not_started_for_ever(
    program: str, problem: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "LOOK", 0.3)
    port = free_port()
    command = [sys.executable, "-S", "-c", program]
    with pytest.raises(InputError, match=f"expected the worker on port {port} to start, found that it {problem}"):
        workers.serve_until_ended({port: command}, [], "", os.environ, Bounds(memory=1))
    assert capfd.readouterr().err.count("started again") == workers.MOST - 1


def test_workers_that_do_not_hear_end_together() -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    command = [sys.executable, "-S", "-c", deaf]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    for one in processes:
        assert one.stdout
        one.stdout.readline()
    begun = time.monotonic()
    end(processes, 5.0)
    assert time.monotonic() - begun < 14  # one after the other they take 15
    assert {process.returncode for process in processes} == {-signal.SIGKILL}
    for one in processes:
        assert one.stdout
        one.stdout.close()


def asleep(deaf: bool = False) -> subprocess.Popen[bytes]:
    """A process that runs, and may not hear that it is to end."""
    ignored = "signal.signal(signal.SIGTERM, signal.SIG_IGN); " * deaf
    program = f"import signal, time; {ignored}print(flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-S", "-c", program], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    process.stdout.close()
    return process


def kept(message: str) -> None:
    """Say that to a keeper, as a parent does that then ends."""
    subprocess.run([sys.executable, "-I", "-S", keeper.__file__], input=message, text=True, timeout=30, check=True)


def test_a_keeper_ends_what_ran_last_and_nothing_else() -> None:
    early, late = asleep(), asleep()
    kept(f"{early.pid}\n{late.pid}\n")
    assert late.wait(5) == -signal.SIGTERM
    assert early.poll() is None
    kept(f"{early.pid}\n\n")  # an orderly end
    assert early.poll() is None
    early.kill()
    early.wait()


def test_a_keeper_makes_end_what_does_not_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "END", 0.5)
    process = asleep(deaf=True)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{process.pid}\n"))
    keeper.main()
    assert process.wait(5) == -signal.SIGKILL


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP")
def test_the_end_of_the_terminal_ends_it_unless_nohup_asked() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup themselves
    reached = []
    try:
        with workers.ended_by_a_signal():
            os.kill(os.getpid(), signal.SIGHUP)
            reached.append("not ended")
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with workers.ended_by_a_signal():
            os.kill(os.getpid(), signal.SIGHUP)
            reached.append("nohup")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert reached == ["nohup"]


# --- what it says -------------------------------------------------------------------------------------------------


def test_nginx_knows_every_worker_and_those_that_step_in() -> None:
    lines = site("127.0.0.1:80", [81, 82, 83], ["eval.example.org"])
    assert "listen 127.0.0.1:80;\n    server_name eval.example.org;" in lines
    upstream = re.findall(r"upstream evalcore_(8\d) \{(.*?)\}", lines, re.DOTALL)
    assert [port for port, _ in upstream] == ["81", "82", "83"]
    for port, servers in upstream:
        found = re.findall(r"server 127.0.0.1:(\d+)(.*);", servers)
        assert [one for one, _ in found if one == port] == [port]
        assert {one for one, how in found if "backup" in how} == {"81", "82", "83"} - {port}
        assert f"    {port} evalcore_{port};" in lines


needs_nginx = pytest.mark.skipif(NGINX is None, reason="no nginx found; on Debian: apt-get install nginx-light")


@needs_nginx
@pytest.mark.parametrize("name", ["plain", 'with space; and "quotes" é $x \\'])
def test_nginx_takes_its_files_from_any_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert serve._front(tmp_path / name, f"127.0.0.1:{free_port()}", range(8502, 8504))[0] == NGINX


@needs_nginx
def test_an_address_that_is_not_here_is_refused_before_any_worker_starts(run: Run) -> None:
    ran = run(f"serve --workers 1 --address 192.0.2.1 --port {three_free_ports()}")
    assert (ran.code, "found: bind() to 192.0.2.1:" in ran.err) == (1, True)
    assert "started again" not in ran.err


def test_an_nginx_that_is_too_old_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "nginx"
    old.write_text("#!/bin/sh\necho 'nginx: invalid option: \"e\"' >&2; exit 1\n")
    old.chmod(0o755)
    monkeypatch.setattr(serve, "nginx", lambda: str(old))
    ran = run(f"serve --workers 1 --port {three_free_ports()}")
    assert (ran.code, "expected nginx 1.19.5 or later" in ran.err) == (1, True)


def test_what_pages_ask_for_goes_where_the_page_came_from_without_a_cookie_too() -> None:
    from ui.stage import paths, view_list

    led = re.search(r"~\^/\((.*?)\)/ evalcore_by_address;", site("127.0.0.1:80", [81, 82]))
    assert led
    assert {route.path.split("/")[1] for route in (*paths.ROUTES, *view_list.ROUTES)} <= set(led[1].split("|"))


def test_an_address_of_ipv6_has_brackets(run: Run) -> None:
    assert "listen [::1]:8501;" in run("serve --address ::1 --nginx-conf").out


def test_without_nginx_it_explains_how_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "nginx", lambda: None)
    ran = run("serve --workers 2")
    assert (ran.code, ran.err.startswith("evalcore: expected the program nginx, found none: apt-get install")) == (
        1,
        True,
    )


def test_a_port_that_is_taken_is_named(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = run(f"serve --no-nginx --workers 1 --port {port - 1}")
    assert (ran.code, f"port {port}: expected a port that can be listened at" in ran.err) == (1, True)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("serve --workers 0", "--workers: expected a number from 1 to 999, and as many ports, found 0"),
        ("serve --port 65535", "--workers: expected a number from 1 to 999, and as many ports"),
        ("serve --port 0", "--port: expected a number from 1 to 65535, found 0"),
        ("serve --memory -1", "--memory: expected a number of MB above 0, found -1"),
        ("serve --address 'x; include y'", "--address: expected an address or a name, found 'x; include y'"),
        ("serve --host a} --nginx-conf", "--host: expected an address or a name, found 'a}'"),
        ("serve --memory nan", "--memory: expected a number of MB above 0, found nan"),
    ],
)
def test_numbers_that_make_no_sense(line: str, complaint: str, refused: Refused) -> None:
    refused(line, 2, complaint)


def test_workers_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 9)
    monkeypatch.setenv("EVALCORE_LIMITS", "seconds=60")
    assert serve.environment(4)["EVALCORE_LIMITS"] == "computations=2,seconds=60"
