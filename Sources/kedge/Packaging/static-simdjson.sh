#!/bin/sh
# Compiles simdjson as a static library, which Debian does not have: static-simdjson.sh FOLDER COMPILER
# The source is that of the installed package, fetched and verified by apt-get with lists of its own in FOLDER, so that nothing
# of the system changes. Fails where apt-get has no sources.
set -eu
folder=$1 compiler=$2
version=$(dpkg-query -W -f '${source:Version}' libsimdjson-dev)
rm -rf "$folder" && mkdir -p "$folder/sources" "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/code"

# The places that the system has its packages from, as places of sources.
for file in /etc/apt/sources.list.d/*.sources; do
  [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" > "$folder/sources/${file##*/}"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ ! -f "$file" ] || sed -n 's/^deb /deb-src /p' "$file" > "$folder/sources/$(basename "$file" .list).list"
done
get() {
  apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$folder/sources" \
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root "$@" 2>"$folder/errors"
}
get update || true # A place without sources is no reason to give up: the next line tells whether this package has some.
cd "$folder/code"
get source --download-only "simdjson=$version"
tar -x --strip-components=1 -f simdjson_*.orig.tar.*
"$compiler" -std=c++17 -O2 -DNDEBUG -Iinclude -Isrc -c src/simdjson.cpp -o simdjson.o
ar rcs "$folder/libsimdjson.a" simdjson.o
