"""The inputs of a carried model: all but one are taken out, and nothing else changes."""

from __future__ import annotations

from portrayal.annotators.likeness.face_embedding import _fields, without_inputs


def text(number: int, body: bytes) -> bytes:
    return bytes([number << 3 | 2, len(body)]) + body


def test_only_the_wanted_input_is_left() -> None:
    inputs = [text(11, text(1, name)) for name in (b"data", b"weight")]
    graph = text(1, b"node") + inputs[0] + inputs[1] + bytes([5 << 3, 200, 1]) + bytes([6 << 3 | 5, 1, 2, 3, 4])
    model = bytes([1 << 3, 8]) + text(7, graph) + text(8, b"opset")
    found = without_inputs(model, b"data")
    assert found == model.replace(text(7, graph), text(7, graph.replace(inputs[1], b"")))
    assert without_inputs(found, b"data") == found


def test_long_graphs_keep_their_length() -> None:
    graph = text(1, b"x" * 100) + text(1, b"y" * 100)
    model = bytes([7 << 3 | 2, 0xCC, 0x01]) + graph
    assert without_inputs(model, b"data") == model
    assert [number for number, _, _ in _fields(model)] == [7]
