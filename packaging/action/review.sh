#!/usr/bin/env bash
# The second step of action.yml: reviews the plan, fails where a gate is violated, and sets the outputs.
#
# Reads INPUT_PLAN, INPUT_SCHEMAS, INPUT_FAIL_ON, INPUT_HTML and INPUT_COMMENT_FILE; RUNNER_TEMP and
# GITHUB_OUTPUT as GitHub sets them. tfview itself writes the step summary and the annotations. Plans are
# passed by file, never by an environment variable: these are too small for them, and visible to every process.
set -euo pipefail
arguments=(review --ci github --color always)
[ -z "${INPUT_SCHEMAS:-}" ] || arguments+=(--schemas "$INPUT_SCHEMAS")
[ -z "${INPUT_FAIL_ON:-}" ] || arguments+=(--fail-on "$INPUT_FAIL_ON")
[ -z "${INPUT_HTML:-}" ] || arguments+=(--out "html=$INPUT_HTML")
[ -z "${INPUT_COMMENT_FILE:-}" ] || arguments+=(--out "markdown=$INPUT_COMMENT_FILE" --max-bytes github)
counts=$RUNNER_TEMP/tfview-counts.json
arguments+=(--out "gitlab-report=$counts" -- "$INPUT_PLAN")

# Keep the exit code of the gate until the outputs are written.
status=0
tfview "${arguments[@]}" || status=$?
if [ -s "$counts" ]; then
    # The first line without its symbol. The first run has already printed the notes.
    verdict=$(tfview review --ci none --color never --list -- "$INPUT_PLAN" 2>/dev/null | head -n 1) || true
    verdict=${verdict#? }
    {
        echo "verdict=${verdict//[$'\r\n']/ }"
        echo "counts=$(tr -d '\r\n' <"$counts")"
        echo "fingerprint=$(tfview diff --fingerprint -- "$INPUT_PLAN")"
    } >>"$GITHUB_OUTPUT"
fi
exit "$status"
