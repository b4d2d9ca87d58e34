# `make run` and `make test` do all their own set-up; everything lands in .venv and in ~/.cache/pyrmq-compat.
PYTHON ?= python3.11
ifeq ($(shell command -v $(PYTHON)),)
PYTHON := python3
endif
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help run test check unit interop bench golden clean java

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## start name server and broker on this machine (127.0.0.1:9876 and 10911)
	$(BIN)/pyrmq standalone

test: check unit interop ## everything that CI checks: style, types, tests, and interop with a real RocketMQ

check: $(VENV)/.dev ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

unit: $(VENV)/.dev ## tests that need nothing but Python
	$(BIN)/pytest -m "not interop"

interop: $(VENV)/.dev java ## tests against a real Apache RocketMQ, run from its Maven jars
	$(BIN)/pytest -m interop

bench: $(VENV)/.dev java ## compare with the real RocketMQ on this machine
	PYTHONPATH=compat $(BIN)/python bench/namesrv.py

golden: $(VENV)/.dev java ## write compat/golden anew with the real RocketMQ's own classes
	PYTHONPATH=compat $(BIN)/python -m pyrmq_compat golden --version 4.9.7 --version 5.5.0
	cp compat/golden/settings.csv src/pyrmq/settings/reference.csv

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A JDK and Maven are installed where that can be done without asking; otherwise interop tests say what is missing.
java:
	@command -v javac >/dev/null && command -v mvn >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -q && apt-get install -qy --no-install-recommends openjdk-17-jdk-headless maven; } || \
	echo "note: no JDK or Maven here; interop tests will be skipped"

$(VENV)/.run: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $@
