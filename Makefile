# Everything runs in a virtual environment in .venv, made with plain venv and pip.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check benchmarks clean

demo: .venv/demo
	$(BIN)/portrayal demo portrayal-demo

test: .venv/dev check
	$(BIN)/python -m pytest

check: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmarks: .venv/dev
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/faces.py
	$(BIN)/python benchmarks/coverage.py
	$(BIN)/python benchmarks/distances.py
	$(BIN)/python benchmarks/differences.py

clean:
	rm -rf .venv portrayal-demo

.venv/demo: pyproject.toml | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[faces]"
	touch $@

.venv/dev: pyproject.toml | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[faces,dev]"
	touch $@ .venv/demo

.venv/bin/python:
	$(PYTHON) -m venv .venv
