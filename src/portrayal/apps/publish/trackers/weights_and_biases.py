"""A run of Weights & Biases for each model, kept on this machine until somebody syncs it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.trackers.tracked_runs import COLUMNS, TrackedRun, tracked_runs, write_files
from portrayal.study.study import OpenStudy
from portrayal.terminal import from_here

__all__ = ["publish_wandb"]

_QUIETLY = {"WANDB_ERROR_REPORTING": "false"}
"""Its own reports to its maker: nothing leaves the machine unless somebody asks for that."""
_ABOUT_THE_MACHINE = {
    "x_disable_meta": True, "x_disable_machine_info": True, "x_disable_stats": True, "x_save_requirements": False,
    "disable_git": True, "save_code": False, "host": "", "username": "", "email": "", "program": "",
}  # fmt: skip


def publish_wandb(order: Order) -> Published:
    """Write offline runs below ``wandb/`` in the folder."""
    study = OpenStudy.to_read(order.studies[0])
    runs = tracked_runs(study)
    for name, value in _QUIETLY.items():
        os.environ.setdefault(name, value)
    order.to.mkdir(parents=True, exist_ok=True)
    written = []
    order.control.progress.start("write runs", len(runs))
    for run in runs:
        with tempfile.TemporaryDirectory() as folder:
            written.append(_write(study, run, order.to, Path(folder)))
        order.control.progress.advance(1)
    order.control.progress.finish()
    places = " ".join(str(from_here(path)) for path in written)
    return Published(
        [order.to, *written],
        [f"{len(runs)} runs, a model each; nothing was sent", f"to send them, from here: wandb sync {places}"],
    )


def _write(study: OpenStudy, run: TrackedRun, to: Path, files: Path) -> Path:
    import wandb

    page = write_files(study, run, files)
    with wandb.init(
        mode="offline",
        dir=to,
        project=_project(study.config.study.title),
        name=run.model,
        notes=run.notes,
        config=dict(run.settings),
        job_type="evaluation",
        reinit="create_new",
        settings=wandb.Settings(silent=True, console="off", **_ABOUT_THE_MACHINE),
    ) as active:
        active.log({"numbers": wandb.Table(list(COLUMNS), [list(row) for row in run.rows])})
        active.log({"report": wandb.Html(str(page), inject=False)})
        active.summary.update(dict(run.numbers))
        return Path(active.dir).parent


def _project(title: str) -> str:
    """Return a title as the name of a project, which has neither slashes nor some other signs in it."""
    return "".join("-" if each in "/\\#?%:" else each for each in title)[:128] or "portrayal"
