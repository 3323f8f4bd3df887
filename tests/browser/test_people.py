"""Two people at once, whose files differ only in names: nothing of one ever reaches the other."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError

import pytest
from people_support import Person, open_boxes
from playwright.sync_api import Error, Locator, Page, sync_playwright

from browser_support import CHROMIUM_FLAGS, SECONDS, move_on, open_report, rerun, settled, visit, watch

pytestmark = [pytest.mark.followed, pytest.mark.slow]

PAGES = ("/sensitivity", "/labels")


@dataclass(frozen=True)
class Seen:
    """Everything that one person received: from the server, in files, at addresses."""

    everything: bytes
    files: dict[str, bytes]
    addresses: frozenset[str]


def visited(chromium: str, address: str, secret: str) -> Seen:
    """Visit as one person in a separate browser: upload, look at pages, keep views, download everything."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(SECONDS * 1000)
        page = context.new_page()
        seen = watch(page, address)
        person = Person(page, secret, 0)
        visit(page, "/understandability")
        person.upload()
        shown = [page.content()]
        for path in PAGES:
            shown.append(move_on(page, path).content())
            keep_view(person)
        visit(page, "/collection?data=your+files")
        keep_view(person)
        files = downloaded(person)
        assert seen.complaints == []
        context.close()
        browser.close()
    everything = b"".join([*person.received, *map(str.encode, shown), *files.values()])
    return Seen(everything, files, frozenset(media(everything)))


def keep_view(person: Person) -> None:
    open_report(person.page)
    add = person.page.get_by_role("button", name="Keep this view")
    if add.is_enabled():
        with rerun(person.page):
            add.click()


def downloaded(person: Person) -> dict[str, bytes]:
    """Return the files behind all download buttons, by name."""
    open_boxes(person.page)
    found: dict[str, bytes] = {}
    for button in person.page.get_by_test_id("stDownloadButton").get_by_role("button").all():
        if button.is_visible() and button.is_enabled():
            found |= pressed(person.page, button)
    return found


def pressed(page: Page, button: Locator) -> dict[str, bytes]:
    """Return the file behind a button, {} if none arrives; the test asserts which must arrive."""
    for _ in range(3):  # Streamlit draws buttons anew after each download: a click, or an answer, can fall between
        settled(page)
        try:
            with page.expect_download(timeout=SECONDS * 1000) as download:
                button.click()
            return {download.value.suggested_filename: Path(download.value.path()).read_bytes()}
        except Error:
            continue
    return {}


def media(everything: bytes) -> set[str]:
    """Return the addresses of files that were sent to a person."""
    return {match.decode() for match in re.findall(rb"/media/[\w.-]+", everything)}


def fetched(address: str) -> bytes:
    """Return the answer of an address to a client that the server does not know."""
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            return bytes(answer.read())
    except HTTPError as error:
        return error.read()


def test_visitors_see_nothing_of_each_other(chromium: str, address_of: Callable[[Path | None], str]) -> None:
    address, secrets = address_of(None), ("annaqx", "bertqx")
    with ThreadPoolExecutor(2) as together:
        visits = [together.submit(visited, chromium, address, secret) for secret in secrets]
        seen = [one.result() for one in visits]
    for mine, theirs, secret, other in zip(seen, seen[::-1], secrets, secrets[::-1], strict=True):
        assert mine.everything.count(secret.encode()) > 100
        assert other.encode() not in mine.everything
        assert {"report.html", "your-files.zip"} <= set(mine.files)
        assert f"{secret}-run0".encode() in mine.files["report.html"]
        of_mine = {one for one in mine.addresses if secret.encode() in fetched(address + one)}
        assert not of_mine & theirs.addresses
    for path in ("/_stcore/metrics", "/_stcore/host-config", "/?data=your+files", "/_stcore/upload_file/a/b"):
        assert not any(secret.encode() in fetched(address + path) for secret in secrets)
