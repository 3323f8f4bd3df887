"""The documentation as a site: built with every broken link an error, and read from a folder, without a network."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import sync_playwright

from browser_support import CHROMIUM_FLAGS, find_chromium
from evalcore.cli import main
from evalcore.measures import Measure
from evalcore.notation.values import Value

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
MEASURES = sorted(
    name for name, cls in Value.registry.items() if issubclass(cls, Measure) and "evalcore" in cls.__module__
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # Not --quiet, which keeps the warnings from being counted too.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert "WARNING" not in built.stderr, built.stderr
    assert built.returncode == 0, built.stderr
    return folder


def test_no_link_leads_out_of_the_site_or_to_nothing(site: Path) -> None:
    for page in site.rglob("*.html"):
        links = re.findall(r'href="([^"#?]+)', re.sub(r"<pre>.*?</pre>", "", page.read_text(), flags=re.DOTALL))
        inside = [unquote(link) for link in links if not re.match(r"[a-z]+:|/", link)]
        assert [link for link in inside if not (page.parent / link).resolve().is_relative_to(site.resolve())] == []
        assert [link for link in inside if not (page.parent / link).exists()] == [], page.name


def test_every_measure_has_a_page_with_its_formula_and_its_systems(site: Path) -> None:
    for name in MEASURES:
        page = (site / "measures" / f"{name}.html").read_text()
        assert "<math" in page, name
        assert "plotly-graph-div" in page, name


def test_no_page_asks_another_host(site: Path) -> None:
    loads = re.compile(
        r'<(?:script|img|iframe)[^>]* src="(https?:[^"]+)"|<link[^>]*rel="stylesheet"[^>]*href="(https?:[^"]+)"'
    )
    asked = {found for page in site.rglob("*.html") for found in loads.findall(page.read_text())}
    assert not asked


def test_the_functions_are_all_there_and_their_examples_are_code(site: Path) -> None:
    page = (site / "api" / "index.html").read_text()
    for name in ("load", "evaluate", "tau_ap", "rank_intervals", "claim", "cite"):
        assert re.search(rf'id="evalcore\.[a-z_.]+\.{name}"', page), name
    assert "&gt;&gt;&gt;" in page
    assert "<blockquote>" not in page


def test_the_commands_and_the_python_of_a_claim_run(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "how-to" / "claim.md").read_text()
    (command,), (code,) = (re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) for language in ("sh", "python"))
    assert main(shlex.split(command)[1:]) == 0
    output = capsys.readouterr().out
    exec(code, {})
    assert "bm25_rm3 > bm25_base" in output
    assert "bm25_rm3 > bm25_base" in capsys.readouterr().out


@pytest.mark.browser
def test_it_is_read_from_a_folder_without_a_network(site: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url) if one.url.startswith("http") else None)
        page.goto((site / "measures" / "RBP.html").as_uri())
        page.wait_for_selector(".scatterlayer .point", state="attached")
        page.locator(".md-search__input").press_sequentially("understandability")  # it listens to keys
        page.wait_for_selector(".md-search-result__link", state="attached")
        assert asked == []
        browser.close()
