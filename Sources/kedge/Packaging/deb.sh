#!/bin/sh
# Makes a Debian package of the programs: deb.sh PROGRAM FOLDER PACKAGE…, where the programs hold parts of the named Debian packages.
set -eu
umask 022
program=$1 folder=$2
shift 2
cd "$(dirname "$0")/../../.."
command -v dpkg-shlibdeps >/dev/null || { echo "kedge: please install dpkg-dev"; exit 1; }
tree=$folder/root
rm -rf "$folder"
Sources/kedge/Packaging/install.sh "$program" "$tree/usr"
version=$(sed -n 's/.*number = "\(.*\)"/\1/p' Sources/Usage/*.swift)
maintainer=${MAINTAINER:-The Kedge authors <kedge@users.noreply.github.com>}
seconds=$(git log -1 --format=%ct 2>/dev/null || date +%s)
architecture=$(dpkg --print-architecture)
doc=$tree/usr/share/doc/kedge

# Debian has a folder of its own for the completions of zsh that come with packages.
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
gzip -9n "$tree"/usr/share/man/man[1-9]/*

mkdir -p "$doc" "$tree/DEBIAN"
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: kedge\n\n'
  printf 'Files: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
  sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} > "$doc/copyright"
{
  printf 'kedge (%s) unstable; urgency=medium\n\n' "$version"
  cat Sources/kedge/Packaging/changelog
  printf '\n -- %s  %s\n' "$maintainer" "$(date -R -u -d "@$seconds")"
} | gzip -9n > "$doc/changelog.gz"

# The licenses ask for their texts: those of the static libraries, of the packages of Swift, and of its runtime.
swift=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")
for package in "$@" libstdc++-; do
  for notice in /usr/share/doc/"$package"*/copyright; do
    [ ! -f "$notice" ] || set -- "$@" "$notice"
  done
done
for notice in "$@" .build/checkouts/*/LICENSE* "$swift"/../share/swift/LICENSE*; do
  [ -f "$notice" ] || continue
  printf '==> %s\n\n' "$(basename "$(dirname "$notice")")"
  cat "$notice"
  echo
done | gzip -9n > "$doc/NOTICES.gz"

# The program starts faster with static libraries and at a fixed address (see build.sh).
mkdir -p "$tree/usr/share/lintian/overrides"
printf 'kedge: embedded-library\nkedge: hardening-no-pie\n' > "$tree/usr/share/lintian/overrides/kedge"

# dpkg-shlibdeps wants a folder debian with a control file.
mkdir -p "$folder/debian"
printf 'Source: kedge\n\nPackage: kedge\nArchitecture: any\n' > "$folder/debian/control"
depends=$(cd "$folder" && dpkg-shlibdeps -O "$tree/usr/bin/kedge" "$tree/usr/bin/kedge-matrix" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "kedge: dpkg-shlibdeps found no packages for the libraries of the program" >&2; exit 1; }

cat > "$tree/DEBIAN/control" <<END
Package: kedge
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s "$tree/usr" | cut -f 1)
Depends: $depends
Recommends: less, libarchive13t64 | libarchive13, libuchardet0
Suggests: chafa, fzf, libnotify-bin, xdg-utils
Section: net
Priority: optional
Description: terminal chat client that opens a chat at any message
 Kedge opens archives of chats in the terminal at a given message, and scrolls
 from there in both directions. It reads IRC logs, exports of Slack, Discord,
 Telegram, Matrix and WhatsApp, and archives of its own in plain JSON files, in
 which it can write.
END
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
package=$folder/kedge_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
echo "$package"
