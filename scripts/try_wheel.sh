#!/usr/bin/env bash
# Builds the sdist and the wheel, installs them in new virtual environments, and runs there what people run: a first study,
# the demo, a study of every method, a bundle that another environment opens. With --quick the first study alone.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip() { "$work/$1/bin/python" -m pip --quiet --disable-pip-version-check "${@:2}"; }

rm -rf dist
"$python" -m venv "$work/build"
pip build install build==1.6.1
"$work/build/bin/python" -m build --quiet --outdir dist .
wheel=$(ls "$root"/dist/*.whl)

"$python" -m venv "$work/new"
pip new install "$wheel"
cd "$work"
new/bin/portrayal --version
new/bin/portrayal doctor
new/bin/portrayal init study --generator simulated --annotator simulated
new/bin/portrayal run study
test -s study/report/index.html
[ "${1:-}" = --quick ] && exit

"$python" -m venv "$work/other"
pip other install "$root"/dist/*.tar.gz
new/bin/portrayal publish study --as bundle
other/bin/portrayal verify study.portrayal
other/bin/portrayal open study.portrayal --into theirs
other/bin/portrayal report theirs
cmp study/report/index.html theirs/report/index.html
for folder in study theirs; do other/bin/portrayal export "$folder" --to "$folder-tables" --format csv; done
diff -r study-tables theirs-tables

pip new install --dry-run "$wheel[all]"
# Without torch: the words of captions are compared as they are.
pip new install "$wheel[faces]" simplemma
new/bin/portrayal demo
PYTHONPATH=$root new/bin/python -m website.clones .
for file in "$root"/website/studies/*.toml; do
    name=$(basename "$file" .toml)
    mkdir -p "$name"
    sed '/^\[\[methods/,$s/^use = "tbyb"$/&\noptions.similarity = 0/' "$file" >"$name/study.toml"
    new/bin/portrayal run "$name"
done

pip build install pipx==1.18.4
PIPX_HOME=$work/pipx build/bin/pipx run --spec "$wheel[faces]" portrayal demo by-pipx
test -s by-pipx/report/index.html
