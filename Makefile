# `make help` lists the targets. Each sets up what it needs in .venv; nothing outside this folder is touched.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
PYTEST_ARGS ?= -n auto
BENCH_ARGS ?=
ACCURACY_ARGS ?=
FUZZ_EXAMPLES ?= 2000
# Another one each time; the one that is printed repeats a run.
FUZZ_SEED := $(or $(FUZZ_SEED),$(shell date +%s))

VENV := .venv
BIN := $(VENV)/bin
INTEROP := .venv-interop
DOWNSTREAM := .venv-downstream
# A freshly installed rustup is not on PATH until the next login.
export PATH := $(PATH):$(HOME)/.cargo/bin
# PyO3 asks this interpreter, whatever `python3` is: all cargo calls agree, so nothing is built twice.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The stamps carry the Python version: another PYTHON makes a new environment.
PYVER := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null)
TOOLS := $(VENV)/.stamp-tools-$(PYVER)
PACKAGE := $(VENV)/.stamp-package-$(PYVER)
INTEROP_TOOLS := $(INTEROP)/.stamp-tools-$(PYVER)
INTEROP_PACKAGE := $(INTEROP)/.stamp-package-$(PYVER)
DOWNSTREAM_TOOLS := $(DOWNSTREAM)/.stamp-tools-$(PYVER)
# Python sources are used in place; only these make a new build.
SOURCES := pyproject.toml Cargo.toml Cargo.lock $(shell find crates \( -name '*.rs' -o -name Cargo.toml \) 2>/dev/null)
# Someone may have removed the built module under a valid stamp.
BUILT := $(wildcard python/strictarray/_strictarray*.so python/strictarray/_strictarray*.pyd)
# ... or built another one there, newer than the stamp: without optimisation, say.
REBUILD := $(if $(BUILT),$(BUILT),rebuild)

.PHONY: help build demo test fuzz lint bench accuracy docs test-interop test-downstream test-listed test-engines test-valgrind wheel clean distclean rebuild

# Asked for when the built module is missing; never up to date.
rebuild:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

# --- set-up -----------------------------------------------------------------

define NEED_PYTHON
	@command -v $(PYTHON) >/dev/null || { echo "error: $(PYTHON) was not found. Install Python 3.11 or newer, or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: $(PYTHON) is Python $(PYVER), strictarray needs 3.11 or newer. Name one: make PYTHON=python3.12" >&2; exit 1; }
endef

define NEED_CARGO
	@command -v cargo >/dev/null || { echo "error: cargo was not found. Install stable Rust from https://rustup.rs and run make again." >&2; exit 1; }
endef

define MAKE_VENV
	@echo "==> making $(1) with Python $(PYVER)"
	$(PYTHON) -m venv --clear $(1)
	$(1)/bin/python -m pip install -r $(2)
	@touch $@
endef

define BUILD_PACKAGE
	@echo "==> building strictarray (release) into $(1); the first build takes five to fifteen minutes"
	VIRTUAL_ENV=$(CURDIR)/$(1) $(1)/bin/maturin develop --release --locked
	@touch $@
endef

$(TOOLS): requirements/dev.txt
	$(NEED_PYTHON)
	$(NEED_CARGO)
	$(call MAKE_VENV,$(VENV),requirements/dev.txt)

$(PACKAGE): $(TOOLS) $(SOURCES) $(REBUILD)
	$(NEED_CARGO)
	$(call BUILD_PACKAGE,$(VENV))

$(INTEROP_TOOLS): requirements/interop.txt
	$(NEED_PYTHON)
	$(NEED_CARGO)
	@echo "==> torch brings its nvidia libraries: this downloads several GB"
	$(call MAKE_VENV,$(INTEROP),requirements/interop.txt)

$(INTEROP_PACKAGE): $(INTEROP_TOOLS) $(SOURCES) $(REBUILD)
	$(call BUILD_PACKAGE,$(INTEROP))

# The package is used where `make build` puts it: one build serves both environments.
$(DOWNSTREAM_TOOLS): requirements/downstream.txt
	$(NEED_PYTHON)
	$(call MAKE_VENV,$(DOWNSTREAM),requirements/downstream.txt)
	echo "$(CURDIR)/python" > "$$($(DOWNSTREAM)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/strictarray.pth"

build: $(PACKAGE) ## build the package (release) into .venv

# --- what users and developers run ------------------------------------------

demo: $(PACKAGE) ## run the demo: real data on the five devices, and which exchanges are refused
	$(BIN)/python examples/demo.py

test: $(PACKAGE) ## all tests, cargo's and pytest's (PYTEST_ARGS="-k name" to choose)
	@echo "==> cargo test"
	cargo test --workspace --locked
	@echo "==> pytest"
	$(BIN)/python -m pytest $(PYTEST_ARGS)
	@$(if $(filter file,$(origin PYTEST_ARGS)),$(MAKE) --no-print-directory test-listed test-engines,echo "==> PYTEST_ARGS chooses: no tests of other libraries")

fuzz: $(PACKAGE) ## every function against NumPy on many random arrays (FUZZ_EXAMPLES=20000; FUZZ_SEED=… repeats a run)
	@echo "==> $(FUZZ_EXAMPLES) examples of each function; FUZZ_SEED=$(FUZZ_SEED) repeats them"
	STRICTARRAY_FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest tests/test_against_numpy.py --hypothesis-seed=$(FUZZ_SEED) $(PYTEST_ARGS)

lint: $(PACKAGE) ## formatting, clippy, rustdoc, ruff, mypy, stubs, pins
	@cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 || { echo "error: rustfmt or clippy is missing: rustup component add rustfmt clippy" >&2; exit 1; }
	@echo "==> rustfmt"
	cargo fmt --all --check
	@echo "==> clippy"
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@echo "==> rustdoc"
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	@echo "==> ruff"
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo "==> mypy and stubtest"
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest strictarray
	@echo "==> pins"
	$(BIN)/python tools/check_repo.py

bench: $(PACKAGE) ## time NumPy, array-api-strict and strictarray side by side (BENCH_ARGS=--quick)
	$(BIN)/python bench/run.py $(BENCH_ARGS)

accuracy: $(PACKAGE) ## errors of elementwise functions and sums in units of the last place (ACCURACY_ARGS="exp log" to choose)
	cargo run --release --locked -p strictarray-kernels --example accuracy -- $(ACCURACY_ARGS)
	@echo "==> complex numbers"
	$(BIN)/python tools/complex_accuracy.py $(ACCURACY_ARGS)
	@echo "==> sums and products"
	$(BIN)/python tools/sum_accuracy.py $(ACCURACY_ARGS)

docs: $(TOOLS) ## build the documentation of the Rust crates
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	@echo "Rust: target/doc/strictarray_dlpack/index.html   Python and the exchange rules: docs/   Layers: DESIGN.md"

test-interop: $(INTEROP_PACKAGE) ## exchanges with torch, jax and pyarrow, in .venv-interop (several GB)
	$(INTEROP)/bin/python -c 'import torch, jax, pyarrow; print("torch", torch.__version__, "jax", jax.__version__, "pyarrow", pyarrow.__version__)'
	$(INTEROP)/bin/python -m pytest -m interop tests/interop

# SUITE: dotted prefixes of suites, ONLY: genuine or stand-in. DOWNSTREAM_ARGS=--help tells the rest.
SUITE ?=
ONLY ?=
DOWNSTREAM_ARGS ?=

test-downstream: $(PACKAGE) $(DOWNSTREAM_TOOLS) ## suites of SciPy, scikit-learn and others on the stand-in and on array-api-strict (SUITE=scipy.stats ONLY=stand-in)
	$(DOWNSTREAM)/bin/python tools/downstream $(SUITE) $(if $(ONLY),--only $(ONLY)) $(DOWNSTREAM_ARGS)

test-listed: $(PACKAGE) $(DOWNSTREAM_TOOLS) ## some tests of each of these suites on the stand-in, those listed in tests/downstream (part of `make test`)
	@echo "==> listed tests of other libraries"
	$(DOWNSTREAM)/bin/python tools/downstream --listed

test-engines: $(PACKAGE) $(DOWNSTREAM_TOOLS) ## cubed, Dask, xarray, einops and array-api-extra on our arrays, and what the suites found (part of `make test`)
	@echo "==> engines"
	$(DOWNSTREAM)/bin/python -m pytest $(PYTEST_ARGS) tests/engines

# The runner by --config works on every target; by an environment variable its name would need the target's.
test-valgrind: $(TOOLS) ## the DLPack crate's life-cycle tests under valgrind
	@command -v valgrind >/dev/null || { echo "error: valgrind was not found (Debian: apt-get install valgrind)." >&2; exit 1; }
	cargo test -p strictarray-dlpack --test lifecycle --locked \
	    --config "target.'cfg(all())'.runner=['valgrind', '--error-exitcode=9', '--leak-check=full', '--suppressions=$(CURDIR)/crates/strictarray-dlpack/tests/valgrind.supp']" \
	    -- --test-threads=1

wheel: $(TOOLS) ## build the wheel into dist/ and check its size
	rm -rf dist
	$(BIN)/maturin build --release --locked --out dist
	$(BIN)/python tools/check_repo.py --wheel dist

clean: ## remove what was built and .venv; .venv-interop and .venv-downstream stay
	rm -rf target dist build $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/strictarray/_strictarray*.so python/strictarray/_strictarray*.pyd
	find python tests examples bench tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv-interop, .venv-downstream and all results too
	rm -rf $(INTEROP) $(DOWNSTREAM) bench-results .downstream-results
