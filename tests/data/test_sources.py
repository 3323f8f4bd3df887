"""Files, folders, archives and uploads: opened with care."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import os
import re
import socket
import zipfile
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import evalcore as ec
from evalcore.data import sources
from evalcore.data.infer import LABELS_FORM, RUNS_FORM
from evalcore.data.sources import Source, from_bytes, from_path, read_file
from evalcore.limits import BOUNDS

MiB = 1 << 20
QRELS = b"1 0 d1 1\n1 0 d2 0\n"
RUN = b"1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n"


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def zip_of(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def reading(content: bytes) -> bytes:
    return Source("a.run", lambda: content).read()


@pytest.fixture
def bound(monkeypatch):
    def set_bound(**bounds: int) -> None:
        for name, most in bounds.items():
            monkeypatch.setitem(BOUNDS, name, replace(BOUNDS[name], most=most))

    return set_bound


def test_thousands_of_streams_take_no_time():
    assert reading(gzip.compress(b"1 Q0 d1 1 1 x\n") * 20_000) == b"1 Q0 d1 1 1 x\n" * 20_000


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_stands_for_its_members(compression):
    found = from_bytes([("x.zip", zip_of({"runs/a.run": RUN, "__MACOSX/._a": b"", ".hidden": b""}, compression))])
    assert [(source.name, source.read()) for source in found] == [("x.zip/runs/a.run", RUN)]


HIDDEN = {"runs/.cache/b.run": RUN, "runs/.DS_Store": b"\0", "__MACOSX/runs/._a.run": b"", "__MACOSX/._q.zip": b"PK"}


@pytest.mark.parametrize("form", ["folder", "zip"])
def test_hidden_files_are_left_out(form: str, folder_of):
    files = {"runs/a.run": RUN, **HIDDEN}
    place = folder_of(files if form == "folder" else {"x.zip": zip_of(files)})
    base = "" if form == "folder" else "x.zip/"
    place = place if form == "folder" else place / "x.zip"
    assert [source.name for source in from_path(place)] == [f"{base}runs/a.run"]


@pytest.mark.parametrize(
    ("name", "stem"),
    [("a/b/x.y.txt.gz", "x.y"), ("KISTI_EN_RUN.1.dat.gz", "KISTI_EN_RUN.1.dat"), ("A.RUN", "A"), (".txt", ".txt")],
)
def test_a_system_is_called_after_its_file(name, stem):
    assert Source(name, bytes).stem == stem


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, zstd])
def test_compression_is_known_by_content_and_streams_may_follow_each_other(compress):
    whole = Source("a.run", lambda: compress(RUN[:16]) + compress(RUN[16:]))
    assert whole.read() == RUN
    assert whole.head(8) == RUN[:8]


@pytest.mark.parametrize("name", ["more.tar.gz", "b.run.xz", "runs/all.7z"])
def test_other_archives_are_listed_with_what_to_do(name: str, refusal):
    c = ec.load_files([("qrels.txt", QRELS), ("runs/a.run", RUN), (name, b"\xfd7zXZ\0\0")])
    assert (name, "not read: unpack it first, or make a zip of it") in [(n.where, n.text) for n in c.report.notes]
    assert f"; {name}: unpack it first" in refusal({name: b"\xfd7zXZ\0\0"})


def test_a_spreadsheet_is_not_opened_as_an_archive():
    found = from_bytes([("labels.xlsx", zip_of({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<x/>"}))])
    assert [source.name for source in found] == ["labels.xlsx"]


# Refused


def test_a_missing_path():
    with pytest.raises(
        ec.InputError, match=r"^/no/such: expected a folder, a zip or a file, found nothing at this path$"
    ):
        ec.load("/no/such")


def test_a_file_that_may_not_be_read(folder_of, monkeypatch):
    # Not by chmod: root reads everything.
    def denied(path: Path, *_: object, **__: object) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    folder = folder_of({"qrels.txt": QRELS, "runs/a.run": RUN})
    monkeypatch.setattr(sources, "open", denied, raising=False)
    with pytest.raises(ec.InputError, match=r"^qrels.txt: cannot read the file: Permission denied$"):
        ec.load(folder, use_cache=False)


@pytest.mark.parametrize("name", ["runs/b.run", "runs"])
def test_a_link_out_of_the_folder(name, folder_of, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "passwords").write_bytes(RUN)
    folder = folder_of({"qrels.txt": QRELS, "more/a.run": RUN})
    (folder / "runs").mkdir() if "/" in name else None
    (folder / name).symlink_to(secret / "passwords" if "/" in name else secret)
    with pytest.raises(ec.InputError, match=rf"^{name}: expected files inside the folder, found a link that leads out"):
        ec.load(folder)


def test_a_link_to_nothing(folder_of):
    folder = folder_of({"qrels.txt": QRELS, "a.run": RUN})
    (folder / "b.run").symlink_to(folder / "gone.run")
    with pytest.raises(ec.InputError, match=r"^b.run: expected a file, found a link to nothing: .*gone.run$"):
        ec.load(folder)


def test_a_file_that_is_too_large(folder_of, bound):
    bound(file_bytes=20)
    with pytest.raises(ec.InputError, match=r"^runs/a.run: expected at most 20 bytes, found 32 bytes$"):
        ec.load(folder_of({"qrels.txt": QRELS, "runs/a.run": RUN}))


def test_a_link_inside_the_folder_is_followed(folder_of):
    folder = folder_of({"qrels.txt": QRELS, "a.run": RUN})
    (folder / "b.run").symlink_to(folder / "a.run")
    assert ec.load(folder).systems == ("a", "b")


def test_folders_in_a_zip_may_be_written_with_backslashes(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"qrels.txt": QRELS, "runs\\one.run": RUN}))
    assert ec.load(tmp_path / "a.zip").systems == ("one",)


@pytest.mark.skipif(os.name != "posix", reason="file names are bytes only there")
def test_a_file_name_that_is_no_text(folder_of):
    folder = folder_of({"qrels.txt": QRELS})
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.run")).write_bytes(RUN)
    assert ec.load(folder).systems == (r"caf\xe9",)


DAMAGED = "runs/b.run: expected a readable compressed file, found a damaged one"
BROKEN = {
    "truncated gzip": (
        gzip.compress(RUN * 99)[:-20],
        f"{DAMAGED} (Truncated compressed stream)",
    ),
    "damaged bzip2": (
        b"BZh9" + bytes(50),
        f"{DAMAGED} (bz2 decompress failed: invalid bz2 data)",
    ),
    "gzip bomb": (
        gzip.compress(bytes(2 * MiB)),
        "runs/b.run: expected at most 1 MiB once unpacked for a file of this size, found more (a compression bomb?)",
    ),
    "truncated Zstandard": (
        zstd(RUN * 99)[:-5],
        f"{DAMAGED} (Truncated compressed stream)",
    ),
    "Zstandard bomb": (
        zstd(bytes(2 * MiB)),
        "runs/b.run: expected at most 1 MiB once unpacked for a file of this size, found more (a compression bomb?)",
    ),
}


@pytest.fixture
def small_bombs(monkeypatch):
    """Let files compress without limit only up to 1 MiB here: larger ones take seconds to unpack."""
    monkeypatch.setattr(sources, "RATIO_FROM", MiB)


@pytest.mark.usefixtures("small_bombs")
@pytest.mark.parametrize("case", BROKEN)
def test_a_damaged_file(case, refusal):
    content, message = BROKEN[case]
    assert refusal({"qrels.txt": QRELS, "runs/a.run": RUN, "runs/b.run": content}) == message


def test_small_files_are_bombs_from_64_mib_on():
    with pytest.raises(ec.InputError, match=r"^a.run: expected at most 64 MiB once unpacked for a file of this size"):
        reading(gzip.compress(bytes(65 * MiB)))


# Nothing is lost silently


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
@pytest.mark.parametrize(
    "end",
    [
        lambda packed: b"garbage",
        lambda packed: bytes(512),
        lambda packed: packed[:2],
        lambda packed: packed[:20] + b"\xff\x00" + packed[22:],
    ],
)
def test_bytes_after_a_compressed_stream_are_refused(compress, end):
    with pytest.raises(ec.InputError, match=r"^a.run: expected a readable compressed file, found a damaged one"):
        reading(compress(RUN) + end(compress(RUN * 99)))


def test_the_beginning_of_a_large_bzip2_file_is_seen():
    content = b"".join(b"1 Q0 %040d %d 1 x\n" % (pow(7, rank, 10**39), rank) for rank in range(20_000))
    packed = bz2.compress(content)
    source = Source("a.run", lambda: packed, peek=lambda size: packed[:size])
    assert len(packed) > 1 << 17  # its one block is longer than the part read of other files
    assert source.head() == content[: 1 << 16]


def test_two_zips_in_a_row(refusal):
    both = zip_of({"qrels.txt": QRELS}) + zip_of({"a.run": RUN})
    assert refusal({"x.zip": both}).startswith("x.zip: expected the first file of a zip at byte 0, found ")


@pytest.mark.parametrize("name", [b".uns/a.run", b"runs/a.ru/"])
def test_a_damaged_name_in_a_zip_that_looks_like_one_not_to_be_read(name, refusal):
    data = zip_of({"qrels.txt": QRELS, "runs/a.run": RUN})
    at = data.rindex(b"runs/a.run")  # in the directory at the end, not beside the content
    assert refusal({"x.zip": data[:at] + name + data[at + len(name) :]}).startswith(
        "x.zip: expected a readable zip archive, found a damaged one (File name in directory"
    )


@pytest.fixture(params=["pipe", "device", "socket"])
def special(request, tmp_path, monkeypatch) -> tuple[Path, str]:
    """A path that is no file, and the name of its kind."""
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    path = tmp_path / "special"
    if request.param == "pipe":
        os.mkfifo(path)
        return path, "a named pipe (FIFO)"
    if request.param == "device":
        path.symlink_to("/dev/zero")
        return path, "a device"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("special")
    return path, "a socket"


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files only there")
def test_a_path_that_is_not_a_file_is_refused_at_once(special, folder_of):
    path, kind = special
    folder = folder_of({"qrels.txt": QRELS, "a.run": RUN})
    for read in (
        lambda: from_path(path),
        lambda: read_file(path),
        lambda: ec.load(path),
        lambda: ec.load(runs=path, aspects={"relevance": folder / "qrels.txt"}),
        lambda: ec.load(runs=folder / "a.run", aspects={"relevance": path}),
        lambda: ec.load(runs=folder / "a.run", aspects={"relevance": folder / "qrels.txt"}, signals={"fog": path}),
        lambda: ec.load_scores(path),
    ):
        with pytest.raises(ec.InputError, match=rf"^(.*/)?special: expected a file, found {re.escape(kind)}$"):
            read()


@pytest.mark.skipif(os.name != "posix", reason="pipes are files only there")
def test_a_pipe_in_a_folder_is_refused(folder_of):
    folder = folder_of({"qrels.txt": QRELS, "runs/a.run": RUN})
    os.mkfifo(folder / "runs" / "b.run")
    with pytest.raises(ec.InputError, match=r"^runs/b.run: expected a file, found a named pipe \(FIFO\)$"):
        ec.load(folder)


def test_limits_are_exact(monkeypatch, bound):
    bound(ratio=0)
    monkeypatch.setattr(sources, "RATIO_FROM", 1000)
    assert reading(gzip.compress(bytes(1000))) == bytes(1000)
    monkeypatch.setattr(sources, "RATIO_FROM", 999)
    with pytest.raises(ec.InputError, match="expected at most 999 bytes once unpacked"):
        reading(gzip.compress(bytes(1000)))
    bound(file_bytes=999)
    with pytest.raises(ec.InputError, match="expected at most 999 bytes, found 1,000 bytes"):
        reading(bytes(1000))


def encrypted(files: dict[str, bytes]) -> bytes:
    """A zip whose directory says that its members have a password."""
    data = bytearray(zip_of(files))
    for at in (at for at in range(len(data)) if data[at : at + 4] == b"PK\x01\x02"):
        data[at + 8] |= 1
    return bytes(data)


def with_claimed_size(data: bytes, size: int) -> bytes:
    """A zip whose directory says that its first member holds so many bytes."""
    at = data.index(b"PK\x01\x02")
    return data[: at + 24] + size.to_bytes(4, "little") + data[at + 28 :]


ARCHIVES = {
    "leads up": (
        zip_of({"../qrels.txt": QRELS}),
        "x.zip: expected paths inside the archive, found '../qrels.txt', which leads out of it",
    ),
    "a drive": (
        zip_of({"C:/qrels.txt": QRELS}),
        "x.zip: expected paths inside the archive, found 'C:/qrels.txt', which leads out of it",
    ),
    "a password": (
        encrypted({"qrels.txt": QRELS}),
        "x.zip: expected a zip without a password, found 'qrels.txt' encrypted",
    ),
    "a zip in it": (
        zip_of({"qrels.txt": QRELS, "runs.zip": zip_of({"a.run": RUN})}),
        "x.zip: expected runs and assessments, found a zip in the zip: 'runs.zip'; unpack it",
    ),
    "a zip in it, in disguise": (
        zip_of({"qrels.txt": QRELS, "a.run": zip_of({"a.run": RUN})}),
        "x.zip/a.run: expected a run or assessments, found a zip in the zip; unpack it first",
    ),
    "a bomb by ratio": (
        zip_of({"qrels.txt": QRELS, "a.run": bytes(2 * MiB)}),
        "x.zip/a.run: expected at most 1 MiB once unpacked for a file of this size, found more (a compression bomb?)",
    ),
    "a gzip bomb in it": (
        zip_of({"qrels.txt": QRELS, "a.run": gzip.compress(bytes(2 * MiB))}),
        "a.run: expected at most 1 MiB once unpacked for a file of this size, found more (a compression bomb?)",
    ),
    "broken off": (
        zip_of({"qrels.txt": QRELS})[:-9],
        "x.zip: expected a readable zip archive, found a damaged one (File is not a zip file)",
    ),
    "a wrong checksum": (
        zip_of({"qrels.txt": QRELS}, zipfile.ZIP_STORED).replace(b"d2 0", b"d2 1"),
        "x.zip/qrels.txt: expected a readable file, found a damaged one (Bad CRC-32 for file 'qrels.txt')",
    ),
    "nothing in it": (
        zip_of({}),
        f"expected {RUNS_FORM}, and {LABELS_FORM}, found no files",
    ),
}


@pytest.mark.usefixtures("small_bombs")
@pytest.mark.parametrize("case", ARCHIVES)
def test_a_bad_zip(case, refusal):
    content, message = ARCHIVES[case]
    assert refusal({"x.zip": content}) == message


def test_a_zip_that_claims_too_much(refusal):
    data = zip_of({f"{number}.run": RUN for number in range(3)})
    for _ in range(3):
        data = with_claimed_size(data, 4_000_000_000).replace(b"PK\x01\x02", b"PK\x01\x00", 1)
    data = data.replace(b"PK\x01\x00", b"PK\x01\x02")
    expected = "x.zip: expected at most 8,192 MiB once unpacked, found 11,444 MiB (a zip bomb?)"
    assert refusal({"x.zip": data}) == expected


def test_a_zip_of_too_many_files(refusal, bound):
    bound(archive_members=2)
    content = zip_of(dict.fromkeys(map(str, range(3)), RUN))
    assert refusal({"x.zip": content}) == "x.zip: expected at most 2 files in a zip, found 3"


def test_a_zip_cut_anywhere_is_refused_or_whole():
    whole = zip_of({"qrels.txt": QRELS, "a.run": RUN})
    for end in itertools.chain(range(0, len(whole), 7)):
        with pytest.raises(ec.InputError):
            ec.load_files([("x.zip", whole[:end])])
