#!/bin/sh
# Makes a Debian package of a tree in which kedge is installed below /usr: deb.sh TREE VERSION MAINTAINER SECONDS LICENSE FOLDER NOTICE…
set -eu
umask 022
tree=$1 version=$2 maintainer=$3 seconds=$4 license=$5 folder=$6
shift 6
architecture=$(dpkg --print-architecture)
doc=$tree/usr/share/doc/kedge

# Debian has a folder of its own for the completions of zsh that come with packages.
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
gzip -9n "$tree"/usr/share/man/man[1-9]/*

mkdir -p "$doc" "$tree/DEBIAN"
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: kedge\n\n'
  printf 'Files: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' "$license")"
  sed -n '/^Permission/,$p' "$license" | sed 's/^$/./; s/^/ /'
} > "$doc/copyright"
printf 'kedge (%s) unstable; urgency=medium\n\n  * Built by make deb.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date -R -u -d "@$seconds")" | gzip -9n > "$doc/changelog.gz"

# The licenses of the libraries that are a part of the programs ask for their texts.
for notice in "$@"; do
  printf '==> %s\n\n' "$(basename "$(dirname "$notice")")"
  cat "$notice"
  echo
done | gzip -9n > "$doc/NOTICES.gz"

# The program starts faster with static libraries and at a fixed address (see the Makefile).
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
