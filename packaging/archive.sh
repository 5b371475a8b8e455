#!/usr/bin/env bash
# Packs the programs that were built for a target into target/archives, with licences, and with the
# man page and completions that the program prints if it runs here.
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
# Those of the typefaces that the program holds.
cp crates/out/draw/assets/fonts/*-licence.txt "$staged/"
# Those of the packages that the program holds.
cargo xtask notices "$target" > "$staged/THIRD-PARTY-NOTICES.txt"
if "$programs/bouton$suffix" --version > /dev/null 2>&1; then
    "$programs/bouton$suffix" man > "$staged/bouton.1"
    mkdir "$staged/completions"
    for shell in bash elvish fish powershell zsh; do
        "$programs/bouton$suffix" completions "$shell" > "$staged/completions/bouton.$shell"
    done
else
    echo "without a man page and completions: the program does not run here" >&2
fi
cd target/archives
case $target in
*windows*) 7z a -bd "$name.zip" "$name" > /dev/null ;;
*) tar -czf "$name.tar.gz" "$name" ;;
esac
rm -rf "$name"
ls
