#!/usr/bin/env bash
# Runs the tests of --as wandb and --as mlflow against the real packages, in an environment beside the one of `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT

.venv/bin/python -m venv "$venv"
installed=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "import site; site.addsitedir('$installed')" >"$venv/lib/$(ls "$venv/lib")/site-packages/shared.pth"
"$venv/bin/pip" install --quiet --disable-pip-version-check wandb==0.31.0 mlflow-skinny==3.17.2 alembic sqlalchemy
"$venv/bin/python" -m pytest -q tests/apps/publish/trackers/with_wandb.py tests/apps/publish/trackers/with_mlflow.py
