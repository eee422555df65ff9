"""Which mutants there are, and a sample of them that stays the same when modules move.

Cosmic Ray's operators make them. A place is what is changed: an operator, a number, a condition. Places are drawn, each
with one of its mutants, so that a plus, which eleven others can replace, counts no more than a number. Drawn is by the
hash of the line and of what it stands in, not by path and line number: a module that moves, or a function that is added
above, changes nothing for the others.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

Position = tuple[int, int]
Span = tuple[Position, Position]
NEEDS_NAMES = ("VariableReplacer", "VariableInserter")
"""Operators that ask for names of variables."""
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
LOGGING = ("log", "logger", "logging", "warnings")


@dataclass(frozen=True)
class Place:
    """What can be changed: where it is, its name, and the operators that change it, with their number."""

    path: Path
    span: Span
    name: str
    mutants: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    name: str
    path: Path
    line: int
    code: str
    diff: str


def draw(paths: list[Path], seed: int, size: int) -> list[Mutant]:
    """Return a sample of the mutants of some modules: a smaller one is the beginning of a larger one."""
    places = sorted(_all_places(paths), key=lambda place: _hash(seed, place.name))
    drawn: list[Mutant] = []
    for place in places:
        mutant = _first_mutant(place, seed) if len(drawn) < size else None
        drawn += [mutant] if mutant else []
    return drawn


def _all_places(paths: list[Path]) -> Iterator[Place]:
    seen: Counter[str] = Counter()
    for path in paths:
        for place in _places(path):
            seen[place.name] += 1
            yield Place(place.path, place.span, f"{place.name}:{seen[place.name]}", place.mutants)


def _places(path: Path) -> Iterator[Place]:
    code = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(code), code.splitlines()
    without_effect = [_span(node, lines) for node in _without_effect(tree)]
    scopes = [(node.name, _span(node, lines)) for node in ast.walk(tree) if isinstance(node, Scope)]
    mutants = _mutants(code)
    for span in sorted(mutants):
        if not any(_inside(span, outer) for outer in without_effect):
            (line, start), (_, end) = span
            scope = ".".join(name for name, outer in scopes if _inside(span, outer))
            text = lines[line - 1]
            name = f"{scope}:{text.strip()}:{start - len(text) + len(text.lstrip())}:{end - start}"
            yield Place(path, span, name, tuple(mutants[span]))


def _mutants(code: str) -> Mapping[Span, list[tuple[str, int]]]:
    nodes, mutants = list(ast_nodes(get_ast(code))), defaultdict(list)
    for operator in (name for name in operator_names() if not name.endswith(NEEDS_NAMES)):
        changed = get_operator(operator)()
        for number, span in enumerate(span for node in nodes for span in changed.mutation_positions(node)):
            mutants[span].append((operator, number))
    return mutants


def _without_effect(tree: ast.Module) -> Iterator[ast.AST]:
    """Find what no test could notice: annotations, ``frozen``, ``strict``, texts of errors, logging."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as hint) | ast.AnnAssign(annotation=hint):
                yield hint
            case ast.FunctionDef(returns=ast.expr() as hint) | ast.AsyncFunctionDef(returns=ast.expr() as hint):
                yield hint
            case ast.Call(func=ast.Name(id="dataclass"), keywords=flags):
                yield from flags
            case ast.keyword(arg="strict"):
                yield node
            case ast.Raise(exc=ast.Call(args=args)):
                yield from args
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == "__all__" or _is_alias(value):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in LOGGING:
                yield node


def _is_alias(value: ast.expr) -> bool:
    """Tell a union of types, such as ``Cell = int | str | None``, from what is calculated."""
    union = isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr)
    return union and all(
        isinstance(
            part, ast.BinOp | ast.BitOr | ast.Name | ast.Attribute | ast.Subscript | ast.Load | ast.Constant | ast.Tuple
        )
        for part in ast.walk(value)
    )


def _span(node: ast.AST, lines: list[str]) -> Span:
    """Return where a node is, counted in characters: ``ast`` counts bytes."""

    def position(line: int, column: int) -> Position:
        return line, len(lines[line - 1].encode()[:column].decode())

    place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
    return position(*place[:2]), position(*place[2:])


def _inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _first_mutant(place: Place, seed: int) -> Mutant | None:
    code = place.path.read_text(encoding="utf-8")
    first = dict(reversed(place.mutants))
    named = [(_hash(place.name, name, number - first[name])[:10], name, number) for name, number in place.mutants]
    for name, operator, number in sorted(named, key=lambda mutant: _hash(seed, mutant[0])):
        mutated = _change(code, operator, number)
        if mutated and _differs(code, mutated):
            return Mutant(name, place.path, place.span[0][0], mutated, _diff(code, mutated))
    return None


def _change(code: str, operator: str, number: int) -> str | None:
    try:
        mutated: str | None = mutate_code(code, get_operator(operator)(), number)
    except AttributeError:  # what Cosmic Ray does to ``except json.JSONDecodeError``
        return None
    return mutated


def _differs(code: str, mutated: str) -> bool:
    """Tell a mutant from what is no Python, from the same code, and from a star that stands between parameters."""
    try:
        before, after = (_without_parameters(ast.parse(text)) for text in (code, mutated))
    except SyntaxError:
        return False
    return before != after


def _without_parameters(tree: ast.Module) -> str:
    """Return all of a module but what is given by place and what by name, which mypy looks after."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.defaults = [*node.defaults, *filter(None, node.kw_defaults)]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
    return ast.dump(tree)


def _diff(code: str, mutated: str) -> str:
    lines = list(difflib.unified_diff(code.splitlines(), mutated.splitlines(), n=0, lineterm=""))[3:]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines)


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
