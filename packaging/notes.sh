#!/usr/bin/env bash
# Prints the part of the changelog that speaks of a version.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: packaging/notes.sh VERSION}
awk -v version="$version" '
    /^## / { printing = ($2 == version); next }
    printing { print }
' CHANGELOG.md | sed -e '/./,$!d'
