"""SocialBiasKG: from each model's images a graph of relations between occupations and groups, beside that of people.

Each edge that people see is tested by the rules for its type and direction (Tables 4 and 5), on the prompts that these
rules name. Edges that nobody named are listed apart. The graphs are then compared with each other and with people's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from portrayal.errors import ConfigError
from portrayal.evidence import Compared, Design, Evidence, Missing, Need, Plan, Rule
from portrayal.graph import Edge, Graph, Triple
from portrayal.methods.base import Method, OwnTable
from portrayal.methods.socialbiaskg.edge_counts import measurements
from portrayal.methods.socialbiaskg.edge_tables import PEOPLE, own_tables, unique_table
from portrayal.methods.socialbiaskg.edges import ModelEdges, Tested, graph_of
from portrayal.methods.socialbiaskg.looks import Looks
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, Seen
from portrayal.methods.socialbiaskg.rules import METRICS, Thresholds
from portrayal.methods.socialbiaskg.suite.suite import CITATION
from portrayal.methods.socialbiaskg.vertices import OCCUPATION, Vertices, read_vertices, schema
from portrayal.records import Adjustment, Measurement, Note, Prompt, reason_of
from portrayal.stats.exact import Ints

__all__ = ["SocialBiasKG"]

_NIQE, _ALIGNMENT = "niqe", "sentence_similarity"
_ONE = Rule("one")


class SocialBiasKG(Method):
    """See the module's description and :class:`SocialBiasKGOptions`."""

    Options = SocialBiasKGOptions
    name = "socialbiaskg"
    options: SocialBiasKGOptions
    citations: Sequence[str] = (
        CITATION,
        "Edwin B. Wilson (1927): Probable Inference, the Law of Succession, and Statistical Inference. JASA 22. "
        "(intervals of shares)",
        "Wassily Hoeffding (1956): On the Distribution of the Number of Successes in Independent Trials. Annals of "
        "Mathematical Statistics 27. (intervals of diversity)",
        "Wassily Hoeffding (1963): Probability Inequalities for Sums of Bounded Random Variables. JASA 58. "
        "(intervals of similarity)",
        "Zhou Wang, Alan C. Bovik, Hamid R. Sheikh, Eero P. Simoncelli (2004): Image Quality Assessment: From Error "
        "Visibility to Structural Similarity. IEEE Transactions on Image Processing 13. (structure of pictures)",
    )

    def __init__(self, options: SocialBiasKGOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self._looks = Looks(_ONE, (options.attribute, OCCUPATION, _NIQE, _ALIGNMENT))
        self._missing = Missing(_ONE)
        self._compared = Compared(self._couples, options.size, options.captions)

    @property
    def needs(self) -> Sequence[Need[object]]:
        """What is perceived in each image, what is missing, and how alike images are."""
        return [self._looks, self._missing, self._compared]

    @property
    def adjusted(self) -> Sequence[Adjustment]:
        """Return how thresholds and weights differ from the published."""
        options, thresholds, published = self.options, self.options.thresholds, Thresholds()
        moved = [name for name in METRICS if getattr(thresholds, name) != getattr(published, name)]
        values = (f"{name} {getattr(thresholds, name):g}" for name in moved)
        adjusted = [Adjustment(Note.listing("other_thresholds", values))] if moved else []
        if options.edges:
            adjusted.append(Adjustment(Note.listing("own_edges", [options.edges.name])))
        if options.quality_scale == "printed":
            adjusted.append(Adjustment(Note("printed_quality")))
        if options.diversity_images != SocialBiasKGOptions().diversity_images:
            images = options.diversity_images
            adjusted.append(Adjustment(Note.of("diversity_images", n=images) if images else Note("diversity_of_all")))
        for name in ("similarity_weight", "quality_weight"):
            if (value := getattr(options, name)) != getattr(SocialBiasKGOptions(), name):
                adjusted.append(Adjustment(Note.of(name, value=f"{value:g}")))
        return adjusted

    def check(self, design: Design) -> None:
        """Refuse annotators that tell something else, and a study in which nobody tells groups of people."""
        options = self.options
        named = ((options.perceived, options.attribute), (options.occupation, OCCUPATION), (options.niqe, _NIQE))
        for name, attribute in (*named, (options.alignment, _ALIGNMENT), (options.captions, "caption")):
            if name and attribute not in design.annotators[design.annotator(name)]:
                raise ConfigError(
                    f"method {self.name!r}: annotator {name!r} does not tell {attribute!r}; name one that does"
                )
        if design.annotators and not self._teller(design, options.perceived, options.attribute):
            raise ConfigError(
                f"method {self.name!r} needs an annotator that tells {options.attribute!r}, such as vlm, clip or "
                "imported with options.attributes"
            )
        groups = design.attributes[options.attribute].groups if options.attribute in design.attributes else ()
        for group in self._vertices.groups:
            if groups and group.name not in groups:
                raise ConfigError(f"method {self.name!r}: attribute {options.attribute!r} has no group {group.name!r}")
        self._check_pairs(design)

    def _check_pairs(self, design: Design) -> None:
        """Refuse a suite that asks for pairs of other edges than these: what people see would go untested."""
        asked = [
            (prompt.requested.get(OCCUPATION), prompt.requested.get(self.options.attribute))
            for prompt in design.prompts.values()
        ]
        jobs, pairs = {job for job, _ in asked}, {(job, group) for job, group in asked if job and group}
        for edge in self._people:
            ends = {end.kind: end.name for end in edge.triple.ends}
            pair = ends[OCCUPATION], ends[self.options.group_kind]
            if pairs and pair[0] in jobs and pair not in pairs:
                raise ConfigError(
                    f"method {self.name!r}: people's edges have {pair[0]!r} and {pair[1]!r}, a pair that the suite "
                    "does not ask for; give the suite and the method the same 'edges'"
                )

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement | OwnTable]:  # noqa: ARG002 - nothing is drawn
        """Yield each generator's rows, then the tables."""
        plan, relations = evidence.plan, schema(self.options.group_kind)
        self.check(plan.design)
        perceived = self._perceived(evidence)
        vertices = list(self._vertices.by_key.values())
        tested: dict[str, list[Tested]] = {}
        models: dict[str, ModelEdges] = {}
        asked = set[Triple]()
        who = self._teller(plan.design, self.options.perceived, self.options.attribute)
        for generator in plan.generators:
            cells = Cells.of(plan, generator, self.options.attribute)
            model = models[generator] = ModelEdges(cells, perceived, self._people, self.options)
            tested[generator] = [*model.annotated(), *model.emergent()]
            asked |= {edge.triple for edge in model.people}
            blank = Measurement(self.name, "", generator, who, self.options.attribute)
            yield from measurements(blank, tested[generator], vertices, relations)
            yield replace(blank, metric="compared", value=float(model.compared))
        people = Graph(PEOPLE, vertices, [edge for edge in self._people if edge.triple in asked])
        graphs = {
            name: graph_of(name, vertices, [one for one in edges if one.annotated]) for name, edges in tested.items()
        }
        whole = {name: graph_of(name, vertices, edges) for name, edges in tested.items()}
        yield from own_tables(tested, people, graphs, whole, schema=relations, german=self._vertices.german)
        yield unique_table(models, whole)

    @cached_property
    def _vertices(self) -> Vertices:
        options = self.options
        occupations, groups = (self.folder / path if path else None for path in (options.occupations, options.groups))
        return read_vertices(occupations, groups, options.group_kind)

    @cached_property
    def _people(self) -> list[Edge]:
        edges = self.options.edges
        return self._vertices.edges(self.folder / edges if edges else None)

    def _couples(self, prompts: Collection[Prompt]) -> list[tuple[str, str]]:
        """Return which prompts' images are compared: those of each occupation among themselves; and, where people see
        a group underrepresented at an occupation, prompts that differ only in the group.
        """
        rare = {edge.triple.ends for edge in self._people if edge.type == "underrepresented_in"}
        names = {frozenset(end.name for end in ends) for ends in rare}
        couples, by_wording = [], dict[tuple[str, str], list[tuple[str, bool]]]()
        for prompt in prompts:
            job, group = prompt.requested.get(OCCUPATION, ""), prompt.requested.get(self.options.attribute, "")
            if job and group:
                is_rare = frozenset((job, group)) in names
                by_wording.setdefault((job, prompt.variant), []).append((prompt.id, is_rare))
            elif job:
                couples.append((prompt.id, prompt.id))
        for alike in by_wording.values():
            for place, (one, is_rare) in enumerate(alike):
                couples += [(one, other) for other, also in alike[place + 1 :] if is_rare or also]
        return couples

    def _perceived(self, evidence: Evidence) -> Perceived:
        plan, options = evidence.plan, self.options
        design, looks, pairs = plan.design, evidence[self._looks], evidence[self._compared]

        def seen(name: str, attribute: str) -> Seen | None:
            look = looks.get((self._teller(design, name, attribute), attribute))
            return Seen(look, len(plan.cells)) if look is not None else None

        weight = options.similarity_weight
        style = pairs.structure if weight == 1 else weight * pairs.structure + (1 - weight) * pairs.captions
        return Perceived(
            design.attributes[options.attribute].groups,
            seen(options.perceived, options.attribute),
            occupation=seen(options.occupation, OCCUPATION),
            niqe=seen(options.niqe, _NIQE),
            alignment=seen(options.alignment, _ALIGNMENT),
            nobody=self._nobody(plan, evidence),
            planned=plan.planned,
            compared=pairs,
            style=pairs.captions if weight == 0 else style,
            other_names=self._vertices.other_names,
        )

    def _nobody(self, plan: Plan, evidence: Evidence) -> Ints:
        """Return, by cell, how many images show nobody."""
        who = self._teller(plan.design, self.options.perceived, self.options.attribute)
        nobody = plan.zeros()
        for (annotator, attribute, reason), counts in evidence[self._missing].counts.items():
            if (
                annotator
                and annotator == who
                and attribute in ("", self.options.attribute)
                and reason_of(reason).nobody
            ):
                nobody = nobody + counts
        return nobody

    def _teller(self, design: Design, name: str, attribute: str) -> str:
        """Return who tells an attribute: the annotator of that name or else the first that does; nobody: empty."""
        if name:
            return design.annotator(name)
        return next((annotator for annotator, told in design.annotators.items() if attribute in told), "")
