#!/usr/bin/env bash
# Builds the sdist and the wheel, installs the wheel in a new virtual environment, and runs what a newcomer runs first.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -rf dist
"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet --disable-pip-version-check build==1.5.0
"$work/build/bin/python" -m build --quiet --outdir dist .

"$python" -m venv "$work/new"
"$work/new/bin/pip" install --quiet --disable-pip-version-check dist/*.whl
cd "$work"
new/bin/portrayal --version
new/bin/portrayal doctor
new/bin/portrayal init study --generator simulated --annotator simulated
new/bin/portrayal run study
test -s study/report/index.html
for method in faintbench bafis socialbiaskg; do
    new/bin/portrayal init "$method" --method "$method" --generator simulated --annotator simulated
    new/bin/portrayal plan "$method"
done
