#!/bin/sh
# Installs the Debian packages that are missing of those that are named, or says in one line which to install: packages.sh PACKAGE…
set -eu
missing=
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || { echo "kedge: please install (names of Debian's packages):$missing"; exit 1; }
as=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "kedge: please install as root: apt-get install$missing"; exit 1; }
  as=sudo
fi
echo "installing$missing"
$as apt-get update -qq
# shellcheck disable=SC2086
$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null
