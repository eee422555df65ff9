"""A ComfyUI workflow, and the places in it where prompts and seeds go.

A workflow in ComfyUI's API format maps each node's id to its class, its inputs (a value, or a link to another node's
output) and its title. Nodes are found by a title that marks them or by an option that names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from portrayal.errors import InputError
from portrayal.jsonfile import read_json

__all__ = ["NodeInput", "Workflow", "load_workflow"]

NodeInput = tuple[str, str]
"""A node's id and the name of one of its inputs."""

Nodes = Mapping[str, Mapping[str, Any]]

_MARK = "portrayal:"
# What ComfyUI's own nodes call their texts: encoders for one text model or two (SDXL, Flux), and plain strings.
_TEXTS = ("text", "text_g", "text_l", "clip_l", "t5xxl", "prompt", "string", "value")
_SEEDS = ("seed", "noise_seed", "value")
_IMAGES = ("image", "value", "string")
_SAVERS = ("SaveImage", "PreviewImage")
_MODELS = ("ckpt_name", "unet_name")
_BATCH = "batch_size"


@dataclass(frozen=True, slots=True)
class Workflow:
    """A checked workflow: ``texts`` are where the prompt goes, ``output`` is the node whose image is taken.

    ``image`` is where the name of the picture to edit goes, None: the workflow edits none.
    """

    nodes: Nodes
    texts: tuple[NodeInput, ...]
    seed: NodeInput
    output: str
    image: NodeInput | None = None

    def filled(self, text: str, seed: int, image: str = "") -> dict[str, Any]:
        """Return the workflow for one image, of however many it draws at a time; this one stays as it is."""
        nodes = {node: {**content, "inputs": dict(content["inputs"])} for node, content in self.nodes.items()}
        for content in nodes.values():
            if isinstance(content["inputs"].get(_BATCH), int):
                content["inputs"][_BATCH] = 1
        for node, name in self.texts:
            nodes[node]["inputs"][name] = text
        nodes[self.seed[0]]["inputs"][self.seed[1]] = seed
        if self.image:
            nodes[self.image[0]]["inputs"][self.image[1]] = image
        return nodes

    @property
    def title(self) -> str:
        """The model files that the workflow loads, without folders and endings, joined by ``+``."""
        names = [
            content["inputs"][key] for content in self.nodes.values() for key in _MODELS if key in content["inputs"]
        ]
        files = {PurePosixPath(name.replace("\\", "/")).stem for name in names if isinstance(name, str)}
        return "+".join(sorted(files)) or "workflow"


@dataclass(frozen=True, slots=True)
class _WorkflowFile:
    """A workflow's file while it is checked: ``where`` begins every message."""

    where: str
    nodes: Nodes

    def marked(self, role: str) -> list[str]:
        """Return the nodes whose title marks them for ``role``."""
        titles = {node: content.get("_meta") for node, content in self.nodes.items()}
        wanted = _MARK + role
        return [
            node
            for node, meta in titles.items()
            if isinstance(meta, Mapping) and str(meta.get("title", "")).strip().casefold() == wanted
        ]

    def inputs(self, role: str, option: str, names: Sequence[str], kind: type) -> tuple[NodeInput, ...]:
        """Return the inputs for ``role``: the one that ``option`` names, or those of the marked node."""
        if option:
            node, _, name = option.rpartition(".")
            return (self.input(self.known(node, f"{role}_node"), name, kind),)
        marked = self.marked(role)
        if not marked:
            raise InputError(
                f"{self.where}: no node is titled '{_MARK}{role}'; give the node that title in ComfyUI and export "
                f'again, or name its input: {role}_node = "ID.{names[0]}"'
            )
        if len(marked) > 1:
            raise InputError(
                f"{self.where}: nodes {', '.join(marked)} are all titled '{_MARK}{role}'; "
                "keep one and let it feed the others"
            )
        inputs = self.nodes[marked[0]]["inputs"]
        present = [name for name in names if name in inputs]
        if not present:
            raise InputError(
                f"{self.where}: node {marked[0]} ({self.nodes[marked[0]]['class_type']}) has no input "
                f'{_either(names)}; name the right one: {role}_node = "{marked[0]}.INPUT"'
            )
        return tuple(self.input(marked[0], name, kind) for name in present)

    def input(self, node: str, name: str, kind: type) -> NodeInput:
        """Return an input that holds a ``kind``; one that another node feeds cannot be set."""
        inputs = self.nodes[node]["inputs"]
        if name not in inputs:
            raise InputError(f"{self.where}: node {node} has no input '{name}'; it has {', '.join(inputs) or 'none'}")
        value = inputs[name]
        if isinstance(value, list):
            raise InputError(f"{self.where}: input '{name}' of node {node} comes from node {value[0]}; mark that one")
        if not isinstance(value, kind) or isinstance(value, bool):
            needed = "a whole number" if kind is int else "a text"
            raise InputError(f"{self.where}: input '{name}' of node {node} holds {value!r}, where {needed} is needed")
        return node, name

    def known(self, node: str, option: str) -> str:
        """Return ``node`` if the workflow has it."""
        if node not in self.nodes:
            raise InputError(f"{self.where}: no node {node!r}, which option {option} names; it has {_few(self.nodes)}")
        return node

    def output(self, option: str) -> str:
        """Return the node whose image is taken: named, marked, or the only one that saves (else previews) images."""
        if option:
            return self.known(option, "output_node")
        savers = self.marked("output")
        for saver in _SAVERS:
            savers = savers or [node for node, content in self.nodes.items() if content["class_type"] == saver]
        if not savers:
            raise InputError(
                f"{self.where}: no SaveImage or PreviewImage node; add one, or title the one that saves '{_MARK}output'"
            )
        if len(savers) > 1:
            raise InputError(
                f"{self.where}: nodes {', '.join(savers)} all give images; "
                f'name the one to take: output_node = "{savers[0]}"'
            )
        return savers[0]


def load_workflow(
    path: Path, prompt_node: str = "", seed_node: str = "", output_node: str = "", image_node: str = ""
) -> Workflow:
    """Read a workflow; whatever is wrong with it is one line with the file's name.

    Raises
    ------
    InputError
        When the file is no workflow in API format, or a place for the prompt, the seed or the image is not clear.
    """
    source = _WorkflowFile(str(path), _read(path))
    texts = source.inputs("prompt", prompt_node, _TEXTS, str)
    seed = source.inputs("seed", seed_node, _SEEDS, int)[0]
    edits = bool(image_node or source.marked("image"))
    image = source.inputs("image", image_node, _IMAGES, str)[0] if edits else None
    return Workflow(source.nodes, texts, seed, source.output(output_node), image)


def _read(path: Path) -> Nodes:
    try:
        data = read_json(path)
    except InputError as error:
        raise InputError(f"{error}; export the workflow from ComfyUI with Export (API)") from None
    if isinstance(data, dict) and isinstance(data.get("nodes"), list):
        raise InputError(
            f"{path}: this is the editor's own format; export it with Workflow > Export (API) "
            "(in old versions: Save (API Format), after enabling the dev mode options)"
        )
    if not isinstance(data, dict) or not data or not all(map(_is_node, data.values())):
        raise InputError(f"{path}: no workflow in API format (node ids with class_type and inputs); use Export (API)")
    return data


def _is_node(content: Any) -> bool:
    return (
        isinstance(content, dict)
        and isinstance(content.get("class_type"), str)
        and isinstance(content.get("inputs"), dict)
    )


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _few(names: Iterable[str], most: int = 12) -> str:
    known = list(names)
    return ", ".join(known[:most]) + (", ..." if len(known) > most else "")
