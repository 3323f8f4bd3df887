"""A visitor's messages take nothing from others; messages that no page of the app would send reach no session."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from fuzz import messages
from protocol_support import SECONDS, Visitor
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed

from browser_support import running_app
from ui.server import streamlit_inside
from ui.server.streamlit_inside import KINDS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("app") / "app.log"


@pytest.fixture(scope="module")
def address(log: Path) -> Iterator[str]:
    with running_app(log) as address:
        yield address


@pytest.fixture(scope="module")
def anna(address: str) -> Iterator[Visitor]:
    """Yield a visitor with her own files."""
    anna = Visitor(address).run().upload()
    yield anna
    anna.close()


@pytest.fixture(scope="module")
def hers(anna: Visitor) -> list[str]:
    """Return everything that Anna has before anybody else does anything."""
    has(anna)  # what is computed for the first time also shows that work is under way
    found = has(anna)
    assert "two.run" in found[1] + found[3]
    return found


@contextmanager
def stranger(address: str) -> Iterator[Visitor]:
    eve = Visitor(address).run()
    try:
        yield eve
    finally:
        eve.close()


def has(anna: Visitor) -> list[str]:
    """Return everything that Anna has, in her tab and in a new one."""
    again = Visitor(anna.address, anna.cookie)
    shown = [again.run(page, data="your files").seen() for page in ("", "understandability", "collection")]
    again.close()
    return [texts(anna.run("collection")), *shown]


def texts(anna: Visitor) -> str:
    """Return the texts of an open page, without the values of controls, which are sent alternately."""
    return "\n".join(delta.new_element.markdown.body for delta in anna.deltas())


def test_every_message_kind_is_either_allowed_or_refused() -> None:
    assert set(KINDS) == set(messages.KINDS)


def streamlit_refusal(asked: BackMsg, address: str) -> bool:
    """Return True if the session answers with an error, or not at all, before the end of the next run."""
    with stranger(address) as eve:
        eve.send(asked)
        eve.ask()
        answers = []
        for message in eve.received():
            if message.WhichOneof("type") == "backend_operation_response":
                answers.append(message.backend_operation_response)
            if message.WhichOneof("type") == "script_finished":
                return all(answer.error_msg and not answer.deferred_file.url for answer in answers)
    return False


def test_a_download_is_made_only_for_its_session(address: str) -> None:
    with stranger(address) as eve:
        eve.run("collection")
        offered = re.findall(r'deferred_file_id: "(\w+)"', "\n".join(map(repr, eve.deltas())))
        asked = BackMsg()
        asked.backend_operation_request.session_id = eve.session
        asked.backend_operation_request.deferred_file.file_id = offered[0]
        assert streamlit_refusal(asked, address)  # of another session
        eve.send(asked)
        answers = (one for one in eve.received() if one.WhichOneof("type") == "backend_operation_response")
        assert "/media/" in next(answers).backend_operation_response.deferred_file.url


@pytest.mark.parametrize("content", ["a text", b"\xff\xff\xff"])
def test_an_invalid_message_ends_its_web_socket_without_a_traceback(
    address: str, log: Path, content: str | bytes
) -> None:
    with stranger(address) as eve:
        eve.line.send(content)
        with pytest.raises(ConnectionClosed):
            list(eve.received())
    assert "Traceback" not in log.read_text()


@pytest.mark.slow
def test_random_messages_do_no_harm(address: str, anna: Visitor, hers: list[str], log: Path) -> None:
    """150 messages of each kind, drawn with a fixed seed."""
    assert messages.sent(address, Random(34), 150, [anna.session, anna.navigation, *anna.widgets.values()]) == 150
    assert has(anna) == hers
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("page", ["metrics", "script-health-check", "agent/openapi.json", "agent/mcp", "x"])
def test_addresses_that_no_page_uses_do_not_exist(address: str, page: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/_stcore/{page}", timeout=SECONDS)


def test_messages_from_outside_pages_are_ignored(address: str) -> None:
    with urllib.request.urlopen(f"{address}/_stcore/host-config", timeout=SECONDS) as answer:
        assert json.load(answer)["allowedOrigins"] == []


def test_data_of_visitors_are_not_in_streamlit_caches() -> None:
    """A single message empties these caches for everybody, so they may contain only things that can be made again."""
    import streamlit as st

    from ui.server import browser_store, turns

    shelves, places = browser_store._shelves(), turns.turns()
    st.cache_resource.clear()
    st.cache_data.clear()
    assert (browser_store._shelves(), turns.turns()) == (shelves, places)
    browser_store.forget()


def test_messages_are_checked_before_their_session_gets_them() -> None:
    refused = {
        kind: bool(streamlit_inside.refusal(of_kind(kind))) for kind in KINDS if kind != "backend_operation_request"
    }
    assert {kind for kind, was in refused.items() if not was} == {"rerun_script", "stop_script", "file_urls_request"}


def of_kind(kind: str) -> bytes:
    made = BackMsg()
    held = getattr(made, kind)
    setattr(made, kind, True) if isinstance(held, bool) else held.SetInParent()
    return made.SerializeToString()
