"""A run of MLflow for each model: in a database beside its files, or on the server that MLFLOW_TRACKING_URI names."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.trackers.tracked_runs import TrackedRun, tracked_runs, write_files
from portrayal.errors import InputError
from portrayal.study.study import OpenStudy

if TYPE_CHECKING:
    from mlflow import MlflowClient

__all__ = ["publish_mlflow"]

_SERVER = "MLFLOW_TRACKING_URI"
_AT_ONCE = 1000
"""Numbers that MLflow takes in one request."""


def publish_mlflow(order: Order) -> Published:
    """Write runs to the server, where one is named, else to ``mlflow.db`` and ``artifacts/`` in the folder."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # nothing leaves the machine but to that server
    import mlflow

    logging.getLogger("mlflow").setLevel(logging.WARNING)
    study = OpenStudy.to_read(order.studies[0])
    runs, server = tracked_runs(study), os.environ.get(_SERVER, "")
    if not server:
        order.to.mkdir(parents=True, exist_ok=True)
    database = order.to.resolve() / "mlflow.db"
    order.control.progress.start("write runs", len(runs))
    try:
        client = mlflow.MlflowClient(tracking_uri=server or f"sqlite:///{database}")
        experiment = _experiment(client, study.config.study.title, "" if server else order.to.resolve().as_uri())
        for run in runs:
            with tempfile.TemporaryDirectory() as folder:
                write_files(study, run, Path(folder))
                _write(client, experiment, run, Path(folder))
            order.control.progress.advance(1)
    except (mlflow.exceptions.MlflowException, ImportError) as error:
        # Its own words may hold the server's address, and that a password.
        raise InputError(
            f"--as mlflow: {type(error).__name__} while it wrote to {_SERVER if server else order.to}; check {_SERVER} "
            f"or, without one, install all of mlflow: its database needs more than mlflow-skinny"
        ) from None
    order.control.progress.finish()
    done = f"{len(runs)} runs, a model each"
    if server:
        return Published([], [f"{done}, on the server that {_SERVER} names"])
    return Published([database], [done, f"to look at them: mlflow ui --backend-store-uri sqlite:///{database}"])


def _experiment(client: MlflowClient, title: str, place: str) -> str:
    known = client.get_experiment_by_name(title)
    if known is not None:
        return str(known.experiment_id)
    return str(client.create_experiment(title, artifact_location=f"{place}/artifacts" if place else None))


def _write(client: MlflowClient, experiment: str, run: TrackedRun, files: Path) -> None:
    from mlflow.entities import Metric, Param

    now = int(time.time() * 1000)
    tags = {"mlflow.note.content": run.notes}
    identity = client.create_run(experiment, run_name=run.model, tags=tags).info.run_id
    metrics = [Metric(name, float(value), now, 0) for name, value in run.numbers.items()]
    client.log_batch(identity, params=[Param(name, value) for name, value in run.settings.items()])
    for start in range(0, len(metrics), _AT_ONCE):
        client.log_batch(identity, metrics=metrics[start : start + _AT_ONCE])
    client.log_artifacts(identity, str(files))
    client.set_terminated(identity)
