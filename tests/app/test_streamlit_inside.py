"""Internals of Streamlit that the app relies on: if another version differs, these tests fail first."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import app_session, media_file_manager, memory_media_file_storage, websocket_session_manager
from streamlit.runtime.app_session import AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionStorage
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX, ValueFieldName, WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX, Serialized, SessionState, WStates
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette.starlette_websocket import create_websocket_routes

from ui.server import network, streamlit_inside, tested
from ui.server.streamlit_inside import LINE, LeftSessions, QuietLoop

ROOT = Path(__file__).parents[2]


def test_web_sockets_have_one_address() -> None:
    routes: list[Any] = create_websocket_routes(SimpleNamespace(), "")  # type: ignore[arg-type]
    assert [route.path for route in routes] == [f"/{LINE}"]


def test_sessions_are_made_by_the_patched_class() -> None:
    made = inspect.getsource(websocket_session_manager.WebsocketSessionManager.connect_session)
    assert "session = AppSession(" in made
    assert "self._script_event_loop: asyncio.AbstractEventLoop = asyncio.new_event_loop()" in inspect.getsource(
        app_session.AppSession.__init__
    )
    stored = inspect.getsource(websocket_session_manager.WebsocketSessionManager)
    assert "self._session_storage = session_storage" in stored


def test_abandoned_sessions_are_stored_as_streamlit_expects() -> None:
    asked = {name for name, _ in inspect.getmembers(SessionStorage, inspect.isfunction) if not name.startswith("_")}
    assert asked == {"get", "save", "delete", "list"}


def test_downloads_belong_to_their_session() -> None:
    assert MediaFileManager(SimpleNamespace())._deferred_callables == {}  # type: ignore[arg-type]
    assert '"session_id": session_id' in inspect.getsource(MediaFileManager.add_deferred)


def test_a_download_outlives_the_runs_of_others_until_its_browser_had_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", streamlit_inside.MadeFile)
    storage = memory_media_file_storage.MemoryMediaFileStorage("/media")
    manager = MediaFileManager(storage)
    offered = manager.add_deferred(lambda: b"a report", "text/html", "at a place", file_name="report.html")
    made = manager.execute_deferred(offered).rpartition("/")[2]

    def is_there_after(runs: int) -> bool:
        for _ in range(runs):
            manager.remove_orphaned_files()
        return any(made.startswith(name) for name in storage._files_by_id)

    assert is_there_after(runs=50)
    clock[0] = streamlit_inside.DOWNLOADED + 1
    assert not is_there_after(runs=2)


def test_large_files_that_differ_anywhere_have_names_of_their_own() -> None:
    """Streamlit names a file of more than 1 MiB after its length and samples of its beginning, middle and end."""
    source = inspect.getsource(memory_media_file_storage.MemoryMediaFileStorage)
    assert "file_id = _calculate_file_id(file_data, mimetype, filename)" in source
    mine, theirs = (b"x" * 300_000 + who + b"x" * 2_000_000 for who in (b"mine", b"your"))
    names = {streamlit_inside._named_by_all(data, "text/html", "report.html") for data in (mine, theirs)}
    assert len(names) == 2


# --- event loops ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_an_event_loop_releases_its_descriptors() -> None:
    before = len(os.listdir("/proc/self/fd"))
    loops = [QuietLoop() for _ in range(5)]
    assert len(os.listdir("/proc/self/fd")) == before
    for loop in loops:
        assert loop.run_until_complete(asyncio.sleep(0, "done")) == "done"
        loop.close()
    assert len(os.listdir("/proc/self/fd")) == before


# --- messages ---------------------------------------------------------------------------------------------------------


def test_the_begin_of_a_run_keeps_answers_that_are_not_sent_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that has chosen a file waits for the address to which it may upload the file."""
    monkeypatch.setattr(app_session.AppSession, "__del__", lambda _: None)
    session = object.__new__(streamlit_inside.Session)
    for part in (None, ["a part"]):
        session._browser_queue = ForwardMsgQueue()
        for kind in ("logo", *streamlit_inside.ANSWERS):
            message = ForwardMsg()
            getattr(message, kind).SetInParent()
            session._browser_queue.enqueue(message)
        session._clear_queue(part)
        left = [message.WhichOneof("type") for message in session._browser_queue.flush()]
        assert left == [*([] if part is None else ["logo"]), *streamlit_inside.ANSWERS]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[BackMsg]]:
    """Return a function that sends a message to a session and lists what Streamlit receives of it."""

    def take(message: BackMsg, state: AppSessionState, *unsent: ForwardMsg) -> list[BackMsg]:
        given: list[BackMsg] = []
        monkeypatch.setattr(app_session.AppSession, "handle_backmsg", lambda _, message: given.append(message))
        monkeypatch.setattr(app_session.AppSession, "has_fragment", lambda _, name: name == "there")
        monkeypatch.setattr(app_session.AppSession, "__del__", lambda _: None)
        session = object.__new__(streamlit_inside.Session)
        session._state, session._browser_queue = state, ForwardMsgQueue()
        for one in unsent:
            session._browser_queue.enqueue(one)
        session.handle_backmsg(message)
        return given

    return take


FINISHED = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
IDLE, RUNNING = AppSessionState.APP_NOT_RUNNING, AppSessionState.APP_IS_RUNNING


def moved(part: str, by_clock: bool = False) -> BackMsg:
    """Make the message that a control in a part of the page was moved, or that the part is due to run again."""
    return BackMsg(rerun_script=ClientState(fragment_id=part, is_auto_rerun=by_clock))


@pytest.mark.parametrize("state", [IDLE, RUNNING])
@pytest.mark.parametrize("kind", [kind for kind, sent in streamlit_inside.KINDS.items() if sent])
def test_messages_keep_their_kind_during_a_run(kind: str, state: AppSessionState, taken: Any) -> None:
    is_flag = BackMsg.DESCRIPTOR.fields_by_name[kind].message_type is None
    content: Any = {kind: True if is_flag else getattr(BackMsg(), kind)}
    (given,) = taken(BackMsg(**content), state)
    assert given.WhichOneof("type") == kind


def test_a_control_reruns_the_app_if_its_part_is_busy_or_gone(taken: Any) -> None:
    asked = [(moved("there"), IDLE), (moved("there"), RUNNING), (moved("gone"), IDLE)]
    assert [taken(*one)[0].rerun_script.fragment_id for one in asked] == ["there", "", ""]


def test_a_timed_part_waits_for_running_work(taken: Any) -> None:
    assert [one.rerun_script.fragment_id for one in taken(moved("there", by_clock=True), IDLE)] == ["there"]
    assert taken(moved("there", by_clock=True), RUNNING) == []
    assert taken(moved("there", by_clock=True), IDLE, ForwardMsg(script_finished=FINISHED)) == []
    assert taken(moved("gone", by_clock=True), IDLE) == []


# --- sessions that were left ------------------------------------------------------------------------------------------


class Left:
    """A session whose browser has left."""

    def __init__(self, name: str) -> None:
        self.id, self.ended = name, False

    def shutdown(self) -> None:
        self.ended = True


def saved(storage: LeftSessions, name: str) -> Left:
    session = Left(name)
    storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
    return session


def test_a_session_ends_when_its_browser_was_away_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    storage = LeftSessions(120)
    first, clock[0] = saved(storage, "first"), 100.0
    second, clock[0] = saved(storage, "second"), 121.0
    storage.end_old()
    assert (first.ended, second.ended) == (True, False)
    assert storage.get("first") is None
    assert storage.get("second") is not None


def test_the_sessions_absent_longest_end_when_there_are_too_many() -> None:
    storage = LeftSessions(120, most=2)
    sessions = [saved(storage, name) for name in "abc"]
    assert [session.ended for session in sessions] == [True, False, False]


def test_a_session_whose_browser_is_back_does_not_end() -> None:
    storage = LeftSessions(-1.0, most=0)
    session = Left("a")
    storage._left["a"] = (0.0, SimpleNamespace(session=session))  # type: ignore[assignment]
    storage.delete("a")
    storage.end_old()
    assert not session.ended


# --- values of controls -----------------------------------------------------------------------------------------------


def value(kind: ValueFieldName, **content: Any) -> Any:
    """Return the value of a control of some kind when a browser sends this content for it."""
    about: WidgetMetadata[Any] = WidgetMetadata(
        id="$$ID-a", deserializer=lambda one: "begins" if one is None else one + one, serializer=str, value_type=kind
    )
    states = WStates({"$$ID-a": Serialized(WidgetState(id="$$ID-a", **content))}, {"$$ID-a": about})
    return streamlit_inside._value_if_fit(states, "$$ID-a")


def test_a_valid_value_of_a_control_is_accepted() -> None:
    assert value("string_value", string_value="ab") == "abab"
    assert value("double_value", double_value=0.5) == 1.0
    assert value("string_value") == "begins"  # it was emptied


def test_an_invalid_value_of_a_control_is_ignored() -> None:
    assert value("string_value", bool_value=True) == "begins"
    assert value("json_value", json_value="[[") == "begins"


def test_the_state_by_key_is_complete() -> None:
    """State of a control with a key and of one without, of the app's own values, and of Streamlit's internal values."""
    keyed, keyless = f"{GENERATED_ELEMENT_ID_PREFIX}-a-rho", f"{GENERATED_ELEMENT_ID_PREFIX}-b-None"
    state = SessionState()
    state._key_id_mapper[keyed] = "rho"
    for name, kept in ((keyed, 0.8), (keyless, 1), ("mine", [1]), (f"{STREAMLIT_INTERNAL_KEY_PREFIX}-x", 2)):
        state._old_state[name] = kept
    safe = SafeSessionState(state, lambda: None)
    by_key, whole = streamlit_inside.StateByKey(safe), safe.filtered_state
    assert dict(by_key) == whole == {"rho": 0.8, "mine": [1]}
    assert repr(by_key) == repr(whole)
    known = [name in by_key for name in ("rho", "mine", keyed, keyless, f"{STREAMLIT_INTERNAL_KEY_PREFIX}-x", "gone")]
    assert known == [True, True, False, False, False, False]


def test_values_for_unknown_controls_are_ignored() -> None:
    states = WStates()
    streamlit_inside._taken_if_known(states, WidgetState(id="home.rho", double_value=0.5))
    streamlit_inside._taken_if_known(states, WidgetState(id="$$ID-a", double_value=0.5))
    streamlit_inside._taken_if_known(states, WidgetState(id="$$STREAMLIT_INTERNAL_KEY_$$ID-a__events"))  # a component's
    assert list(states.states) == ["$$ID-a", "$$STREAMLIT_INTERNAL_KEY_$$ID-a__events"]


# --- uploads ----------------------------------------------------------------------------------------------------------


def uploads(monkeypatch: pytest.MonkeyPatch, each: int, total: int) -> Callable[[str, str, int], None]:
    """Return a function by which a session uploads a file of a given number of bytes."""
    monkeypatch.setattr(streamlit_inside, "UPLOADED_EACH", each)
    monkeypatch.setattr(streamlit_inside, "UPLOADED", total)
    manager = MemoryUploadedFileManager("/upload")
    coming = streamlit_inside.Uploads(manager)

    def upload(session: str, name: str, size: int) -> None:
        with coming.sent(session, size) as one:
            coming.came(one, size)
            file = UploadedFileRec(file_id=name, name=name, type="text/plain", data=b"x" * size)
            manager.add_file(session, file)

    return upload


@pytest.mark.parametrize(("total", "who", "room"), [(1000, "anna", 40), (150, "bob", 50)])
def test_uploads_of_a_tab_and_of_all_tabs_together_are_limited(
    monkeypatch: pytest.MonkeyPatch, total: int, who: str, room: int
) -> None:
    upload = uploads(monkeypatch, each=100, total=total)
    upload("anna", "a", 100 - room if who == "anna" else 100)
    with pytest.raises(HTTPException, match="The files exceed the limit"):
        upload(who, "b", room + 1)
    upload(who, "c", room)


def test_a_tab_that_is_full_leaves_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = uploads(monkeypatch, each=100, total=1000)
    upload("anna", "a", 100)
    upload("bob", "a", 100)


# --- proofs at the start ----------------------------------------------------------------------------------------------


BROKEN = {
    "messages that no page sends are refused": ("refusal", lambda content: ""),
    "sessions are made by this app": ("Session", object),
    "runs of pages take turns": ("Runner", object),
    "values of unknown controls are ignored": ("SessionState", object),
    "values that do not fit a control are rejected": ("WStates", object),
    "uploads are counted": ("MemoryUploadedFileManager", object),
    "the names of files depend on all of their content": ("_named_by_all", lambda *content: "another name"),
    "downloads are made only for the visitor they were offered to": ("media_file_manager", None),
}


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the replacements that a server makes at its start; undo them afterwards."""
    for owner, name in [
        (websocket_session_manager, "AppSession"),
        (app_session, "ScriptRunner"),
        (WStates, "set_widget_from_proto"),
        (WStates, "__getitem__"),
        (SafeSessionState, "filtered_state"),
        (memory_media_file_storage, "_calculate_file_id"),
        (media_file_manager, "MediaFileMetadata"),
    ]:
        monkeypatch.setattr(owner, name, vars(owner)[name])
    manager = SimpleNamespace(_session_mgr=SimpleNamespace(_session_storage=None))
    monkeypatch.setattr("streamlit.runtime.get_instance", lambda: manager)
    streamlit_inside.own_sessions()


def test_every_guard_is_checked_when_a_server_starts(replaced: None) -> None:
    assert streamlit_inside.unguarded() == []


@pytest.mark.parametrize("guard", streamlit_inside.PROOFS)
def test_a_guard_that_fails_is_noticed(replaced: None, monkeypatch: pytest.MonkeyPatch, guard: str) -> None:
    """A version of Streamlit may lack a name, or use it with another meaning."""
    monkeypatch.setattr(streamlit_inside, *BROKEN[guard])
    assert guard in streamlit_inside.unguarded()


@pytest.mark.parametrize(("asks", "status"), [("127.0.0.1", 200), ("::1", 200), ("192.0.2.7", 503)])
def test_without_a_guard_the_app_answers_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asks: str, status: int
) -> None:
    monkeypatch.setattr(network, "_LACKING", "")
    network.close(["uploads are counted"])
    said = capsys.readouterr().out
    assert "This app is not tested with Streamlit" in said
    assert "and cannot guarantee that uploads are counted" in said
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    scope = {"type": "http", "client": (asks, 1), "headers": [(b"host", b"localhost")], "method": "GET", "path": "/"}
    asyncio.run(network.OnlyOwn(PlainTextResponse("here"))(scope, receive, send))
    assert sent[0]["status"] == status


# --- another version of Streamlit -------------------------------------------------------------------------------------

STARTS = """
import sys
from streamlit.runtime.state import common, session_state
import streamlit
{lacking}
import app
"""


@pytest.mark.parametrize(
    "lacking", ["del common.is_element_id", "del session_state.WStates.set_widget_from_proto", "del streamlit.App"]
)
def test_a_missing_streamlit_name_ends_the_start_with_the_tested_version(lacking: str) -> None:
    start = [sys.executable, "-c", STARTS.format(lacking=lacking)]
    done = subprocess.run(start, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert f"pip install streamlit=={tested.STREAMLIT}" in done.stderr
    assert lacking.rpartition(".")[2] in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("error", [ImportError("no", name="numpy"), AttributeError("no", obj=Path)])
def test_errors_unrelated_to_streamlit_do_not_blame_its_version(error: Exception) -> None:
    with pytest.raises(type(error)), tested.in_words():
        raise error


def test_the_named_version_is_the_installed_and_tested_one() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert f"\nstreamlit=={tested.STREAMLIT} " in lock, "ui/server/tested.py names the version of requirements.lock"
