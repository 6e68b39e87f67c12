#!/usr/bin/env bash
# Posts a review as a comment on a pull request, or updates the one of an earlier run:
#   comment.sh github|gitlab|azure FILE
#
# FILE is what `tfview review --format markdown --max-bytes SYSTEM` wrote; its first line marks the comment. Only
# a comment of the token's own author is updated. Needs curl and jq. The token comes from the environment and is
# never an argument, nor is the text. Nothing is posted if the comment cannot be posted as a whole.
#
# github  GITHUB_TOKEN, GITHUB_REPOSITORY; TFVIEW_PULL_REQUEST, otherwise the number in GITHUB_EVENT_PATH
# gitlab  GITLAB_TOKEN (scope api), CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID
# azure   SYSTEM_ACCESSTOKEN, SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_REPOSITORY_ID,
#         SYSTEM_PULLREQUEST_PULLREQUESTID
#
# shellcheck disable=SC2016 # backticks are Markdown, and $ belongs to the filters of jq
set -euo pipefail
umask 077
system=${1:-}
file=${2:?usage: comment.sh github|gitlab|azure FILE}

fail() {
    # With spaces for control characters, and never at the start of a line, where CI systems read commands.
    printf 'error: the comment was not posted: %s\n' "$(printf '%s' "$1" | tr -s '\000-\037\177' '[ *]')" >&2
    [ -z "${2:-}" ] || printf '  tip: %s\n' "$2" >&2
    exit 1
}
for program in curl jq; do
    command -v "$program" >/dev/null || fail "$program is missing"
done
wanted() { # NAME: the value of a variable that must be set
    [ -n "${!1:-}" ] || fail "$1 is not set" "see the head of comment.sh for the variables of $system"
    printf '%s' "${!1}"
}
number() { # NAME
    local value
    value=$(wanted "$1")
    case $value in '' | *[!0-9]*) fail "$1 is not a number" ;; esac
    printf '%s' "$value"
}
encoded() { jq -rn --arg text "$1" '$text | @uri'; }

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

case $system in
    github)
        limit=65000
        token=$(wanted GITHUB_TOKEN)
        repository=$(wanted GITHUB_REPOSITORY)
        case $repository in
            */*/* | *[!A-Za-z0-9._/-]* | *..*) fail "GITHUB_REPOSITORY is not OWNER/NAME" ;;
            */*) ;;
            *) fail "GITHUB_REPOSITORY is not OWNER/NAME" ;;
        esac
        if [ -z "${TFVIEW_PULL_REQUEST:-}" ] && [ -n "${GITHUB_EVENT_PATH:-}" ]; then
            TFVIEW_PULL_REQUEST=$(jq -r '.pull_request.number // .issue.number // empty' "$GITHUB_EVENT_PATH")
        fi
        pull=$(number TFVIEW_PULL_REQUEST)
        api=${GITHUB_API_URL:-https://api.github.com}
        list=$api/repos/$repository/issues/$pull/comments
        right='the job needs `permissions: pull-requests: write`'
        ;;
    gitlab)
        limit=999000
        token=$(wanted GITLAB_TOKEN)
        api=$(wanted CI_API_V4_URL)
        project=$(wanted CI_PROJECT_ID)
        pull=$(number CI_MERGE_REQUEST_IID)
        list=$api/projects/$(encoded "$project")/merge_requests/$pull/notes
        right='the token needs the scope `api`; the job token cannot write notes'
        ;;
    azure)
        limit=149000
        token=$(wanted SYSTEM_ACCESSTOKEN)
        api=$(wanted SYSTEM_COLLECTIONURI)
        project=$(wanted SYSTEM_TEAMPROJECT)
        repository=$(wanted BUILD_REPOSITORY_ID)
        pull=$(number SYSTEM_PULLREQUEST_PULLREQUESTID)
        list=${api%/}/$(encoded "$project")/_apis/git/repositories/$(encoded "$repository")/pullRequests/$pull/threads
        right='the build service needs the permission "Contribute to pull requests"'
        ;;
    *) fail "unknown system: expected github, gitlab or azure" ;;
esac
case $token in *[!A-Za-z0-9._~+/=-]*) fail "the token has characters that no token has" ;; esac
[ -s "$file" ] || fail "$file is missing or empty"
marker=$(head -n 1 "$file")
case $marker in
    '<!-- tfview:'*' -->') ;;
    *) fail "$file does not begin with the marker of a review" 'write it with `tfview review --format markdown`' ;;
esac
size=$(wc -c <"$file")
[ "$size" -le "$limit" ] || fail "it has $size bytes, $system takes $limit" "write it with \`--max-bytes $system\`"
printf 'header = "Authorization: Bearer %s"\nheader = "Content-Type: application/json"\nheader = "User-Agent: tfview"\n' \
    "$token" >"$temporary/curl"

# Sends METHOD URL [BODY], and leaves the answer in $temporary/answer. Waits if the system asks for it.
send() {
    local method=$1 url=$2 code wait attempt
    local arguments=(--silent --show-error --max-time 60 --config "$temporary/curl" --request "$method"
        --output "$temporary/answer" --dump-header "$temporary/headers" --write-out '%{http_code}')
    [ -z "${3:-}" ] || arguments+=(--data-binary "@$3")
    for attempt in 1 2 3 4; do
        code=$(curl "${arguments[@]}" --url "$url") || fail "$system cannot be reached"
        case $code in
            2??) return 0 ;;
            429 | 403)
                wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]\{1,5\}\).*/\1/p' "$temporary/headers" | head -n 1)
                if [ -z "$wait" ] && [ "$code" = 403 ]; then break; fi
                [ "$attempt" -lt 4 ] || fail "$system limits the rate of requests ($code)" "run the job again later"
                [ "${wait:-5}" -le 120 ] || fail "$system asks to wait for $wait seconds" "run the job again later"
                sleep "${wait:-5}"
                ;;
            *) break ;;
        esac
    done
    local why
    why=$(jq -r '(.message? // .error? // "no reason given") | tostring | .[0:200]' "$temporary/answer" 2>/dev/null) || why="no reason given"
    case $code in
        401 | 403 | 404) fail "$system answers $code: $why" "$right" ;;
        *) fail "$system answers $code: $why" ;;
    esac
}

# The token's own author. A job's token of GitHub may not ask; its comments are those of a bot.
own() {
    case $system in
        github)
            local code
            code=$(curl --silent --max-time 60 --config "$temporary/curl" --output "$temporary/user" --write-out '%{http_code}' \
                --url "$api/user") || fail "github cannot be reached"
            case $code in
                200) jq -r '.login' "$temporary/user" ;;
                401) fail "github answers 401: the token is not valid" ;;
                *) printf 'github-actions[bot]' ;;
            esac
            ;;
        gitlab)
            send GET "$api/user"
            jq -r '.id | tostring' "$temporary/answer"
            ;;
        azure)
            send GET "${api%/}/_apis/connectionData?api-version=7.1-preview"
            jq -r '.authenticatedUser.id' "$temporary/answer"
            ;;
    esac
}

# Prints the ID of the earlier comment, if there is one: for Azure, THREAD/COMMENT.
earlier() {
    local author=$1 page=1 filter
    case $system in
        github) filter='first(.[] | select(.user.login == $author and ((.body // "") | split("\n")[0] | rtrimstr("\r")) == $marker) | .id)' ;;
        gitlab) filter='first(.[] | select((.author.id | tostring) == $author and (.system | not) and ((.body // "") | split("\n")[0]) == $marker) | .id)' ;;
        azure)
            send GET "$list?api-version=7.1"
            filter='first(.value[] | select(.isDeleted != true) | .id as $thread | .comments[0] | select(. != null)
                | select(.isDeleted != true and .author.id == $author and ((.content // "") | split("\n")[0]) == $marker)
                | "\($thread)/comments/\(.id)")'
            jq -r --arg author "$author" --arg marker "$marker" "$filter" "$temporary/answer"
            return
            ;;
    esac
    while [ "$page" -le 100 ]; do
        send GET "$list?per_page=100&page=$page"
        local found
        found=$(jq -r --arg author "$author" --arg marker "$marker" "$filter" "$temporary/answer")
        if [ -n "$found" ]; then
            printf '%s' "$found"
            return
        fi
        [ "$(jq length "$temporary/answer")" -ge 100 ] || return 0
        page=$((page + 1))
    done
}

author=$(own)
id=$(earlier "$author")
case $system in
    github | gitlab) jq -Rs '{body: .}' <"$file" >"$temporary/body" ;;
    azure)
        if [ -n "$id" ]; then
            jq -Rs '{content: .}' <"$file" >"$temporary/body"
        else
            jq -Rs '{comments: [{parentCommentId: 0, content: ., commentType: 1}], status: "closed"}' <"$file" >"$temporary/body"
        fi
        ;;
esac
case $system:${id:+update} in
    github:update) send PATCH "${list%/"$pull"/comments}/comments/$id" "$temporary/body" ;;
    gitlab:update) send PUT "$list/$id" "$temporary/body" ;;
    azure:update) send PATCH "$list/$id?api-version=7.1" "$temporary/body" ;;
    azure:) send POST "$list?api-version=7.1" "$temporary/body" ;;
    *:) send POST "$list" "$temporary/body" ;;
esac
if [ -n "$id" ]; then echo "the comment was updated"; else echo "the comment was created"; fi
