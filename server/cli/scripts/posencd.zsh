#compdef posencd
# zsh completion of posencd: `posencd complete` says how the last word may end.
_posencd() {
    local kind prefix line
    local -a answer candidates shown space

    answer=("${(@f)$("${(Q)words[1]}" complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    kind=${answer[1]%% *}
    prefix=${answer[1]#$kind}
    prefix=${prefix# }
    for line in "${(@)answer[2,-1]}"; do
        candidates+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
    done
    [[ $kind == no-space ]] && space=(-S '')
    (( $#candidates )) && compadd "${(@)space}" -l -d shown -a candidates
    if [[ $kind == files ]]; then
        compset -P "${(b)prefix}"
        _files
    fi
}
if [[ ${funcstack[1]} == _posencd ]]; then
    _posencd "$@"
else
    compdef _posencd posencd
fi
