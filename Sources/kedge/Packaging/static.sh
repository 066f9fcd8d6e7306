#!/bin/sh
# Links the static libraries into a folder in which the linker finds no shared ones: static.sh FOLDER COMPILER LIBRARY…
# Where the system has no static library, the linker takes the shared one. FOLDER is an absolute path.
set -eu
folder=$1 compiler=$2
simdjson=$(dirname "$folder")/simdjson script=$(dirname "$0")/static-simdjson.sh
shift 2
mkdir -p "$folder"
rm -f "$folder"/*
for name in "$@"; do
  file=$("$compiler" -print-file-name="lib$name.a")
  [ ! -f "$file" ] || ln -s "$file" "$folder/"
done
# simdjson and the library of C++ are the two that take the loader longest.
if [ ! "$simdjson" -nt "$script" ]; then
  "$script" "$simdjson" "$compiler" || echo "kedge: links the shared simdjson, since apt-get has no source of it"
  mkdir -p "$simdjson"
  touch "$simdjson"
fi
[ ! -f "$simdjson/libsimdjson.a" ] || ln -s ../simdjson/libsimdjson.a "$folder/"
touch "$folder"
