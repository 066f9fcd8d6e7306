#!/bin/sh
# Puts the programs, their manual pages, the completions of bash, zsh and fish, and the demo below a folder, or removes them:
# install.sh PROGRAM ROOT, install.sh --remove ROOT
set -eu
cd "$(dirname "$0")/../../.."
program=$1 root=$2
share=$root/share man=$root/share/man
bash=$share/bash-completion/completions/kedge
zsh=$share/zsh/site-functions/_kedge
fish=$share/fish/vendor_completions.d/kedge.fish
if [ "$program" = --remove ]; then
  rm -f "$root/bin/kedge" "$root/bin/kedge-matrix" "$man"/man[1-9]/kedge.1 "$man"/man[1-9]/kedge-*.[1-9] "$bash" "$zsh" "$fish"
  rm -rf "$share/kedge"
  exit
fi

install -D -m 755 "$program" "$root/bin/kedge"
install -D -m 755 "$program-matrix" "$root/bin/kedge-matrix"

# The keys of kedge(1), and a page for each command, are printed by the program.
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cp Sources/kedge/Manual/*.[1-9] Sources/kedge-matrix/*.[1-9] "$pages"
"$program" manual keys > "$pages/keys"
sed -i -e '/^\.\\" KEYS$/{' -e "r $pages/keys" -e 'd' -e '}' "$pages/kedge.1"
for name in $("$program" manual); do "$program" manual "$name" > "$pages/kedge-$name.1"; done
for page in "$pages"/*.[1-9]; do install -D -m 644 "$page" "$man/man${page##*.}/$(basename "$page")"; done

install -D -m 644 Sources/kedge/Completion/Shells/kedge.bash "$bash"
install -D -m 644 Sources/kedge/Completion/Shells/_kedge "$zsh"
install -D -m 644 Sources/kedge/Completion/Shells/kedge.fish "$fish"
find fixtures/demo -type f | while read -r file; do install -D -m 644 "$file" "$share/kedge/demo/${file#fixtures/demo/}"; done
