# Completion of kedge for fish.
function __kedge_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l files
    set -l others
    for line in (kedge complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            set files yes
        else
            set others yes
            echo $line
        end
    end
    # As in bash, a path is completed where nothing else begins like that: a folder beside it would keep the blank from a conversation.
    if set -q files[1]; and not set -q others[1]
        __fish_complete_path (commandline -ct)
    end
end
complete -c kedge -f -k -a '(__kedge_complete)'
