"""References that cover none of a study's terms: nothing is compared with them, and that must not go unsaid."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.records import Reference, UncoveringReference
from portrayal.study.study import OpenStudy

__all__ = ["coverage_remarks", "uncovering_references"]

_TERMS = "SELECT DISTINCT term FROM prompts SEMI JOIN jobs ON jobs.prompt = prompts.id WHERE prompts.edits IS NULL"
_EXAMPLES = 4


def uncovering_references(study: OpenStudy) -> list[UncoveringReference]:
    """Return the references that know no term of the images that the study consists of, each once."""
    terms = study.workspace.query(_TERMS)["term"].to_pylist()
    found: dict[str, UncoveringReference] = {}
    for reference in _references(study):
        if terms and reference.by_term and not any(reference.shares(term) for term in terms):
            own = found.get(reference.name)
            attributes = own.attributes if own else ()
            if reference.attribute not in attributes:
                examples = own.examples if own else tuple(reference.by_term)[:_EXAMPLES]
                known = own.known if own else len(reference.by_term)
                attributes = (*attributes, reference.attribute)
                found[reference.name] = UncoveringReference(reference.name, attributes, len(terms), known, examples)
    return list(found.values())


def _references(study: OpenStudy) -> Iterator[Reference]:
    for method in study.methods:
        yield from method.references(study.design).values()


def coverage_remarks(study: OpenStudy) -> list[str]:
    """Return a line for each of these references."""
    return [_remark(found) for found in uncovering_references(study)]


def _remark(found: UncoveringReference) -> str:
    terms = f"{found.terms} term" + ("s" if found.terms != 1 else "")
    return (
        f"reference {found.name!r} ({', '.join(found.attributes)}) covers 0 of {terms} of this study, so nothing is "
        f"compared with it; it covers {found.known}, such as {', '.join(map(repr, found.examples))}"
    )
