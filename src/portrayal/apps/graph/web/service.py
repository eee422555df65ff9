"""What the pages ask of the annotation. Every answer is on disk before it counts, and before the next page appears.

All of it runs in one event loop. A change that was begun is finished even if the browser that asked for it goes away.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from portrayal.apps.graph.annotations.judgements import Annotator, AnswerChange, Judgement
from portrayal.apps.graph.annotations.sheets import Pair, pairs
from portrayal.apps.graph.database.open_answers import check_answers, open_answers
from portrayal.errors import ConfigError, StudyError
from portrayal.graph.domain import Domain
from portrayal.graph.typed_graph import Key, Vertex
from portrayal.study.sql.store import ServerStore
from portrayal.web.security.links import new_token, token_hash
from portrayal.web.stored_service import StoredService

__all__ = ["Answers", "GraphService", "check_names", "session_name", "version"]

Answers = Mapping[Pair, frozenset[str] | None]
"""What is seen of each pair; None where an annotator does not want to judge it."""

_NAME = re.compile(r"[^\W_][\w .-]{0,59}")
_LINK_DIGITS = 16
"""Of the hash of a link, in the name of a session: it only has to differ from that of the next link."""


def check_names(names: Sequence[str]) -> None:
    """Refuse a name that no sheet can be called by, and one that is given twice: its first link would lead nowhere."""
    seen = set[str]()
    for name in names:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"--annotator {name!r}: a name has at most 60 letters, digits, spaces, dots and dashes, "
                "and begins with a letter or digit"
            )
        if name.casefold() in seen:
            raise ConfigError(f"--annotator {name!r}: is given twice; give each name once")
        seen.add(name.casefold())


def version(answers: Answers) -> str:
    """Return a mark of these answers: a form that comes with another was filled in before they were given."""
    seen = sorted((pair, None if types is None else sorted(types)) for pair, types in answers.items())
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def session_name(annotator: Annotator) -> str:
    """Return whose session it is and by which link it was opened: a new link ends those of the one before."""
    return f"{annotator.id}.{annotator.token_hash[:_LINK_DIGITS]}"


class GraphService(StoredService[AnswerChange]):
    """Asks about vertices one by one, and keeps what annotators see. Make one with :meth:`open`, end it with `close`.

    A page is about one vertex of the first kind, in the order of the domain, with all pairs that it is part of.
    """

    def __init__(
        self, domain: Domain, store: ServerStore[AnswerChange], stored: AnswerChange, clock: Callable[[], float]
    ) -> None:
        super().__init__(store)
        self.domain = domain
        self.pages: Sequence[Vertex] = domain.of_kind(domain.schema.kinds[0])
        self._clock = clock
        self._turn = asyncio.Lock()
        self._judging: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pairs: dict[Key, list[Pair]] = {}
        for pair in pairs(domain.vertices, domain.schema):
            vertex = next(end for end in pair if end.kind == domain.schema.kinds[0])
            self._pairs.setdefault(vertex, []).append(pair)
        self._annotators: dict[str, Annotator] = {}
        self._judged: dict[tuple[str, Pair], Judgement] = {}
        self._apply(stored)

    @classmethod
    async def open(cls, folder: Path, domain: Domain, clock: Callable[[], float] = time.time) -> GraphService:
        """Open the answers in a folder, made if need be."""
        store = await asyncio.to_thread(open_answers, folder)
        try:
            stored = await asyncio.to_thread(store.load)
            check_answers(stored, domain, folder)
            return cls(domain, store, stored, clock)
        except BaseException:
            store.close()
            raise

    async def invite(self, name: str) -> str:
        """Return the token of a new annotator, or a new one for one who is known: the link before leads nowhere then.

        Only its hash is kept: it cannot be shown again.
        """
        check_names([name])
        token = new_token()
        await self._work.to_end(self._invite(name, token_hash(token)))
        return token

    def annotators(self) -> list[Annotator]:
        """Return everyone who was invited, in that order."""
        return list(self._annotators.values())

    def annotator_of(self, session: str) -> Annotator | None:
        """Return whose session has this name; None where it was opened by a link that leads nowhere any more."""
        annotator = self._annotators.get(session.partition(".")[0])
        return annotator if annotator is not None and session_name(annotator) == session else None

    def annotator_by_token(self, token: str) -> Annotator | None:
        """Return the annotator with this token."""
        hashed = token_hash(token)
        return next((person for person in self._annotators.values() if person.token_hash == hashed), None)

    async def record_consent(self, annotator_id: str, language: str) -> None:
        """Note that an annotator consents, now, and reads this language."""
        await self._work.to_end(self._change(annotator_id, language, self._clock()))

    async def set_language(self, annotator_id: str, language: str) -> None:
        """Note which language an annotator reads."""
        await self._work.to_end(self._change(annotator_id, language))

    async def judge(self, annotator_id: str, vertex: Vertex, answers: Answers, shown: str) -> bool:
        """Keep what an annotator sees of a vertex, in place of the answers of version ``shown``; return whether it is.

        It is not where other answers were given since, in another window say: nobody has seen both.
        """
        return await self._work.to_end(self._judge(annotator_id, vertex, answers, shown))

    def pairs(self, vertex: Vertex) -> Sequence[Pair]:
        """Return the pairs that the page about a vertex asks for, direction by direction."""
        return self._pairs[vertex.key]

    def answers(self, annotator_id: str, vertex: Vertex) -> Answers:
        """Return what an annotator has answered about the pairs of a vertex."""
        judged = {pair: self._judged.get((annotator_id, pair)) for pair in self.pairs(vertex)}
        return {pair: judgement.types for pair, judgement in judged.items() if judgement is not None}

    def is_done(self, annotator_id: str, vertex: Vertex) -> bool:
        """Return whether an annotator has answered all about a vertex."""
        return all((annotator_id, pair) in self._judged for pair in self.pairs(vertex))

    def done(self, annotator_id: str) -> int:
        """Return about how many vertices an annotator has answered all."""
        return sum(self.is_done(annotator_id, vertex) for vertex in self.pages)

    def next_page(self, annotator_id: str, after: int = 0) -> int | None:
        """Return the number of the next open page, from 1, else of an earlier one; None when all is answered."""
        order = [*range(after + 1, len(self.pages) + 1), *range(1, after + 1)]
        return next((number for number in order if not self.is_done(annotator_id, self.pages[number - 1])), None)

    async def _judge(self, annotator_id: str, vertex: Vertex, answers: Answers, shown: str) -> bool:
        # Looking and storing are one step: of two windows that send at once, the second must see the first's answer.
        async with self._judging[annotator_id]:
            stored = self.answers(annotator_id, vertex)
            if shown != version(stored) and answers != stored:
                return False
            now = self._clock()
            judged = [Judgement(annotator_id, pair, types, now) for pair, types in answers.items()]
            await self._commit(AnswerChange(judgements=judged))
            return True

    async def _invite(self, name: str, hashed: str) -> None:
        async with self._turn:
            same = (person for person in self._annotators.values() if person.name.casefold() == name.casefold())
            annotator = next(same, None) or Annotator(secrets.token_hex(8), name, "", "", self._clock())
            await self._commit(AnswerChange(annotators=[replace(annotator, token_hash=hashed)]))

    async def _change(self, annotator_id: str, language: str, consented_at: float | None = None) -> None:
        async with self._turn:
            annotator = self._annotators.get(annotator_id)
            if annotator is None:
                raise StudyError(f"no annotator {annotator_id!r} here")
            agreed = annotator.consented_at if consented_at is None else consented_at
            await self._commit(AnswerChange(annotators=[replace(annotator, language=language, consented_at=agreed)]))

    async def _commit(self, change: AnswerChange) -> None:
        await self._writer.commit(change)
        self._apply(change)

    def _apply(self, change: AnswerChange) -> None:
        self._annotators.update((annotator.id, annotator) for annotator in change.annotators)
        self._judged.update(((one.annotator, one.pair), one) for one in change.judgements)
