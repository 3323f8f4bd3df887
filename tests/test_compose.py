"""compose.yaml and its nginx: names and ports agree, and nginx reads the file where it is installed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from ssl import SSLContext, create_default_context
from typing import Any

import pytest
import yaml
from protocol_support import FILES, Visitor

from browser_support import end, free_port, running_app

ROOT = Path(__file__).parents[1]
CONF = (ROOT / "deploy" / "nginx.conf").read_text()
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
# The rest of nginx.conf, as the image has it.
WHOLE = (
    "pid {folder}/pid; error_log stderr crit; events {{}} http {{ access_log off; {temporary} include {folder}/site; }}"
)


def services() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return dict(content["services"])


def copies() -> dict[str, str]:
    """Return the port of each copy of the app."""
    return {
        name: service["environment"]["STREAMLIT_SERVER_PORT"]
        for name, service in services().items()
        if "build" in service
    }


def test_every_upstream_has_every_copy_at_its_port() -> None:
    upstreams = dict(re.findall(r"^upstream (\w+) \{\n(.*?)^\}", CONF, re.DOTALL | re.MULTILINE))
    assert set(upstreams) == {*copies(), "next", "by_address"}
    for name, lines in upstreams.items():
        servers = re.findall(r"server (\w+):(\d+) max_fails=0( backup)?;", lines)
        assert {server: port for server, port, _ in servers} == copies()
        assert [server for server, _, backup in servers if not backup] == ([name] if name in copies() else [*copies()])


def test_the_cookie_leads_to_the_copy_at_its_port() -> None:
    led = re.search(r"map \$cookie_evalcore_copy \$copy \{\n(.*?)^\}", CONF, re.DOTALL | re.MULTILINE)
    assert led
    assert {name: port for port, name in re.findall(r"(\d+) (\w+);", led[1])} == copies()


def test_what_pages_ask_for_without_a_cookie_goes_by_the_address() -> None:
    from ui.stage import paths

    led = re.search(r"~\^/\((.*?)\)/ by_address;", CONF)
    assert led
    assert {route.path.split("/")[1] for route in paths.ROUTES} <= set(led[1].split("|"))


def test_nginx_waits_for_the_copies_and_has_the_file() -> None:
    nginx = services()["nginx"]
    assert set(nginx["depends_on"]) == set(copies())
    source, target, _ = nginx["volumes"][0].split(":")
    assert (ROOT / source).is_file()
    assert target == "/etc/nginx/conf.d/default.conf"
    assert nginx["ports"][0].endswith(":" + re.findall(r"listen (\d+);", CONF)[0])


def test_an_upload_of_the_largest_size_goes_through() -> None:
    settings = (ROOT / ".streamlit" / "config.toml").read_text()
    most = re.search(r"maxUploadSize = (\d+)", settings)
    bound = re.search(r"client_max_body_size (\d+)m;", CONF)
    assert most
    assert bound
    assert int(bound[1]) > int(most[1])


def configured(folder: Path, listen: str, ports: Mapping[str, int]) -> list[str]:
    """Return the command that has nginx read its file, with copies at ports of this machine."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    site = re.sub(r"\bapp\d:", "127.0.0.1:", CONF).replace("listen 80;", listen)
    for port, ours in ports.items():
        site = re.sub(rf"\b{port}\b", str(ours), site)
    (folder / "site").write_text(site)
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, temporary=temporary))
    assert NGINX
    return [NGINX, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


NO_NGINX = "no nginx found; on Debian: apt-get install nginx-light"


@pytest.mark.skipif(NGINX is None, reason=NO_NGINX)
def test_nginx_reads_it(tmp_path: Path) -> None:
    command = configured(tmp_path, "listen 127.0.0.1:1;", {})
    done = subprocess.run([*command, "-t", "-q"], capture_output=True, text=True)
    # What the configuration is tested for, not whether this user may listen at the port.
    assert done.returncode == 0 or "bind() to 127.0.0.1:1 failed" in done.stderr, done.stderr


# --- many visitors, TLS in front, and a copy that is killed -----------------------------------------------------------

VISITORS = 40
OWN = "annas-own"


@contextmanager
def proxied(folder: Path, ports: Mapping[str, int]) -> Iterator[tuple[str, SSLContext]]:
    """Start nginx with TLS in front of copies; yield its address, and the context that trusts its certificate."""
    ask = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    ask += f" -keyout {folder}/key -out {folder}/cert"
    subprocess.run(["openssl", *ask.split()], check=True, capture_output=True)
    port = free_port()
    listen = f"listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/cert; ssl_certificate_key {folder}/key;"
    nginx = subprocess.Popen([*configured(folder, listen, ports), "-g", "daemon off;"], stderr=subprocess.DEVNULL)
    try:
        yield f"https://127.0.0.1:{port}", create_default_context(cafile=folder / "cert")
    finally:
        end([nginx])


def led_to(address: str, tls: SSLContext, copy: str = "") -> str:
    """Return the copy that answers a visitor, from the cookie of the answer; `copy` if there is no cookie."""
    request = urllib.request.Request(address, headers={"Accept": "text/html", "Cookie": f"evalcore_copy={copy}"})
    with urllib.request.urlopen(request, context=tls, timeout=60) as answer:
        cookie = SimpleCookie(answer.headers["Set-Cookie"] or "")
    return cookie["evalcore_copy"].value if "evalcore_copy" in cookie else copy


@pytest.mark.slow
@pytest.mark.threads
@pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason=NO_NGINX)
def test_a_copy_that_is_killed_takes_nothing_from_visitors_of_the_other(tmp_path: Path) -> None:
    ports = {"8501": free_port(), "8502": free_port()}
    mine = ((f"{OWN}.run", FILES[0][1]), *FILES[1:])
    with ExitStack() as running:
        for name, port in ports.items():
            running.enter_context(running_app(tmp_path / name, ROOT / "sample_data" / "health", port=port))
        address, tls = running.enter_context(proxied(tmp_path, ports))
        servers = {str(port): listener(port) for port in ports.values()}
        wait_for(lambda: led_to(address, tls))

        def come(at: int) -> tuple[str, Visitor]:
            copy = led_to(address, tls)
            visitor = Visitor(address, copy=copy, tls=tls)
            while "upload files" not in visitor.run().widgets:  # a run that another one followed before its end
                pass
            return copy, visitor if at % 4 else visitor.upload(mine)

        with ThreadPoolExecutor(4) as some:
            here = list(some.map(come, range(VISITORS)))
            taken = [copy for copy, _ in here]
            assert {copy: taken.count(copy) for copy in servers} == dict.fromkeys(servers, VISITORS // 2)
            gone, stays = servers
            os.kill(servers[gone], signal.SIGKILL)
            wait_for(lambda: led_to(address, tls, gone) == stays)

            def go_on(at: int) -> str:
                """Let a visitor go on: their files are there if they opened some and their copy was not killed."""
                copy, visitor = here[at]
                if copy == gone:
                    visitor = Visitor(address, visitor.cookie, led_to(address, tls, gone), tls)
                assert (OWN in visitor.run().seen()) == (copy == stays and at % 4 == 0)
                visitor.close()
                return "moved" if copy == gone else "stayed"

            assert sorted(some.map(go_on, range(VISITORS))) == ["moved"] * 20 + ["stayed"] * 20


def wait_for(happens: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError):
            if happens():
                return
        time.sleep(0.2)
    raise AssertionError("it did not happen within a minute")


def listener(port: int) -> int:
    """Return the id of our process that listens at a port."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--server.port={port}" in place.read_text():
                return int(place.parent.name)
    raise AssertionError(f"nobody listens at {port}")
