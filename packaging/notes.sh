#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for the version in Cargo.toml, for the release notes.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
notes=$(awk -v heading="## $version" 'index($0, heading) == 1 { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md)
[ -n "$notes" ] || { echo "error: CHANGELOG.md has no section '## $version'" >&2; exit 1; }
printf '%s\n' "$notes"
