from __future__ import annotations

from collections.abc import Iterator, Sequence

from portrayal.annotators import Observed, Streaming
from portrayal.records import Image


class Looks:
    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        yield from ()


class Streams(Looks):
    def stream(self, batches: Iterator[Sequence[Image]]) -> Iterator[tuple[Sequence[Image], Sequence[Observed]]]:
        yield from ((batch, []) for batch in batches)


def test_who_streams() -> None:
    assert isinstance(Streams(), Streaming)
    assert not isinstance(Looks(), Streaming)
