"""Commands on graphs: sheets for annotators, what they agree on, others' collections, comparing and converting."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from portrayal.graph import Graph
    from portrayal.graph.annotations import Sheet
    from portrayal.methods.socialbiaskg.vertices import Vertices

__all__ = ["app"]

app = typer.Typer(
    help="Relations between occupations and groups of people: annotate, agree, compare, convert.",
    rich_markup_mode=None,
)
Tables = Annotated[
    Path | None,
    typer.Option("--vertices", metavar="FOLDER", help="A folder with occupations.csv, groups.csv or both of your own."),
]
Kind = Annotated[str, typer.Option(help="What the groups are groups of.")]
Sheets = Annotated[list[Path], typer.Argument(metavar="SHEET...", help="Filled sheets, one for each annotator.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def annotate(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The CSV file to write, called after the annotator.")],
    tables: Tables = None,
    kind: Kind = "race",
) -> None:
    """Write an empty sheet for an annotator, and print how to fill it in: every pair, in both directions."""
    from importlib import resources

    from portrayal.errors import InputError
    from portrayal.graph.annotations import sheet_csv
    from portrayal.methods.socialbiaskg.vertices import schema

    if out.exists():
        raise InputError(f"{out}: is there already; choose another name")
    vertices = _vertices(tables, kind)
    _write(out, sheet_csv(list(vertices.by_key.values()), schema(kind)))
    typer.echo(resources.files(__package__).joinpath("data", "guidelines.txt").read_text(encoding="utf-8"))


@app.command()
def agreement(sheets: Sheets, tables: Tables = None, kind: Kind = "race", as_json: Json = False) -> None:
    """Print Krippendorff's alpha for every type of relation and direction."""
    from dataclasses import asdict

    from portrayal.graph.consensus import agreement as agreed
    from portrayal.methods.socialbiaskg.vertices import schema

    found = agreed(_sheets(sheets, _vertices(tables, kind), kind), schema(kind))
    if as_json:
        typer.echo(json.dumps([asdict(own) for own in found], indent=2))
        return
    typer.echo("type\tdirection\talpha\tpairs\tseen by anyone")
    for own in found:
        alpha = "undefined" if own.alpha is None else f"{own.alpha:.3f}"
        typer.echo(f"{own.type}\t{own.direction}\t{alpha}\t{own.pairs}\t{own.seen}")


@app.command()
def consensus(
    sheets: Sheets,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table of edges to write.")],
    rule: Annotated[
        str, typer.Option(help="Whose word makes an edge: majority (more than half), all, or any.")
    ] = "majority",
    disputed: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write what some see and others do not, to decide on.")
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="That list with yes or no filled in; it counts more.")
    ] = None,
    tables: Tables = None,
    kind: Kind = "race",
) -> None:
    """Write the edges that annotators agree on, each with who sees it: people's graph for a study."""
    from portrayal.errors import ConfigError, did_you_mean
    from portrayal.graph.consensus import RULES, decisions_csv, read_decisions
    from portrayal.graph.consensus import consensus as agreed
    from portrayal.graph.tables import edge_csv
    from portrayal.methods.socialbiaskg.vertices import schema

    chosen = next((own for own in RULES if own == rule), None)
    if chosen is None:
        raise ConfigError(f"--rule: no rule {rule!r}{did_you_mean(rule, RULES)}")
    vertices = _vertices(tables, kind)
    decided = read_decisions(decisions, vertices.by_key) if decisions else {}
    own = _sheets(sheets, vertices, kind)
    found = agreed(own, list(vertices.by_key.values()), schema(kind), chosen, decided)
    _write(out, edge_csv(found.graph.edges))
    if disputed:
        _write(disputed, decisions_csv(found.disputed))
    open_ = len(found.disputed.keys() - decided.keys())
    typer.echo(f"{out}: {len(found.graph.edges)} edges; {open_} disputed ones were left to the rule {rule!r}")


@app.command()
def collect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV of stereotypes, such as SeeGULL's or ViSAGe's.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table of edges to write.")],
    columns: Annotated[
        list[str],
        typer.Option(
            "--map",
            metavar="WHAT=COLUMN",
            help="Its columns: occupation=..., race=... (or another kind), perhaps type=... and source=...",
        ),
    ],
    type_: Annotated[str, typer.Option("--type", help="The type of its relations, where no column tells it.")] = (
        "stereotyped_as"
    ),
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A CSV name,vertex: what names of the file mean.")
    ] = None,
    tables: Tables = None,
    kind: Kind = "race",
) -> None:
    """Turn a published collection of stereotypes into edges; what is no vertex is counted and left out."""
    from portrayal.graph.collection import Columns, read_collection, read_names
    from portrayal.graph.tables import edge_csv
    from portrayal.methods.socialbiaskg.vertices import OCCUPATION, schema

    vertices, given = _vertices(tables, kind), _mapped(columns, (OCCUPATION, kind, "type", "source"))
    ends = {name: given[name] for name in (OCCUPATION, kind)}
    mapped = Columns(ends, given.get("type", ""), type_, given.get("source", ""))
    known = read_names(names) if names else {}
    found = read_collection(file, mapped, list(vertices.by_key.values()), schema(kind), known)
    _write(out, edge_csv(found.edges))
    typer.echo(f"{out}: {len(found.edges)} edges")
    for (what, name), count in list(found.unknown.items())[:20]:
        typer.echo(f"left out {count} times: no {what} {name!r}", err=True)


def _mapped(given: Sequence[str], known: tuple[str, ...]) -> dict[str, str]:
    """Return which column is what; the first two must be told."""
    from portrayal.errors import ConfigError, did_you_mean

    found: dict[str, str] = {}
    for text in given:
        what, _, column = text.partition("=")
        if what not in known or not column:
            raise ConfigError(f"--map {text}: write WHAT=COLUMN{did_you_mean(what, known)}")
        found[what] = column
    if missing := [what for what in known[:2] if what not in found]:
        raise ConfigError(f"--map: say which column holds {missing[0]!r}, as --map {missing[0]}=COLUMN")
    return found


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="A graph: .csv (edges), .graphml, .ttl or .jsonld.")],
    second: Annotated[Path, typer.Argument(metavar="SECOND", help="Another.")],
    tables: Tables = None,
    kind: Kind = "race",
    as_json: Json = False,
) -> None:
    """Print how two graphs differ: shared, of one only, contradictory; Jaccard and edit distance, by type."""
    from portrayal.graph import compare as compared
    from portrayal.methods.socialbiaskg.tables import difference_rows
    from portrayal.methods.socialbiaskg.vertices import schema

    vertices, relations = _vertices(tables, kind), schema(kind)
    one, other = (_read(path, vertices) for path in (first, second))
    against = {other.name: compared(one, other, relations.opposites)}
    rows = list(difference_rows(one, {other.name: other}, against, relations))
    if as_json:
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    columns = ("shared", "first_only", "second_only", "contradictory", "jaccard", "distance")
    typer.echo("\t".join(("type", "direction", *columns)))
    for row in rows:
        cells = ("-" if row[name] is None else f"{row[name]:.3g}" for name in columns)
        typer.echo("\t".join((str(row["type"] or "all"), str(row["direction"] or "both"), *cells)))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A graph: .csv (edges), .graphml, .ttl or .jsonld.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="The file to write; its ending says in which form.")],
    tables: Tables = None,
    kind: Kind = "race",
) -> None:
    """Write a graph in another form; nothing is lost. A .csv holds the edges."""
    from portrayal.graph.graphml import graphml
    from portrayal.graph.tables import edge_csv
    from portrayal.graph.turtle import jsonld, turtle

    found = _read(source, _vertices(tables, kind))
    made = {".csv": lambda: edge_csv(found.edges), ".graphml": lambda: graphml(found), ".ttl": lambda: turtle(found)}
    made[".jsonld"] = lambda: jsonld(found)
    _write(target, made[_form(target, made)]())


def _form(path: Path, known: Mapping[str, object]) -> str:
    from portrayal.errors import InputError

    if path.suffix not in known:
        raise InputError(f"{path}: a graph is a file with one of the endings {', '.join(known)}")
    return path.suffix


def _read(path: Path, vertices: Vertices) -> Graph:
    from portrayal.csvfile import read_text
    from portrayal.graph import Graph
    from portrayal.graph.graphml import read_graphml
    from portrayal.graph.tables import read_edges
    from portrayal.graph.turtle import read_rdf

    forms = {".graphml": None, ".ttl": "turtle", ".jsonld": "json-ld", ".csv": None}
    form = _form(path, forms)
    if form == ".csv":
        edges = [edge for _, edge in read_edges(path, vertices.by_key)]
        return Graph(path.stem, list(vertices.by_key.values()), edges)
    if form == ".graphml":
        return read_graphml(read_text(path), str(path))
    return read_rdf(read_text(path), "turtle" if form == ".ttl" else "json-ld", str(path))


def _vertices(tables: Path | None, kind: str) -> Vertices:
    from portrayal.errors import InputError
    from portrayal.methods.socialbiaskg.vertices import read_vertices

    if tables is None:
        return read_vertices(kind=kind)
    own = [file if (file := tables / name).is_file() else None for name in ("occupations.csv", "groups.csv")]
    if not any(own):
        raise InputError(f"{tables}: holds neither occupations.csv nor groups.csv; check the folder")
    return read_vertices(own[0], own[1], kind)


def _sheets(paths: Sequence[Path], vertices: Vertices, kind: str) -> list[Sheet]:
    from portrayal.errors import InputError
    from portrayal.graph.annotations import read_sheet
    from portrayal.methods.socialbiaskg.vertices import schema

    names = [path.stem for path in paths]
    if double := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two sheets are called {double[0]!r}; a sheet is called after its annotator")
    return [read_sheet(path, path.stem, list(vertices.by_key.values()), schema(kind)) for path in paths]


def _write(path: Path, text: str) -> None:
    from portrayal.store.files import storage_errors, write_atomic

    with storage_errors(path):
        write_atomic(path, text.encode())
