# Completion of kedge for fish.
function __kedge_complete
    set -l words (commandline -opc)
    # The word without its quotes and backslashes; a quote may be open.
    set -l word
    for quote in '' \' \"
        set word (string unescape -- (commandline -ct)$quote); and break
    end
    set words $words "$word"
    set -l files
    set -l others
    for line in (kedge complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            set files yes
        else
            set others yes
            set -l fields (string split -m 1 \t -- $line)
            # A word with a line feed cannot be told to fish.
            if string match -qr '\\\\x0a' -- $fields[1]
                continue
            else if string match -qr '\\\\' -- $fields[1]
                set fields[1] (string unescape -- $fields[1])
            end
            string join \t -- $fields
        end
    end
    # As in bash, a path is completed where nothing else begins like that: a folder beside it would keep the blank from a conversation.
    if set -q files[1]; and not set -q others[1]
        __fish_complete_path (commandline -ct)
    end
end
complete -c kedge -f -k -a '(__kedge_complete)'
