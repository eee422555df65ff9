"""Commands on graphs: sheets for annotators, what they agree on, and others' collections."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from portrayal.apps.graph.commands.graph_files import compare, convert
from portrayal.apps.graph.commands.graph_options import Kind, Tables, check_new, find_domain, read_sheets, write_text
from portrayal.apps.graph.commands.graph_serve import serve, sheets
from portrayal.commands.command_lists import ListedGroup
from portrayal.commands.options import Json
from portrayal.errors import ConfigError, did_you_mean
from portrayal.terminal import say, say_json, say_text, tell

__all__ = ["graph"]

_HELP = """Let people annotate how occupations and groups relate.

Annotators fill in sheets, or answer in a browser. The edges that they agree on form people's graph; a study can
compare it with the graph of its pictures.

\b
  portrayal graph serve ANSWERS --annotator ann --annotator ben
  portrayal graph sheets ANSWERS --out SHEETS
  portrayal graph agreement SHEETS/ann.csv SHEETS/ben.csv
  portrayal graph consensus SHEETS/ann.csv SHEETS/ben.csv --out people.csv
"""

Sheets = Annotated[list[Path], typer.Argument(metavar="SHEET", help="Filled sheets, one for each annotator.")]


def annotate(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The CSV file to write, named after the annotator.")],
    tables: Tables = None,
    kind: Kind = "",
) -> None:
    """Write an empty sheet for an annotator.

    Also prints how to fill it in. Annotators who prefer a browser can answer there: portrayal graph serve.
    """
    from portrayal.apps.graph.annotations.sheets import sheet_csv
    from portrayal.graph.guidelines import sheet_guidelines

    check_new(out)
    domain = find_domain(tables, kind)
    write_text(out, sheet_csv(domain.vertices, domain.schema))
    say_text(sheet_guidelines(domain.guidelines["en"], domain.schema))


def agreement(paths: Sheets, tables: Tables = None, kind: Kind = "", as_json: Json = False) -> None:
    """Show how well annotators agree: Krippendorff's alpha.

    One number for every type of relation and direction.
    """
    from dataclasses import asdict

    from portrayal.apps.graph.annotations.consensus import agreement as agreed

    domain = find_domain(tables, kind)
    rows = agreed(read_sheets(paths, domain), domain.schema)
    if as_json:
        say_json([asdict(one) for one in rows])
        return
    say("type\tdirection\talpha\tpairs\tseen by anyone")
    for one in rows:
        alpha = "undefined" if one.alpha is None else f"{one.alpha:.3f}"
        say(f"{one.type}\t{one.direction}\t{alpha}\t{one.pairs}\t{one.seen}")


def consensus(
    paths: Sheets,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table of edges to write.")],
    rule: Annotated[
        str, typer.Option(help="How many must see an edge: majority (more than half), all, or any.")
    ] = "majority",
    disputed: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the edges that only some see, to be decided by hand."),
    ] = None,
    decisions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="That list with yes or no filled in; it overrides the rule.")
    ] = None,
    tables: Tables = None,
    kind: Kind = "",
) -> None:
    """Write the edges that annotators agree on.

    Each edge says who sees it. Together they are people's graph for a study.
    """
    from portrayal.apps.graph.annotations.consensus import RULES, decisions_csv, read_decisions
    from portrayal.apps.graph.annotations.consensus import consensus as agreed
    from portrayal.graph.graph_csv import edge_csv
    from portrayal.store.checksums.handed_files import check_handed

    chosen = next((known for known in RULES if known == rule), None)
    if chosen is None:
        raise ConfigError(f"--rule: no rule {rule!r}{did_you_mean(rule, RULES)}")
    check_new(out, disputed)
    domain = find_domain(tables, kind)
    if decisions:
        check_handed(decisions)
    decided = read_decisions(decisions, domain.by_key) if decisions else {}
    result = agreed(read_sheets(paths, domain), domain.vertices, domain.schema, chosen, decided)
    write_text(out, edge_csv(result.graph.edges))
    if disputed:
        write_text(disputed, decisions_csv(result.disputed))
    open_ = len(result.disputed.keys() - decided.keys())
    say(f"{out}: {len(result.graph.edges)} edges; {open_} disputed ones were left to the rule {rule!r}")


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
    type_: Annotated[str, typer.Option("--type", help="The type of its relations, if no column gives it.")] = (
        "stereotyped_as"
    ),
    names: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A CSV name,vertex that says which vertex each name in the file means."),
    ] = None,
    tables: Tables = None,
    kind: Kind = "",
) -> None:
    """Turn a published collection of stereotypes into edges.

    Names that match no vertex are counted and left out.
    """
    from portrayal.apps.graph.annotations.collection import Columns, read_collection, read_names
    from portrayal.graph.graph_csv import edge_csv

    check_new(out)
    domain = find_domain(tables, kind)
    given = _mapped(columns, domain.schema.kinds)
    ends = {name: given[name] for name in domain.schema.kinds}
    mapped = Columns(ends, given.get("type", ""), type_, given.get("source", ""))
    known = read_names(names, domain.vertices) if names else {}
    collected = read_collection(file, mapped, domain.vertices, domain.schema, known)
    write_text(out, edge_csv(collected.edges))
    say(f"{out}: {len(collected.edges)} edges")
    for (what, name), count in list(collected.unknown.items())[:20]:
        tell(f"left out {count} times: no {what} {name!r}")


def _mapped(given: Sequence[str], kinds: Sequence[str]) -> dict[str, str]:
    """Return which column is what; both ends of a relation must be given."""
    known = (*kinds, "type", "source")
    mapped: dict[str, str] = {}
    for text in given:
        what, _, column = text.partition("=")
        if what not in known or not column:
            raise ConfigError(f"--map {text}: write WHAT=COLUMN{did_you_mean(what, known)}")
        if what in mapped:
            raise ConfigError(f"--map {text}: {what!r} is given already, as {mapped[what]}; give it once")
        mapped[what] = column
    if missing := [what for what in kinds if what not in mapped]:
        raise ConfigError(f"--map: say which column holds {missing[0]!r}, as --map {missing[0]}=COLUMN")
    return mapped


graph = typer.Typer(cls=ListedGroup, help=_HELP, rich_markup_mode=None)
for _command in (annotate, serve, sheets, agreement, consensus, collect, compare, convert):
    graph.command()(_command)
