# Completion of kedge for bash.
_kedge() {
    local line index
    local -a shown=()
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o default
        else
            COMPREPLY+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  -- }")
        fi
    done < <(kedge complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # A message follows.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
    # An ID alone says little: where several are listed (37 and 42 put one of them on the line), what is said follows.
    if [[ ${#COMPREPLY[@]} -gt 1 && ${COMP_TYPE:-9} != 37 && ${COMP_TYPE:-9} != 42 ]]; then
        compopt -o nosort 2>/dev/null
        for index in "${!shown[@]}"; do COMPREPLY[index]=${shown[index]:0:${COLUMNS:-80}-2}; done
    fi
}
complete -F _kedge kedge
