@testable import Timeline

/// The contents of a row of the screen: a place in a note. Rows beside the content are nil.
struct Cell: Hashable, CustomStringConvertible {
    let id: Int
    let place: Int

    /// Whether it shows content, and is no line above it.
    var isContent: Bool { place >= 0 }

    var description: String { "\(id).\(place)" }
}

typealias Cells = [Cell?]

/// Whether nothing has moved: all former contents are in place, and at most empty rows were filled.
func isKept(_ before: Cells, _ after: Cells) -> Bool {
    before.count == after.count && zip(before, after).allSatisfy { $0 == nil || $0 == $1 }
}

func text(_ cells: Cells) -> String { cells.map { $0?.description ?? "·" }.joined(separator: " ") }

/// Draws rows of notes from scratch, only by their lengths.
enum Drawing {
    /// All rows of the notes at a width.
    static func rows(_ notes: some Sequence<Note>, width: Int) -> [Cell] {
        notes.flatMap { note in
            note.lead.map { Cell(id: note.id, place: $0) }
                + (0..<max(1, (note.length + width - 1) / width)).map { Cell(id: note.id, place: $0 * width) }
        }
    }

    /// The screen on which the row at an index of `rows` lies on a row of the screen.
    static func screen(_ rows: [Cell], _ index: Int, at screenRow: Int, height: Int) -> Cells {
        (0..<height).map { row in
            let wanted = index - screenRow + row
            return rows.indices.contains(wanted) ? rows[wanted] : nil
        }
    }

    /// The index of the row that shows a place of a note, or the last one of the note that begins before it.
    static func index(of cell: Cell, in rows: [Cell]) -> Int? {
        rows.lastIndex { $0.id == cell.id && $0.place <= cell.place }
    }
}

extension Timeline where R == NoteRuler {
    /// The contents of the screen.
    var cells: Cells {
        (0..<viewport.height).map { screenRow in
            let row = viewport.top + screenRow
            guard let index = layout.index(at: row) else { return nil }
            return Cell(id: list[index].id, place: measure(of: index).place(ofRow: row - layout.top(of: index)))
        }
    }

    var notes: [Note] { (0..<count).map { list[$0] } }
}
