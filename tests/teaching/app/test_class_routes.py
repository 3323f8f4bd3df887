"""The requests of phones: a seat by cookie, news as it arrives, refusals in words, and nothing about the answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.applications import Starlette

from ui.server import browser_store
from ui.teaching.classroom import routes
from ui.teaching.classroom.questions import Asked, Key
from ui.teaching.classroom.routes import COOKIE, MOST_BYTES, ROUTES
from ui.teaching.classroom.sessions import Classroom, classrooms

QUESTION = (Asked("number", "How much?"), Key("It is 42.", (42.0,), 0.5, lambda given: given == 42))
APP = Starlette(routes=ROUTES)


class Phone:
    """A browser that calls the routes directly, without a server."""

    def __init__(self, network: str = "192.0.2.7") -> None:
        self.cookie, self.network, self.set_cookie = "", network, ""

    async def asks(self, path: str, content: Any = None, raw: bytes = b"") -> tuple[int, dict[str, Any]]:
        """Return the status and the content of an answer."""
        body = raw or (b"" if content is None else json.dumps(content).encode())
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": "POST" if body else "GET",
            "path": path,
            "query_string": query.encode(),
            "scheme": "http",
            "server": ("testserver", 80),
            "client": (self.network, 1),
            "headers": [(b"cookie", f"{COOKIE}={self.cookie}".encode())] if self.cookie else [],
        }
        sent: list[Any] = []
        coming = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            if (part := next(coming, None)) is None:
                await asyncio.Event().wait()  # the phone stays
            return part or {}

        async def send(message: Any) -> None:
            sent.append(message)

        await APP(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        if "set-cookie" in headers:
            self.set_cookie = headers["set-cookie"]
            self.cookie = self.set_cookie.partition("=")[2].partition(";")[0]
        text = b"".join(message.get("body", b"") for message in sent)
        return sent[0]["status"], json.loads(text) if headers["content-type"] == "application/json" else {"text": text}

    async def joins(self, room: Classroom) -> None:
        assert (await self.asks("/class/join", {"code": room.code}))[0] == 200

    async def news_of(self, room: Classroom) -> str:
        """Join, and return the path that the server answers once there is something new."""
        await self.joins(room)
        _, seen = await self.asks(f"/class/{room.code}/state")
        return f"/class/{room.code}/state?seen={seen['seen']}"


@pytest.fixture
def room() -> Classroom:
    browser_store.forget()
    return classrooms().open("teacher")


def test_a_phone_joins_answers_and_keeps_its_seat_over_reloads_and_tabs(room: Classroom) -> None:
    async def session() -> None:
        phone = Phone()
        assert await phone.asks("/class/join", {"code": f" {room.code.lower()} "}) == (200, {"code": room.code})
        assert "HttpOnly" in phone.set_cookie
        assert "SameSite=strict" in phone.set_cookie
        assert "Path=/class;" in phone.set_cookie
        room.ask(QUESTION)
        _, seen = await phone.asks(f"/class/{room.code}/state")
        assert seen["question"]["text"] == "How much?"
        assert await phone.asks(f"/class/{room.code}/say", {"question": 0, "value": "40"}) == (200, {})
        await phone.joins(room)  # a reload, or another tab
        _, seen = await phone.asks(f"/class/{room.code}/state")
        assert (seen["seat"], seen["question"]["mine"], len(room.seats)) == (1, "40", 1)

    asyncio.run(session())


def test_a_phone_waits_for_news_and_gets_them_at_once(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LOOK", 0.01)

    async def session() -> None:
        phone = Phone()
        waiting = asyncio.create_task(phone.asks(await phone.news_of(room)))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        room.ask(QUESTION)
        assert (await asyncio.wait_for(waiting, 1))[1]["question"]["at"] == 0

    asyncio.run(session())


def test_a_phone_is_told_that_the_class_has_ended(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LOOK", 0.01)

    async def session() -> None:
        phone = Phone()
        waiting = asyncio.create_task(phone.asks(await phone.news_of(room)))
        await asyncio.sleep(0.05)
        classrooms().end("teacher")
        assert await asyncio.wait_for(waiting, 1) == (404, {"error": "This class has ended."})
        status, told = await phone.asks(f"/class/{room.code}/say", {"question": 0, "value": "1"})
        assert (status, told["error"]) == (404, "There is no class with this code. It may have ended.")

    asyncio.run(session())


def test_requests_of_a_seat_that_wait_are_at_most_three(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LOOK", 0.01)

    async def session() -> None:
        phone = Phone()
        path = await phone.news_of(room)
        waiting = [asyncio.create_task(phone.asks(path)) for _ in range(8)]
        await asyncio.sleep(0.3)
        assert [task.done() for task in waiting] == [True] * 5 + [False] * 3
        classrooms().end("teacher")
        await asyncio.gather(*waiting)

    asyncio.run(session())


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x" * (MOST_BYTES + 1), 413),
        (b"[" * 3000, 400),
        (b"[]", 400),
        (b"\xff", 400),
        (b'{"question": 0}', 422),
        (b'{"question": 1, "value": "1"}', 409),
        (b'{"question": "0", "value": "1"}', 409),
        (b'{"question": 0, "value": {"a": 1}}', 422),
    ],
)
def test_what_is_no_answer_is_refused_in_words(room: Classroom, body: bytes, status: int) -> None:
    async def session() -> None:
        phone = Phone()
        await phone.joins(room)
        room.ask(QUESTION)
        told = await phone.asks(f"/class/{room.code}/say", raw=body)
        assert (told[0], set(told[1])) == (status, {"error"})
        assert room.answers() == []

    asyncio.run(session())


def test_who_has_no_seat_sees_and_says_nothing(room: Classroom) -> None:
    async def session() -> None:
        room.ask(QUESTION)
        for phone in (Phone(), Phone()):
            for path, content in ((f"/class/{room.code}/state", None), (f"/class/{room.code}/say", {"stuck": True})):
                assert await phone.asks(path, content) == (403, {"error": "Join the class first."})
                phone.cookie = "0" * 32  # an invented seat

    asyncio.run(session())


def test_what_a_seat_sends_and_a_network_joins_is_limited(room: Classroom) -> None:
    async def session() -> None:
        phone, path = Phone(), f"/class/{room.code}/say"
        await phone.joins(room)
        statuses = [(await phone.asks(path, {"stuck": True}))[0] for _ in range(40)]
        assert statuses[:20] == [200] * 20
        assert statuses[-1] == 429
        reads = [(await phone.asks(f"/class/{room.code}/state"))[0] for _ in range(60)]
        assert (reads[0], reads[-1]) == (200, 429)
        joined = [(await Phone("192.0.2.8").asks("/class/join", {"code": room.code}))[0] for _ in range(140)]
        assert [joined.count(status) for status in (200, 409)] == [59, joined.count(409)]
        assert joined[-1] == 429
        assert (await Phone("192.0.2.9").asks("/class/join", {"code": room.code}))[0] == 409

    asyncio.run(session())


def test_stuck_is_said_and_taken_back(room: Classroom) -> None:
    async def session() -> None:
        phone = Phone()
        await phone.joins(room)
        [seat] = room.seats.values()
        for stuck in (True, False):
            await phone.asks(f"/class/{room.code}/say", {"stuck": stuck})
            assert seat.stuck == stuck

    asyncio.run(session())


def test_a_cookie_is_kept_as_a_digest_alone(room: Classroom) -> None:
    phone = Phone()
    asyncio.run(phone.joins(room))
    assert len(phone.cookie) == 32
    assert phone.cookie not in repr(vars(room))


def test_the_page_is_the_same_for_all_and_its_files_are_sent() -> None:
    async def session() -> None:
        assert b"Join a class" in (await Phone().asks("/class"))[1]["text"]
        assert b"follow" in (await Phone().asks("/class/files/student.js"))[1]["text"]
        assert b"outline" in (await Phone().asks("/class/files/student.css"))[1]["text"]

    asyncio.run(session())
