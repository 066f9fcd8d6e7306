# Completion of kedge for bash.
_kedge() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o default
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <(kedge complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # A message follows.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]]; then compopt -o nospace; fi
}
complete -F _kedge kedge
