#!/usr/bin/env bash
# Fails unless the manifests, the citation and the changelog speak of the version that is given.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: packaging/version.sh VERSION}
wrong=0
is() { # FILE PATTERN: the first capture of the pattern in the file is the version.
    local found
    found=$(sed -nE "s/$2/\\1/p" "$1" | head -1)
    if [ "$found" != "$version" ]; then
        echo "$1: the version is ${found:-missing}, the tag says $version" >&2
        wrong=1
    fi
}
is Cargo.toml '^version = "([^"]+)"$'
is pyproject.toml '^version = "([^"]+)"$'
is CITATION.cff '^version: (.+)$'
is packaging/conda.yaml '^  version: (.+)$'
is CHANGELOG.md '^## ([^ ]+) \([0-9-]{10}\)$'
while read -r line; do
    case $line in
    *"version = \"$version\""*) ;;
    *)
        echo "Cargo.toml: $line" >&2
        wrong=1
        ;;
    esac
done < <(grep -E '^bouton.* path = ' Cargo.toml)
released=$(sed -nE 's/^## [^ ]+ \(([0-9-]{10})\)$/\1/p' CHANGELOG.md | head -1)
if ! grep -qx "date-released: $released" CITATION.cff; then
    echo "CITATION.cff: date-released is not $released, as CHANGELOG.md has it" >&2
    wrong=1
fi
exit $wrong
