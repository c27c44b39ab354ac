# Everything happens in $(VENV), which is made on first use and renewed when pyproject.toml or constraints.txt changes.
#   make first    check four statements of one paper, with every kind of verdict, in less than a minute
#   make check    check every registered claim, write the report
#   make test     test suite, lint, types, import contract
#   make docs     the documentation, in site/index.html
#   make nightly  the test suite with every point, call, specimen, theorem and family; `make test` takes a share (an hour)
#   make pages    every page of the report looked at in a browser (needs chromium)
#   make coq      every theorem of the kernel checked a second time, by Coq (needs coqc; about half an hour on two cores)
#   make release  all of a release but the upload: built, checked, tried on every Python that is claimed, dated, tagged
#   make benchmarks  speed against named baselines, growth, memory, errors of the checks (under ten minutes); fails where
#                    something has become slower beside plain loops than when $(REPORT)/limits.json was made
# PYTHON=... chooses the interpreter (Python >= 3.11), VENV=... another place for the environment.
# WITHOUT="3.12" leaves a claimed Python out of a release.

VENV ?= .venv
PYTHON ?=
REPORT ?= report
SITE ?= site
COQ ?= coq
GALLERY ?= .gallery
ROOMS := algorithms claims cli paper_checks theory verify
FIRST := BDP-T3.1 BDP-LC.5 BDP-S1.5 BDP-E-G2

BIN := $(VENV)/bin
TRIED := $(or $(PYTHON),$(BIN)/python python3.13 python3.12 python3.11 python3)
# A named interpreter has a stamp of its own, so that naming another one renews the environment.
READY := $(VENV)/.ready$(if $(PYTHON),$(subst /,-,-$(PYTHON)))

.PHONY: install first check docs pages coq benchmarks gallery test tests nightly lint contract types format coverage release clean

install: $(READY)

first: $(READY)
	$(BIN)/banditproof check --output $(REPORT) $(FIRST:%=--claim %)

check: $(READY)
	$(BIN)/banditproof check --output $(REPORT)
	@echo "report: $(abspath $(REPORT))/index.html"

docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going docs $(SITE)
	@echo "documentation: $(abspath $(SITE))/index.html"

# Imports and types are checked beside the tests, which leave a processor idle now and then; what is said of them comes
# last.
test: lint
	@mkdir -p .typing
	@$(MAKE) --no-print-directory --keep-going contract types > .typing/said 2>&1 & types=$$!; \
	$(MAKE) --no-print-directory tests; tests=$$?; \
	wait $$types; types=$$?; cat .typing/said; exit $$((tests + types))

# Hundreds of processes that the tests start read the bytecode that the first one wrote.
tests: $(READY)
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses logical --maxprocesses 4 --dist worksteal

nightly: $(READY)
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --every-point --numprocesses logical --maxprocesses 4 --dist worksteal

pages: check
	$(BIN)/pytest -v --every-point --numprocesses logical --maxprocesses 4 --report $(REPORT) -k every_page tests/claims/report/test_pages.py

coq: $(READY)
	$(BIN)/banditproof export --coq --check --output $(COQ)

benchmarks: $(READY)
	$(BIN)/python benchmarks/run.py --output $(REPORT)
	$(BIN)/python benchmarks/limits.py --guard $(REPORT)/limits.json

# Libraries of others from the package index, each with what it needs where that can be; what does not import is named.
gallery: $(READY)
	$(BIN)/python -m venv $(GALLERY)
	$(GALLERY)/bin/pip install --quiet . -r examples/gallery/requirements.txt
	for library in mabby SMPyBandits contextualbandits; do $(GALLERY)/bin/pip install --quiet --no-deps $$library; done
	$(GALLERY)/bin/python examples/gallery/gallery.py --page examples/gallery/README.md

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

contract: $(READY)
	$(BIN)/lint-imports

# Node collects less often with more room for what is new: a tenth less work.
types: export NODE_OPTIONS = --max-semi-space-size=128
types: $(READY)
	mkdir -p .typing
	[ -L .typing/banditproof ] || rm -rf .typing/banditproof
	ln -sfn .. .typing/banditproof
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

coverage: $(READY)
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

release: $(READY)
	VENV=$(VENV) WITHOUT="$(WITHOUT)" .ci/release

clean:
	rm -rf $(VENV) .release $(GALLERY) .typing $(REPORT) $(SITE) $(COQ) docs/made build dist *.egg-info .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# An interpreter counts when it runs (a pyenv shim may not), is new enough, and can make environments.
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
ABLE := import ensurepip, venv

$(READY): pyproject.toml constraints.txt
	@found=; unable=; \
	for python in $(TRIED); do \
	    "$$python" -c '$(RECENT)' >/dev/null 2>&1 || continue; \
	    if "$$python" -c '$(ABLE)' >/dev/null 2>&1; then found=$$python; break; fi; \
	    unable=$$python; \
	done; \
	if [ -z "$$found" ] && [ -n "$$unable" ]; then \
	    echo "error: $$unable cannot make virtual environments: install its venv package (on Debian: python3-venv)" >&2; exit 1; \
	elif [ -z "$$found" ]; then \
	    echo "error: banditproof needs Python 3.11 or newer; none of these is: $(TRIED). Name one with PYTHON=..." >&2; exit 1; \
	fi; \
	version=$$("$$found" --version); \
	echo "setting up $(VENV) with $$version, about a minute"; \
	[ -x $(BIN)/pip ] && [ "$$($(BIN)/python --version 2>&1)" = "$$version" ] || "$$found" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-compile \
	    --constraint constraints.txt --editable '.[all]'
	@$(BIN)/python -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib || true  # for speed only: pip compiles on one processor, and all tests
	@$(BIN)/python -m compileall -qq -j 0 $(ROOMS) || true
	@touch $(VENV)/.ready $@
