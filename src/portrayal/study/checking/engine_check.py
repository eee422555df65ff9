"""Check: what a cluster or this machine offers, and what of it each part of a study could use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from portrayal.annotators import Streaming, looks_itself
from portrayal.engines import Build, concurrency, cpu_count
from portrayal.engines.ray import Node, RayCluster
from portrayal.generators import finds_images
from portrayal.study.annotate.run_annotator import AnnotateWork
from portrayal.study.generate.generate_images import GenerateWork
from portrayal.study.parts.devices import chosen_devices
from portrayal.study.parts.specs import AnnotatorSpec, GeneratorSpec
from portrayal.study.parts.spreading import reading_images, resources_of
from portrayal.study.study import OpenStudy

__all__ = ["EngineCheck", "PartPlace", "check_engine"]


@dataclass(frozen=True, slots=True)
class PartPlace:
    """Where a part works: by how many workers at most, what each of them needs, and in words."""

    part: str
    workers: int
    needs: str
    where: str


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """The nodes, the parts, and a line for each part that a node cannot run, or that there is no room for."""

    nodes: tuple[Node, ...]
    parts: tuple[PartPlace, ...]
    problems: tuple[str, ...]


def check_engine(study: OpenStudy | None, cluster: RayCluster | None) -> EngineCheck:
    """Return what is there; every node builds every part that would work on it."""
    if cluster is None:
        return EngineCheck((), tuple(_local(study)) if study else (), ())
    nodes = tuple(cluster.nodes())
    parts = tuple(_spread(study, cluster, nodes)) if study else ()
    without_room = [
        f"{place.part}: no node has {place.needs}, and it would wait for one" for place in parts if not place.workers
    ]
    builds = _builds(study) if study else {}
    problems = [f"node {node.address}: {part}: {problem}" for node, part, problem in cluster.examine(builds)]
    return EngineCheck(nodes, parts, (*without_room, *problems))


def _parts(study: OpenStudy) -> Iterator[tuple[str, GeneratorSpec | AnnotatorSpec, Any]]:
    for name, role in study.generators.items():
        yield f"generator {study.names.generator(name)}", role.spec, role.generator
    for name, (spec, annotator) in study.annotators.items():
        if looks_itself(annotator):
            yield f"annotator {study.names.annotator(name)}", spec, annotator


def _at_home(part: Any) -> PartPlace | None:
    """Return the place of a part that works on this machine whatever the engine."""
    if threads := concurrency(part):
        return PartPlace("", threads, "a thread", "from here: it waits for a service")
    if finds_images(part):
        return PartPlace("", 1, "this process", "here: it takes images that exist")
    return None


def _local(study: OpenStudy) -> Iterator[PartPlace]:
    cores = study.config.annotate.workers or cpu_count()
    for title, spec, part in _parts(study):
        home = _at_home(part)
        if home is not None:
            yield PartPlace(title, home.workers, home.needs, home.where)
        elif len(devices := chosen_devices(spec, part)) > 1:
            yield PartPlace(title, len(devices), "a process", f"here, on {', '.join(devices)}")
        elif title.startswith("generator") or cores == 1:
            yield PartPlace(title, 1, "this process", "here")
        elif isinstance(part, Streaming):
            yield PartPlace(title, 1, "this process", "here, as a stream; its own processes open files")
        else:
            yield PartPlace(title, cores, "a process", "here")


def _spread(study: OpenStudy, cluster: RayCluster, nodes: tuple[Node, ...]) -> Iterator[PartPlace]:
    for title, spec, part in _parts(study):
        home, wish = _at_home(part), spec.resources
        if home is not None:
            yield PartPlace(title, home.workers, home.needs, home.where)
            continue
        wanted = cluster.settled(resources_of(part, wish))
        room = sum(node.slots(wanted) for node in nodes)
        workers = min(room, wish.workers) if wish.workers else room
        yield PartPlace(title, workers, str(wanted), "on the cluster" if room else "nowhere: no node has that much")


def _builds(study: OpenStudy) -> dict[str, Build[Any, Any]]:
    """Return what the nodes are to build, by what it is called in a message."""
    builds: dict[str, Build[Any, Any]] = {}
    for name, role in study.generators.items():
        if _at_home(role.generator) is None:
            work: Build[Any, Any] = GenerateWork(role.spec, None)
            if study.workspace.images.shared:
                work = reading_images(work, study.workspace.images, study.root)
            builds[f"generator {study.names.generator(name)}"] = work
    for name, (spec, annotator) in study.annotators.items():
        if looks_itself(annotator) and _at_home(annotator) is None:
            builds[f"annotator {study.names.annotator(name)}"] = reading_images(
                AnnotateWork(spec), study.workspace.images, study.root
            )
    return builds
