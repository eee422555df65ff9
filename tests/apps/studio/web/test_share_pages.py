"""Taking away: any view as a folder without a server, pictures byte for byte, and files that commands make."""

from __future__ import annotations

import hashlib
import io
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies

pytestmark = pytest.mark.slow


@pytest.fixture
def client(tmp_path: Path, start: Callable[..., Any], add_finished: Callable[..., Path]) -> Any:
    add_finished(tmp_path / "one", 40)
    return start().client()


def unzipped(content: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(content))
    return {name: archive.read(name) for name in archive.namelist()}


def test_a_view_is_a_folder_of_its_pages_and_pictures(tmp_path: Path, client: Any) -> None:
    [study] = list_studies(tmp_path)
    page = client.get(f"/s/{study.key}/pictures").text
    assert f"/copy?of=/s/{study.key}/pictures" in page
    files = unzipped(client.get(f"/copy?of=/s/{study.key}/pictures?page=2").content)
    pages = {name: data.decode() for name, data in files.items() if name.endswith(".html")}
    assert list(pages) == ["view/index.html", "view/page-2.html"]
    shown = [name for text in pages.values() for name in re.findall(r'<img[^>]* src="([^"]+)"', text)]
    assert len(shown) == 80
    assert {f"view/{name}" for name in shown} == {name for name in files if name.startswith("view/pictures/")}
    assert all(files[f"view/{name}"][:2] == b"\xff\xd8" for name in shown)
    text = pages["view/index.html"]
    assert 'href="page-2.html"' in text
    assert not re.search(r"<(script|form|input|button|select)|csrf|href=\"/|src=\"/", text)
    assert "&lt;b&gt;CEO" in text
    assert b".wall" in files["view/style.css"]
    for path in ("", f"/s/{study.key}/settings", f"/copy?of=/s/{study.key}", "//evil.example/", "/s/000000000000"):
        assert client.get(f"/copy?of={path}").status_code == 404
    for path in (f"/s/{study.key}", f"/s/{study.key}/decide", "/atlas", "/history"):
        assert unzipped(client.get(f"/copy?of={path}").content)["view/index.html"].count(b"</main>") == 1


def test_pictures_are_taken_byte_for_byte(tmp_path: Path, client: Any) -> None:
    [study] = list_studies(tmp_path)
    women = [row["file"] for row in Study(tmp_path / "one").images() if row["gender"] == "female"]
    files = unzipped(client.get(f"/s/{study.key}/originals.zip?gender=female").content)
    assert len(files) == len(set(women))
    assert all(hashlib.sha256(data).hexdigest() in name for name, data in files.items())


def test_files_are_made_by_the_commands(tmp_path: Path, client: Any) -> None:
    [study] = list_studies(tmp_path)
    path = f"/s/{study.key}/share"
    page = client.get(path)
    assert client.get(f"/s/{study.key}/packed/tables").status_code == 404
    assert client.send(path, page, {"form": "../x"}).status_code == 422
    for form in ("tables", "bundle"):
        client.send(path, page, {"form": form})
    while "is being made" in client.get(path).text:
        time.sleep(0.2)
    tables = unzipped(client.get(f"/s/{study.key}/packed/tables").content)
    assert "one/measurements.csv" in tables
    bundle = client.get(f"/s/{study.key}/packed/bundle")
    assert bundle.headers["content-disposition"] == 'attachment; filename="one.portrayal"'
    assert "study.toml" in zipfile.ZipFile(io.BytesIO(bundle.content)).namelist()
    (tmp_path / "one" / "study.toml").write_text("[study]\n")
    client.send(path, page, {"form": "figures"})
    while "is being made" in (said := client.get(path).text):
        time.sleep(0.2)
    assert "did not work" in said
