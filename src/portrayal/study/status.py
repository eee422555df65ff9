"""Status: what is done, pending, refused, failed, abstained, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from portrayal.annotators import looks_itself
from portrayal.records import PartNames, reason_text
from portrayal.reports.drawn_in_rounds import DrawnInRounds
from portrayal.reports.figures.notebook import html_table
from portrayal.stats.exact import Ints
from portrayal.store.ledger import spent_by_part
from portrayal.store.workspace import Workspace
from portrayal.study.annotate.judged import count_judged
from portrayal.study.annotate.precision import precision_checks, summed_up
from portrayal.study.generate.generate_images import BROKE
from portrayal.study.sampling.told import drawn_in_rounds
from portrayal.study.study import OpenStudy
from portrayal.study.tables.different_pictures import count_pictures
from portrayal.study.tables.plan_answers import Answers, read_answers
from portrayal.terminal import counted, one_line, text_table

__all__ = ["Status", "read_status"]

_BROKE = reason_text("failed", BROKE)
_ERRORS = f"""
    SELECT generator, arg_max(detail, (attempt, job)) AS detail FROM outcomes JOIN jobs ON job = id
    WHERE status = 'failed' AND reason = '{BROKE}' GROUP BY generator ORDER BY generator
"""
_HEADER = ("stage", "who", "what", "images")


@dataclass(frozen=True, slots=True, repr=False)
class Status:
    """Counts of a study. ``outcomes`` is by generator, ``abstained`` by annotator; both then by reason.

    ``asked`` counts the prompts that images are planned of. ``rejected`` are by generator and reason the images that
    were made, do not count, and are made anew. ``judged`` are the different pictures that an annotator has looked at,
    ``perceived`` those in which it told anything.
    ``pictures`` are the different ones by generator, fewer than images where the same bytes were made several times;
    ``shared`` lists two generators and how many pictures both have made. ``errors`` is by generator the last error that
    kept an image from being made. ``rounds`` says how images are drawn in rounds, where they are, and
    why each prompt was stopped. ``precision`` is by annotator what its rounding cost on images looked at both ways.
    """

    title: str
    prompts: int
    jobs: int
    asked: int = 0
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    rejected: dict[str, dict[str, int]] = field(default_factory=dict)
    judged: dict[str, int] = field(default_factory=dict)
    perceived: dict[str, int] = field(default_factory=dict)
    unjudged: dict[str, int] = field(default_factory=dict)
    abstained: dict[str, dict[str, int]] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    pictures: dict[str, int] = field(default_factory=dict)
    shared: list[tuple[str, str, int]] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    measurements: int = 0
    report: str | None = None
    precision: dict[str, str] = field(default_factory=dict)
    rounds: DrawnInRounds | None = None
    names: PartNames = field(default_factory=PartNames)

    def as_json(self) -> dict[str, Any]:
        """Return the counts as plain data, by identity; ``names`` has what parts with a name are called."""
        return asdict(self)

    def named(self) -> Status:
        """Return the same counts by the names of the parts, for people to read."""
        draws, looks = self.names.generator, self.names.annotator
        return replace(
            self,
            outcomes={draws(name): counts for name, counts in self.outcomes.items()},
            rejected={draws(name): counts for name, counts in self.rejected.items()},
            judged={looks(name): count for name, count in self.judged.items()},
            perceived={looks(name): count for name, count in self.perceived.items()},
            unjudged={looks(name): count for name, count in self.unjudged.items()},
            abstained={looks(name): counts for name, counts in self.abstained.items()},
            spent={self.names.part(name): usd for name, usd in self.spent.items()},
            precision={looks(name): said for name, said in self.precision.items()},
            pictures={draws(name): count for name, count in self.pictures.items()},
            shared=[(draws(one), draws(two), count) for one, two, count in self.shared],
            errors={draws(name): error for name, error in self.errors.items()},
        )

    @property
    def heading(self) -> str:
        """What the study asks; a suite may have more prompts than images are planned of, as when those are imported."""
        whole = counted(self.prompts, "prompt")
        prompts = f"{self.asked} of {whole}" if 0 < self.asked < self.prompts else whole
        return f"{self.title}: {prompts}, {counted(self.jobs, 'image')} planned"

    def table(self) -> list[tuple[str, str, str, str]]:
        """Return the counts as rows: stage, who, what, images."""
        drawn = [(name, label, n) for name, counts in self.outcomes.items() for label, n in counts.items()]
        drawn += [
            (name, f"rejected: {why}", n) for name, reasons in self.rejected.items() for why, n in reasons.items()
        ]
        # The same picture again is an image, but no other picture: told where it happened.
        for name, pictures in self.pictures.items():
            if pictures < self.outcomes.get(name, {}).get("made", 0):
                drawn.append((name, "different pictures", pictures))
        drawn += [(f"{one}, {other}", "pictures both made", count) for one, other, count in self.shared]
        rows = [("generate", *row) for row in drawn]
        for name, judged in self.judged.items():
            seen = {"judged": judged, "pending": self.unjudged[name]}
            seen |= {f"abstained: {why}": n for why, n in self.abstained.get(name, {}).items()}
            rows += [("annotate", name, label, n) for label, n in seen.items()]
        return [(*row[:3], str(row[3])) for row in rows]

    def results(self) -> list[str]:
        """Return lines about what was spent, measured and written."""
        spent = [f"spent: {usd:.4f} USD by {name}" for name, usd in self.spent.items()]
        errors = [f"last error of {name}: {error}" for name, error in self.errors.items()]
        rounded = [f"precision of {name}: {said}" for name, said in self.precision.items()]
        return [
            *spent,
            *rounded,
            *errors,
            *self._rounds(),
            f"measurements: {self.measurements}",
            f"report: {self.report or 'none yet'}",
        ]

    def _rounds(self) -> list[str]:
        """Return lines about an adaptive run: how far it is, and why nothing more is drawn of how many prompts."""
        drawn = self.rounds
        if drawn is None:
            return []
        looks = f"{drawn.looks} of at most {drawn.planned} looks" if drawn.planned else f"{drawn.looks} looks"
        left = "over" if drawn.is_over else "not over"
        if drawn.unfinished:
            left += f", {counted(drawn.unfinished, 'image')} of this round to draw or to look at"
        said = [f"adaptive run: {looks}, {drawn.images} of at most {drawn.most} images; {left}"]
        of = len(drawn.prompts)
        reasons = [f"  of a prompt by a model: {words} ({number} of {of})" for words, number in drawn.reasons]
        return said + (reasons if drawn.looks else [])

    def __repr__(self) -> str:
        shown = self.named()
        lines = [shown.heading, *text_table(_HEADER, shown.table()), *shown.results()]
        return "\n".join(map(one_line, lines))

    def _repr_html_(self) -> str:
        shown = self.named()
        return html_table(_HEADER, shown.table(), shown.heading, "; ".join(shown.results()))


def read_status(study: OpenStudy) -> Status:
    """Count; needs no lock, so it works beside a running stage."""
    workspace = study.workspace
    answers = read_answers(workspace, attempts=study.config.generate.attempts)
    judged = count_judged(study, answers)
    pictures = count_pictures(answers)
    page = study.root / "report" / "index.html"
    return Status(
        title=study.config.study.title,
        prompts=workspace.tables["prompts"].count(),
        jobs=int(answers.planned.sum()),
        asked=len({prompt for _, prompt in answers.cells}),
        outcomes=_by_generator(answers, {"made": answers.made, **answers.unmade}),
        rejected=_by_generator(answers, answers.rejected),
        judged={name: judgements.images for name, judgements in judged.items()},
        perceived={name: judgements.perceived for name, judgements in judged.items()},
        unjudged={
            name: answers.pictures - judged[name].images if looks_itself(annotator) else 0
            for name, (_, annotator) in study.annotators.items()
        },
        abstained={
            name: dict(sorted(judgements.reasons.items())) for name, judgements in judged.items() if judgements.reasons
        },
        spent=dict(spent_by_part(workspace)),
        pictures=pictures.distinct,
        shared=[(*pair, count) for pair, count in pictures.shared.items()],
        errors=_errors(workspace) if _BROKE in answers.unmade else {},
        measurements=workspace.tables["measurements"].count(),
        report=str(page) if page.exists() else None,
        rounds=drawn_in_rounds(study),
        precision={name: summed_up(checks) for name, checks in precision_checks(workspace).items() if checks},
        names=study.names,
    )


def _errors(workspace: Workspace) -> dict[str, str]:
    """Return the last error of each generator that raised one."""
    rows = workspace.query(_ERRORS).to_pylist()
    return {row["generator"]: row["detail"] for row in rows}


def _by_generator(answers: Answers, by_cell: Mapping[str, Ints]) -> dict[str, dict[str, int]]:
    """Return counts of each generator by label, from counts of cells."""
    counts: dict[str, Counter[str]] = {}
    generators = [generator for generator, _ in answers.cells]
    for label, cells in by_cell.items():
        for generator, number in zip(generators, cells.tolist(), strict=True):
            counts.setdefault(generator, Counter())[label] += number
    return {name: dict(sorted((+reasons).items())) for name, reasons in counts.items() if +reasons}


def status_label(status: str | None, reason: str | None) -> str:
    """Return ``made``, ``pending``, or ``refused: why``."""
    return "pending" if status is None else reason_text(status, reason or "")
