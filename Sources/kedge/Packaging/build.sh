#!/bin/bash
# Builds kedge and kedge-matrix, or only the programs that are named, for users, in .build/release. With STRIP= they keep their symbols.
set -euo pipefail
cd "$(dirname "$0")/../../.."
packaging=Sources/kedge/Packaging static=$(pwd -P)/.build/static
if [ ! "$static" -nt $packaging/build.sh ] || [ ! "$static" -nt $packaging/static.sh ]; then
  $packaging/static.sh "$static" "${CXX:-g++}" ncursesw tinfo sqlite3 utf8proc re2 stdc++
fi

# The linker gives the commit to the program (Sources/CBuild): no file is written, and nothing is compiled again.
commit=()
if name=$(git rev-parse --short=7 HEAD 2>/dev/null); then
  changed=0
  git diff --quiet HEAD -- Sources Package.swift || changed=1
  commit=(-Xlinker --defsym=kedge_commit=$((0x${name:0:7} * 2 + changed)))
fi

# lld and -s: half the size, and none of the warnings that other linkers have about the standard library's own code. Without
# position-independent code, exported symbols, and shared libraries where there are others: 3 MB less of memory, and hundreds of page
# faults less at each start. With the flag of the frontend the program makes its generic types by direct calls, where the runtime would
# look them up by their names. Without a search path of its own the program finds its libraries at once. SwiftPM compiles everything again
# when an option changes, and it adds one for colours in a terminal: without colours a build whose output goes to a file is the same.
# The linker strips debug information, so none is made.
read -ra strip <<< "${STRIP--Xlinker -s}"
[ $# -gt 0 ] || set -- kedge kedge-matrix
for product in "$@"; do
  "${SWIFT:-swift}" build -c release --no-color-diagnostics -debug-info-format none \
    --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc "-L$static" \
    -Xlinker -no-pie -Xlinker --no-export-dynamic -Xswiftc -Xclang-linker -Xswiftc -static-libgcc "${strip[@]}" --disable-local-rpath \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "${commit[@]}" --product "$product"
done
