# Kedge: see README.md. Every target works on a fresh machine that has Swift and, for packages, apt-get. `make` lists the targets.
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
DEMO = fixtures/demo
KEDGE = .build/release/kedge
PACKAGING = Sources/kedge/Packaging
export SWIFT

# The packages to build the program, and those that its tests need besides.
PACKAGES = libncurses-dev libarchive-dev libcurl4-openssl-dev libre2-dev libsimdjson-dev libsqlite3-dev libtomlplusplus-dev libuchardet0 libutf8proc-dev g++
TEST_PACKAGES = tmux zsh fish
INSTALL_PACKAGES = @$(PACKAGING)/packages.sh

.PHONY: help run build test documents check test-matrix soak fuzz sanitize bench race profile coverage graph lint format install uninstall deb \
  clean demo pictures archive emoji setup setup-tests

## help: this list
help:
	@sed -n 's/^## //p' Makefile

## run: build kedge, and open the demo in the middle of a conversation
run: setup
	@$(PACKAGING)/build.sh kedge
	$(KEDGE) demo general/m-001500

## build: leave kedge and kedge-matrix in .build/release
build: setup
	@$(PACKAGING)/build.sh

## test: run all tests (one: swift test --filter "NAME"); failures are repeated at the end
test: setup setup-tests
	@Tests/run

## documents: check that the documents name no file, command, option, target or key that does not exist
documents: setup setup-tests
	$(SWIFT) build --build-tests --no-color-diagnostics
	$(SWIFT) test --skip-build --filter DocumentsTests

## check: lint, graph, documents, and the tests of the modules that have changed since main
check: setup setup-tests
	@Tests/check

## test-matrix: try the programs with a real homeserver and other clients: KILLS kills and more (ONLY="chat split" for some tests)
# Synapse, matrix-nio and pantalaimon are installed in .build/synapse at the first run (300 MB from PyPI).
KILLS ?= 100
test-matrix: build setup-tests
	@python3 -c 'import venv, ensurepip' 2>/dev/null || $(PACKAGING)/packages.sh python3-venv
	Tests/Synapse/run $(KILLS) $(or $(KEDGE_SEED),$(shell date +%s)) $(ONLY)

## soak: the timeline's properties on millions of random cases (SOAK times as many as the tests; KEDGE_SEED to repeat)
SOAK ?= 100
soak: setup setup-tests
	$(SWIFT) build --build-tests --no-color-diagnostics
	KEDGE_SOAK=$(SOAK) $(SWIFT) test --skip-build --filter "TimelineTests\."

## fuzz: random input for the readers of config.toml, exports, logs and keys, for TIME seconds (ONLY="log keys" for some of them)
TIME ?= 60
fuzz: setup
	@Tests/Fuzz/run $(TIME) $(ONLY)

## sanitize: the tests with the sanitizers of addresses and undefined behaviour, and of threads (ONLY=thread; FILTER for some tests)
sanitize: setup setup-tests
	@for kind in $(or $(ONLY),address thread); do Tests/sanitize $$kind $(if $(FILTER),"$(FILTER)") || exit; done

## bench: the times of pages, searches and frames, and how they grow (BENCH="--filter NAME" for some of it)
bench: setup
	KEDGE_BENCH=1 $(SWIFT) run -c release --scratch-path .build/bench-build Benchmarks $(BENCH)

## race: kedge beside less, lnav and WeeChat on N messages (ONLY="h i" for some races, RUNS, PLOT=1 for how it grows)
RUNS ?= 5
race: build .build/generate-archive
	$(INSTALL_PACKAGES) less lnav weechat-curses
	KEDGE_BENCH=1 $(SWIFT) run -c release --scratch-path .build/bench-build Race --kedge $(abspath $(KEDGE)) --folder $(abspath .build/race) \
	  --size $(N) --runs $(RUNS) --only "$(ONLY)" --plot "$(PLOT)"

## profile: where 100 runs of `kedge open MESSAGE` and of `kedge search QUERY` spend their time (in ARCHIVE)
profile: export STRIP =
profile: build
	@Tests/Benchmarks/profile $(KEDGE) "$(or $(ARCHIVE),$(DEMO))" "$(or $(MESSAGE),general/m-001500)" "$(or $(QUERY),tide)"

## coverage: how many lines of each module the tests run (FILTER for some tests)
coverage: setup setup-tests
	@Tests/coverage "$(FILTER)"

## graph: which file uses types and functions of which other (ROOMS="Interface kedge"); an error if files are in circles
graph: setup setup-tests
	@Tests/Graph/run $(ROOMS)

## lint, format: check the style of every file; put every file into style
lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests fixtures
format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests fixtures

## install, uninstall: put the programs, man pages, completions and the demo into PREFIX; remove them. deb: a Debian package
install: build
	$(PACKAGING)/install.sh $(KEDGE) $(DESTDIR)$(PREFIX)
uninstall:
	$(PACKAGING)/install.sh --remove $(DESTDIR)$(PREFIX)
deb: build
	@$(PACKAGING)/deb.sh $(KEDGE) $(CURDIR)/.build/deb $(filter-out libarchive-dev libcurl4-openssl-dev g++,$(PACKAGES))

## demo, pictures, emoji: make fixtures/demo, fixtures/pictures (from real screens) and Emoji's table again
demo:
	mkdir -p .build
	$(SWIFT)c -O fixtures/generate-demo/*.swift -o .build/generate-demo
	.build/generate-demo $(DEMO)
pictures: build setup-tests
	$(SWIFT)c -O fixtures/generate-pictures/*.swift -o .build/generate-pictures
	.build/generate-pictures $(KEDGE) $(DEMO) $(CURDIR)/fixtures/pictures
emoji:
	@fixtures/generate-emoji/run

## archive: an archive of N messages, always the same, in the folder DIR, which must be empty or new
N ?= 1000000
archive: .build/generate-archive
	@[ -n "$(DIR)" ] || { echo "kedge: say where: make archive N=$(N) DIR=/tmp/big"; exit 2; }
	@$< $(N) "$(DIR)"

SHARED = $(addprefix fixtures/generate-demo/,SplitMix64.swift Moment.swift JSONLine.swift)
.build/generate-archive: $(wildcard fixtures/generate-archive/*.swift) $(SHARED)
	mkdir -p .build
	$(SWIFT)c -O $^ -o $@

clean:
	rm -rf .build

setup:
	@command -v $(SWIFT) >/dev/null || { echo "kedge: Swift 6.2 or later is needed: see https://www.swift.org/install"; exit 1; }
	$(INSTALL_PACKAGES) $(PACKAGES)

setup-tests:
	$(INSTALL_PACKAGES) $(TEST_PACKAGES)
