
_tfview() {
    local word current part joins=false words=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ $joins == true || $word =~ ^[:=]+$ ]] && ((${#words[@]} > 1)); then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word =~ ^[:=]+$ ]] && joins=true || joins=false
    done
    part=$((${#words[@]} - 1))
    current=${words[part]}

    # The quote that is open at the cursor, and the word without quotes and escapes.
    local quote='' plain='' character index
    for ((index = 0; index < ${#current}; index++)); do
        character=${current:index:1}
        if [[ $character == \\ && $quote != \' ]]; then
            ((index++))
            plain+=${current:index:1}
        elif [[ -z $quote && $character == [\"\'] ]]; then
            quote=$character
        elif [[ $character == "$quote" ]]; then
            # What follows a closed quote is left to bash.
            COMPREPLY=()
            return
        else
            plain+=$character
        fi
    done

    # bash replaces what is behind the last `:` or `=` that is not quoted.
    local lead=${current%%[\"\']*}
    local before=${lead%"${lead##*[:=]}"}
    local COMP_WORDS=("${words[@]}" "${COMP_WORDS[@]:COMP_CWORD+1}") COMP_CWORD=$part
    _clap_complete_tfview "$1" "$plain" "$3"

    # bash inserts a candidate as it is: no part of it may end the quote, or run.
    local offered=()
    for part in "${!COMPREPLY[@]}"; do
        word=${COMPREPLY[part]#"$before"}
        [[ $word == *[[:cntrl:]]* ]] && continue
        case $quote in
        \')
            [[ $word == *\'* ]] && continue
            ;;
        \")
            [[ $word == *\!* ]] && continue
            word=${word//\\/\\\\}
            word=${word//\"/\\\"}
            word=${word//\$/\\\$}
            word=${word//\`/\\\`}
            ;;
        *)
            [[ $word =~ ^[[:alnum:]_./:=,@%+-]*$ ]] || printf -v word %q "$word"
            ;;
        esac
        offered+=("$word")
    done
    COMPREPLY=("${offered[@]}")
}
complete -o nospace -o bashdefault -F _tfview tfview
