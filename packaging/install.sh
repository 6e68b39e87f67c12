#!/usr/bin/env bash
# Installs a release: install.sh VERSION SHA256 DIR
#
# VERSION   such as 0.4.0
# SHA256    of the archive for this system, from the release's SHA256SUMS
# DIR       gets the binary
#
# TFVIEW_URL names the folder that archives are downloaded from, if it is not the project's own releases.
set -euo pipefail
version=${1:?usage: install.sh VERSION SHA256 DIR}
expected=${2:?install.sh: the checksum of the archive is missing; take it from SHA256SUMS of the release}
dir=${3:?install.sh: the folder to install to is missing}
case $version in *[!0-9A-Za-z.+-]*) echo "error: '$version' is not a version" >&2; exit 1 ;; esac
case $expected in *[!0-9a-f]*) echo "error: '$expected' is not a SHA-256 checksum" >&2; exit 1 ;; esac
[ ${#expected} -eq 64 ] || { echo "error: '$expected' is not a SHA-256 checksum: expected 64 digits" >&2; exit 1; }

case $(uname -s)-$(uname -m) in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) echo "error: there is no release for $(uname -s) on $(uname -m); build it with cargo install --locked" >&2; exit 1 ;;
esac
name=tfview-$version-$target
url=${TFVIEW_URL:-https://github.com/OWNER/tfview/releases/download/v$version}

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
curl --fail --silent --show-error --location --retry 3 --output "$temporary/$name.tar.gz" "$url/$name.tar.gz"
if command -v sha256sum >/dev/null; then
    actual=$(sha256sum "$temporary/$name.tar.gz")
else
    actual=$(shasum -a 256 "$temporary/$name.tar.gz")
fi
if [ "${actual%% *}" != "$expected" ]; then
    echo "error: the checksum of $url/$name.tar.gz is ${actual%% *}, expected $expected; nothing was installed" >&2
    exit 1
fi
tar -xzf "$temporary/$name.tar.gz" -C "$temporary"
mkdir -p "$dir"
install -m 0755 "$temporary/$name/tfview" "$dir/tfview"
"$dir/tfview" --version
