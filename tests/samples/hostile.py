"""Files of a megabyte that are made to take as much memory and time as can be, for each format."""

from __future__ import annotations

import itertools
import json
import string
from collections.abc import Iterator

SIZE = 1_000_000
"""Bytes."""


def hostile_files(name: str, whole: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield what each file is, and its bytes; ``whole`` is one that can be read."""
    kinds = {"csv": _csv, "toml": _toml, "json": _json, "jsonld": _json, "graphml": _graphml, "ttl": _turtle}
    yield "zeros", bytes(SIZE)
    yield "one line", b"x" * SIZE
    for kind, data in kinds[name.rpartition(".")[2]](whole.decode()):
        yield kind, data.encode()[:SIZE] if kind.startswith("cut ") else data.encode()


def _names() -> Iterator[str]:
    """Yield different names, short ones first."""
    letters = string.ascii_letters + string.digits
    for length in itertools.count(1):
        yield from map("".join, itertools.product(letters, repeat=length))


def _filled(parts: Iterator[str], joint: str = "") -> str:
    """Return parts up to the size."""
    taken, size = [], 0
    for part in parts:
        taken.append(part)
        size += len(part) + len(joint)
        if size >= SIZE:
            break
    return joint.join(taken)


def _csv(whole: str) -> Iterator[tuple[str, str]]:
    header, _, rest = whole.partition("\n")
    row = rest.partition("\n")[0]
    columns = header.count(",") + 1
    yield "commas", "," * SIZE
    yield "names", _filled(_names(), ",")
    yield "names behind the header", f"{header}," + _filled(_names(), ",") + "\n"
    yield "breaks", f"{header}\n" + "\n" * SIZE
    yield "the same row", f"{header}\n" + _filled(itertools.repeat(f"{row}\n"))
    yield "a row of commas", f"{header}\n" + "," * SIZE
    yield "short rows", f"{header}\n" + _filled(f"{cell}{',' * (columns - 1)}\n" for cell in _names())
    yield "rows of numbers", f"{header}\n" + _filled(",".join([str(n)] * columns) + "\n" for n in itertools.count())
    yield "a quote without end", f'{header}\n"' + "x\n" * (SIZE // 2)
    yield "quotes", f"{header}\n" + '"' * SIZE
    yield "a column's name", "x" * 100_000 + ",y\n1,2\n"


def _toml(whole: str) -> Iterator[tuple[str, str]]:
    fifty = ".".join("a" * 49)
    yield "a key of many parts", "a." * (SIZE // 2) + "a = 1"
    yield "many keys of many parts", _filled((f"{name}.{fifty} = 1" for name in _names()), "\n")
    yield "many tables of many parts", _filled((f"[{name}.{fifty}]" for name in _names()), "\n")
    yield "keys", f"{whole}\n[x]\n" + _filled((f"{name} = 1" for name in _names()), "\n")
    yield "keys before", _filled((f"{name} = 1" for name in _names()), "\n")
    yield "lists", "x = [" + "[]," * (SIZE // 3) + "]"
    yield "deep lists", "x = " + "[" * SIZE
    yield "tables", "x = [" + "{a=1}," * (SIZE // 6) + "]"
    yield "numbers", "x = [" + "1," * (SIZE // 2) + "]"
    yield "digits", "x = " + "9" * SIZE
    yield "a name", f'"{"x" * SIZE}" = 1'
    yield "quotes", 'x = """' + '\\"""' * (SIZE // 4)
    for table in ("generators", "annotators", "methods", "terms", "imports"):
        yield f"[[{table}]]", "[study]\ntitle = 'x'\n" + f"[[{table}]]\nuse='a'\n" * (SIZE // (len(table) + 13))


def _json(whole: str) -> Iterator[tuple[str, str]]:
    element = json.dumps(json.loads(whole)[0]) if whole.lstrip().startswith("[") else whole
    yield "deep lists", "[" * SIZE
    yield "deep objects", '{"a":' * (SIZE // 5)
    yield "lists", "[" + "[]," * (SIZE // 3) + "[]]"
    yield "objects", "[" + "{}," * (SIZE // 3) + "{}]"
    yield "numbers", "[" + "1," * (SIZE // 2) + "1]"
    yield "digits", "9" * SIZE
    yield "the same name", "{" + '"a":1,' * (SIZE // 6) + '"a":1}'
    yield "names", "{" + _filled((f'"{name}":{{}}' for name in _names()), ",") + "}"
    yield "a name twice", json.dumps({"x" * (SIZE // 2): 1})[:-1] + f', "{"x" * (SIZE // 2)}": 2}}'
    yield "surrogates", '["' + "\\ud800" * (SIZE // 6) + '"]'
    yield "the same element", "[" + _filled(itertools.repeat(element), ",") + "]"
    if "@context" in element:
        nodes = _filled((f'{{"@id": "{name}", "name": "x"}}' for name in _names()), ",")
        yield "nodes", f'{{"@context": {json.dumps(json.loads(whole)["@context"])}, "@graph": [{nodes}]}}'
        many = f'{{"@id": "a", "name": [{",".join(map(str, range(140_000)))}]}}'
        yield "values", f'{{"@context": {json.dumps(json.loads(whole)["@context"])}, "@graph": [{many}]}}'
    yield "graph", '{"@graph": [' + _filled((f'{{"@id": "{name}", "{name}": 1}}' for name in _names()), ",") + "]}"


def _graphml(whole: str) -> Iterator[tuple[str, str]]:
    head = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    yield "entities in entities", f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><x>&e9;</x>'
    yield "a long entity", f'<!DOCTYPE x [<!ENTITY e "{"x" * (SIZE // 2)}">]><x>' + "&e;" * (SIZE // 6) + "</x>"
    yield "deep", "<a>" * (SIZE // 3)
    yield "nodes", head + _filled(f'<node id="{name}"/>' for name in _names()) + "</graph></graphml>"
    yield "edges", head + _filled(f'<edge source="{a}" target="b"/>' for a in _names()) + "</graph></graphml>"
    yield "attributes", "<a " + _filled((f'{name}=""' for name in _names()), " ") + "/>"
    yield "more of the same", whole.replace("</graph>", _filled(itertools.repeat("<node id='a'/>")) + "</graph>")


def _turtle(whole: str) -> Iterator[tuple[str, str]]:
    yield "brackets", "[" * SIZE
    yield "lists", "<a> <b> " + "(" * SIZE
    yield "numbers", "<a> <b> " + _filled(map(str, itertools.count()), ",") + " ."
    yield "triples", _filled(f"<{name}><b><c>." for name in _names())
    yield "a list", "<a> <b> (" + "1 " * (SIZE // 2) + ") ."
    yield "nothings", "<a> <b> " + "[]," * (SIZE // 3) + "[] ."
    yield "prefixes", _filled(f"@prefix {name}: <{name}> ." for name in _names())
    yield "a text without end", '<a> <b> """' + "x" * SIZE
    yield "comments", "#\n" * (SIZE // 2)
    yield "cut whole", whole * (SIZE // len(whole))
