#!/usr/bin/env bash
# Packs the programs that were built for a target into target/archives, with licences and man pages.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?usage: packaging/archive.sh TARGET [FOLDER OF THE PROGRAMS]}
programs=${2:-target/$target/dist}
version=$(sed -nE 's/^version = "([^"]+)"$/\1/p' Cargo.toml | head -1)
name=bouton-$version-$target
staged=target/archives/$name
rm -rf "$staged"
mkdir -p "$staged"
suffix=
case $target in *windows*) suffix=.exe ;; esac
cp "$programs/bouton$suffix" "$staged/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$staged/"
cd target/archives
case $target in
*windows*) 7z a -bd "$name.zip" "$name" > /dev/null ;;
*) tar -czf "$name.tar.gz" "$name" ;;
esac
rm -rf "$name"
ls
