"""Visitors without a screen: they use Streamlit's own protocol, protobuf over a web socket, as its pages do."""

from __future__ import annotations

import re
import secrets
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from ssl import SSLContext
from typing import Any
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from ui.address import places

SECONDS = 60.0
FILES = (
    ("one.run", b"1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n2 Q0 a 1 3 r\n"),
    ("two.run", b"1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 3 r\n"),
    ("qrels.txt", b"1 0 a 0\n1 0 b 2\n2 0 a 1\n2 0 b 0\n"),
    ("qread.txt", b"1 0 a 1\n1 0 b 3\n2 0 a 2\n2 0 b 1\n"),
)


def new_cookie() -> str:
    """Return the cookie of a browser that is new to the server."""
    return f"2|00000000|{secrets.token_hex(16)}|1795318289"


class Visitor:
    """A tab of a browser, which is identified by its cookie."""

    def __init__(
        self, address: str, cookie: str = "", copy: str = "", tls: SSLContext | None = None, network: str = ""
    ) -> None:
        """Connect; `copy` is what the proxy's cookie says, `network` the address that it names as the browser's."""
        self.address, self.cookie, self.tls = address, cookie or new_cookie(), tls
        self.cookies = f"_streamlit_xsrf={self.cookie}" + (f"; evalcore_copy={copy}" if copy else "")
        self.session = ""
        self.widgets: dict[str, str] = {}  # by their keys
        self.shown: dict[tuple[int, ...], bytes] = {}  # the contents of the page, by their place
        self.navigation = self.query = ""
        self._ending = ExitStack()
        line = connect(
            f"{address.replace('http', 'ws')}/_stcore/stream",
            origin=Origin(address),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(self.cookie)],
            additional_headers={"Cookie": self.cookies} | ({"X-Forwarded-For": network} if network else {}),
            max_size=None,
            ssl=tls,
        )
        self.line: ClientConnection = self._ending.enter_context(line)

    def close(self) -> None:
        self._ending.close()

    def send(self, message: BackMsg) -> None:
        self.line.send(message.SerializeToString())

    def run(self, page: str = "", states: tuple[WidgetState, ...] = (), **query: str) -> Visitor:
        """Run the script, and receive everything that it shows."""
        self.ask(page, states, **query)
        return self.wait()

    def ask(self, page: str = "", states: tuple[WidgetState, ...] = (), **query: str) -> None:
        """Request a run of the script without waiting for it."""
        message = BackMsg()
        asked = message.rerun_script
        place, texts, _ = places.now(page, {key: [value] for key, value in query.items()})
        asked.page_name, asked.query_string = place, urlencode(texts, doseq=True) or self.query
        asked.page_script_hash = "" if page else self.navigation
        asked.widget_states.widgets.extend(states)
        self.send(message)

    def wait(self) -> Visitor:
        """Receive messages until the script has ended."""
        for message in self.received():
            if message.WhichOneof("type") == "script_finished":
                return self
        raise AssertionError("the server closed the line")

    def received(self) -> Iterator[ForwardMsg]:
        """Yield the messages of the server, and record their content."""
        while True:
            message = ForwardMsg.FromString(self.line.recv(timeout=SECONDS))  # type: ignore[arg-type]
            self._take(message)
            yield message

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session, self.shown = message.new_session.initialize.session_id, {}
        elif kind == "navigation":
            self.navigation = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            content = message.delta.SerializeToString()
            self.shown[tuple(message.metadata.delta_path)] = content
            for widget in re.findall(rb"\$\$ID-[0-9a-f]+-[\w .-]+", content):
                self.widgets[widget.decode().split("-", 2)[2]] = widget.decode()

    def upload(self, files: tuple[tuple[str, bytes], ...] = FILES) -> Visitor:
        """Upload files and open them."""
        return self.offer(files).wait()  # the run that shows what was opened

    def offer(self, files: tuple[tuple[str, bytes], ...]) -> Visitor:
        """Upload files and press Open: they are refused, or shown by the next run."""
        state = WidgetState(id=self.widget("upload files"))
        held = state.file_uploader_state_value.uploaded_file_info
        for name, content in files:
            urls = self.urls(name)
            self.put(urls.upload_url, name, content)
            held.add(file_id=urls.file_id, name=name, size=len(content), file_urls=urls)
        self.run(states=(state,))
        opens = WidgetState(id=self.opens(), trigger_value=True)
        return self.run(states=(state, opens))

    def opens(self) -> str:
        """Return the id of the button that opens uploaded files."""
        return next(
            delta.new_element.button.id
            for delta in self.deltas()
            if delta.new_element.button.label == "Open" and not delta.new_element.button.disabled
        )

    def urls(self, name: str) -> Any:
        """Request the addresses to which a file of this name may be uploaded."""
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.session
        self.send(message)
        answers = (one for one in self.received() if one.WhichOneof("type") == "file_urls_response")
        return next(answers).file_urls_response.file_urls[0]

    def put(self, url: str, name: str, content: bytes) -> None:
        border = "border7"
        head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
        kind = f"multipart/form-data; boundary={border}"
        headers = {"Cookie": self.cookies, "X-Xsrftoken": self.cookie, "Content-Type": kind}
        request = urllib.request.Request(self.address + urlsplit(url).path, body, headers, method="PUT")
        urllib.request.urlopen(request, timeout=SECONDS, context=self.tls).close()

    def widget(self, key: str) -> str:
        return self.widgets[key]

    def deltas(self) -> list[Any]:
        from streamlit.proto.Delta_pb2 import Delta

        return [Delta.FromString(content) for content in self.shown.values()]

    def seen(self) -> str:
        """Return everything on the page as text, except words of a single visit and messages shown only once."""
        text = "\n".join(repr(delta) for delta in self.deltas())
        text = re.sub(r"\n *(set_value: true|raw_value: .*|has_one_shot_effect: true)", "", text)
        return re.sub(r"/media/[\w.-]+|[0-9a-f]{32,}", "...", text)
