# Adds up the lines of `llvm-cov report` for each room: its last columns are lines, missed lines, percentage, and the same
# of branches.
/^[^ ].*\.(swift|c|cpp|h|hpp)[ \t]/ {
    path = $1
    sub(/^.*Sources\//, "", path)
    room = path
    sub(/\/.*/, "", room)
    lines[room] += $(NF - 5)
    missed[room] += $(NF - 4)
}
END {
    printf "%-12s %8s %8s %8s\n", "room", "lines", "not run", "run"
    for (room in lines)
        if (lines[room] > 0)
            printf "%-12s %8d %8d %7.1f%%\n", room, lines[room], missed[room], 100 * (1 - missed[room] / lines[room]) | "sort"
}
