"""Compares annotators with one another and with people's labels, from what the tables hold; needs no lock."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from portrayal.errors import StudyError
from portrayal.study.agreement.estimates import Results
from portrayal.study.agreement.panel import Panel, gather
from portrayal.study.agreement.read import JudgementReader
from portrayal.study.agreement.result import Comparison
from portrayal.study.agreement.sums import Sums
from portrayal.study.study import OpenStudy

__all__ = ["compare"]


def compare(study: OpenStudy, names: Sequence[str], reference: str = "", by: Sequence[str] = ()) -> Comparison:
    """Return how far the annotators named agree, and where one of them is the reference how accurate the others are.

    An annotator that is imported is the reference if it is the only such one; ``reference`` chooses another. ``by``
    names the attributes whose groups agreement is told by; without it all.
    """
    panel = gather(study, names, reference, by)
    reader = JudgementReader(study, panel)
    sums = Sums(panel, reader.clusters)
    for seen in reader.slices():
        sums.add(seen)
    if not any(pair.overlap.compared for pair in sums.pairs.values()):
        _refuse(study, panel, sums)
    shown = panel.named(study.names)
    results = Results(shown, list(reader.reasons), study.config.study.seed)
    return Comparison(
        title=study.config.study.title,
        annotators=shown.annotators,
        reference=shown.reference,
        images=sums.images,
        resampled="prompts" if len(reader.prompts) > 1 else "images",
        titles={attribute.name: attribute.title for attribute in panel.attributes},
        pairs=[results.pair(*key, pair) for key, pair in sums.pairs.items()],
        identities=dict(zip(shown.annotators, panel.annotators, strict=True)),
        alphas=[alpha for attribute, added in sums.alphas.items() for alpha in results.alphas(attribute, added)],
    )


def _refuse(study: OpenStudy, panel: Panel, sums: Sums) -> None:
    who = " and ".join(panel.annotators)
    if not sums.images:
        raise StudyError(f"{study.root}: no images yet; run: portrayal run {shlex.quote(str(study.root))}")
    raise StudyError(f"{study.root}: {who} tell nothing of the same person in any image; see: portrayal status")
