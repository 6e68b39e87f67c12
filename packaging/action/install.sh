#!/usr/bin/env bash
# The first step of action.yml: installs the pinned release and puts it on the PATH of later steps.
#
# Reads INPUT_VERSION and INPUT_CHECKSUM; RUNNER_TEMP, GITHUB_PATH and GITHUB_ACTION_PATH as GitHub sets them.
set -euo pipefail
dir=$RUNNER_TEMP/tfview-bin
bash "$GITHUB_ACTION_PATH/packaging/install.sh" "$INPUT_VERSION" "$INPUT_CHECKSUM" "$dir"
echo "$dir" >>"$GITHUB_PATH"
