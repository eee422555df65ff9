"""A real Ray cluster of three nodes on this machine."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ENVIRONMENT = {
    # Else Ray takes this machine's other address for the loopback one, where the cluster does not listen.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",
    # The first driver need not wait for processes that nobody asked for.
    "RAY_prestart_worker_first_driver": "0",
    "RAY_enable_worker_prestart": "0",
    # However busy the machine is: nothing is taken for dead that only is slow.
    "RAY_worker_register_timeout_seconds": "1800",
    "RAY_health_check_failure_threshold": "600",
}


IDLE = ["/bin/sh", "-c", "exec cat", "cat"]
"""Does nothing until its node ends: what stands in for the agents of a node, each a Python of its own."""


@contextlib.contextmanager
def variables(without: Path) -> Iterator[None]:
    """Set what nodes and drivers need; they also find what the tests do. No other test is to see it."""
    path = os.pathsep.join(map(str, [without, *filter(None, sys.path)]))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**ENVIRONMENT, "PYTHONPATH": path}.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what Ray's processes are not to import: it takes longer than all that they do import.

    Ray checks settings by jsonschema, which reads a grammar of addresses for a second wherever there is one.
    """
    folder = tmp_path_factory.mktemp("without")
    (folder / "rfc3987_syntax.py").write_text("raise ImportError\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _variables(without: Path) -> Iterator[None]:
    with variables(without):
        yield


class Nodes:
    """The cluster: nodes can be added and killed."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args=self._arguments())
        self.address: str = self._cluster.address
        self._others = [self._cluster.add_node(**self._arguments()) for _ in range(2)]

    def replace_one(self) -> None:
        """Kill a node, at once and with all that runs there, and let another join."""
        self._cluster.remove_node(self._others.pop(0), allow_graceful=False)
        self._others.append(self._cluster.add_node(**self._arguments()))

    def processes_of_head(self) -> list[int]:
        return [one.process.pid for each in self._cluster.head_node.all_processes.values() for one in each]

    def close(self) -> None:
        self._cluster.shutdown()

    def _arguments(self) -> dict[str, Any]:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        return {
            "num_cpus": 1,
            "object_store_memory": 80 * 2**20,
            "node_ip_address": "127.0.0.1",
            "include_dashboard": False,
            "include_log_monitor": False,
            "no_monitor": True,
            "runtime_env_agent_port": port,
        }


@pytest.fixture(scope="session")
def nodes(without: Path) -> Iterator[Nodes]:
    """Return a cluster for all tests."""
    with _started(without) as cluster:
        yield cluster


@pytest.fixture
def own_nodes(without: Path) -> Iterator[Nodes]:
    """Return a cluster for one test, which may end it."""
    with _started(without) as cluster:
        yield cluster


@contextlib.contextmanager
def _started(without: Path) -> Iterator[Nodes]:
    """Start a cluster; without the dashboard and the agents, which Ray gives 15 seconds to start and else ends."""
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        stack.enter_context(variables(without))
        patch.setitem(sys.modules, "rfc3987_syntax", None)
        ray_node = pytest.importorskip("ray._private.node")
        _raylet: Any = pytest.importorskip("ray._raylet")
        from ray._private import services

        started = ray_node.Node.start_ray_processes
        agents = (
            _raylet.DASHBOARD_AGENT_LISTEN_PORT_NAME,
            _raylet.METRICS_AGENT_PORT_NAME,
            _raylet.METRICS_EXPORT_PORT_NAME,
        )

        def start(node: Any) -> None:
            for name in agents:
                _raylet.persist_port(node._session_dir, node._node_id, name, -1)
            port = node._ray_params.runtime_env_agent_port
            _raylet.persist_port(node._session_dir, node._node_id, _raylet.RUNTIME_ENV_AGENT_PORT_NAME, port)
            started(node)

        patch.setattr(ray_node.Node, "start_ray_processes", start)
        patch.setattr(ray_node.Node, "start_api_server", lambda *_, **__: None)
        patch.setattr(services, "_build_python_executable_command_memory_profileable", lambda *_: IDLE)
        cluster = Nodes()
        stack.close()
        yield cluster
        cluster.close()
