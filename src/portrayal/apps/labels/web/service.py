"""What the pages ask of the labelling: pictures dealt to raters, and what these see in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import numpy as np

from portrayal.apps.labels.config import LabelsConfig
from portrayal.apps.labels.database.answers import check_collected, rules_of
from portrayal.apps.labels.database.draw_pictures import DEFAULT_SAMPLE, draw_pictures
from portrayal.apps.labels.database.open_labels import open_labels
from portrayal.apps.labels.labelling.labelling_state import LabellingState
from portrayal.apps.labels.labelling.picture import Change, Choices, LabelTask
from portrayal.apps.labels.questions_asked import Asked, asked_of, images_here
from portrayal.study.importing.labels.label_sheet import Sample
from portrayal.study.sql.rater import Rater
from portrayal.study.sql.store import ServerStore
from portrayal.study.study import OpenStudy
from portrayal.web.raters.rater_service import RaterService

__all__ = ["LabelsService"]


class LabelsService(RaterService[Change, LabelTask]):
    """Deals pictures and keeps labels for the pages. Make one with :meth:`open`, end it with :meth:`close`."""

    table = "labels"
    config: LabelsConfig

    def __init__(
        self,
        study: OpenStudy,
        state: LabellingState,
        store: ServerStore[Change],
        clock: Callable[[], float],
        steady: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(study.config.of_app(LabelsConfig), state, store, clock, steady)
        self.study, self.state, self.asked = study, state, asked_of(study)
        self.drawn = ""

    def changed(self, raters: Sequence[Rater] = (), tasks: Sequence[LabelTask] = ()) -> Change:
        """Return the change after which these raters and tasks stand so."""
        return Change(raters, tasks)

    def tasks_for_newcomers(self) -> int:
        """Return how many pictures somebody gets who joins now."""
        return min(self.config.quota, len(self.state.open_pictures()))

    @classmethod
    async def open(
        cls,
        study: OpenStudy,
        database: str = "",
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] | None = None,
    ) -> LabelsService:
        """Open the labelling of a study; ``database`` is a URL, or empty for a SQLite file in the study."""
        asked: Asked = asked_of(study)
        config = study.config.of_app(LabelsConfig)
        here = await asyncio.to_thread(images_here, study)
        store = await asyncio.to_thread(open_labels, database, study.root)
        try:
            state = LabellingState(rules_of(asked, config.raters, config.quota), here, np.random.default_rng())
            state.apply(await asyncio.to_thread(store.load))
            return cls(study, state, store, clock, steady)
        except BaseException:
            store.close()
            raise

    def copied(self) -> Callable[[], LabellingState]:
        """Return what makes a copy of the state as it stands now, in whatever thread."""
        everything = self.state.everything()
        return lambda: LabellingState.of(self.state.rules, self.state.here, everything)

    async def draw(self, sample: Sample | None = None) -> None:
        """Draw pictures to label, unless those drawn before are to be labelled first; ``drawn`` says what came of it.

        Without a ``sample`` it is a random one where none was drawn yet. Running the same command again draws nothing
        new while pictures wait.
        """
        waiting = len(self.state.open_pictures())
        if (sample is None and self.state.pictures) or (sample is not None and sample.worthiest and waiting):
            self.drawn = f"goes on with {len(self.state.pictures)} pictures drawn before; {waiting} still need labels"
            return
        if sample is not None and sample.worthiest:
            check_collected(self.study, self.state, self.asked)
        wanted, known = sample or DEFAULT_SAMPLE, set(self.state.pictures)
        new = await asyncio.to_thread(draw_pictures, self.study, self.asked.annotator, wanted, known, self._clock())
        await self._work.to_end(self._commit(Change(pictures=new.pictures)))
        self.drawn = f"{len(new.pictures)} pictures drawn to label" + (f": {new.worth}" if new.worth else "")

    async def label(self, rater_id: str, task_id: str, choices: Choices) -> bool:
        """Keep a label and deal the next picture in one commit; False if this picture was answered before.

        ``NotOpenError`` is raised for any task but the rater's current one, and ``ValueError`` for choices that are not
        one for each attribute.
        """

        def answered(now: float, seconds: float) -> LabelTask:
            return self.state.labelled(rater_id, task_id, choices, now, seconds)

        return await self._work.to_end(self._answer(rater_id, task_id, answered))
