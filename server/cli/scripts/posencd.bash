# bash completion of posencd: `posencd complete` says how the last word may end.
_posencd() {
    local line=${COMP_LINE:0:COMP_POINT} kind='' prefix='' word i
    local -a words answer=()

    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    local current=${words[-1]}
    {
        IFS=' ' read -r kind prefix
        mapfile -t answer
    } < <("${words[0]/#\~/$HOME}" complete "${words[@]:1}" 2>/dev/null)
    COMPREPLY=("${answer[@]%%$'\t'*}")
    if [[ $kind == files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
            COMPREPLY+=("$prefix$word")
        done < <(compgen -f -- "${current#"$prefix"}")
    elif [[ $kind == no-space ]]; then
        compopt -o nospace 2>/dev/null
    fi
    # Readline replaces only what follows the last of its word breaks.
    local kept=${current%"${current##*[$COMP_WORDBREAKS]}"}
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
    done
}
complete -F _posencd posencd
