"""The only module that relies on internals of Streamlit: messages, sessions, their state and event loops, uploads.

`tests/app/test_streamlit_inside.py` lists these internals, and fails if a version of Streamlit differs. A server tests
its guards when it starts (`unguarded`), because it may run on an untested version.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

from google.protobuf.message import DecodeError
from starlette.exceptions import HTTPException
from streamlit import config, runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import app_session, media_file_manager, memory_media_file_storage, websocket_session_manager
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunner, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType
from streamlit.runtime.session_manager import SessionInfo, SessionStorage
from streamlit.runtime.state.common import (
    GENERATED_ELEMENT_ID_PREFIX,
    WidgetMetadata,
    is_element_id,
    unpack_widget_state_value,
)
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import (
    STREAMLIT_INTERNAL_KEY_PREFIX,
    Serialized,
    SessionState,
    Value,
    WStates,
)
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from evalcore.common.progress import telling
from ui.server.browser_store import network_of
from ui.server.turns import NEW, Run, Used, turns

LINE = "_stcore/stream"  # end of the address of web sockets
# Kinds of messages, and True if pages of the app send them.
KINDS = {
    "rerun_script": True,
    "stop_script": True,
    "file_urls_request": True,
    "backend_operation_request": True,
    "clear_cache": False,  # empties the caches of all sessions
    "set_run_on_save": False,
    "load_git_info": False,  # starts git
    "app_heartbeat": False,
    "debug_disconnect_websocket": False,
    "debug_shutdown_runtime": False,
}
ANSWERS = ("file_urls_response", "backend_operation_response")  # to requests of a browser, outside of runs
DOWNLOAD = "deferred_file"  # the only server operation that pages of the app use
LONGEST_MESSAGE = 25_000_000  # bytes; Streamlit checks its own bound only after the whole message
OF_COMPONENTS = ("json_value", "json_trigger_value", "string_value")  # interchangeable kinds of values of components
UPLOADED_EACH, UPLOADED = 1000 * 10**6, 2000 * 10**6  # most bytes of uploaded files in one tab, and in all tabs
NO_ROOM = (
    f"The files exceed the limit of {UPLOADED_EACH // 10**6:,} MB in one tab or {UPLOADED // 10**6:,} MB on this "
    "server. Remove some, or try again when other visitors have left."
)
COUNTED = 10**6  # bytes of an upload between checks of the room
DOWNLOADED = 60.0  # seconds in which a browser can fetch a download made for it
MOST_LEFT = 128  # most sessions whose browser has left


def refusal(content: bytes) -> str:
    """Return why a browser's message is refused; "" if it is allowed. Raises ValueError for an invalid message."""
    try:
        message = BackMsg.FromString(content)
    except (DecodeError, RuntimeError) as error:
        raise ValueError("not a message of Streamlit's protocol") from error
    kind = message.WhichOneof("type")
    if not KINDS.get(kind or "", False):
        return f"pages of this app send no {kind or 'message without a kind'}"
    if kind == "backend_operation_request":
        return _no_download_of_its_own(message.backend_operation_request)
    return ""


def _no_download_of_its_own(asked: Any) -> str:
    """Return why a requested operation is refused; "" if it is a download made for this session."""
    if asked.WhichOneof("payload") != DOWNLOAD:
        return f"pages of this app never request {asked.WhichOneof('payload') or 'operation without a kind'}"
    offered = runtime.get_instance().media_file_mgr._deferred_callables.get(asked.deferred_file.file_id)
    if offered is None or offered["session_id"] != asked.session_id:
        return "this download is unknown in this session"
    return ""


# --- sessions ---------------------------------------------------------------------------------------------------------


class QuietLoop(asyncio.SelectorEventLoop):
    """An event loop that opens no descriptors until it runs; the loop of a session never runs."""

    _ssock: socket.socket | None
    _csock: socket.socket | None

    def __init__(self) -> None:
        super().__init__(selectors.SelectSelector())

    def run_forever(self) -> None:
        """Open the loop's descriptors if they are not open yet, and run until it is stopped."""
        if self._ssock is None:
            self._selector: selectors.BaseSelector = selectors.DefaultSelector()
            super()._make_self_pipe()  # type: ignore[misc]
        super().run_forever()

    def _make_self_pipe(self) -> None:
        self._ssock = self._csock = None

    def _close_self_pipe(self) -> None:
        if self._ssock is not None:
            super()._close_self_pipe()  # type: ignore[misc]


class Session(AppSession):
    """A session with only one descriptor, that of its web socket; Streamlit's own sessions have three more."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._script_event_loop.close()
        self._script_event_loop = QuietLoop()
        self.used, self.network = Used(NEW), Used()

    def handle_backmsg(self, msg: BackMsg) -> None:
        """Handle a message; if it asks for a run, decide whether to skip it, run a part, or run the whole app.

        The whole app runs if the part with the moved control no longer exists, for instance after a restart, or if
        another run is in progress, which then ends; Streamlit would delay a single part until that run is done. A part
        that runs at intervals skips a run if it no longer exists, if another run is in progress, or if the end of a run
        has not been sent yet; otherwise replaced elements would stay on the screen.
        """
        asked = msg.rerun_script
        if asked.fragment_id:  # only messages that ask for a run have it, and setting it would make any message one
            gone, running = not self.has_fragment(asked.fragment_id), self._state == AppSessionState.APP_IS_RUNNING
            if asked.is_auto_rerun and (gone or running or not self._browser_queue.is_empty()):
                return
            if gone or running:
                asked.fragment_id = ""
        super().handle_backmsg(msg)

    def _clear_queue(self, fragment_ids_this_run: list[str] | None = None) -> None:
        """Remove unsent messages of the previous run, but keep the server's answers, for which the browser waits.

        Streamlit itself would drop these too: a file chosen just before a run begins would never be uploaded.
        """
        unsent = self._browser_queue._queue if fragment_ids_this_run is None else []
        answers = [msg for msg in unsent if msg.WhichOneof("type") in ANSWERS]
        super()._clear_queue(fragment_ids_this_run)
        for answer in answers:
            self._browser_queue.enqueue(answer)


class Runner(ScriptRunner):
    """Runner of a session's pages, one after the other; it takes turns with the runners of other sessions."""

    _run: Run | None = None

    def _run_script(self, rerun_data: RerunData) -> None:
        """Run a page when it is its turn.

        The request is accepted before the wait, because a part that runs at intervals could replace a pending request.
        """
        info = cast(Any, runtime.get_instance())._session_mgr.get_active_session_info(self._session_id)
        if info is None:  # the browser has left
            super()._run_script(rerun_data)
            return
        info.session.network = turns().network(network_of(info.client.client_context.remote_ip))
        try:
            # Between its messages, a run gives way at each checkpoint of the work that it does.
            here, pauses = (info.session.network, info.session.used, self._is_stopped), lambda _: turns().pauses()
            with turns().drawing(*here) as self._run, telling(pauses):
                super()._run_script(rerun_data)
        finally:
            self._run = None

    def _is_stopped(self) -> bool:
        return self._requests._state == ScriptRequestType.STOP

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        if self._run is not None and self._is_in_script_thread():
            turns().shows(self._run)
        super()._enqueue_forward_msg(msg)


_taken, _value = WStates.set_widget_from_proto, WStates.__getitem__


def _taken_if_known(self: WStates, widget_state: WidgetState) -> None:  # parameter names as in the replaced function
    """Accept a browser's value only if its id has the form of a control's id."""
    if widget_state.id.startswith((GENERATED_ELEMENT_ID_PREFIX, STREAMLIT_INTERNAL_KEY_PREFIX)):
        _taken(self, widget_state)


def _value_if_fit(states: WStates, key: str) -> Any:
    """Return the value of the control with this key; its initial value if the browser sent an impossible one."""
    state, about = states.states.get(key), states.widget_metadata.get(key)
    if isinstance(state, Serialized) and about is not None and not _fits(state.value, about):
        states.states[key] = Value(about.deserializer(None))
    return _value(states, key)


def _fits(state: WidgetState, about: WidgetMetadata[Any]) -> bool:
    """Return True if a browser's value for a control has the type that the control expects."""
    kind = state.WhichOneof("value")
    if kind is None:  # the control was emptied
        return True
    try:
        if kind in OF_COMPONENTS and about.value_type in OF_COMPONENTS[:2]:
            json.loads(getattr(state, kind))
            return True
        if kind != about.value_type:
            return False
        about.deserializer(unpack_widget_state_value(state))
    except Exception:  # any error that Streamlit raises about the value
        return False
    return True


class LeftSessions(SessionStorage):
    """The sessions whose browser has left; each is kept as long as its browser may return, and is then shut down."""

    def __init__(self, seconds: float, most: int = MOST_LEFT) -> None:
        self._seconds, self._most = seconds, most
        self._left: dict[str, tuple[float, SessionInfo]] = {}  # longest away first

    def get(self, session_id: str) -> SessionInfo | None:
        """Return the session with this id if its browser has left and may return, else None."""
        self.end_old()
        return self._left.get(session_id, (0.0, None))[1]

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session whose browser has left."""
        self._left.pop(session_info.session.id, None)
        self._left[session_info.session.id] = time.monotonic(), session_info
        self.end_old()

    def delete(self, session_id: str) -> None:
        """Forget a session, because its browser has returned or it has ended."""
        self._left.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """Return all sessions whose browser has left."""
        return [info for _, info in self._left.values()]

    def end_old(self) -> None:
        """Shut down the sessions whose browser left too long ago, and the oldest ones if there are too many."""
        last = time.monotonic() - self._seconds
        while self._left:
            oldest = next(iter(self._left))
            if len(self._left) <= self._most and self._left[oldest][0] > last:
                return
            self._left.pop(oldest)[1].session.shutdown()


def run_page(entry: Any, main: Callable[[], None]) -> None:
    """Draw a page as part of a menu entry, so that the browser clears the screen when a different entry is opened."""
    context = get_script_run_ctx()
    with context.run_with_active_hash(entry._script_hash) if context else nullcontext():
        main()


def moved_together() -> int:
    """Return how many controls changed in the browser's message that caused this run."""
    run = get_script_run_ctx()
    if run is None:
        return 0
    state = run.session_state._state
    return sum(map(state._widget_changed, state._new_widget_state))


# --- values of controls -----------------------------------------------------------------------------------------------

_whole_state = cast(property, SafeSessionState.filtered_state)


class StateByKey(Mapping[str, Any]):
    """The values in a session's state, by key.

    Streamlit itself would build the whole state whenever a control asks for its own key.
    """

    def __init__(self, safe: SafeSessionState) -> None:
        self._safe = safe

    def __getitem__(self, key: str) -> Any:
        if is_element_id(key) or key.startswith(STREAMLIT_INTERNAL_KEY_PREFIX):
            raise KeyError(key)
        with self._safe._lock:
            return self._safe._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())

    def _whole(self) -> dict[str, Any]:
        return cast(dict[str, Any], _whole_state.__get__(self._safe))


# --- downloads --------------------------------------------------------------------------------------------------------


class MadeFile(MediaFileMetadata):
    """A download made on request, kept until its browser has had time to fetch it.

    Streamlit itself drops it after the next two runs of any session; on a busy server, that is before the browser asks
    for it.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._made = time.monotonic()

    @property
    def is_marked_for_delete(self) -> bool:
        return super().is_marked_for_delete and time.monotonic() - self._made > DOWNLOADED


# --- uploads ----------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Upload:
    """A file being uploaded in a tab: the number of bytes announced, and the number received."""

    session: str
    stated: int = 0
    received: int = 0


class Uploads:
    """The uploaded files of all tabs, and the files being uploaded; Streamlit itself bounds only the size of each file.

    The bound on one tab includes announced bytes. The bound on all tabs includes only the received bytes of uploads in
    other tabs, so announcing a large file takes no room from other tabs.
    """

    def __init__(self, manager: MemoryUploadedFileManager | None = None) -> None:
        self._manager = manager
        self._open: set[Upload] = set()

    @contextmanager
    def sent(self, session: str, stated: int) -> Iterator[Upload]:
        """Count a file while it is being uploaded (while the context is open).

        Yields the upload. Raises HTTPException if there is no room for the file.
        """
        upload = Upload(session, stated)
        self._open.add(upload)
        try:
            self.came(upload, 0)
            yield upload
        finally:
            self._open.remove(upload)

    def came(self, upload: Upload, size: int) -> None:
        """Count `size` more bytes of an upload. Raises HTTPException if there is no room for them."""
        before, upload.received = upload.received, upload.received + size
        if size and upload.received <= upload.stated and before // COUNTED == upload.received // COUNTED:
            return
        held = self._held()
        own = sum(max(one.stated, one.received) for one in self._open if one.session == upload.session)
        others = sum(one.received for one in self._open if one is not upload)
        of_all = sum(held.values()) + others + max(upload.stated, upload.received)
        if held.get(upload.session, 0) + own > UPLOADED_EACH or of_all > UPLOADED:
            raise HTTPException(413, NO_ROOM, {"Connection": "close"})

    def _held(self) -> dict[str, int]:
        manager = self._manager or cast(Any, runtime.get_instance()).uploaded_file_mgr
        with manager._lock:
            boxes = manager.file_storage.items()
            return {session: sum(len(file.data) for file in files.values()) for session, files in boxes}


def _named_by_all(data: bytes, mimetype: str, filename: str | None = None) -> str:
    """Return a hash of a file's whole content, type and name, as the file's id.

    Streamlit itself hashes only parts of large files, so two files could get the same id.
    """
    name = blake2b(data, digest_size=28)
    name.update(f"\n{mimetype}\n{filename or ''}".encode())
    return name.hexdigest()


# --- proofs -----------------------------------------------------------------------------------------------------------


def _refuses_messages() -> bool:
    """Return True if a message that no page sends is refused, and all kinds of messages in KINDS exist in Streamlit."""
    known = {field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
    return bool(refusal(BackMsg(clear_cache=True).SerializeToString())) and set(KINDS) <= known


def _makes_own_sessions() -> bool:
    connect: Any = websocket_session_manager.WebsocketSessionManager.connect_session
    return websocket_session_manager.AppSession is Session and "AppSession" in connect.__code__.co_names


def _has_runs_take_turns() -> bool:
    makes, runs = AppSession._create_scriptrunner.__code__, ScriptRunner._run_script_thread.__code__
    return (
        app_session.ScriptRunner is Runner
        and "ScriptRunner" in makes.co_names
        and {"_run_script", "_enqueue_forward_msg"} <= vars(ScriptRunner).keys()
        and "_run_script" in runs.co_names
    )


def _passes_over_unknown_controls() -> bool:
    state = SessionState()
    state.set_widgets_from_proto(WidgetStates(widgets=[WidgetState(id="a key", double_value=0.5)]))
    return not state._new_widget_state.states


def _takes_fit_values_alone() -> bool:
    about: WidgetMetadata[Any] = WidgetMetadata("a", lambda one: one or "begins", str, "string_value")
    states = WStates({"a": Serialized(WidgetState(id="a", bool_value=True))}, {"a": about})
    return bool(states["a"] == "begins")


def _counts_uploads() -> bool:
    manager = MemoryUploadedFileManager("/upload")
    manager.add_file("a tab", UploadedFileRec(file_id="f", name="f", type="text/plain", data=b"four"))
    return Uploads(manager)._held() == {"a tab": 4}


def _names_files_by_all() -> bool:
    storage = memory_media_file_storage.MemoryMediaFileStorage("/media")
    name = storage.load_and_get_id(b"all", "text/plain", MediaFileKind.DOWNLOADABLE, "f")
    return name == _named_by_all(b"all", "text/plain", "f")


def _knows_whose_downloads() -> bool:
    manager = media_file_manager.MediaFileManager(memory_media_file_storage.MemoryMediaFileStorage("/media"))
    return manager._deferred_callables == {} and "session_id" in manager.add_deferred.__code__.co_varnames


PROOFS: Mapping[str, Callable[[], bool]] = {
    "messages that no page sends are refused": _refuses_messages,
    "sessions are made by this app": _makes_own_sessions,
    "runs of pages take turns": _has_runs_take_turns,
    "values of unknown controls are ignored": _passes_over_unknown_controls,
    "values that do not fit a control are rejected": _takes_fit_values_alone,
    "uploads are counted": _counts_uploads,
    "the names of files depend on all of their content": _names_files_by_all,
    "downloads are made only for the visitor they were offered to": _knows_whose_downloads,
}


def unguarded() -> list[str]:
    """Test each guard with this version of Streamlit; return descriptions of the guards that do not work."""
    lacking = []
    for guard, proof in PROOFS.items():
        try:
            holds = proof()
        except Exception:  # something is missing in this version
            holds = False
        lacking += [] if holds else [guard]
    return lacking


# --- installation -----------------------------------------------------------------------------------------------------


def own_sessions() -> LeftSessions:
    """Make Streamlit use the classes and functions of this module; return the store of `LeftSessions`."""
    websocket_session_manager.AppSession = Session  # type: ignore[misc]
    app_session.ScriptRunner = Runner  # type: ignore[misc]
    WStates.set_widget_from_proto = _taken_if_known  # type: ignore[method-assign]
    WStates.__getitem__ = _value_if_fit  # type: ignore[method-assign]
    SafeSessionState.filtered_state = property(StateByKey)  # type: ignore[assignment, method-assign]
    memory_media_file_storage._calculate_file_id = _named_by_all
    media_file_manager.MediaFileMetadata = MadeFile  # type: ignore[misc]
    manager = cast(Any, runtime.get_instance())._session_mgr
    manager._session_storage = LeftSessions(config.get_option("server.disconnectedSessionTTL"))
    return cast(LeftSessions, manager._session_storage)


def is_known(session_id: str) -> bool:
    """Return True if this id belongs to an active session, or to a session whose browser may return."""
    manager = cast(Any, runtime.get_instance())._session_mgr
    return bool(manager.is_active_session(session_id) or manager._session_storage.get(session_id))
