"""Where a study's images lie: in its folder, or in the store that ``study.toml`` names."""

from __future__ import annotations

import shlex
from pathlib import Path

from portrayal.errors import ConfigError, StudyError
from portrayal.store.images.allowed_stores import is_allowed
from portrayal.store.images.image_address import normal_address
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import ImageStore
from portrayal.store.images.remote_images import RemoteImages

__all__ = ["open_images"]


def open_images(address: str, root: Path, config: Path) -> ImageStore:
    """Return the image store of the study at ``root``; ``address`` is what its ``config`` says, "" its own folder.

    Nothing is asked of a store in a network yet.
    """
    beside = ImageFolder(root / "images")
    if not address:
        return beside
    try:
        store = normal_address(address, root)
    except ConfigError as error:
        raise ConfigError(f"{config}: [storage] images: {error}") from None
    if store == normal_address("images", root):
        return beside
    if not is_allowed(store):
        raise StudyError(
            f"{config}: [storage] keeps images in {store}, which you have not allowed on this machine; "
            f"if you trust the study: portrayal stores allow {shlex.quote(store)}"
        )
    if beside.folders():
        raise StudyError(
            f"{beside.folder}: there are images here, and [storage] in study.toml says that they are in {store}; move "
            "what is in this folder there, then delete it; or take [storage] out"
        )
    if "://" in store:
        return RemoteImages(store)
    images = ImageFolder(Path(store), shared=True)
    images.check()
    return images
