"""A server of this machine in place of GitHub's, with small collections in the layouts of the public ones."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from evalcore.data.public import public_collection

TOPICS = ("1", "2")
DOCUMENTS = ("a", "b", "c")
RUN_NAMES = {
    "clef2015": ("runs/english-runs/ECNU_EN_Run.1.dat", "runs/english-runs/KISTI_EN_RUN.1.dat"),
    "clef2016": ("runs_t2/CUNI_EN_Run1.txt", "runs_t2/ecnu_EN_Run1.txt"),
    "clef2018": ("runs/CUNI/IRTask1/CUNI_en.run1", "runs/baselines/IRTask1/terrier_BM25_cli.out"),
    "chs2021": ("runs/baselines/terrier_BM25.res", "runs/baselines/terrier_TF_IDF.res"),
}
# Files beside a collection in the real repositories, and no part of it.
OTHERS = {
    "clef2015": ("evaluation/evals_html/CUNI_EN_Run/img/p10.png", "qrels/qrels.eng.clef2015.test.bin.txt"),
    "clef2016": ("runs_t1/CUNI_EN_Run1.txt", "qrels/from_task2_to_task1.py"),
    "clef2018": ("runs/CUNI/IRTask4/CUNI_cs.run1", "runs/CUNI/info.txt"),
    "chs2021": ("runs/README.md", "assessments/README.md"),
}


def run_text(order: str = "abc", topics: tuple[str, ...] = TOPICS) -> str:
    return "".join(f"{t} Q0 {d} {k} {9 - k} tag\n" for t in topics for k, d in enumerate(order, 1))


def labels_text(*grades: int) -> str:
    return "".join(f"{t} 0 {d} {g}\n" for t in TOPICS for d, g in zip(DOCUMENTS, grades, strict=True))


def contents(name: str) -> dict[str, str]:
    """A repository in miniature: relevance 0, 1, 2 for a, b, c; every other aspect 2, 0, 1 (in credibility 3, 0, 1)."""
    files = dict.fromkeys(OTHERS[name], "no part of it\n")
    for column in public_collection(name).manifest.columns:
        grades = {"relevance": (0, 1, 2), "credibility": (3, 0, 1)}.get(column.scale.name, (2, 0, 1))
        files[column.file] = labels_text(*grades)
    first, second = RUN_NAMES[name]
    return {**files, first: run_text("cba"), second: run_text("abc")}


# --- a server --------------------------------------------------------------------------------------------------------


SHA = "0123456789abcdef0123456789abcdef01234567"
Answer = Callable[[BaseHTTPRequestHandler, bytes], None]


def blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class GitHub:
    """The files of one repository, as GitHub would list and send them; `odd` answers some names in another way."""

    files: dict[str, bytes] = field(default_factory=dict)
    odd: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sha: str = SHA
    truncated: bool = False
    listed: list[dict[str, Any]] = field(default_factory=list)  # more entries of the listing, or parts of these

    def put(self, files: dict[str, str]) -> None:
        self.files |= {name: text.encode() for name, text in files.items()}

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = unquote(request.path)
        self.asked.append(path)
        kind, _, _, *rest = path.strip("/").split("/")
        name = "/".join(rest[1:])
        if kind == "api":
            tree = [
                {"path": name, "mode": "100644", "type": "blob", "size": len(content), "sha": blob(content)}
                for name, content in self.files.items()
            ]
            tree.append({"path": "runs", "mode": "040000", "type": "tree", "sha": SHA})
            usual = {"path": "x", "mode": "100644", "size": 1, "sha": SHA}
            tree += [usual | entry for entry in self.listed]
            listed = json.dumps({"sha": SHA, "tree": tree, "truncated": self.truncated})
            send(request, (self.sha if rest[0] == "commits" else listed).encode())
        elif name in self.files and rest[0] == SHA:
            self.odd.get(name, send)(request, self.files[name])
        else:
            request.send_error(404)


def send(request: BaseHTTPRequestHandler, content: bytes) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content)


@contextmanager
def serving(made: GitHub) -> Iterator[str]:
    """Serve a repository; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
