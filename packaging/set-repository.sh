#!/usr/bin/env bash
# Replaces the repository's address in every file that contains it: packaging/set-repository.sh https://github.com/me/tfview
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { echo "usage: packaging/set-repository.sh URL" >&2; exit 1; }
new=${1%/}
old=$(cat packaging/repository)
slug() { echo "${1#https://github.com/}"; }
case $new in https://github.com/*/*) ;; *) echo "error: '$new' is not the address of a GitHub repository" >&2; exit 1 ;; esac
git grep -lF "$(slug "$old")" | while read -r file; do
    sed -i "s|$(slug "$old")|$(slug "$new")|g" "$file"
    echo "$file"
done
