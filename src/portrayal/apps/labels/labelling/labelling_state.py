"""The state of the labelling in memory: every rater, what they were dealt and said, and what comes next."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.apps.labels.labelling.needed import needed
from portrayal.apps.labels.labelling.picture import Change, Choices, LabelTask, Picture, PictureKey
from portrayal.records import PERSON
from portrayal.study.sql.rater import Rater, RaterProgress
from portrayal.web.raters.dealing_state import DealingState
from portrayal.web.raters.dealt_tasks import NotOpenError

__all__ = ["LabelRules", "LabellingState"]


@dataclass(frozen=True, slots=True)
class LabelRules:
    """How pictures are dealt: ``raters`` a picture, ``quota`` pictures a rater; ``asked`` are groups by attribute."""

    raters: int
    quota: int
    asked: Mapping[str, Collection[str]]


class LabellingState(DealingState[LabelTask]):
    """Which pictures every rater was dealt, what they said of them, and which come next.

    ``here`` are the images that the study still holds: no other is dealt.
    """

    def __init__(self, rules: LabelRules, here: Collection[str], rng: np.random.Generator) -> None:
        super().__init__()
        self.rules, self.here = rules, frozenset(here)
        self.pictures: dict[PictureKey, Picture] = {}
        self._rng = rng
        # Of raters who count: what they said of each picture, and who has it before them.
        self._answers: defaultdict[PictureKey, dict[str, Choices]] = defaultdict(dict)
        self._waiting: defaultdict[PictureKey, set[str]] = defaultdict(set)
        self._needs: dict[PictureKey, int] = {}

    @classmethod
    def of(cls, rules: LabelRules, here: Collection[str], everything: Change) -> LabellingState:
        """Return a state in which everything stands so, to be looked at: nothing is dealt of it."""
        state = cls(rules, here, np.random.default_rng(0))
        state.apply(everything)
        return state

    def apply(self, change: Change) -> None:
        """Let everything stand as the change says."""
        for picture in change.pictures:
            self.pictures[picture.key] = picture
            self._see(picture.key)
        for rater in change.raters:
            self._set_rater(rater)
        for task in change.tasks:
            self._set_task(task)

    def everything(self) -> Change:
        """Return all that is here, as it stands now."""
        raters = list(self.raters())
        tasks = [task for rater in raters for task in self.tasks_of(rater.id).values()]
        return Change(raters, tasks, list(self.pictures.values()))

    def holds(self, task: LabelTask) -> bool:
        """Return whether a task's picture is still in the study."""
        return task.key in self.pictures and task.image in self.here

    def tasks_of(self, rater_id: str) -> Mapping[int, LabelTask]:
        """Return all tasks of a rater by number, open ones too."""
        return self._dealt.tasks(rater_id)

    def answered_tasks(self) -> Iterator[LabelTask]:
        """Yield every answered task of every rater."""
        return self._dealt.answered()

    def answers(self, key: PictureKey) -> Sequence[Choices]:
        """Return what raters who count said of a picture."""
        return list(self.answers_by_task(key).values())

    def answers_by_task(self, key: PictureKey) -> Mapping[str, Choices]:
        """Return the same by the task that was answered."""
        return self._answers.get(key, {})

    def needs(self, key: PictureKey) -> int:
        """Return how many more answers a picture needs."""
        return self._needs.get(key, 0)

    def open_pictures(self) -> list[PictureKey]:
        """Return the pictures of the study that need an answer."""
        return [key for key in self._needs if key[0] in self.here]

    def labelled(self, rater_id: str, task_id: str, choices: Choices, now: float, seconds: float) -> LabelTask:
        """Return the rater's current task, answered; :class:`NotOpenError` if the current one is another."""
        current = self.current(rater_id)
        if current is None or current.id != task_id:
            raise NotOpenError(f"task {task_id!r} is not before this rater")
        groups = {**self.rules.asked, PERSON: (PERSON, f"not_{PERSON}")}
        if choices.keys() != groups.keys() or any(said and said not in groups[name] for name, said in choices.items()):
            raise ValueError(f"a label needs a group, or nothing, for each of {', '.join(groups)}")
        return replace(current, choices=dict(choices), cast_at=now, seconds=seconds)

    def progress(self, rater_id: str) -> RaterProgress:
        """Return how far a rater is."""
        dealt = len(self._dealt.tasks(rater_id))
        more = min(max(self.rules.quota - dealt, 0), len(self._open_to(rater_id)))
        return RaterProgress(self._dealt.done(rater_id), dealt + more)

    def _deal(self, rater_id: str, number: int, now: float) -> LabelTask | None:
        if number > self.rules.quota or not (choice := self._open_to(rater_id)):
            return None
        # What others have begun comes first, so that pictures are finished; what they have before them comes last.
        image, side = min(choice, key=self._urgency)
        # Hashed: raters see the id, and plain output of the generator would tell what it draws next.
        task_id = hashlib.blake2b(self._rng.bytes(16), digest_size=16).hexdigest()
        return LabelTask(task_id, rater_id, number, image, side, dealt_at=now)

    def _urgency(self, key: PictureKey) -> tuple[bool, int, int]:
        return len(self._waiting[key]) >= self.needs(key), -len(self._answers[key]), self.pictures[key].number

    def _open_to(self, rater_id: str) -> list[PictureKey]:
        """Return the pictures that need an answer and that this rater was not dealt."""
        seen = {task.key for task in self._dealt.tasks(rater_id).values()}
        return [key for key in self.open_pictures() if key not in seen]

    def _set_rater(self, rater: Rater) -> None:
        before = self._dealt.rater(rater.id)
        changes = before is not None and before.excluded != rater.excluded
        tasks = list(self._dealt.tasks(rater.id).values()) if changes else []
        for task in tasks:  # what is left out has to be labelled by others
            self._count(task, -1)
        self._dealt.set_rater(rater)
        for task in tasks:
            self._count(task, 1)

    def _count(self, task: LabelTask, step: int) -> None:
        """Count a task, or count it no more, unless its rater is left out."""
        rater = self._dealt.rater(task.rater)
        if rater is None or rater.excluded:
            return
        if task.choices is None:
            (self._waiting[task.key].add if step > 0 else self._waiting[task.key].discard)(task.id)
            return
        if step > 0:
            self._answers[task.key][task.id] = task.choices
        else:
            self._answers[task.key].pop(task.id, None)
        self._see(task.key)

    def _see(self, key: PictureKey) -> None:
        """Note how many more answers a picture needs now."""
        more = needed(self.answers(key), self.rules.raters, (*self.rules.asked, PERSON)) if key in self.pictures else 0
        if more:
            self._needs[key] = more
        else:
            self._needs.pop(key, None)
