#!/usr/bin/env bash
# Asks for every address on the web that the repository's documents and definitions name, and lists the dead
# ones: packaging/check-links.sh. It needs the network, so no test runs it. Left out: the repository itself,
# whose owner is not filled in yet (and its crate), names that are reserved for examples, and addresses with a variable.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$(cat packaging/repository)
addresses() {
    git ls-files '*.md' '*.yml' '*.yaml' '*.toml' '*.sh' action.yml 'src/*.rs' | grep -v '^fixtures/' |
        xargs grep -hoE "https?://[^][ <>()\"'\`|{}\\\\]+" | sed 's/[.,:;#*]*$//' | sort -u |
        grep -vF "$repository" | grep -vE 'OWNER|REPOSITORY|example|github\.com/(me/|$)|docs\.rs/tfview|localhost|127\.0\.0\.1|\$|[*…]|\.test(/|$)'
}
dead=0
while read -r address; do
    # Some servers refuse HEAD.
    status=$(curl --silent --location --max-time 20 --retry 2 --output /dev/null --write-out '%{http_code}' "$address" || true)
    case $status in
        2* | 429) echo "ok $address" ;;
        *) echo "DEAD ($status) $address"; dead=1 ;;
    esac
done < <(addresses)
exit $dead
