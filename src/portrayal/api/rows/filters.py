"""Filters of rows: names as people give them, of columns and of what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from portrayal.errors import InputError, UnknownNameError, did_you_mean
from portrayal.records import PartNames

__all__ = ["Choice", "choose", "one_of", "refuse_unknown", "with_names"]

Choice = str | Sequence[str] | None
"""What a column may hold: a name, several, or None for anything."""
_LISTED = 30
"""Of more names than this none is listed when none is near."""
_IDENTITY = "_id"
_NO_NAMES = PartNames()


def with_names(table: pa.Table, names: PartNames) -> pa.Table:
    """Return the table with what generators and annotators are called; their identities stand in columns of their own.

    These are the last ones, called ``generator_id``, ``model_id`` and ``annotator_id``.
    """
    for column, call in _called(names).items():
        if column not in table.column_names:
            continue
        identities = table[column]
        table = table.append_column(f"{column}{_IDENTITY}", identities)
        if names:
            place = table.column_names.index(column)
            table = table.set_column(place, column, _renamed(identities, call))
    return table


def choose(
    table: pa.Table,
    what: str,
    wanted: Mapping[str, Choice],
    to_come: Callable[[], Mapping[str, Sequence[str]]] = dict,
    names: PartNames = _NO_NAMES,
) -> pa.Table:
    """Return the rows that hold what is wanted, by column; a name that no row holds is an error with a suggestion.

    A generator or annotator may be called by its name, its identity, or what stands before the ``@`` of that. While
    there are no rows, names are looked for among those ``to_come``; in a column of which it has none any name may be
    asked for.
    """
    choices = {column: choice for column, choice in wanted.items() if choice is not None}
    calls = _called(names)
    if not table.num_rows:
        expected = to_come() if choices else {}
        for column, choice in choices.items():
            if known := expected.get(column):
                _meant(known, what, column, choice, calls.get(column))
        return table
    # Names are looked for in all rows, so that what one filter leaves does not make the next one's name unknown.
    masks = []
    for column, choice in choices.items():
        values = table[f"{column}{_IDENTITY}" if f"{column}{_IDENTITY}" in table.column_names else column]
        masks.append(_holds(values, _meant(_names(values), what, column, choice, calls.get(column))))
    return table.filter(reduce(pc.and_, masks)) if masks else table


def one_of(**choices: Choice) -> Choice:
    """Return what is chosen by one of several names for a filter; two at once are an error."""
    given = {name: choice for name, choice in choices.items() if choice is not None}
    if len(given) > 1:
        raise InputError(f"{' and '.join(f'{name}=' for name in given)} are the same filter; give one of them")
    return next(iter(given.values()), None)


def refuse_unknown(what: str, unknown: Mapping[str, object], known: Iterable[str]) -> None:
    """Refuse filters that there are not, with the one that was meant."""
    for name in unknown:
        raise UnknownNameError(f"{what}: no filter is called {name!r}{did_you_mean(name, known)}")


def _called(names: PartNames) -> dict[str, Callable[[str], str]]:
    return {"generator": names.generator, "model": names.generator, "annotator": names.annotator}


def _renamed(values: pa.ChunkedArray, call: Callable[[str], str]) -> pa.ChunkedArray:
    """Return the values by their names, each put into words once."""
    encoded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    chunks = []
    for chunk in encoded.chunks:
        known = [None if identity is None else call(identity) for identity in chunk.dictionary.to_pylist()]
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, pa.array(known, pa.string())))
    kind = pa.dictionary(encoded.type.index_type, pa.string())
    renamed = pa.chunked_array(chunks, kind).unify_dictionaries()
    return renamed if encoded is values else renamed.cast(values.type)


def _names(values: pa.ChunkedArray) -> list[str]:
    return [name for name in pc.unique(values).to_pylist() if name is not None]


def _meant(
    known: Sequence[str], what: str, column: str, choice: str | Sequence[str], call: Callable[[str], str] | None
) -> list[str]:
    """Return the names as they are known; ``call`` says how a part of that identity is called."""
    meant: list[str] = []
    wanted = [choice] if isinstance(choice, str) or not isinstance(choice, Iterable) else list(choice)
    for name in wanted:
        if not isinstance(name, str):
            raise InputError(f"{column}={choice!r:.60}: a filter is a name or a list of names")
        fitting = [value for value in known if name in _names_of(value, call)]
        if not fitting:
            shown = list(dict.fromkeys(call(value) if call else value for value in known))
            hint = did_you_mean(name, shown)
            listed = hint if hint.endswith("?") or len(shown) <= _LISTED else ""
            raise UnknownNameError(f"no {what} has the {column} {name!r}{listed}")
        meant += fitting
    return meant


def _names_of(value: str, call: Callable[[str], str] | None) -> tuple[str, ...]:
    """Return what may be asked for: a value or, of an identity, also what it is called and what stands before the @."""
    return (value,) if call is None else (value, call(value), value.partition("@")[0])


def _holds(values: pa.ChunkedArray, names: Sequence[str]) -> pa.ChunkedArray:
    if pa.types.is_dictionary(values.type):
        return pa.chunked_array([_among(chunk, names) for chunk in values.chunks], pa.bool_())
    return pc.is_in(values, value_set=pa.array(names, values.type))


def _among(chunk: pa.DictionaryArray, names: Sequence[str]) -> pa.Array:
    codes = [code for code, name in enumerate(chunk.dictionary.to_pylist()) if name in names]
    return pc.is_in(chunk.indices, value_set=pa.array(codes, chunk.indices.type))
