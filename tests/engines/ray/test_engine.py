from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from portrayal.engines.ray import RayCluster, RayEngine, connect
from portrayal.errors import PortrayalError

if TYPE_CHECKING:
    from tests.engines.ray.conftest import Nodes

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

# Put together from builtins, as for the local engine: called without arguments, it builds a function of one batch.
EVALUATE = partial(partial, eval)
SUM = partial(partial, sum)
PROCESS = "__import__('os').getpid()"


@pytest.fixture(scope="module")
def cluster(nodes: Nodes) -> Iterator[RayCluster]:
    before = signal.getsignal(signal.SIGTERM)
    with connect(nodes.address) as found:
        assert signal.getsignal(signal.SIGTERM) is before
        yield found


def test_every_batch_has_one_result_and_work_runs_elsewhere(cluster: RayCluster) -> None:
    found = [result for ready in RayEngine(cluster).map(SUM, [[n, n] for n in range(50)]) for result in ready]
    assert sorted(found) == [2 * n for n in range(50)]
    pids = {pid for ready in RayEngine(cluster, most=2).map(EVALUATE, [PROCESS] * 8) for pid in ready}
    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2


def test_an_exception_of_the_work_comes_through(cluster: RayCluster) -> None:
    with pytest.raises(ZeroDivisionError):
        list(RayEngine(cluster).map(EVALUATE, ["1", "1 / 0"]))


def test_what_cannot_be_built_is_one_line_with_the_node(cluster: RayCluster) -> None:
    with pytest.raises(PortrayalError) as caught:
        list(RayEngine(cluster).map(partial(eval, "1 / 0"), [[1]]))
    assert str(caught.value) == "node 127.0.0.1: cannot start: ZeroDivisionError: division by zero"


def test_what_nodes_cannot_build_is_told_with_the_node(cluster: RayCluster) -> None:
    found = list(cluster.examine({"fine": SUM, "lacking": partial(eval, "__import__('nowhere')")}))
    assert [(node.address, part, problem) for node, part, problem in found] == [
        ("127.0.0.1", "lacking", "cannot start: ModuleNotFoundError: No module named 'nowhere'")
    ] * 3


def test_the_check_tells_what_parts_could_use(
    cluster: RayCluster, cli: Callable[..., Any], make_study: Callable[..., Path]
) -> None:
    annotators = [
        {"use": "simulated", "resources": {"workers": 2}},
        {"use": "simulated", "options": {"accuracy": 0.9}, "name": "large", "resources": {"cpus": 0.5, "gpus": 1}},
    ]
    told = cli("engine", "check", make_study(annotators=annotators), "--engine", "ray")
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout.splitlines()[0].split() == ["node", "CPUs", "GPUs", "GiB"]
    assert told.stdout.splitlines()[-5:] == [
        "part                   workers  each            where",
        "generator simulated@1  3        1 CPU           on the cluster",
        "annotator simulated@1  2        1 CPU           on the cluster",
        "annotator large        0        0.5 CPU, 1 GPU  nowhere: no node has that much",
        "annotator large: no node has 0.5 CPU, 1 GPU, and it would wait for one",
    ]


@pytest.mark.parametrize("own", [False, True])
def test_nodes_import_from_the_current_folder_only_if_this_program_does(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    script = (
        "import sys\nfrom functools import partial\nfrom portrayal.engines.ray import RayEngine, connect\n"
        f"with connect({nodes.address!r}) as cluster:\n"
        "    look = \"__import__('sys').path\"\n"
        "    paths = [path for ready in RayEngine(cluster).map(partial(partial, eval), [look]) for path in ready]\n"
        f"print({str(tmp_path)!r} in paths[0])\n"
    )
    words = [sys.executable, *([] if own else ["-P"]), "-c", script]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(own), done.stderr
