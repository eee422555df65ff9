"""From what a generator's images show to its edges: those that people see, each tested, and those that nobody named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from portrayal.graph import Edge, Graph, Key, Triple, Vertex
from portrayal.methods.socialbiaskg.estimates import IMAGES, Estimates, Lack
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, plain
from portrayal.methods.socialbiaskg.rules import Judged, Metric, judge, rules, sensitivity
from portrayal.methods.socialbiaskg.vertices import OCCUPATION
from portrayal.store.tables.keys import Keys

__all__ = ["ModelEdges", "Tested", "graph_of"]


@dataclass(frozen=True)
class Tested:
    """An edge that was tested: each metric that speaks for it, which decides, and images behind it.

    ``found`` None: that cannot be told. ``annotated``: people see it. ``share`` is how often the group is seen at the
    occupation when none is asked for. ``missing`` counts, for each metric, images that were asked for and do not count.
    ``lacks`` says, for each metric without a value, what it lacks. ``groups`` is how many groups there are.
    ``occupation_told``: somebody tells occupations; where nobody does, failures are about groups alone.
    """

    triple: Triple
    annotated: bool
    metrics: Sequence[Judged]
    images: Mapping[Metric, Keys]
    share: float | None
    missing: Mapping[Metric, int]
    lacks: Mapping[Metric, Lack]
    groups: int
    occupation_told: bool = True

    @cached_property
    def _judged(self) -> tuple[bool | None, Judged | None]:
        return judge(self.metrics)

    @property
    def found(self) -> bool | None:
        """Whether the model has the edge."""
        return self._judged[0]

    @property
    def decides(self) -> Judged | None:
        """The metric that decides."""
        return self._judged[1]

    @property
    def moved(self) -> dict[str, bool | None]:
        """Whether there is an edge when thresholds are a tenth lower, or higher; None: that cannot be told."""
        return dict(sensitivity(self.metrics))

    def even(self, metric: Metric) -> float | None:
        """Return what a model that shows all groups equally often would give, where it would have the edge too."""
        share = 1 / self.groups
        judged = next(judged for judged in self.metrics if judged.rule.metric == metric)
        of_groups = metric in ("dominance", "underrepresentation")
        return share if of_groups and judged.rule.holds(share, judged.threshold) else None

    @property
    def edge(self) -> Edge:
        """The edge of the graph, with the metric that decides."""
        judged = self.decides
        assert judged is not None
        source, name, target = self.triple
        bounds = (judged.value, judged.low, judged.high, judged.n, judged.intensity, judged.uncertain)
        return Edge(source, name, target, judged.rule.metric, *bounds)


class ModelEdges:
    """Tests the edges of one generator. ``people`` are the edges that people see."""

    def __init__(
        self, cells: Cells, perceived: Perceived, people: Sequence[Edge], options: SocialBiasKGOptions
    ) -> None:
        self.cells, self.perceived, self.options = cells, perceived, options
        self.people = [edge for edge in people if self._asked(edge.triple)]
        self._kind = options.group_kind
        self._estimates = Estimates(cells, perceived, options)

    def _asked(self, triple: Triple) -> bool:
        """Return whether the study asks about the edge's occupation, or about its group alone."""
        job, group = self._ends(triple)
        there = triple.source.kind == OCCUPATION
        if triple.type == "dominant_in" and not there:
            return group in self.cells.by_group
        return job in self.cells.by_occupation or (job, group) in self.cells.by_pair

    def _ends(self, triple: Triple) -> tuple[str, str]:
        ends = {end.kind: end.name for end in triple.ends}
        return ends[OCCUPATION], ends[self.options.group_kind]

    def of(self, triple: Triple) -> Tested:
        """Return any edge, tested."""
        return self._tested(triple, annotated=any(edge.triple == triple for edge in self.people))

    def annotated(self) -> Iterator[Tested]:
        """Yield the edges that people see, each tested."""
        yield from self._annotated

    def emergent(self) -> Iterator[Tested]:
        """Yield edges that the model has and that people do not see.

        That a group is underrepresented at an occupation is not looked for: of eleven groups at most four can reach the
        threshold at once, so that nearly every pair would be such an edge.
        """
        yield from (tested for tested in self._others if tested.found)

    @property
    def compared(self) -> int:
        """How many numbers were compared with a threshold, whether that found an edge or not.

        A group that is not seen at an occupation was looked for, too, and so was every occupation that images of a
        group might have shown more often than the one they did.
        """
        tested = [*self._annotated, *self._others]
        told = sum(not judged.untold() for one in tested for judged in one.metrics)
        counts = [self.perceived.group_counts(cells) for cells in self.cells.by_occupation.values()]
        unseen = sum(int(np.count_nonzero(count == 0)) for count in counts if count.any())
        named = sum(bool(self._named(cells)) for cells in self.cells.by_group.values())
        return told + unseen + named * (len(self.cells.by_occupation) - 1)

    @cached_property
    def _annotated(self) -> list[Tested]:
        return [self._tested(edge.triple, annotated=True) for edge in self.people]

    @cached_property
    def _others(self) -> list[Tested]:
        known = {edge.triple for edge in self.people}
        return [self._tested(triple, annotated=False) for triple in self._possible() if triple not in known]

    def _possible(self) -> Iterator[Triple]:
        people = {(edge.type, edge.source) for edge in self.people}
        for job, cells in self.cells.by_occupation.items():
            counts = self.perceived.group_counts(cells)
            if not counts.any():
                continue
            here = Key(OCCUPATION, job)
            for place in np.flatnonzero(counts).tolist():
                yield Triple(here, "dominant_in", Key(self._kind, self.perceived.groups[place]))
            most = np.flatnonzero(counts == counts.max()).tolist()
            for name in ("stereotyped_as", "associated_with"):
                # Their metrics are about the occupation alone; who is seen most often is whom they are about. Of
                # groups that are seen equally often none is.
                if (name, here) not in people and len(most) == 1:
                    yield Triple(here, name, Key(self._kind, self.perceived.groups[most[0]]))
        for group, cells in self.cells.by_group.items():
            for job in self._named(cells):
                yield Triple(Key(self._kind, group), "dominant_in", Key(OCCUPATION, job))
        for job, group in self.cells.by_pair:
            yield Triple(Key(self._kind, group), "underrepresented_in", Key(OCCUPATION, job))

    def _named(self, cells: Sequence[int]) -> list[str]:
        """Return the occupation that is seen most often, if it is one of those asked about."""
        most = self.perceived.occupation_counts(cells).most_common(1)
        return [job for job in self.cells.by_occupation if most and plain(job) == most[0][0]]

    def _tested(self, triple: Triple, *, annotated: bool) -> Tested:
        job, group = self._ends(triple)
        metrics, images, missing, lacks = [], dict[Metric, Keys](), dict[Metric, int](), dict[Metric, Lack]()
        for rule in rules(triple.type, there=triple.source.kind == OCCUPATION):
            estimate, keys = self._estimates.of(rule.metric, job, group)
            threshold = float(getattr(self.options.thresholds, rule.metric))
            known = (estimate.value, estimate.low, estimate.high, estimate.n, estimate.reach, estimate.certainty)
            metrics.append(Judged(rule, threshold, *known))
            images[rule.metric] = keys[:IMAGES]
            missing[rule.metric] = self._estimates.missing(rule.metric, job, group)
            lacks[rule.metric] = self._estimates.lack(rule.metric, job, group)
        alone = self.cells.by_occupation.get(job, ())
        counts = self.perceived.group_counts(alone)
        share = float(counts[self.perceived.groups.index(group)] / counts.sum()) if counts.any() else None
        told = self.perceived.occupation is not None
        return Tested(
            triple,
            annotated,
            metrics=metrics,
            images=images,
            share=share,
            missing=missing,
            lacks=lacks,
            groups=len(self.perceived.groups),
            occupation_told=told,
        )


def graph_of(name: str, vertices: Sequence[Vertex], tested: Sequence[Tested]) -> Graph:
    """Return the graph of the edges that were found."""
    return Graph(name, vertices, [edge.edge for edge in tested if edge.found])
