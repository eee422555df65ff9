"""An image store in a bucket of S3, Google Cloud Storage or Azure, through fsspec.

An object appears whole or not at all, and under the name of its bytes, so writers need no lock.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from portrayal.errors import PortrayalError, StorageError
from portrayal.inputfile import LARGEST
from portrayal.store.images.image_name import check_image, damaged, image_name, promised
from portrayal.store.images.remote_files import CONNECTIONS, ask

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["RemoteImage", "RemoteImages"]


class RemoteSize(NamedTuple):
    """The bytes of an object."""

    st_size: int


@dataclass(frozen=True, slots=True, order=True)
class RemoteImage:
    """A picture in a store; any process can read it."""

    address: str

    @property
    def name(self) -> str:
        """The name with its ending."""
        return PurePosixPath(self.address).name

    @property
    def stem(self) -> str:
        """The name without the ending: the SHA-256 of its bytes."""
        return PurePosixPath(self.address).stem

    @property
    def suffix(self) -> str:
        """The ending with its dot."""
        return PurePosixPath(self.address).suffix

    def is_file(self) -> bool:
        """Return whether it is there."""
        try:
            self.stat()
        except FileNotFoundError:
            return False
        return True

    def stat(self) -> RemoteSize:
        """Return its size."""
        return RemoteSize(ask(self.address, lambda files, path: int(files.info(path)["size"])))

    def read_bytes(self) -> bytes:
        """Return its bytes, compared with its name."""
        data = ask(self.address, _read)
        if len(data) > LARGEST:
            raise damaged(f"{self.address}: has more than the {LARGEST:,} bytes that are read")
        check_image(self, data)
        return data

    def __str__(self) -> str:
        return self.address

    def __fspath__(self) -> str:
        raise PortrayalError(
            f"{self.address}: the image is no file of this machine, so it cannot be opened by its path; a part of your "
            "own reads it with image.path.read_bytes()"
        )


@dataclass(frozen=True, slots=True)
class RemoteImages:
    """Pictures in ``address/ab/<sha256>.<ext>``; the address has a scheme, a bucket and perhaps a prefix."""

    address: str
    shared: bool = True

    @property
    def where(self) -> str:
        """The address."""
        return self.address

    def path(self, image: str, ext: str) -> RemoteImage:
        """Return where ``image`` is or would be."""
        return RemoteImage(f"{self.address}/{image_name(self.address, image, ext)}")

    def add(self, pictures: Mapping[tuple[str, str], bytes]) -> None:
        """Store pictures by name and file ending; when this returns, the store has all of them."""
        addresses = {self.path(image, ext).address: data for (image, ext), data in pictures.items()}
        if addresses:
            with ThreadPoolExecutor(min(CONNECTIONS, len(addresses))) as pool:
                list(pool.map(_write, addresses.keys(), addresses.values()))

    def folders(self) -> list[str]:
        """Return the names of the folders that pictures lie in."""
        names = (PurePosixPath(name).name for name in self._listed(self.address))
        return sorted(name for name in names if len(name) == 2)

    def paths(self, folder: str) -> list[RemoteImage]:
        """Return the pictures in one of the folders."""
        names = (PurePosixPath(name).name for name in self._listed(f"{self.address}/{folder}"))
        images = (RemoteImage(f"{self.address}/{folder}/{name}") for name in sorted(names))
        return [image for image in images if promised(image)]

    def check(self) -> None:
        """Ask the store once, so that a wrong bucket or missing credentials show before any work is done."""
        self.folders()

    def clean(self) -> None:
        """Do nothing: an object is never half-written."""

    def _listed(self, address: str) -> list[str]:
        try:
            return ask(address, lambda files, path: [str(name) for name in files.ls(path, detail=False)])
        except FileNotFoundError:
            return []  # no picture has been stored yet


def _write(address: str, data: bytes) -> None:
    # Not looked for first: that would be a request more for each picture, and a damaged one would stay.
    try:
        ask(address, lambda files, path: _put(files, path, data))
    except FileNotFoundError as error:
        raise StorageError(f"{address}: cannot be written: {error}; correct [storage] in study.toml") from None


def _read(files: AbstractFileSystem, path: str) -> bytes:
    try:
        return bytes(files.cat_file(path, start=0, end=LARGEST + 1))
    except OSError as error:
        if error.errno == errno.EINVAL and files.info(path)["size"] == 0:
            return b""  # S3 knows no part of nothing
        raise


def _put(files: AbstractFileSystem, path: str, data: bytes) -> None:
    """Store a picture, and ask whether it is there: an answer of success may come from somebody else."""
    files.pipe_file(path, data)
    try:
        size = int(files.info(path)["size"])
    except FileNotFoundError:
        raise OSError("it took a picture and does not have it") from None
    if size != len(data):
        raise OSError(f"it took a picture of {len(data)} bytes and has {size}")
