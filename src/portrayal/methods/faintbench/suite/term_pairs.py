"""The pairs of terms that are shipped or that a user gives, and whether a study could compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.errors import InputError
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.faintbench.suite.options import NAME
from portrayal.methods.faintbench.suite.prompt_texts import people_of
from portrayal.methods.faintbench.suite.terms import shipped_terms
from portrayal.records import Prompt
from portrayal.suites.suite import check_weight, near_names

__all__ = ["check_pairs", "load_pairs"]


def load_pairs(path: Path | None = None) -> tuple[Pair, ...]:
    """Return the pairs of a CSV with the columns ``advantaged, disadvantaged, weight``; without one, the shipped 36."""
    if path is None:
        with resources.as_file(resources.files("portrayal.methods.faintbench") / "data" / "pairs.csv") as shipped:
            return load_pairs(Path(shipped))
    pairs: dict[frozenset[str], Pair] = {}
    for row in read_csv(path, ["advantaged", "disadvantaged", "weight"]):
        pair = Pair(row["advantaged"], row["disadvantaged"], row.number("weight"), row.where)
        key = frozenset((pair.advantaged.casefold(), pair.disadvantaged.casefold()))
        if "" in key or len(key) == 1:
            raise InputError(f"{row.where}: a pair needs two different terms")
        check_weight(row.where, pair.weight)
        if key in pairs:
            raise InputError(f"{row.where}: {pair.advantaged} and {pair.disadvantaged} are a pair already; keep one")
        pairs[key] = pair
    return tuple(pairs.values())


def check_pairs(pairs: Iterable[Pair], prompts: Iterable[Prompt]) -> None:
    """Refuse pairs that no study could compare: of terms that there are not, or of which one person is not shown each.

    A term that the suite has and the study does not ask for is none of these: its pair is not scored, and the page
    says so. Where prompts come from a table of the user's, that may have terms that are not asked for; then a term
    that is unlike any known one is taken for such.
    """
    shipped = _people((term.kind, term.name) for term in shipped_terms())
    asked = _people((prompt.kind, prompt.term) for prompt in prompts if prompt.kind)
    known = {name: {**shipped.get(name, {}), **asked.get(name, {})} for name in (*shipped, *asked)}
    own_table = not asked.keys() <= shipped.keys()
    for pair in pairs:
        for term in (pair.advantaged, pair.disadvantaged):
            if term.casefold() in known:
                continue  # to look for names like it takes long
            hint = near_names(NAME, term, {name for names in known.values() for name in names.values()})
            if "did you mean" in hint or not own_table:
                raise InputError(f"{pair.where}: suite {NAME!r} has no term {term!r}{hint}")
        kinds, others = (known.get(term.casefold(), {}) for term in (pair.advantaged, pair.disadvantaged))
        if kinds and others and not _comparable(pair, kinds, others, known):
            raise InputError(
                f"{pair.where}: {pair.name} cannot be compared: a pair is the two people of one relation, two "
                "occupations, or two characteristics"
            )


def _people(terms: Iterable[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """Return each term, and each person of a relation, in small letters: to its kinds, and there how it is written."""
    kinds: dict[str, dict[str, str]] = {}
    for kind, term in terms:
        for name in {term, *people_of(kind, term)}:
            kinds.setdefault(name.casefold(), {})[kind if name == term else ""] = name
    return kinds


def _comparable(
    pair: Pair, kinds: Mapping[str, str], others: Mapping[str, str], known: Mapping[str, Mapping[str, str]]
) -> bool:
    first, second = pair.advantaged.casefold(), pair.disadvantaged.casefold()
    if known.keys() & {f"{first} / {second}", f"{second} / {first}"}:
        return True
    return bool(kinds.keys() & others.keys() - {"", "relation"})
