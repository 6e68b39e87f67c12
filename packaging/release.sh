#!/usr/bin/env bash
# Makes a release: packaging/release.sh [DIR] [TARGET]...
#
# DIR (default: dist) gets an archive for each TARGET (default: the static Linux ones), and for all archives
# in DIR: SHA256SUMS, the SBOM tfview.cdx.json, the Homebrew formula tfview.rb and the Scoop manifest tfview.json.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
shift || true
[ $# -gt 0 ] || set -- x86_64-unknown-linux-musl aarch64-unknown-linux-musl
[ "$1" = none ] || for target in "$@"; do packaging/archive.sh "$target" "$out"; done

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
repository=$(cat packaging/repository)
mkdir -p "$out"
cargo metadata --locked --format-version 1 | packaging/sbom.py >"$out/tfview.cdx.json"
cd "$out"
files=$(find . -maxdepth 1 -name "tfview-$version-*" -printf '%f\n' | LC_ALL=C sort)
[ -n "$files" ] || { echo "error: no archives of version $version in $out" >&2; exit 1; }
# shellcheck disable=SC2086 # one file a word
sha256sum $files tfview.cdx.json >SHA256SUMS

url() { echo "$repository/releases/download/v$version/tfview-$version-$1"; }
sum() { awk -v name="tfview-$version-$1" '$2 == name { print $1 }' SHA256SUMS; }

# Homebrew: only systems that have an archive in DIR.
brew() { # TARGET INDENT
    [ -n "$(sum "$1.tar.gz")" ] || return 0
    printf '%surl "%s"\n%ssha256 "%s"\n' "$2" "$(url "$1.tar.gz")" "$2" "$(sum "$1.tar.gz")"
}
{
    cat <<RUBY
# Written by packaging/release.sh.
class Tfview < Formula
  desc "Shows what Terraform and OpenTofu wrote as JSON: plans, states and runs"
  homepage "$repository"
  version "$version"
  license "Apache-2.0"

RUBY
    for system in macos linux; do
        case $system in macos) suffix=apple-darwin ;; linux) suffix=unknown-linux-musl ;; esac
        for cpu in arm intel; do
            case $cpu in arm) arch=aarch64 ;; intel) arch=x86_64 ;; esac
            body=$(brew "$arch-$suffix" "      ")
            [ -z "$body" ] || printf '  on_%s do\n    on_%s do\n%s\n    end\n  end\n\n' "$system" "$cpu" "$body"
        done
    done
    cat <<'RUBY'
  def install
    bin.install "tfview"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tfview.bash"
    zsh_completion.install "completions/_tfview"
    fish_completion.install "completions/tfview.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tfview --version")
  end
end
RUBY
} >tfview.rb

windows=x86_64-pc-windows-msvc.zip
if [ -n "$(sum "$windows")" ]; then
    cat >tfview.json <<JSON
{
    "version": "$version",
    "description": "Shows what Terraform and OpenTofu wrote as JSON: plans, states and runs",
    "homepage": "$repository",
    "license": "Apache-2.0",
    "architecture": {
        "64bit": {
            "url": "$(url "$windows")",
            "hash": "$(sum "$windows")",
            "extract_dir": "tfview-$version-x86_64-pc-windows-msvc"
        }
    },
    "bin": "tfview.exe",
    "checkver": "github",
    "autoupdate": {
        "architecture": {
            "64bit": {
                "url": "$repository/releases/download/v\$version/tfview-\$version-$windows",
                "extract_dir": "tfview-\$version-x86_64-pc-windows-msvc"
            }
        }
    }
}
JSON
fi
cat SHA256SUMS
