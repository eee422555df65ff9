from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import InputError
from portrayal.generators.comfyui.workflow import Workflow, load_workflow

# As ComfyUI exports its default text-to-image workflow, with two titles changed.
NODES: dict[str, Any] = {
    "3": {
        "inputs": {
            "seed": 156680208700286,
            "steps": 20,
            "cfg": 8,
            "sampler_name": "euler",
            "scheduler": "normal",
            "denoise": 1,
            "model": ["4", 0],
            "positive": ["6", 0],
            "negative": ["7", 0],
            "latent_image": ["5", 0],
        },
        "class_type": "KSampler",
        "_meta": {"title": "portrayal:seed"},
    },
    "4": {
        "inputs": {"ckpt_name": "sdxl\\sd_xl_base_1.0.safetensors"},
        "class_type": "CheckpointLoaderSimple",
        "_meta": {"title": "Load Checkpoint"},
    },
    "5": {
        "inputs": {"width": 512, "height": 512, "batch_size": 1},
        "class_type": "EmptyLatentImage",
        "_meta": {"title": "Empty Latent Image"},
    },
    "6": {
        "inputs": {"text": "a bottle", "clip": ["4", 1]},
        "class_type": "CLIPTextEncode",
        "_meta": {"title": "Portrayal:prompt "},
    },
    "7": {
        "inputs": {"text": "watermark", "clip": ["4", 1]},
        "class_type": "CLIPTextEncode",
        "_meta": {"title": "CLIP Text Encode (Prompt)"},
    },
    "8": {"inputs": {"samples": ["3", 0], "vae": ["4", 2]}, "class_type": "VAEDecode"},
    "9": {
        "inputs": {"filename_prefix": "ComfyUI", "images": ["8", 0]},
        "class_type": "SaveImage",
        "_meta": {"title": "Save Image"},
    },
}


def written(folder: Path, nodes: Any) -> Path:
    path = folder / "workflow.json"
    path.write_text(json.dumps(nodes), encoding="utf-8")
    return path


def changed(**nodes: Any) -> dict[str, Any]:
    """Return the workflow with nodes added, replaced or (None) taken out; ``n6`` is node 6."""
    whole: dict[str, Any] = copy.deepcopy(NODES) | {key.removeprefix("n"): node for key, node in nodes.items()}
    return {key: node for key, node in whole.items() if node is not None}


def titled(title: str, kind: str = "CLIPTextEncode", **inputs: Any) -> dict[str, Any]:
    return {"inputs": inputs, "class_type": kind, "_meta": {"title": title}}


def test_marked_nodes_are_found_and_filled(tmp_path: Path) -> None:
    workflow = load_workflow(written(tmp_path, NODES))
    assert (workflow.texts, workflow.seed, workflow.output) == ((("6", "text"),), ("3", "seed"), "9")
    assert workflow.title == "sd_xl_base_1.0"
    filled = workflow.filled("a photo of one nurse", 7)
    expected = copy.deepcopy(NODES)
    expected["6"]["inputs"]["text"], expected["3"]["inputs"]["seed"] = "a photo of one nurse", 7
    assert filled == expected
    assert workflow.nodes == NODES, "the next job gets the same workflow"


@pytest.mark.slow
@given(st.text(), st.integers(0, 2**32 - 1))
def test_filling_changes_nothing_else(text: str, seed: int) -> None:
    workflow = Workflow(NODES, (("6", "text"),), ("3", "seed"), "9")
    filled = workflow.filled(text, seed)
    assert (filled["6"]["inputs"]["text"], filled["3"]["inputs"]["seed"]) == (text, seed)
    filled["6"]["inputs"]["text"], filled["3"]["inputs"]["seed"] = "a bottle", 156680208700286
    assert filled == NODES
    assert list(filled) == list(NODES)


def test_nodes_can_be_named_instead(tmp_path: Path) -> None:
    path = written(tmp_path, changed(n10=titled("Save", "SaveImage", images=["8", 0])))
    workflow = load_workflow(path, "7.text", "3.steps", "10")
    assert (workflow.texts, workflow.seed, workflow.output) == ((("7", "text"),), ("3", "steps"), "10")


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        ({"text_g": "", "text_l": "", "width": 1024, "clip": ["4", 1]}, ["text_g", "text_l"]),
        ({"clip_l": "", "t5xxl": "", "guidance": 3.5}, ["clip_l", "t5xxl"]),
        ({"value": "a text that feeds several encoders"}, ["value"]),
    ],
)
def test_encoders_of_two_text_models_get_the_prompt_twice(
    tmp_path: Path, inputs: dict[str, Any], names: list[str]
) -> None:
    workflow = load_workflow(written(tmp_path, changed(n6=titled("portrayal:prompt", **inputs))))
    assert workflow.texts == tuple(("6", name) for name in names)
    assert {workflow.filled("x", 1)["6"]["inputs"][name] for name in names} == {"x"}


def test_other_seeds_models_and_outputs(tmp_path: Path) -> None:
    nodes = changed(
        n3=titled("KSampler", "SamplerCustomAdvanced", noise=["25", 0]),
        n25=titled("portrayal:seed", "RandomNoise", noise_seed=1),
        n4=titled("Load", "UNETLoader", unet_name="flux1-dev.safetensors"),
        n9=titled("Preview", "PreviewImage", images=["8", 0]),
    )
    workflow = load_workflow(written(tmp_path, nodes))
    assert (workflow.seed, workflow.output, workflow.title) == (("25", "noise_seed"), "9", "flux1-dev")
    nodes["4"]["inputs"] = {}
    nodes["30"] = titled("portrayal:output", "MySaver", images=["8", 0])
    workflow = load_workflow(written(tmp_path, nodes))
    assert (workflow.output, workflow.title) == ("30", "workflow")


@pytest.mark.parametrize(
    ("nodes", "options", "message"),
    [
        ({"nodes": [], "links": [], "version": 0.4}, {}, r"the editor's own format; export it with .* Export \(API\)"),
        ([], {}, "no workflow in API format"),
        ({}, {}, "no workflow in API format"),
        ({"3": {"inputs": {}}}, {}, "no workflow in API format"),
        ({"3": {"class_type": "KSampler", "inputs": []}}, {}, "no workflow in API format"),
        (changed(n6=None), {}, r"no node is titled 'portrayal:prompt'; .* prompt_node = \"ID.text\""),
        (changed(n3=titled("x", seed=1)), {}, r"no node is titled 'portrayal:seed'; .* seed_node = \"ID.seed\""),
        (changed(n7=NODES["6"]), {}, "nodes 6, 7 are all titled 'portrayal:prompt'; keep one"),
        (
            changed(n6=titled("portrayal:prompt", words="")),
            {},
            r"node 6 \(CLIPTextEncode\) has no input text, .* or value; name the right one: prompt_node = \"6.INPUT\"",
        ),
        (changed(n6=titled("portrayal:prompt", text=["20", 0])), {}, "'text' of node 6 comes from node 20; mark that"),
        (changed(n6=titled("portrayal:prompt", text=3)), {}, "'text' of node 6 holds 3, where a text is needed"),
        (changed(n3=titled("portrayal:seed", seed=True)), {}, "'seed' of node 3 holds True, where a whole number"),
        (changed(n3=titled("portrayal:seed", seed=0.5)), {}, "'seed' of node 3 holds 0.5, where a whole number"),
        (
            NODES,
            {"prompt_node": "60.text"},
            r"no node '60', which option prompt_node names; it has 3, 4, 5, 6, 7, 8, 9",
        ),
        (NODES, {"seed_node": "3.sead"}, r"node 3 has no input 'sead'; it has seed, steps"),
        (NODES, {"output_node": "99"}, "no node '99', which option output_node names"),
        (changed(n9=None), {}, "no SaveImage or PreviewImage node; add one, or title the one that saves 'portrayal:ou"),
        (changed(n10=NODES["9"]), {}, r"nodes 9, 10 all give images; name the one to take: output_node = \"9\""),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, nodes: Any, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_workflow(written(tmp_path, nodes), **options)
    assert str(caught.value).startswith(f"{tmp_path / 'workflow.json'}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_workflow(tmp_path / "gone.json")
    for content in (b"{", b"\xff\xfe", b'{"3": NaN}', b"[" * 100_000):
        (tmp_path / "bad.json").write_bytes(content)
        with pytest.raises(InputError, match=r"bad\.json:.+; export the workflow"):
            load_workflow(tmp_path / "bad.json")
