"""Planted keys are found nowhere, though the servers repeat them in everything they say."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.answering import AnswerHandler

from portrayal.errors import ServiceError
from portrayal.generators.openai import OpenAI, OpenAIOptions
from portrayal.records import Job
from portrayal.services import calls

pytestmark = pytest.mark.slow

KEY = "sk-zebrafish/KEY+0123456789abcdef"
LOGIN = "ann:zebrafish-0123456789abc"
SECRETS = (KEY, quote(KEY), quote(KEY, safe=""), LOGIN, base64.b64encode(LOGIN.encode()).decode())
KINDS = ("good", "refused", "bad", "broken", "limited", "malformed", "noimage", "link")
PROMPTS = "text,term,category\n" + "".join(f"a {kind} person,{kind},c\n" for kind in KINDS)
HASTY = """
import sys
from portrayal.services import calls
from portrayal.cli.main import main
calls.FIRST_WAIT = 0.01
"""
COMMAND = f"""
{HASTY}
sys.argv[0] = "portrayal"
main()
"""
FORCED = f"""
{HASTY}
from portrayal.study.generate import generate_images as generate
def forced(*arguments):
    raise RuntimeError("forced")
generate._commit = forced
sys.argv = ["portrayal", "generate", "study"]
main()
"""
BROKEN_SDK = f"""
{HASTY}
from openai.resources.images import Images
def broken(images, **parameters):
    raise RuntimeError(f"no longer works with {{images._client.api_key}}")
Images.generate = broken
sys.argv = ["portrayal", "generate", "study"]
main()
"""


class Echo(AnswerHandler):
    """Repeats the key it was sent; the prompt says in which kind of answer. It draws, looks, and is a web UI."""

    def do_GET(self) -> None:
        said = self.headers["authorization"]
        self.say(200, [{"title": "dream.safetensors [0123456789]"}, {"title": f"other {said}"}])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.endswith("/txt2img"):
            self._webui(body["prompt"].split()[1])
        elif self.path.endswith("/completions"):
            said = self.headers["authorization"]
            choice = {"message": {"content": f"I see {said}"}, "finish_reason": "stop"}
            self.say(200, {"model": f"seer of {said}", "choices": [choice], "usage": said})
        else:
            self._image(body["prompt"])

    def _webui(self, kind: str) -> None:
        said = self.headers["authorization"]
        if kind in ("bad", "broken"):
            self.say(500, {"error": said, "detail": f"you are {LOGIN}"})
            return
        picture = base64.b64encode(getattr(self.server, "picture", b"")).decode()
        info = {"sd_model_name": said, "sd_model_hash": "0123456789", "version": said}
        self.say(200, {"images": [picture], "info": json.dumps(info)})

    def _image(self, prompt: str) -> None:
        said = self.headers["authorization"]
        kind = prompt.split()[1]
        # Once at the very end of what is kept of a message: half a key must not stay either.
        ahead = "y" * 455 if kind == "broken" else "so"
        error = {"message": f"{ahead} you sent {said}, {quote(KEY)}", "type": said, "param": said}
        if getattr(self.server, "locked", False):
            self.say(401, {"error": {**error, "code": "invalid_api_key"}})
        elif kind == "refused":
            self.say(400, {"error": {**error, "code": "content_policy_violation"}})
        elif kind in ("bad", "broken", "limited"):
            status = {"bad": 400, "broken": 500, "limited": 429}[kind]
            self.say(status, {"error": {**error, "code": said}})
        elif kind == "malformed":
            self.say(200, f"{{{said}".encode())
        elif kind == "noimage":
            self.say(200, {"data": [{"b64_json": base64.b64encode(said.encode()).decode()}]})
        elif kind == "link":
            self.say(200, {"data": [{"url": f"ftp://{said}", "revised_prompt": said}]})
        else:
            picture = base64.b64encode(getattr(self.server, "picture", b"")).decode()
            self.say(200, {"data": [{"b64_json": picture, "revised_prompt": f"{prompt} for {said}"}]})


@pytest.fixture
def server(picture: Callable[..., bytes], serve: Callable[[Any], Any]) -> Any:
    found = serve(ThreadingHTTPServer(("127.0.0.1", 0), Echo))
    found.picture, found.locked = picture(), False
    return found


def options(server: Any) -> dict[str, Any]:
    url = f"http://127.0.0.1:{server.server_port}/v1"
    return {"base_url": url, "key_env": "PLANTED", "tries": 2, "price": 0.25}


@pytest.fixture
def study(server: Any, make_study: Callable[..., Path]) -> Path:
    url = f"http://127.0.0.1:{server.server_port}"
    login = {"checkpoint": "dream.safetensors [0123456789]", "key_env": "LOGIN", "tries": 2}
    generators = [
        {"use": "openai:echo", "images": 1, "options": options(server)},
        {"use": f"a1111:{url}", "images": 1, "options": login},
    ]
    looks = {"base_url": f"{url}/v1", "key_env": "PLANTED", "answers": 2, "price": [1.0, 1.0]}
    annotators = [{"use": "vlm:echo", "options": looks}, {"use": "faces"}]
    return make_study(prompts=PROMPTS, generators=generators, annotators=annotators, generate={"attempts": 1})


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PLANTED": KEY, "LOGIN": LOGIN, "OPENAI_LOG": "debug", "PYTHONUNBUFFERED": "1"}


def planted(text: str) -> bool:
    """Return whether a key, or a telling part of one, is in ``text``."""
    return any(spelling in text for spelling in (*SECRETS, "zebrafish", "0123456789abc"))


def test_no_file_and_no_line_of_a_study_holds_the_key(
    study: Path,
    environment: dict[str, str],
    cli: Callable[..., subprocess.CompletedProcess[str]],
    monkeypatch: pytest.MonkeyPatch,
    rows: Callable[[Path], dict[str, list[str]]],
    tree: Callable[[Path], dict[str, bytes | None]],
) -> None:
    exported = study.parent / "exported"
    words = [sys.executable, "-c", COMMAND, "run", str(study)]
    said = [subprocess.run(words, env=environment, capture_output=True, text=True, check=False)]
    for variable in ("PLANTED", "LOGIN"):
        monkeypatch.setenv(variable, environment[variable])
    said += [cli(word, study) for word in ("report", "status")]
    said += [cli("export", study, "--to", exported / kind, "--format", kind) for kind in ("csv", "jsonl")]
    assert [done.returncode for done in said] == [0] * 5, said
    assert "openai._base_client" in said[0].stderr  # the SDK did log
    for done in said:
        assert not planted(done.stdout + done.stderr)
    tables = rows(study)
    outcomes = [json.loads(row) for row in tables["outcomes"]]
    drawn = [row for row in outcomes if row["versions"].startswith("openai")]
    webui = [row for row in outcomes if row not in drawn]
    assert sorted(row["status"] for row in drawn) == ["failed"] * 6 + ["made", "refused"]
    assert sorted(row["status"] for row in webui) == ["failed"] * 2 + ["made"] * 6
    for column, rows_of in (("revised_prompt", drawn), ("detail", drawn), ("detail", webui), ("versions", webui)):
        assert any("***" in (row[column] or "") for row in rows_of), column
    seen = [json.loads(row)["text"] for row in tables["observations"]]
    assert {"seer of Bearer ***", "I see Bearer ***"} <= set(seen)
    assert not planted("".join(row for table in tables.values() for row in table))  # files may be packed
    written = {**tree(study), **{f"exported/{name}": data for name, data in tree(exported).items()}}
    files = {name: data for name, data in written.items() if data}
    assert len(files) > 5
    assert any(name.startswith("exported/jsonl/") for name in files)
    assert [name for name, data in files.items() if planted(data.decode("latin-1"))] == []


def test_a_traceback_holds_no_key(study: Path, environment: dict[str, str]) -> None:
    words = [sys.executable, "-X", "dev", "-W", "ignore", "-c", FORCED]
    done = subprocess.run(words, cwd=study.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "RuntimeError: forced" in done.stderr
    assert not planted(done.stdout + done.stderr)


def test_an_error_that_nobody_foresaw_holds_no_key(
    study: Path, environment: dict[str, str], rows: Callable[[Path], dict[str, list[str]]]
) -> None:
    words = [sys.executable, "-c", BROKEN_SDK]
    done = subprocess.run(words, cwd=study.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0
    failed = [json.loads(row) for row in rows(study)["outcomes"] if "unexpected_error" in row]
    assert len(failed) == len(KINDS)
    assert {row["detail"] for row in failed} == {"RuntimeError: no longer works with ***"}
    assert not planted(done.stdout + done.stderr)


def test_a_key_that_is_refused_is_one_line_without_it(
    server: Any, study: Path, environment: dict[str, str], command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    server.locked = True
    done = command("generate", study, env={**environment, "OPENAI_LOG": ""})
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert lines == [
        "error: generator 'openai': the service refuses the key in PLANTED (401); "
        "check options.key_env and what it names"
    ]
    assert not planted(done.stdout + done.stderr)


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_the_values_of_a_traceback_hold_no_key(server: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some tools print a traceback with all variables: where an error leaves us, they show no key either."""
    monkeypatch.setenv("PLANTED", KEY)
    monkeypatch.setattr(calls, "FIRST_WAIT", 0.01)
    generator = OpenAI("echo", OpenAIOptions(**options(server)))
    seen = list[str]()
    call = generator.service.call

    def watched(*arguments: Any) -> Any:
        try:
            return call(*arguments)
        except Exception as error:
            seen.extend(traceback.TracebackException.from_exception(error, capture_locals=True).format())
            raise

    monkeypatch.setattr(generator.service, "call", watched)
    job = Job("a", "p", "g", 0, 1, f"a {kind} person")
    outcome = next(generator.generate([job]))
    assert bool(seen) == (kind != "good")
    assert not planted("".join(seen))
    assert not planted(repr(outcome))
    server.locked = True
    with pytest.raises(ServiceError):
        next(generator.generate([job]))
    assert not planted("".join(seen))
