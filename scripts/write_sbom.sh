#!/usr/bin/env bash
# Writes what an installed wheel consists of, as CycloneDX, beside the wheel in dist/.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/new"
"$work/new/bin/pip" install --quiet --disable-pip-version-check dist/*.whl
"$python" -m venv "$work/tool"
"$work/tool/bin/pip" install --quiet --disable-pip-version-check cyclonedx-bom==7.5.0
"$work/tool/bin/cyclonedx-py" environment "$work/new" --output-format JSON --output-file dist/portrayal.cdx.json
