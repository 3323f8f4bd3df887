# make run | test | test-all | lint | docs | package | floors | audit | cpu | bench | mutants | lock | clean      (plain `make` lists them)
#
# Needs Python 3.11 or newer with venv, and make (GNU 3.81 will do). All that is installed goes to .venv and node_modules.

SHELL = /bin/sh
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
VENV = .venv
BIN = $(VENV)/bin
INSTALL = sh .ci/install $(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK = 1
DATA =
PORT =
OPTIONS =
MODULES = node_modules/.package-lock.json
CODE = $(wildcard app.py setup.py) $(sort $(dir $(wildcard */*.py)))

.PHONY: help run test slow test-all lint docs package floors audit cpu bench mutants lock clean

help:
	@echo 'make run              open the app on the sample data (then visit the address it prints)'
	@echo 'make run DATA=folder  open the app on your own collection; PORT=8502 for another port'
	@echo 'make test             run the tests, some in a headless Chromium: 5 minutes on two cores'
	@echo 'make test-all         run those marked slow, too: 12 minutes on two cores'
	@echo 'make lint             check style, format, types and phrases, of Python and of JavaScript'
	@echo 'make docs             write the documentation to site/, to be read from there'
	@echo 'make package          build what people install, and try it in an empty folder: every example, every page'
	@echo 'make floors           test a part on the oldest versions that the requirements allow'
	@echo 'make cpu              test a part as on an older CPU, where numpy and OpenBLAS compute in other steps'
	@echo 'make audit            look up known flaws in the packages that CI installs'
	@echo 'make bench            time the measures, beside other tools'
	@echo 'make mutants          change the code in 100 places, one by one: does a test notice? Takes hours;'
	@echo '                      OPTIONS="--number 20 --seed 1 ui pages" for others, OPTIONS=--list to see them only'
	@echo 'make lock             resolve requirements.lock anew'
	@echo 'make clean            remove all that the other targets made'

run: $(VENV)/run.stamp
	$(BIN)/python -m evalcore app $(if $(PORT),--port $(PORT)) $(if $(DATA),--data "$(DATA)")

# Each worker has a core of its own; threads of linear algebra would wait on it for each other, and be busy at that.
PYTEST = OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

test: $(VENV)/test.stamp
	@sh .ci/browser $(BIN)/python
	$(PYTEST) -m 'not slow'

slow: $(VENV)/test.stamp
	@sh .ci/browser $(BIN)/python
	$(PYTEST) -m slow

test-all: test slow

lint: $(VENV)/test.stamp $(MODULES)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/python .ci/phrases
	$(BIN)/python .ci/types $(CODE)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent lint

docs: $(VENV)/test.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo 'open site/index.html'

package: $(VENV)/test.stamp
	@sh .ci/package $(BIN)/python

floors:
	@sh .ci/floors $(PYTHON)

cpu: $(VENV)/test.stamp
	@sh .ci/cpu $(BIN)/python

audit:
	@sh .ci/audit $(PYTHON)

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks

mutants: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks.mutants $(OPTIONS)

# A venv of its own, so that nothing installed by hand gets in; the package itself is left out of the list.
lock:
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --upgrade setuptools '.[app,test,lint]'
	.venv-lock/bin/python -m pip freeze --all --exclude pip --exclude wheel --exclude ir-evalcore > .venv-lock/frozen.txt
	.venv-lock/bin/python -m pip install --quiet uv
	@{ echo '# The exact set that CI installs and tests: the app, the tests and the linters, with all they need.'; \
	  echo "# Made by \`make lock\` with $$(.venv-lock/bin/python -V) on $$(uname -s): a fresh venv,"; \
	  echo "# pip install --upgrade setuptools '.[app,test,lint]', pip freeze --all (without pip and ir-evalcore),"; \
	  echo '# uv pip compile --no-deps --generate-hashes: the sums of every file that the index has of these versions.'; \
	  .venv-lock/bin/uv pip compile --quiet --no-deps --generate-hashes --no-header --no-annotate .venv-lock/frozen.txt; \
	} > requirements.lock.new
	mv requirements.lock.new requirements.lock
	rm -rf .venv-lock build ir_evalcore.egg-info

clean:
	rm -rf $(VENV) .venv-lock .venv-floors .venv-audit node_modules build dist ir_evalcore.egg-info screenshots site
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp says that its set is installed; a second make does nothing until the list of packages changes.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11'; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo 'A virtual environment could not be made; on Debian and Ubuntu: apt install python3-venv'; exit 1; }

$(VENV)/run.stamp: requirements.txt | $(BIN)/python
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/test.stamp: requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/run.stamp

$(MODULES): package-lock.json | $(VENV)/test.stamp
	@sh .ci/node $(BIN)/python
	@touch $@

$(VENV)/bench.stamp: $(VENV)/test.stamp
	sh .ci/pins > $(VENV)/pins.txt
	$(INSTALL) -c $(VENV)/pins.txt --editable '.[bench]'
	@touch $@
