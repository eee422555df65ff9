"""A Ray cluster: how to reach it, and what its nodes offer."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from portrayal import __version__
from portrayal.engines.local import Build
from portrayal.engines.ray import actor as shipped
from portrayal.engines.ray.address import HOW, first_line, probe
from portrayal.engines.ray.head import Head
from portrayal.errors import MissingExtraError, ServiceError
from portrayal.processes import Resources, result_of

__all__ = ["Node", "RayCluster", "connect", "packed_build", "shipped_actor"]

_LOOK_EVERY = 0.5
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the cluster, and what it has in all, in use or not."""

    id: str
    address: str
    cpus: float
    gpus: float
    memory: int

    def slots(self, wanted: Resources) -> int:
        """Return how many processes with these resources it can hold.

        >>> Node("", "10.0.0.1", cpus=8, gpus=1, memory=2**34).slots(Resources(cpus=2, gpus=0.5))
        2
        """
        pairs = ((self.cpus, wanted.cpus), (self.gpus, wanted.gpus), (float(self.memory), float(wanted.memory)))
        return min((int(has / needs + 1e-9) for has, needs in pairs if needs), default=1)


@dataclass(frozen=True, slots=True)
class RayCluster:
    """A cluster that this process is connected to, and its head."""

    head: Head = field(default_factory=Head)

    def nodes(self) -> Sequence[Node]:
        """Return the nodes that are alive.

        They are asked for in a thread: without a head there is no answer, until Ray ends the program.
        """
        import ray

        asked: Future[Any] = Future()

        def ask() -> None:
            try:
                asked.set_result(ray.nodes())
            except BaseException as error:  # whatever it is, the caller must learn of it
                asked.set_exception(error)

        threading.Thread(target=ask, name="asking Ray", daemon=True).start()
        while not wait([asked], _LOOK_EVERY).done:
            self.head.answers()
        return [
            Node(
                node["NodeID"],
                node["NodeManagerAddress"],
                node["Resources"].get("CPU", 0.0),
                node["Resources"].get("GPU", 0.0),
                int(node["Resources"].get("memory", 0)),
            )
            for node in asked.result()
            if node["Alive"]
        ]

    def examine(self, builds: Mapping[str, Build[Any, Any]]) -> Iterator[tuple[Node, str, str]]:
        """Let every node build what it is to run; yield which node cannot build what, and why."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor = ray.remote(num_cpus=0)(shipped_actor())
        packed = {name: packed_build(build) for name, build in builds.items()}
        asked = []
        for node in self.nodes():
            there = actor.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False)).remote()
            asked.append(
                (node, {name: there.start.remote(__version__, build) for name, build in packed.items()}, there)
            )
        for node, answers, _ in asked:
            for name, reference in answers.items():
                try:
                    _, problem = ray.get(reference)
                except ray.exceptions.RayError as error:
                    problem = next(iter(str(error).splitlines()), type(error).__name__)
                if problem:
                    yield node, name, problem

    def settled(self, wanted: Resources) -> Resources:
        """Return the resources without the graphics card that a part likes, where the cluster has none."""
        if wanted.or_no_gpu and not any(node.gpus for node in self.nodes()):
            return replace(wanted, gpus=0.0, or_no_gpu=False)
        return replace(wanted, or_no_gpu=False)


def shipped_actor() -> Any:
    """Return the class of actors; it travels to the nodes by value."""
    from ray import cloudpickle

    cloudpickle.register_pickle_by_value(shipped)
    return shipped.Actor


def packed_build(build: Build[Any, Any]) -> Any:
    """Return a reference to what actors build; of a script or a notebook its code goes along."""
    import ray
    from ray import cloudpickle

    return ray.put(cloudpickle.dumps(build))  # sent to each node once, however many actors it has


@contextlib.contextmanager
def connect(address: str = "") -> Iterator[RayCluster]:
    """Connect to a cluster: ``host:port``, ``ray://host:port``, or nothing for that of this machine or RAY_ADDRESS.

    A program that is connected already stays so, with the cluster it has.
    """
    ray = _ray()
    if ray.is_initialized():
        yield RayCluster(_head(ray))
        return
    probe(address or os.environ.get("RAY_ADDRESS", ""))
    with _hook_kept():
        try:
            _init(ray, address or "auto")
        except Exception as error:  # of many kinds: no cluster, another version, a wrong address
            raise ServiceError(
                f"no Ray cluster at {address or 'RAY_ADDRESS or on this machine'}: {first_line(error)}; {HOW}"
            ) from None
    with _unprinted():
        try:
            yield RayCluster(_head(ray))
        finally:
            ray.shutdown()  # which prints what it held back


def _init(ray: Any, address: str) -> None:
    """Connect in a thread: there Ray leaves the program's answers to signals alone, which are given meanwhile too."""
    done: Future[None] = Future()

    def connect() -> None:
        try:
            # Ray's own lines, such as that an actor died, would tell of what is dealt with here.
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, **_job(ray, address))
        except BaseException as error:  # whatever it is, the caller must learn of it
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=connect, name="connecting to Ray", daemon=True).start()
    result_of(done)


def _job(ray: Any, address: str) -> dict[str, Any]:
    """Return what keeps nodes from importing from the current folder, unless this program does so too.

    Ray puts it on the path of all workers, and it may be somebody else's study. A client's folder stays where it is.
    """
    if address.startswith("ray://"):
        return {}

    class Job(ray.job_config.JobConfig):  # type: ignore[misc]
        def _serialize(self) -> Any:
            here = {str(Path(path or ".").absolute()) for path in sys.path}
            self._py_driver_sys_path: list[str] = [path for path in self._py_driver_sys_path if path in here]
            return super()._serialize()

    return {"job_config": Job()}


@contextlib.contextmanager
def _unprinted() -> Iterator[None]:
    """Keep Ray from printing of workers that died: to standard output, whatever ``log_to_driver`` says."""
    from ray._private import worker

    before = getattr(worker, "_worker_logs_enabled", True)
    worker._worker_logs_enabled = False
    try:
        yield
    finally:
        worker._worker_logs_enabled = before


def _head(ray: Any) -> Head:
    """Return where the cluster's head is; a client only knows of a server that speaks for it."""
    return Head("" if ray.util.client.ray.is_connected() else ray.get_runtime_context().gcs_address)


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "1")  # without a card asked for, none is seen
    try:
        import ray
    except ImportError:
        raise MissingExtraError("the engine 'ray' needs ray: run pip install \"portrayal[ray]\"") from None
    return ray


@contextlib.contextmanager
def _hook_kept() -> Iterator[None]:
    """Keep the answer to errors that this program has: Ray puts its own in its place."""
    hook = sys.excepthook
    try:
        yield
    finally:
        sys.excepthook = hook
