from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from tests.samples.s3 import PASSING, SECRET, S3Proxy

from portrayal.errors import DamagedError, MissingExtraError, PortrayalError, StorageError
from portrayal.store.images import remote_files
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import ImageStore, read_image
from portrayal.store.images.remote_images import RemoteImage, RemoteImages

Serve = Callable[[ThreadingHTTPServer], ThreadingHTTPServer]
PICTURES = [f"picture {number}".encode() * 50 for number in range(12)]


def name_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(params=["folder", "memory", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ImageStore]:
    """An empty store of each kind."""
    if request.param == "folder":
        yield ImageFolder(tmp_path)
    elif request.param == "s3":
        yield RemoteImages(request.getfixturevalue("s3").address)
    else:
        import fsspec

        files = fsspec.filesystem("memory")
        files.mkdir("/bucket")
        yield RemoteImages("memory://bucket/study")
        files.rm("/bucket", recursive=True)


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_files, "_WAITS", (0.0, 0.0, 0.0, 0.0))


@pytest.mark.slow
def test_what_is_stored_is_read_and_listed_in_every_kind_of_store(store: ImageStore) -> None:
    assert (store.folders(), store.path(name_of(b"x"), "png").is_file()) == ([], False)
    wanted = {(name_of(data), "png"): data for data in PICTURES}
    for _ in range(2):  # the second time nothing changes
        store.add(wanted)
        for (image, ext), data in wanted.items():
            file = store.path(image, ext)
            assert (file.name, file.stem, file.suffix) == (f"{image}.png", image, ".png")
            assert (file.is_file(), file.stat().st_size, read_image(file)) == (True, len(data), data)
        listed = [path for folder in store.folders() for path in store.paths(folder)]
        assert sorted(path.name for path in listed) == sorted(f"{image}.png" for image, _ in wanted)
        assert {str(path) for path in listed} == {str(store.path(*name)) for name in wanted}
    store.clean()
    assert read_image(listed[0])
    with pytest.raises(FileNotFoundError, match=name_of(b"gone")):
        read_image(store.path(name_of(b"gone"), "png"))
    with pytest.raises(DamagedError, match="no image is called so"):
        store.path("../secret", "png")


@pytest.mark.slow
def test_damage_is_found_and_mended_by_storing_again(store: ImageStore) -> None:
    name, other = name_of(b"whole"), name_of(b"another")
    store.add({(other, "png"): b"another"})
    store.add({(name, "png"): b"damaged"})
    with pytest.raises(DamagedError, match="its bytes are not those that were stored"):
        read_image(store.path(name, "png"))
    store.add({(name, "png"): b"whole"})
    assert read_image(store.path(name, "png")) == b"whole"


@pytest.mark.slow
def test_a_store_and_its_files_can_be_handed_to_other_processes(store: ImageStore) -> None:
    store.add({(name_of(b"x"), "png"): b"x"})
    again: ImageStore = pickle.loads(pickle.dumps(store))
    assert again == store
    file = pickle.loads(pickle.dumps(again.path(name_of(b"x"), "png")))
    assert read_image(file) == b"x"


def test_a_picture_far_away_has_no_path() -> None:
    with pytest.raises(PortrayalError, match=r"s3://b/p/ab/x.png: .* image.path.read_bytes\(\)"):
        os.fspath(RemoteImage("s3://b/p/ab/x.png"))


@pytest.mark.slow
@pytest.mark.parametrize("trouble", PASSING)
def test_what_goes_wrong_for_a_moment_is_asked_again(s3: S3Proxy, no_waits: None, trouble: str) -> None:
    store = RemoteImages(s3.address)
    (image, data) = (store.path(name_of(PICTURES[0]), "png"), PICTURES[0])
    store.add({(image.stem, "png"): data})
    empty = [] if trouble == "cut" else [lambda: store.add({(image.stem, "png"): data}), image.stat]  # cut answers
    for work in (image.read_bytes, store.folders, *empty):
        s3.troubles.extend([trouble] * (1 if trouble == "slow" else 4))
        work()
        assert not s3.troubles
    assert image.read_bytes() == data
    assert s3.objects() == {f"study/{image.stem[:2]}/{image.name}": data}


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["500", "reset", "cut"])
def test_what_goes_on_for_ever_is_one_line(s3: S3Proxy, no_waits: None, trouble: str) -> None:
    store = RemoteImages(s3.address)
    s3.always = trouble
    for work in (store.folders, store.path("a" * 64, "png").read_bytes):
        s3.asked.clear()
        with pytest.raises(StorageError, match=r"^s3://.*the store does not answer as it should.*run the same") as told:
            work()
        assert 5 <= len(s3.asked) <= 10  # a connection that breaks may be asked once more by itself
        assert SECRET not in str(told.value)
        assert str(told.value).isprintable()


@pytest.mark.slow
def test_a_refusal_is_not_asked_again(s3: S3Proxy) -> None:
    s3.always = "403"
    with pytest.raises(StorageError, match=r"the store refuses \(PermissionError: 403, on purpose\); .*credentials"):
        RemoteImages(s3.address).path("a" * 64, "png").read_bytes()
    assert len(s3.asked) == 1


def test_credentials_that_a_store_repeats_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "hunter2 and more")
    said = remote_files._said(PermissionError("no hunter2, no hunter2 and more, https://there/?sig=hunter"))
    assert said == "PermissionError: no ***, no ***, https://there/"


@pytest.mark.slow
def test_a_bucket_that_is_not_there_is_no_missing_picture(s3: S3Proxy) -> None:
    store = RemoteImages("s3://nobody-made-this/study")
    for work in (lambda: store.add({("a" * 64, "png"): b"x"}), store.path("a" * 64, "png").read_bytes, store.folders):
        with pytest.raises(StorageError, match=r"^s3://nobody-made-this: there is no such bucket"):
            work()


@pytest.mark.slow
def test_an_empty_object_is_damage(s3: S3Proxy) -> None:
    store = RemoteImages(s3.address)
    store.add({(name_of(b"whole"), "png"): b""})
    with pytest.raises(DamagedError, match="its bytes are not those that were stored"):
        store.path(name_of(b"whole"), "png").read_bytes()


@pytest.mark.parametrize(("scheme", "package"), [("gs", "gcsfs"), ("az", "adlfs")])
def test_a_package_that_is_not_installed_is_named(scheme: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else real(name))
    with pytest.raises(MissingExtraError, match=rf"images in {scheme}:// need {package}; install with: pip install"):
        RemoteImages(f"{scheme}://pictures").check()


@pytest.mark.slow
def test_nobody_to_ask_as_is_one_line(s3: S3Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(StorageError, match=r"the store refuses \(NoCredentialsError"):
        RemoteImages(s3.address).path("a" * 64, "png").read_bytes()
    assert s3.asked == []


class Elsewhere(BaseHTTPRequestHandler):
    """Another server, to which nothing is to come."""

    asked: ClassVar[list[str]] = []

    def answer(self) -> None:
        self.asked.append(f"{self.command} {self.headers}")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = do_HEAD = do_POST = answer  # noqa: N815 - as http.server names them

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.mark.slow
@pytest.mark.parametrize("work", ["write", "read", "list", "look"])
def test_no_redirect_takes_credentials_elsewhere(
    s3: S3Proxy, serve: Serve, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SESSION_TOKEN", "a-token-not-to-be-seen")
    Elsewhere.asked.clear()
    other = serve(ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere))
    store, name = RemoteImages(s3.address), name_of(b"picture")
    s3.elsewhere, s3.always = f"http://127.0.0.1:{other.server_address[1]}", "redirect"
    works: dict[str, Callable[[], object]] = {
        "write": lambda: store.add({(name, "png"): b"picture"}),
        "read": lambda: read_image(store.path(name, "png")),
        "list": store.folders,
        "look": lambda: store.path(name, "png").is_file(),
    }
    with pytest.raises(StorageError, match=r"the store leads elsewhere \(HTTP 307\); nothing is sent there"):
        works[work]()
    assert Elsewhere.asked == []
    s3.always = ""
    assert s3.objects() == {}


@pytest.mark.slow
@pytest.mark.usefixtures("no_waits")
def test_a_picture_counts_as_stored_when_the_store_has_it(s3: S3Proxy) -> None:
    store, name = RemoteImages(s3.address), name_of(b"picture")
    s3.always = "swallow"
    with pytest.raises(StorageError, match=r"it took a picture and does not have it\), asked 5 times"):
        store.add({(name, "png"): b"picture"})
    s3.always = ""
    s3.troubles.extend(["swallow"])
    store.add({(name, "png"): b"picture"})
    assert read_image(store.path(name, "png")) == b"picture"


@pytest.mark.usefixtures("no_waits")
def test_a_picture_of_another_size_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    files.mkdir("/bucket")
    put = type(files).pipe_file
    monkeypatch.setattr(type(files), "pipe_file", lambda self, path, data: put(self, path, data[:3]))
    try:
        with pytest.raises(StorageError, match="it took a picture of 7 bytes and has 3"):
            RemoteImages("memory://bucket/study").add({(name_of(b"picture"), "png"): b"picture"})
    finally:
        files.rm("/bucket", recursive=True)


@pytest.mark.parametrize("endpoint", ["no address", "foo", "http://[half"])
def test_an_endpoint_that_is_no_address_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, s3: S3Proxy, endpoint: str
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("portrayal.store.images.remote_files.time.sleep", waited.append)
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    remote_files._file_system.cache_clear()
    with pytest.raises(StorageError, match=r"the store cannot be asked \(.*\); correct its address"):
        RemoteImages(s3.address).folders()
    assert waited == []
