"""What an image store is: every picture once, under the SHA-256 of its bytes, wherever it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from portrayal.errors import InputError, StorageError
from portrayal.inputfile import read_regular
from portrayal.picturefile import ImageFile
from portrayal.store.images.image_name import check_image, damaged, promised

__all__ = ["ImageStore", "read_image"]


class ImageStore(Protocol):
    """Pictures as ``ab/<sha256>.<ext>``. Storing the same bytes twice is harmless. It can be pickled."""

    @property
    def shared(self) -> bool:
        """Whether every worker reaches it, and so writes to it itself: then only rows travel."""
        ...

    @property
    def where(self) -> str:
        """Where it is: an address, or a folder as seen from the study's."""
        ...

    def path(self, image: str, ext: str) -> ImageFile:
        """Return where ``image`` is or would be; a DamagedError when that is no name of a picture."""
        ...

    def add(self, pictures: Mapping[tuple[str, str], bytes]) -> None:
        """Store pictures by name and file ending; when this returns, all of them are safe."""
        ...

    def folders(self) -> list[str]:
        """Return the names of the folders that pictures lie in."""
        ...

    def paths(self, folder: str) -> Sequence[ImageFile]:
        """Return the pictures in one of the folders."""
        ...

    def check(self) -> None:
        """Raise an error when it cannot be used: better before an image is paid for than after."""
        ...

    def clean(self) -> None:
        """Delete what a crash left half-written, where nobody else can be writing."""
        ...


def read_image(file: ImageFile) -> bytes:
    """Return the bytes of a picture's file; one of an image store is compared with its name."""
    if not isinstance(file, Path):
        return file.read_bytes()  # compares them itself
    try:
        data = read_regular(file)
    except InputError as error:
        raise damaged(str(error)) if promised(file) else error from None
    except FileNotFoundError:
        raise
    except OSError as error:
        if not promised(file):
            raise
        # A picture of the study's own that the disk does not give is no answer about the picture.
        raise StorageError(
            f"{file}: cannot be read ({error.strerror}); nothing recorded is lost: run the same command again"
        ) from None
    check_image(file, data)
    return data
