import Timeline

struct ResultRows: Measurement {
    let rowsAbove: Int

    var height: Int { rowsAbove + 1 }

    // The hit has the place 0, and the rows above it have negative places.
    func place(ofRow row: Int) -> Int { row - rowsAbove }

    func row(ofPlace place: Int) -> Int { min(max(0, place + rowsAbove), rowsAbove) }
}
