#!/usr/bin/env bash
# Builds one target and packs it: packaging/archive.sh TARGET [DIR]
#
# DIR (default: dist) gets tfview-VERSION-TARGET.tar.gz, or .zip for Windows. The same sources give the same
# archive: members are sorted, owned by root, and dated by SOURCE_DATE_EPOCH (default: the last commit).
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?usage: packaging/archive.sh TARGET [DIR]}
out=${2:-dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=tfview-$version-$target
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

# Panic messages contain source paths: the location of this folder and of the registry must not change the
# binary.
flags=("--remap-path-prefix=$PWD=/tfview" "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo")
# The linker that is part of Rust links static binaries for any Linux target without a C toolchain.
case $target in
    *-linux-musl)
        variable=CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')
        export "${variable}_LINKER"=rust-lld
        flags+=(-Clink-self-contained=yes -Ctarget-feature=+crt-static)
        ;;
esac
# What `--version` prints.
TFVIEW_VERSION="$version ($(git rev-parse --short=10 HEAD))"
export TFVIEW_VERSION
built=${CARGO_TARGET_DIR:-target}
rustup target add "$target" >/dev/null
printf -v joined '%s\x1f' "${flags[@]}"
CARGO_ENCODED_RUSTFLAGS=${joined%$'\x1f'} cargo build --release --locked --target "$target"
binary=tfview
case $target in *windows*) binary=tfview.exe ;; esac

# Completions and manual pages are the same for all targets, so a binary that runs on this host writes them.
if [ -z "${TFVIEW_HOST:-}" ]; then
    if "$built/$target/release/$binary" --version >/dev/null 2>&1; then
        TFVIEW_HOST=$built/$target/release/$binary
    else
        cargo build --release --locked
        TFVIEW_HOST=$built/release/tfview
    fi
fi
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/$name/completions" "$stage/$name/man" "$out"
cp "$built/$target/release/$binary" README.md LICENSE SECURITY.md CHANGELOG.md "$stage/$name/"
"$TFVIEW_HOST" completions bash >"$stage/$name/completions/tfview.bash"
"$TFVIEW_HOST" completions zsh >"$stage/$name/completions/_tfview"
"$TFVIEW_HOST" completions fish >"$stage/$name/completions/tfview.fish"
"$TFVIEW_HOST" completions powershell >"$stage/$name/completions/_tfview.ps1"
"$TFVIEW_HOST" man "$stage/$name/man"
chmod -R u=rwX,go=rX "$stage"

out=$(cd "$out" && pwd)
case $target in
    *windows*)
        find "$stage" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        rm -f "$out/$name.zip"
        (cd "$stage" && find "$name" -type f | LC_ALL=C sort | zip -q -X -@ "$out/$name.zip")
        echo "$out/$name.zip"
        ;;
    *)
        tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu \
            -C "$stage" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"
        echo "$out/$name.tar.gz"
        ;;
esac
