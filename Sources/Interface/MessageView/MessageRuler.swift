import Timeline

/// Measures entries at one width.
struct MessageRuler: Ruler {
    let grid: Grid

    init(grid: Grid) { self.grid = grid }

    func measure(_ entry: Entry) -> MessageRows { MessageRows(entry, grid: grid) }
}
