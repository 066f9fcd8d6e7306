# Kedge: see README.md. Every target works on a fresh machine that has Swift and, for packages, apt-get.
SWIFT ?= swift
PREFIX ?= /usr/local
SOAK ?= 100
TIME ?= 60
FILTER ?=
BENCH ?=
RUNS ?= 5
ONLY ?=
PLOT ?=
ROOMS ?= Archive Interface Markup Formats Mirror Matrix MatrixHelper kedge
CIRCLES ?= 0
ARCHIVE ?= $(DEMO)
MESSAGE ?= general/m-001500
QUERY ?= tide
STRIP ?= -Xlinker -s
DESTDIR ?=
DEMO = fixtures/demo
N ?= 1000000
KEDGE = .build/release/kedge

# The packages to build the program, and those that its tests need besides.
PACKAGES = libncurses-dev libarchive-dev libcurl4-openssl-dev libre2-dev libsimdjson-dev libsqlite3-dev libtomlplusplus-dev libuchardet0 libutf8proc-dev g++
TEST_PACKAGES = tmux zsh fish
STATIC_LIBRARIES = ncursesw tinfo sqlite3 utf8proc re2 stdc++
RACE_PACKAGES = less lnav weechat-curses
EMOJI_PACKAGES = unicode-data unicode-cldr-core golang-github-yuin-goldmark-emoji-dev

.PHONY: run build test test-matrix soak fuzz sanitize sanitize-address sanitize-thread bench race profile coverage graph lint format install uninstall deb clean demo pictures archive emoji setup setup-tests

## run: set up, build, and open the demo in the middle of a conversation
run: build
	$(KEDGE) demo general/m-001500

## build: leave the programs in .build/release: kedge, and kedge-matrix beside it
# lld and -s: half the size, and none of the warnings that other linkers have about the standard library's own code.
# Without position-independent code, exported symbols, and shared libraries where there are others: 3 MB less of memory, and
# hundreds of page faults less at each start. With the flag of the frontend the program makes its generic types by direct calls,
# where the runtime would look them up by their names. Without a search path of its own the program finds its libraries at once.
# SwiftPM compiles everything again when an option changes, and it adds one for colours in a terminal: without colours a build whose
# output goes to a file is the same.
# The linker gives the commit to the program (Sources/CBuild): no file is written, and nothing is compiled anew.
COMMIT = $(shell commit=$$(git rev-parse --short=7 HEAD 2>/dev/null) && git diff --quiet HEAD -- Sources Package.swift; \
  changed=$$?; [ -n "$$commit" ] && echo "-Xlinker --defsym=kedge_commit=$$(( 0x$$(echo $$commit | cut -c 1-7) * 2 + (changed != 0) ))")
build: setup .build/static
	$(BUILD) --product kedge
	$(BUILD) --product kedge-matrix

BUILD = $(SWIFT) build -c release --no-color-diagnostics --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc "-L$(CURDIR)/.build/static" \
	  -Xlinker -no-pie -Xlinker --no-export-dynamic \
	  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc $(STRIP) --disable-local-rpath \
	  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	  $(COMMIT)

# Static libraries, in a folder in which the linker finds no shared ones; where the system has none, it goes on to those.
.build/static: $(MAKEFILE_LIST) .build/simdjson | setup
	@mkdir -p $@ && rm -f $@/*
	@for name in $(STATIC_LIBRARIES); do file=$$($(CXX) -print-file-name=lib$$name.a); \
	  if [ -f "$$file" ]; then ln -s "$$file" $@/; fi; done
	@if [ -f .build/simdjson/libsimdjson.a ]; then ln -s ../simdjson/libsimdjson.a $@/; fi
	@touch $@

# simdjson and the library of C++ are the two that take the loader longest.
.build/simdjson: Sources/kedge/Packaging/static-simdjson.sh | setup
	@$< $(CURDIR)/$@ $(CXX) || echo "kedge: links the shared simdjson, since apt-get has no source of it"
	@mkdir -p $@ && touch $@

## test: set up, and run all tests (one: swift test --filter "NAME"); failures are repeated at the end
test: setup setup-tests
	$(SWIFT) build --build-tests --no-color-diagnostics
	@{ $(SWIFT) test --skip-build 2>&1; echo $$? > .build/test-status; } | tee .build/test-log; \
	  status=$$(cat .build/test-status); [ "$$status" = 0 ] || grep -aE 'recorded an issue|Fatal error|unexpected signal' .build/test-log | cut -c 1-1000; \
	  exit $$status

## test-matrix: try the programs with a real homeserver and with other clients: KILLS kills and more (ONLY="chat split" for some tests)
# Synapse, matrix-nio and pantalaimon are installed in .build/synapse at the first run (300 MB from PyPI).
KILLS ?= 100
test-matrix: build setup-tests
	@command -v python3 >/dev/null && python3 -c 'import venv, ensurepip' 2>/dev/null || ( $(call install-packages,python3-venv) )
	Tests/Synapse/run $(KILLS) $(or $(KEDGE_SEED),$(shell date +%s)) $(ONLY)

## soak: the timeline's properties on millions of random cases (SOAK times as many as the tests; KEDGE_SEED to repeat)
soak: setup setup-tests
	$(SWIFT) build --build-tests --no-color-diagnostics
	KEDGE_SOAK=$(SOAK) $(SWIFT) test --skip-build --filter "TimelineTests\."

## fuzz: for TIME seconds, give the readers of config.toml, exports, logs and keys random input (ONLY="log keys" for some of them)
# New inputs are kept in .build/fuzz/NAME. An input that ends Kedge or breaks a property is named, and the next fuzzer does
# not start.
FUZZERS = $(or $(ONLY),config export log keys)
FUZZER = .build/fuzz-build/release/kedge-fuzz
# Only the fuzzer may handle a crash, and memory that is left at its end is not Kedge's.
FUZZ_OPTIONS = LC_ALL=C.UTF-8 SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
fuzz: setup
	KEDGE_FUZZ=build $(SWIFT) build -c release --sanitize=address --scratch-path .build/fuzz-build \
	  -Xswiftc -enable-testing --product kedge-fuzz
	@for name in $(FUZZERS); do \
	  mkdir -p .build/fuzz/$$name; \
	  echo "$$name, for $$(($(TIME) / $(words $(FUZZERS)))) s"; \
	  env $(FUZZ_OPTIONS) KEDGE_FUZZ=$$name $(FUZZER) -max_total_time=$$(($(TIME) / $(words $(FUZZERS)))) \
	    -timeout=10 -rss_limit_mb=4096 -max_len=4096 -detect_leaks=0 -print_final_stats=1 -verbosity=0 \
	    -dict=Tests/Fuzz/dictionaries/$$name -artifact_prefix=.build/fuzz/$$name- \
	    .build/fuzz/$$name Tests/Fuzz/corpus/$$name \
	    || { echo "kedge: to see it again: env $(FUZZ_OPTIONS) KEDGE_FUZZ=$$name $(FUZZER) FILE, with the file named above"; exit 1; }; \
	done

## sanitize: the tests under the sanitizers of addresses and undefined behaviour, and under that of threads (FILTER for some tests)
# One report is a failure, even if it comes from a program that a test runs. (ONLY=thread for one sanitizer.)
sanitize: $(addprefix sanitize-,$(or $(ONLY),address thread))

# Only C and C++ have undefined behaviour: Swift traps instead. The address sanitizer brings the runtime that reports it,
# except for the types of C++ objects.
sanitize-address: FLAGS = --sanitize=address $(foreach language,cc cxx,-X$(language) -fsanitize=undefined -X$(language) -fno-sanitize=vptr)
sanitize-address: TESTS = $(or $(FILTER),.)
sanitize-thread: FLAGS = --sanitize=thread
# Only the archive, its words and the program have threads.
sanitize-thread: TESTS = $(or $(FILTER),ArchiveTests|WordsTests|KedgeTests)
# The sanitizer itself fails when signals come at any moment (github.com/google/sanitizers/issues/1541) or when no file may grow, and its
# own thread wakes while a program is at rest.
sanitize-thread: SKIPPED = CrashTests|NothingJumpsTests|UnluckyEndTests|Without room|RestTests
# One test at a time: in parallel, under the sanitizer, they wait for minutes and exceed their time limits.
sanitize-thread: ORDER = --no-parallel
# Kedge handles its own crashes, and some tests cause them: the sanitizers must leave those signals to it.
CRASHES = handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0
sanitize-address sanitize-thread: setup setup-tests
	$(SWIFT) build --build-tests --scratch-path .build/$@ $(FLAGS)
	@[ -z "$(SKIPPED)" ] || echo "left out, because the sanitizer fails in them (see the Makefile): $(SKIPPED)"
	@rm -f .build/$@/report.*; options=log_path=$(CURDIR)/.build/$@/report:detect_leaks=0:print_stacktrace=1:$(CRASHES); \
	  ASAN_OPTIONS=$$options TSAN_OPTIONS=$$options:suppressions=$(CURDIR)/Tests/thread-sanitizer UBSAN_OPTIONS=$$options \
	  $(SWIFT) test --skip-build --scratch-path .build/$@ $(FLAGS) $(ORDER) --filter "$(TESTS)" $(if $(SKIPPED),--skip "$(SKIPPED)"); status=$$?; \
	  cat .build/$@/report.* 2>/dev/null && exit 1; exit $$status

## bench: the times of pages, searches and frames, and how they grow (BENCH="--filter NAME" for some of it)
bench: setup
	$(SWIFT) run -c release --package-path Tests/Benchmarks Benchmarks $(BENCH)

## race: kedge beside less, lnav and WeeChat on N messages (ONLY="h i" for some races, RUNS, PLOT=1 for how it grows)
race: build .build/generate-archive
	@$(call install-packages,$(RACE_PACKAGES))
	$(SWIFT) run -c release --package-path Tests/Benchmarks Race --kedge $(abspath $(KEDGE)) --folder $(abspath .build/race) \
	  --size $(N) --runs $(RUNS) --only "$(ONLY)" --plot "$(PLOT)"

## profile: where 100 runs of `kedge open MESSAGE` and of `kedge search QUERY` spend their time (in ARCHIVE)
# The program keeps its symbols for this. Its state and its index stay in .build/profile, apart from the user's own.
PROFILE = .build/profile
profile: STRIP =
profile: build
	@command -v perf >/dev/null || { \
	  echo "kedge: please install perf (Debian: apt-get install linux-perf; Ubuntu: linux-tools-generic)"; exit 1; }
	@command -v script >/dev/null || { echo "kedge: please install script (Debian: apt-get install bsdutils)"; exit 1; }
	@mkdir -p $(PROFILE); export XDG_STATE_HOME=$(CURDIR)/$(PROFILE)/state XDG_CACHE_HOME=$(CURDIR)/$(PROFILE)/cache; \
	$(KEDGE) index --archive "$(ARCHIVE)" || exit; \
	$(call profile,open,printf q | script -qec "$(KEDGE) open --archive \"$(ARCHIVE)\" \"$(MESSAGE)\"" /dev/null); \
	$(call profile,search,$(KEDGE) search --archive "$(ARCHIVE)" "$(QUERY)")

# Prints in which functions 100 runs of the command $(2) spend most time, and keeps the samples under the name $(1).
define profile
echo "$(1):"; \
perf record -q -F 20000 -g -o $(PROFILE)/$(1) -- sh -c 'for run in $$(seq 100); do "$$@"; done' sh sh -c '$(2)' >/dev/null \
  || exit; \
perf report -i $(PROFILE)/$(1) --no-children -g none --comm kedge --sort dso,symbol --percent-limit 0.3 --stdio 2>/dev/null \
  | grep -v '^\(#\|$$\)' | sed 's/[ -]*$$//' | swift demangle --simplified | cut -c 1-160 | head -40; \
echo "callers: perf report -i $(PROFILE)/$(1)"
endef

## coverage: how many lines of each room the tests run (FILTER for some tests)
# A build of its own, in .build/coverage.
COVERAGE = .build/coverage
coverage: setup setup-tests
	$(SWIFT) test --scratch-path $(COVERAGE) --enable-code-coverage --filter "$(or $(FILTER),.)"
	@tools=$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")"); \
	"$$tools/llvm-cov" report $(COVERAGE)/debug/kedgePackageTests.xctest -object $(COVERAGE)/debug/kedge \
	  -instr-profile $(COVERAGE)/debug/codecov/default.profdata $(CURDIR)/Sources > $(COVERAGE)/report || exit; \
	awk -f Tests/coverage.awk $(COVERAGE)/report; \
	echo "each file: $(COVERAGE)/report"

## graph: which file uses types of which other in each of ROOMS; an error above CIRCLES circles, or 16 files in a folder
# CIRCLES is how many circles there may be: there are none in these rooms.
graph: .build/import-graph
	@$< $(CIRCLES) 16 $(addprefix Sources/,$(ROOMS))

.build/import-graph: $(wildcard Tests/Graph/*.swift)
	@mkdir -p .build
	swiftc -swift-version 6 -O -warnings-as-errors $^ -o $@

## lint: the style of every file
lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests fixtures

## format: put every file into style
format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests fixtures

## install: put kedge, kedge-matrix, their manual pages, the completions of bash, zsh and fish, and the demo into $(PREFIX)
SHARE = $(DESTDIR)$(PREFIX)/share
SHELLS = Sources/kedge/Completion/Shells
BASH_COMPLETION = $(SHARE)/bash-completion/completions/kedge
ZSH_COMPLETION = $(SHARE)/zsh/site-functions/_kedge
FISH_COMPLETION = $(SHARE)/fish/vendor_completions.d/kedge.fish
install: build
	install -D -m 755 $(KEDGE) $(DESTDIR)$(PREFIX)/bin/kedge
	install -D -m 755 $(KEDGE)-matrix $(DESTDIR)$(PREFIX)/bin/kedge-matrix
	@$(KEDGE) manual keys > .build/keys.man
	@sed -e '/^\.\\" KEYS$$/{' -e 'r .build/keys.man' -e 'd' -e '}' Sources/kedge/Manual/kedge.1 > .build/kedge.1
	install -D -m 644 .build/kedge.1 $(SHARE)/man/man1/kedge.1
	@for page in Sources/kedge/Manual/*.[57]; do \
	  install -D -m 644 $$page $(SHARE)/man/man$${page##*.}/$$(basename $$page) || exit; done
	install -D -m 644 Sources/kedge-matrix/kedge-matrix.1 $(SHARE)/man/man1/kedge-matrix.1
	@for name in $$($(KEDGE) manual); do \
	  $(KEDGE) manual $$name > .build/kedge-$$name.1 && install -m 644 .build/kedge-$$name.1 $(SHARE)/man/man1/ || exit; done
	install -D -m 644 $(SHELLS)/kedge.bash $(BASH_COMPLETION)
	install -D -m 644 $(SHELLS)/_kedge $(ZSH_COMPLETION)
	install -D -m 644 $(SHELLS)/kedge.fish $(FISH_COMPLETION)
	@(cd $(DEMO) && find . -type f) | while read -r file; do \
	  install -D -m 644 $(DEMO)/$$file $(SHARE)/kedge/demo/$$file || exit; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/kedge $(DESTDIR)$(PREFIX)/bin/kedge-matrix $(SHARE)/man/man1/kedge.1 $(SHARE)/man/man[157]/kedge-*.[157] \
	  $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	rm -rf $(SHARE)/kedge

## deb: a package for Debian and Ubuntu, in .build/deb
DEB = $(CURDIR)/.build/deb
MAINTAINER ?= The Kedge authors <kedge@users.noreply.github.com>
VERSION = $(shell sed -n 's/.*number = "\(.*\)"/\1/p' Sources/Usage/Version.swift)
# The licenses of what the programs hold: the static libraries, the packages of Swift, and its runtime.
NOTICES = $(wildcard $(patsubst %,/usr/share/doc/%/copyright,$(filter-out libarchive-dev libcurl4-openssl-dev g++,$(PACKAGES)) libstdc++-*-dev)) \
  $(wildcard .build/checkouts/*/LICENSE*) $(wildcard $(dir $(shell command -v $(SWIFT)))../share/swift/LICENSE*)
deb: build
	@command -v dpkg-shlibdeps >/dev/null || { echo "kedge: please install dpkg-dev"; exit 1; }
	@rm -rf $(DEB) && umask 022 && $(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(DEB)/root >/dev/null
	@Sources/kedge/Packaging/deb.sh $(DEB)/root '$(VERSION)' '$(MAINTAINER)' \
	  "$$(git log -1 --format=%ct 2>/dev/null || date +%s)" $(CURDIR)/LICENSE $(DEB) $(NOTICES)

## demo: make fixtures/demo again with its generator
demo:
	mkdir -p .build
	swiftc -O fixtures/generate-demo/*.swift -o .build/generate-demo
	.build/generate-demo $(DEMO)

## pictures: make fixtures/pictures again, from real screens of the demo in tmux
pictures: build setup-tests
	mkdir -p .build
	swiftc -O fixtures/generate-pictures/*.swift -o .build/generate-pictures
	.build/generate-pictures $(KEDGE) $(DEMO) $(CURDIR)/fixtures/pictures

## archive: an archive of N messages, always the same, in the folder DIR, which must be empty or new
archive: .build/generate-archive
	@[ -n "$(DIR)" ] || { echo "kedge: say where: make archive N=$(N) DIR=/tmp/big"; exit 2; }
	@$< $(N) "$(DIR)"

.build/generate-archive: $(wildcard fixtures/generate-archive/*.swift fixtures/generate-demo/*.swift)
	mkdir -p .build
	swiftc -O fixtures/generate-archive/*.swift \
	  fixtures/generate-demo/SplitMix64.swift fixtures/generate-demo/Moment.swift fixtures/generate-demo/JSONLine.swift -o $@

## emoji: make the table of emoji names anew, from the data of Unicode and of GitHub
# The table is kept with the sources: it changes once a year, and a build needs none of these packages.
UNICODE = /usr/share/unicode
GITHUB_NAMES = /usr/share/gocode/src/github.com/yuin/goldmark-emoji/definition/github.go
EMOJI_TABLE = Sources/Emoji/EmojiTable.swift
emoji:
	@$(call install-packages,$(EMOJI_PACKAGES))
	@mkdir -p .build
	swiftc -swift-version 6 -O -warnings-as-errors fixtures/generate-emoji/*.swift -o .build/generate-emoji
	.build/generate-emoji $(UNICODE) $(GITHUB_NAMES) > .build/emoji-table && mv .build/emoji-table $(EMOJI_TABLE)

clean:
	rm -rf .build Tests/Benchmarks/.build

setup:
	@command -v $(SWIFT) >/dev/null || { echo "kedge: Swift 6.2 or later is needed: see https://www.swift.org/install"; exit 1; }
	@$(call install-packages,$(PACKAGES))

setup-tests:
	@$(call install-packages,$(TEST_PACKAGES))

# Installs the packages of $(1) that are missing, or says in one line which to install.
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
