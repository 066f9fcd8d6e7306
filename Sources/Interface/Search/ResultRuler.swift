import Timeline

struct ResultRuler: Ruler {
    func measure(_ item: ResultItem) -> ResultRows { ResultRows(rowsAbove: item.rowsAbove) }
}
