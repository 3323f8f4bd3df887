"""People with a browser and their own files, and everything that the server sends them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser_support import rerun, settled


def files(secret: str, shift: int) -> list[tuple[str, str, bytes]]:
    """Return a small upload in which every name contains the secret."""
    topics, documents = [f"{secret}-t{at}" for at in range(4)], [f"{secret}-d{at}" for at in range(6)]
    graded = {
        name: "\n".join(
            f"{t} 0 {d} {(i + j * at + shift) % 3}" for i, t in enumerate(topics) for j, d in enumerate(documents)
        )
        for at, name in enumerate(("qrels.txt", "qread.txt"), start=1)
    }
    runs = {
        f"{secret}-run{at}.run": "\n".join(
            f"{t} Q0 {documents[(rank * (at + 1) + i) % 6]} {rank} {9 - rank} {secret}-tag{at}"
            for i, t in enumerate(topics)
            for rank in range(5)
        )
        for at in range(3)
    }
    return [(name, "text/plain", text.encode()) for name, text in {**graded, **runs}.items()]


class Person:
    """A person with a browser, and everything that the server sent to it."""

    def __init__(self, page: Page, secret: str, shift: int) -> None:
        self.page, self.secret, self.shift = page, secret, shift
        self.received: list[bytes] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._keep))
        page.on("response", lambda answer: self.received.append(answer.url.encode()))

    def _keep(self, frame: bytes | str) -> None:
        self.received.append(frame if isinstance(frame, bytes) else frame.encode())

    def upload(self) -> None:
        open_boxes(self.page)
        with rerun(self.page):
            self.page.locator(
                ".st-key-upload_files input[type=file], .st-key-upload-files input[type=file]"
            ).set_input_files(
                self.picked()  # type: ignore[arg-type]
            )
        button = self.page.locator('[data-testid="stSidebar"]').get_by_test_id("stBaseButton-primary")
        expect(button).to_be_enabled()  # an opened box can run the page too
        with rerun(self.page):
            button.evaluate("one => one.click()")
        settled(self.page)

    def picked(self) -> list[dict[str, str | bytes]]:
        return [{"name": name, "mimeType": kind, "buffer": text} for name, kind, text in files(self.secret, self.shift)]


def open_boxes(page: Page) -> None:
    page.evaluate("() => document.querySelectorAll('details:not([open]) > summary').forEach(one => one.click())")
