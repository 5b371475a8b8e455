#!/bin/sh
# Installs the program `bouton` of a release into ~/.local/bin (BOUTON_BIN names another folder).
# Usage: install.sh OWNER/REPOSITORY VERSION
set -eu
repository=${1:?usage: install.sh OWNER/REPOSITORY VERSION}
version=${2:?usage: install.sh OWNER/REPOSITORY VERSION}
case $(uname -s)-$(uname -m) in
Linux-x86_64) target=x86_64-unknown-linux-musl ;;
Linux-aarch64) target=aarch64-unknown-linux-musl ;;
Darwin-arm64) target=aarch64-apple-darwin ;;
Darwin-x86_64) target=x86_64-apple-darwin ;;
*)
    echo "there is no archive for $(uname -s) on $(uname -m); cargo install builds it" >&2
    exit 1
    ;;
esac
name=bouton-$version-$target
place=https://github.com/$repository/releases/download/v$version
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
curl -fsSLO "$place/$name.tar.gz"
curl -fsSLO "$place/SHA256SUMS"
if command -v sha256sum > /dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
grep " $name.tar.gz\$" SHA256SUMS | $sum -c -
tar -xzf "$name.tar.gz"
bin=${BOUTON_BIN:-$HOME/.local/bin}
mkdir -p "$bin"
cp "$name/bouton" "$bin/"
echo "bouton $version is in $bin"
