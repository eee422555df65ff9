"""How well a picture fits its own prompt, for a model that compares images with texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portrayal import hub
from portrayal.errors import InputError
from portrayal.vision.network import FROM_FOLDER, chosen_device

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["ClipModel"]


class ClipModel:
    """A loaded CLIP, or another that works like it."""

    def __init__(self, part: str, folder: Path, device: str) -> None:
        import torch
        from transformers import AutoModel, AutoProcessor

        self._torch = torch
        self._device = chosen_device(device)
        # Pillow shrinks the pictures, whatever else is installed: other ways give slightly other numbers.
        processor = AutoProcessor.from_pretrained(folder, backend="pil", **FROM_FOLDER)
        network, loaded = AutoModel.from_pretrained(folder, output_loading_info=True, **FROM_FOLDER)
        if not hasattr(network, "get_image_features") or not hasattr(network, "get_text_features"):
            raise InputError(f"{part}: {folder} holds no model that compares images with texts; take a CLIP")
        hub.check_complete(part, folder, loaded)
        self._longest = int(network.config.text_config.max_position_embeddings)
        self._network = network.float().eval().to(self._device)
        self._pixels, self._words = processor.image_processor, processor.tokenizer

    def cosines(self, pictures: Sequence[Picture], texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosine of each picture with the text at its place; a text too long for the model is cut off."""
        different = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        # On a GPU convolutions are rounded to fewer digits, unless forbidden.
        exact = self._torch.backends.cudnn.flags(enabled=True, allow_tf32=False)
        with self._torch.inference_mode(), exact:
            pixels = self._pixels(images=list(pictures), return_tensors="pt")["pixel_values"].to(self._device)
            seen = self._network.get_image_features(pixel_values=pixels).pooler_output
            told = self._encoded(list(different))[[different[text] for text in texts]]
            cosines: NDArray[np.float32] = self._torch.cosine_similarity(seen, told, dim=-1).cpu().numpy()
        return cosines

    def _encoded(self, texts: list[str]) -> Any:
        tokens = self._words(
            texts, padding="max_length", truncation=True, max_length=self._longest, return_tensors="pt"
        )
        return self._network.get_text_features(**tokens.to(self._device)).pooler_output
