# Completion of kedge for fish.
function __kedge_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (kedge complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c kedge -f -k -a '(__kedge_complete)'
