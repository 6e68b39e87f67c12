
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
    local quote=${current:0:1} before=${current%"${current##*[:=]}"}
    current=${current#[\"\']}
    local COMP_WORDS=("${words[@]}" "${COMP_WORDS[@]:COMP_CWORD+1}") COMP_CWORD=$part
    _clap_complete_tfview "$1" "${current//\\/}" "$3"
    for part in "${!COMPREPLY[@]}"; do
        word=${COMPREPLY[part]#"$before"}
        [[ $quote == [\"\'] || $word =~ ^[[:alnum:]_./:=,@%+-]*$ ]] || printf -v word %q "$word"
        COMPREPLY[part]=$word
    done
}
complete -o nospace -o bashdefault -F _tfview tfview
