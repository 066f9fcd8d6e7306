# Kedge: see README.md. Every target works on a fresh machine that has Swift and, for packages, apt-get.
SWIFT ?= swift
PREFIX ?= /usr/local
SOAK ?= 100
BENCH ?=
RUNS ?= 5
ONLY ?=
PLOT ?=
DESTDIR ?=
DEMO = fixtures/demo
N ?= 1000000
KEDGE = .build/release/kedge

# What the program is built from, and what its tests need besides.
PACKAGES = libncurses-dev libsimdjson-dev libsqlite3-dev libutf8proc-dev g++
TEST_PACKAGES = tmux
RACE_PACKAGES = less lnav weechat-curses

.PHONY: run build test soak bench race lint format install uninstall clean demo archive setup setup-tests

## run: set up, build, and open the demo in the middle of a conversation
run: build
	$(KEDGE) open --archive $(DEMO) general --at m-001500

## build: leave the program in .build/release/kedge
# lld and -s: half the size, and none of the warnings that other linkers have about the standard library's own code.
build: setup
	$(SWIFT) build -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s --product kedge

## test: set up, and run all tests (one: swift test --filter "NAME"); what failed is said once more at the end
test: setup setup-tests
	$(SWIFT) build --build-tests
	@{ $(SWIFT) test --skip-build 2>&1; echo $$? > .build/test-status; } | tee .build/test-log; \
	  status=$$(cat .build/test-status); [ "$$status" = 0 ] || grep -aE 'recorded an issue|Fatal error|unexpected signal' .build/test-log | cut -c 1-1000; \
	  exit $$status

## soak: the timeline's properties on millions of random cases (SOAK times as many as the tests; KEDGE_SEED to repeat)
soak: setup setup-tests
	$(SWIFT) build --build-tests
	KEDGE_SOAK=$(SOAK) $(SWIFT) test --skip-build --filter "TimelineTests\."

## bench: how fast it is, and how that grows (BENCH="--filter NAME" for some of it)
bench: setup
	$(SWIFT) run -c release --package-path Tests/Benchmarks Benchmarks $(BENCH)

## race: kedge beside less, lnav and WeeChat on N messages (ONLY="h i" for some races, RUNS, PLOT=1 for how it grows)
race: build .build/generate-archive
	@$(call install-packages,$(RACE_PACKAGES))
	$(SWIFT) run -c release --package-path Tests/Benchmarks Race --kedge $(abspath $(KEDGE)) --folder $(abspath .build/race) \
	  --size $(N) --runs $(RUNS) --only "$(ONLY)" --plot "$(PLOT)"

## lint: the style of every file
lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests fixtures

## format: put every file into style
format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests fixtures

## install: put kedge and its man page into $(PREFIX)
install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(KEDGE) $(DESTDIR)$(PREFIX)/bin/kedge
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 Sources/kedge/kedge.1 $(DESTDIR)$(PREFIX)/share/man/man1/kedge.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/kedge $(DESTDIR)$(PREFIX)/share/man/man1/kedge.1

## demo: make fixtures/demo anew from its generator
demo:
	mkdir -p .build
	swiftc -O fixtures/generate-demo/*.swift -o .build/generate-demo
	.build/generate-demo $(DEMO)

## archive: an archive of N messages, always the same, in the folder DIR, which must be empty or new
archive: .build/generate-archive
	@[ -n "$(DIR)" ] || { echo "kedge: say where: make archive N=$(N) DIR=/tmp/big"; exit 2; }
	@$< $(N) "$(DIR)"

.build/generate-archive: $(wildcard fixtures/generate-archive/*.swift fixtures/generate-demo/*.swift)
	mkdir -p .build
	swiftc -O fixtures/generate-archive/*.swift \
	  fixtures/generate-demo/SplitMix64.swift fixtures/generate-demo/Moment.swift fixtures/generate-demo/JSONLine.swift -o $@

clean:
	rm -rf .build Tests/Benchmarks/.build

setup:
	@command -v $(SWIFT) >/dev/null || { echo "kedge: Swift 6.2 or later is needed: see https://www.swift.org/install"; exit 1; }
	@$(call install-packages,$(PACKAGES))

setup-tests:
	@$(call install-packages,$(TEST_PACKAGES))

# Installs what is missing of $(1), or says in one line what to install.
define install-packages
missing=; for p in $(1); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "kedge: please install (names of Debian's packages):$$missing"; exit 1; }; \
	if [ "$$(id -u)" = 0 ]; then as=; elif command -v sudo >/dev/null; then as=sudo; else \
	  echo "kedge: please install as root: apt-get install$$missing"; exit 1; fi; \
	echo "installing$$missing"; \
	$$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null
endef
