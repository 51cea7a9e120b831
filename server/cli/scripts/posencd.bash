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
        [[ -z $prefix ]] && compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
            if [[ -n $prefix && -d $word ]]; then
                word+=/
                compopt -o nospace 2>/dev/null
            fi
            [[ -n $prefix ]] && printf -v word %q "$word"
            COMPREPLY+=("$prefix$word")
        done < <(compgen -f -- "${current#"$prefix"}")
    elif [[ $kind == no-space ]]; then
        compopt -o nospace 2>/dev/null
    fi
    # Readline replaces only what follows the last of its word breaks; @ and $ are no breaks to it.
    local breaks=${COMP_WORDBREAKS//[@\$]/}
    local kept=${current%"${current##*["$breaks"]}"}
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
    done
}
complete -F _posencd posencd
