# Completion of kedge for bash.

# Reads a command line as bash does, and as readline does, which does not know $'…'. Nothing of it is run or expanded.
# Sets words (the last one may be empty), quote (the one in which the line ends: ', " or $), readline (the one in which readline
# takes it to end), and escaped (whether it ends with a backslash).
_kedge_read() {
    local line=$1 word='' inside='' passed='' character index
    words=() quote='' readline='' escaped=''
    for ((index = 0; index < ${#line}; index++)); do
        character=${line:index:1}
        if [[ $passed ]]; then passed=
        elif [[ $character == \\ && $readline != \' ]]; then passed=1
        elif [[ $character == "$readline" ]]; then readline=
        elif [[ -z $readline && $character == [\'\"] ]]; then readline=$character
        fi
        if [[ $escaped ]]; then
            escaped=
            case $quote in
                # bash knows more escapes here; nobody types them into a name.
                \$) case $character in [nt]) printf -v character %b "\\$character" ;; esac ;;
                \") if [[ $character != [\"\\\$\`] ]]; then word+=\\; fi ;;
            esac
            word+=$character
        elif [[ $character == \\ && $quote != \' ]]; then
            escaped=1 inside=1
        elif [[ -n $quote ]]; then
            if [[ $character == "${quote/\$/\'}" ]]; then quote=; else word+=$character; fi
        elif [[ $character == [\'\"] ]]; then
            quote=$character inside=1
        elif [[ $character == \$ && ${line:index+1:1} == \' ]]; then
            # Readline passes the quote too.
            quote=\$ inside=1 index=$((index + 1))
            if [[ -z $readline ]]; then readline=\'; elif [[ $readline == \' ]]; then readline=; fi
        elif [[ $character == [[:space:]] ]]; then
            if [[ $inside ]]; then words+=("$word") word='' inside=''; fi
        else
            word+=$character inside=1
        fi
    done
    words+=("$word")
}

# Sets text to a value as it is written in a quote that is open.
_kedge_quote() {
    local value=$1 character index
    text=
    if [[ -z $2 ]]; then
        if [[ -n $value ]]; then printf -v text %q "$value"; fi
        return
    fi
    for ((index = 0; index < ${#value}; index++)); do
        character=${value:index:1}
        case $2$character in
            \'\') text+="'\\''" ;;
            # In double quotes a backslash would stay before it, and without one the history would be expanded.
            \"!) text+='"\!"' ;;
            \"[\"\\\$\`] | \$[\'\\]) text+=\\$character ;;
            \$$'\n') text+='\n' ;;
            *) text+=$character ;;
        esac
    done
}

_kedge() {
    local line=${COMP_LINE:0:COMP_POINT} replaced=$2 type=${COMP_TYPE:-9} columns=$((${COLUMNS:-80} - 2))
    local word before common start text value index quote readline escaped
    local -a words values=() shown=()
    COMPREPLY=()
    _kedge_read "$line"
    word=${words[${#words[@]}-1]}
    while IFS= read -r text; do
        if [[ $text == :files ]]; then
            compopt -o default
        else
            value=${text%%$'\t'*}
            if [[ $value == *\\* ]]; then printf -v value %b "$value"; fi
            values+=("$value")
            if [[ $text == *$'\t'* ]]; then shown+=("  -- ${text#*$'\t'}"); else shown+=(''); fi
        fi
    done < <(kedge complete -- "${words[@]:1}" 2>/dev/null)

    # Readline replaces only the end of the word: what stands after an open quote, or after a colon and the like. What stands
    # before it stays, so a word is written on in the quote that is open there.
    if [[ ${#values[@]} == 0 || $line != *"$replaced" ]]; then return; fi
    _kedge_read "${line:0:${#line}-${#replaced}}"
    before=${words[${#words[@]}-1]}
    common=${values[0]}
    for value in "${values[@]}"; do
        while [[ $value != "$common"* ]]; do common=${common:0:${#common}-1}; done
    done
    if [[ $escaped || $word != "$before"* || $common != "$word"* ]]; then return; fi
    # All words at once (42) would each need a quote of their own.
    if [[ ${#values[@]} -gt 1 && $type == 42 && $quote ]]; then return; fi

    # Of several words readline writes the beginning that they share, and lists them (unless it puts them on the line: 37,
    # 42). An ID alone says little, so there a description follows.
    if [[ ${#values[@]} -gt 1 && $type != 37 && $type != 42 ]]; then
        compopt -o nosort 2>/dev/null
        _kedge_quote "${common:${#before}}" "$quote"
        start=$text
        for index in "${!values[@]}"; do
            _kedge_quote "${values[index]:${#common}}" "$quote"
            # The words differ in their next character, not in a backslash before it. (A blank would begin a description.)
            if [[ $text == \\[!\ ]* ]]; then text=${text#?}; fi
            text=$start$text${shown[index]}
            COMPREPLY+=("${text:0:(${#start} < columns ? columns : ${#start} + 1)}")
        done
    else
        for value in "${values[@]}"; do
            _kedge_quote "${value:${#before}}" "$quote"
            # Readline closes a quote that it knows, unless it is there already.
            text+=${quote/\$/\'}
            if [[ $readline && $text != *"$readline" ]]; then text+=$readline$readline; fi
            COMPREPLY+=("$text")
        done
        # A message follows.
        if [[ ${#values[@]} == 1 && ${values[0]} == */ ]]; then compopt -o nospace; fi
    fi
    # Readline takes a quote at the beginning for the one that is open already.
    if [[ $readline ]]; then
        for index in "${!COMPREPLY[@]}"; do
            if [[ ${COMPREPLY[index]} == "$readline"* ]]; then COMPREPLY[index]=$readline${COMPREPLY[index]}; fi
        done
    fi
}
complete -F _kedge kedge
