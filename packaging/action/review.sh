#!/usr/bin/env bash
# The second step of action.yml: reviews the plan, fails where a gate is violated, and sets the outputs.
#
# Reads INPUT_PLAN, INPUT_SCHEMAS, INPUT_FAIL_ON, INPUT_NAME, INPUT_HTML, INPUT_COMMENT_FILE, INPUT_COMMENT and INPUT_TOKEN;
# RUNNER_TEMP and GITHUB_OUTPUT as GitHub sets them. Needs jq, and curl for comments. tfview itself writes the step
# summary and the annotations. Plans are passed by file, never by an environment variable: these are too small for
# them, and visible to every process.
set -euo pipefail
arguments=(review --ci github --color always)
[ -z "${INPUT_SCHEMAS:-}" ] || arguments+=(--schemas "$INPUT_SCHEMAS")
[ -z "${INPUT_FAIL_ON:-}" ] || arguments+=(--fail-on "$INPUT_FAIL_ON")
[ -z "${INPUT_NAME:-}" ] || arguments+=(--title "$INPUT_NAME")
[ -z "${INPUT_HTML:-}" ] || arguments+=(--out "html=$INPUT_HTML")
comment=${INPUT_COMMENT_FILE:-}
if [ "${INPUT_COMMENT:-}" = true ] && [ -z "$comment" ]; then
    comment=$RUNNER_TEMP/tfview-comment.md
fi
[ -z "$comment" ] || arguments+=(--out "markdown=$comment" --max-bytes github)
counts=$RUNNER_TEMP/tfview-counts.json
review=$RUNNER_TEMP/tfview-review.json
arguments+=(--out "gitlab-report=$counts" --out "json=$review" -- "$INPUT_PLAN")
# A job may use the action several times: a review that fails must not leave the results of the one before.
rm -f -- "$counts" "$review"
for file in "${INPUT_HTML:-}" "$comment"; do
    # tfview refuses to overwrite what it reads.
    if [ -f "$file" ] && ! [ "$file" -ef "$INPUT_PLAN" ] && ! [ "$file" -ef "${INPUT_SCHEMAS:-}" ]; then
        rm -f -- "$file"
    fi
done
token=${INPUT_TOKEN:-}
unset INPUT_TOKEN # no program but comment.sh gets it

# Keep the exit code of the gate until the outputs are written and the comment is posted.
status=0
tfview "${arguments[@]}" || status=$?
if [ -s "$review" ]; then
    {
        echo "verdict=$(jq -r '.verdict.sentence | gsub("[\r\n]"; " ")' "$review")"
        echo "level=$(jq -r '.verdict.level' "$review")"
        echo "counts=$(tr -d '\r\n' <"$counts")"
        echo "fingerprint=$(jq -r '.plans[0].fingerprint // ""' "$review")"
    } >>"$GITHUB_OUTPUT"
    if [ "${INPUT_COMMENT:-}" = true ]; then
        GITHUB_TOKEN=$token bash "$(dirname "$0")/../comment.sh" github "$comment" || { [ "$status" -ne 0 ] || status=1; }
    fi
fi
exit "$status"
