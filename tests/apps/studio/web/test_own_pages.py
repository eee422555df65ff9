"""Pictures sent to the studio: whose they may be, what is kept, and what nobody gets to see of them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from tests.apps.studio.conftest import PageClient

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import STATE, list_studies

ABOUT = {"title": "Ours", "layout": "flat", "model": "Service", "prompt": "a nurse", "reference": "uniform"}


def picture(number: int = 0, **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), (number, 90, 90)).save(buffer, "JPEG", **options)
    return buffer.getvalue()


def token_of(page: httpx2.Response) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
    assert found
    return found[1]


def bring(client: PageClient, files: dict[str, bytes], token: str | None = None, field: str = "files") -> Any:
    token = token_of(client.get("/own")) if token is None else token
    return client.http.post("/own", data={"csrf": token}, files=[(field, item) for item in files.items()])


def kept(root: Path) -> list[Path]:
    return [path for path in (root / STATE).glob("uploads/*/**/*") if path.is_file()]


def test_pictures_come_in_and_become_a_study(tmp_path: Path, start: Callable[..., Any]) -> None:
    client = start().client()
    camera = Image.Exif()
    camera[0x010F] = "SECRETCAMERA"
    answer = bring(client, {"IMG_1.png": picture(1, exif=camera), "IMG_2.jpg": picture(2), "notes.txt": b"x"})
    page = client.follow(answer)
    assert "2 pictures came in" in page.text.replace("\xa0", " ")
    assert "notes.txt" in page.text
    lot = answer.headers["location"]
    refused = client.send(lot, page, {**ABOUT, "model": ""})
    assert (refused.status_code, "who made the pictures" in refused.text) == (422, True)
    client.follow(client.send(lot, page, ABOUT))
    study = Study(tmp_path / "ours")
    study.plan(progress=False)
    assert study.status.outcomes == {"Service": {"made": 2}}
    (listed,) = list_studies(tmp_path)
    names = re.findall(r"/picture/([0-9a-f]{64}\.\w+)", client.get(f"/s/{listed.key}/pictures").text)
    shown = [client.get(f"/s/{listed.key}/{kind}/{name}") for kind in ("image", "thumbnail") for name in names]
    assert [picture.status_code for picture in shown] == [200] * 4
    assert not any(b"SECRETCAMERA" in picture.content for picture in shown)
    assert client.get(lot).status_code == 404
    assert kept(tmp_path) == []


def test_a_folder_and_an_archive_keep_their_folders(tmp_path: Path, start: Callable[..., Any]) -> None:
    client = start().client()
    files = {f"mine/{model}/a nurse/{number}.jpg": picture(number) for number, model in enumerate(["sdxl", "flux"])}
    page = client.follow(bring(client, files, field="folder"))
    assert "2 models, 1 prompt" in page.text.replace("\xa0", " ")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a nurse/1.jpg", picture(3))
        archive.writestr("../../../out.jpg", picture(4))
    page = client.follow(bring(client, {"x.zip": buffer.getvalue()}))
    assert "Each folder is a prompt" in page.text
    assert not list(tmp_path.rglob("out.jpg"))


def test_nothing_is_kept_of_strangers_and_forged_forms(tmp_path: Path, start: Callable[..., Any]) -> None:
    studio = start()
    stranger, client = studio.client(entered=False), studio.client()
    assert bring(stranger, {"a.jpg": picture()}, token_of(stranger.get("/"))).status_code == 403
    assert bring(client, {"a.jpg": picture()}, "0" * 64).status_code == 403
    assert bring(client, {"a.jpg": picture()}, "").status_code == 403
    headers = {"Origin": "http://evil.example"}
    data = {"csrf": token_of(client.get("/own"))}
    assert client.http.post("/own", data=data, files={"files": ("a.jpg", b"")}, headers=headers).status_code == 403
    for lot in ("0" * 16, "x", "%2e%2e%2fuploads"):
        assert client.get(f"/own/{lot}").status_code == 404
        assert client.send(f"/own/{lot}", client.get("/own"), ABOUT).status_code == 404
    assert stranger.get("/own").status_code == 403
    assert kept(tmp_path) == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"": b""}, "Please choose pictures"),
        ({"notes.txt": b"x"}, "No picture was among the files: notes.txt"),
        ({"x.zip": b"no archive"}, "x.zip cannot be unpacked"),
        ({"a.csv": b"path\n"}, "No picture that can be read"),
        ({"../../a.jpg": b"x"}, "Please choose pictures"),
    ],
)
def test_what_is_no_picture_is_a_sentence(
    tmp_path: Path, start: Callable[..., Any], files: dict[str, bytes], said: str
) -> None:
    answer = bring(start().client(), files)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert kept(tmp_path) == []


def test_other_bodies_and_other_addresses_are_refused(tmp_path: Path, start: Callable[..., Any]) -> None:
    client = start().client()
    token = token_of(client.get("/own"))
    assert client.post("/own", {"csrf": token}).status_code == 415
    broken = client.http.post(
        "/own", content=b"--x\r\nhello", headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert broken.status_code == 400
    assert client.http.post("/new", data={"csrf": token}, files={"files": ("a.jpg", b"1")}).status_code == 415
    assert kept(tmp_path) == []
