@testable import Timeline

/// An item of a number of characters: it takes as many rows as they need at a width.
struct Note: TimelineItem, Hashable {
    let id: Int
    var length: Int
    /// The places of rows above its content, which are negative: those of a day, of unread messages, a head, a quote.
    var lead: [Int] = []
    /// Distinguishes texts of the same length.
    var version = 0
    var weight = 0

    var cursor: Int { id }
}

struct NoteRuler: Ruler {
    let width: Int

    func measure(_ note: Note) -> NoteRows { NoteRows(length: note.length, lead: note.lead, width: width) }
}

struct NoteRows: Measurement {
    let length: Int
    var lead: [Int] = []
    let width: Int

    var height: Int { lead.count + max(1, (length + width - 1) / width) }
    func place(ofRow row: Int) -> Int { row < lead.count ? lead[row] : (row - lead.count) * width }

    func row(ofPlace place: Int) -> Int {
        place < 0 ? lead.lastIndex { $0 <= place } ?? 0 : min(lead.count + place / width, height - 1)
    }
}

typealias Notes = Timeline<NoteRuler>

extension Timeline where R == NoteRuler {
    /// The contents of each row of the screen: "7.0" is the first row of note 7, "" a row beside the content.
    var screen: [String] {
        (0..<viewport.height).map { screenRow in
            let row = viewport.top + screenRow
            guard let index = layout.index(at: row) else { return "" }
            return "\(list[index].id).\(row - layout.top(of: index))"
        }
    }

    var ids: [Int] { (0..<count).map { list[$0].id } }
}

/// Notes 0..<count of a conversation, each of a length that depends only on its ID.
struct Store {
    var count: Int
    var length: @Sendable (Int) -> Int = { _ in 10 }

    func notes(_ range: Range<Int>) -> [Note] { range.map { Note(id: $0, length: length($0)) } }

    /// A timeline that shows a slice of the store.
    func open(
        _ range: Range<Int>, focus: Int? = nil, width: Int = 10, height: Int = 6, following: Bool = false,
        alignment: Alignment = .middle
    ) throws -> Notes {
        var timeline = Notes(ruler: NoteRuler(width: width), height: height)
        try timeline.open(
            notes(range), older: older(range.lowerBound), newer: newer(range.upperBound), start: range.lowerBound,
            total: count, focus: focus, alignment: alignment, following: following)
        return timeline
    }

    func older(_ first: Int) -> Pager<Int>.Edge { first > 0 ? .more(first) : .end }
    func newer(_ end: Int) -> Pager<Int>.Edge { end < count ? .more(end - 1) : .end }

    /// Responds to a load like a store.
    func answer(_ output: Pager<Int>.Output, to timeline: inout Notes) throws {
        switch output {
        case .onPrepend(let ticket, let first, let limit):
            let range = max(0, first - limit)..<first
            _ = try timeline.receive(notes(range), for: ticket, edge: older(range.lowerBound))
        case .onAppend(let ticket, let last, let limit):
            let range = (last + 1)..<min(count, last + 1 + limit)
            _ = try timeline.receive(notes(range), for: ticket, edge: newer(range.upperBound))
        }
    }
}
