"""compose.yaml and its nginx: names and ports agree, and nginx reads the file where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

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
    """The port of each copy of the app."""
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


@pytest.mark.skipif(NGINX is None, reason="no nginx found; on Debian: apt-get install nginx-light")
def test_nginx_reads_it(tmp_path: Path) -> None:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    (tmp_path / "site").write_text(re.sub(r"\bapp\d:", "127.0.0.1:", CONF).replace("listen 80;", "listen 127.0.0.1:1;"))
    (tmp_path / "nginx.conf").write_text(WHOLE.format(folder=tmp_path, temporary=temporary))
    assert NGINX
    command = [NGINX, "-t", "-q", "-p", str(tmp_path), "-e", "stderr", "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True)
    # What the configuration is tested for, not whether this user may listen at the port.
    assert done.returncode == 0 or "bind() to 127.0.0.1:1 failed" in done.stderr, done.stderr
