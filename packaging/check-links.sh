#!/usr/bin/env bash
# Requests every external web address that the repository contains (packaging/addresses), and lists the dead
# ones: packaging/check-links.sh. CI runs it; the tests, which need no network, check that the list is complete.
set -euo pipefail
cd "$(dirname "$0")"
dead=0
while read -r address; do
    # Some servers refuse HEAD.
    status=$(curl --silent --location --max-time 20 --retry 2 --output /dev/null --write-out '%{http_code}' "$address" || true)
    case $status in
        2* | 429) echo "ok $address" ;;
        *) echo "DEAD ($status) $address"; dead=1 ;;
    esac
done <addresses
exit $dead
