import Timeline

struct ResultRows: Measurement {
    let rowsAbove: Int

    var height: Int { rowsAbove + 1 }

    // The hit itself is at place 0, the rows above it before.
    func place(ofRow row: Int) -> Int { row - rowsAbove }

    func row(ofPlace place: Int) -> Int { min(max(0, place + rowsAbove), rowsAbove) }
}
