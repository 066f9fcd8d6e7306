@testable import Timeline

/// The true conversation, and the store that responds for it. A line keeps its place when it is removed, so that a
/// cursor that points to it still leads on.
struct Talk {
    struct Line {
        var note: Note
        /// Whether it is not in the timeline (a reply in a thread, for example): pages skip it, and are shorter for it.
        var isHidden = false
        var isRemoved = false

        var isShown: Bool { !isHidden && !isRemoved }
    }

    var hasLeads = false
    private(set) var lines: [Line] = []
    private var nextID = 0

    var notes: [Note] { lines.filter(\.isShown).map(\.note) }
    var count: Int { lines.reduce(0) { $0 + ($1.isShown ? 1 : 0) } }

    func index(of id: Int) -> Int { lines.firstIndex { $0.note.id == id } ?? 0 }

    /// The number of shown lines before this one.
    func place(of id: Int) -> Int { lines[..<index(of: id)].reduce(0) { $0 + ($1.isShown ? 1 : 0) } }

    /// Adds a line before the one at an index.
    @discardableResult
    mutating func insert(length: Int, isHidden: Bool = false, at index: Int) -> Int {
        defer { nextID += 1 }
        let note = Note(id: nextID, length: length, lead: lead(nextID, length))
        lines.insert(Line(note: note, isHidden: isHidden), at: index)
        return nextID
    }

    /// The lines above a note, if the conversation has such lines: any of the four.
    private func lead(_ id: Int, _ length: Int) -> [Int] {
        let number = (id * 31 + length * 7) % 37
        return hasLeads && number < 16 ? (-4...(-1)).filter { number >> ($0 + 4) & 1 == 1 } : []
    }

    mutating func append(length: Int, isHidden: Bool = false) {
        insert(length: length, isHidden: isHidden, at: lines.count)
    }

    mutating func edit(_ id: Int, length: Int) {
        let index = index(of: id)
        lines[index].note.length = length
        lines[index].note.lead = lead(id, length)
        lines[index].note.version += 1
    }

    mutating func remove(_ id: Int) { lines[index(of: id)].isRemoved = true }

    /// The shown notes of a range of lines, and its edges.
    struct Answer {
        let notes: [Note]
        let older: Pager<Int>.Edge
        let newer: Pager<Int>.Edge
    }

    func answer(_ range: Range<Int>) -> Answer {
        let shown = lines[range].filter(\.isShown)
        let hasOlder = lines[..<range.lowerBound].contains(where: \.isShown)
        let hasNewer = lines[range.upperBound...].contains(where: \.isShown)
        let first = lines[min(range.lowerBound, lines.count - 1)].note.id
        let last = lines[max(range.upperBound - 1, 0)].note.id
        return Answer(
            notes: shown.map(\.note), older: hasOlder ? .more(first) : .end, newer: hasNewer ? .more(last) : .end)
    }

    /// The lines of a first page: enough shown ones on both sides of one of them, or the last ones.
    func lines(around focus: Int?, _ limit: Int) -> Range<Int> {
        let shown = lines.indices.filter { lines[$0].isShown }
        let middle = focus.flatMap { shown.firstIndex(of: index(of: $0)) } ?? shown.count
        let start = max(0, min(middle - limit / 2, shown.count - limit))
        let end = min(shown.count, start + limit)
        return start < end ? shown[start]..<shown[end - 1] + 1 : 0..<0
    }

    /// The lines of a response to a load that reads a number of lines. Some may be hidden, so that there may be fewer
    /// notes than requested, or none.
    func lines(for output: Pager<Int>.Output, reading count: Int) -> Range<Int> {
        switch output {
        case .onPrepend(_, let first, let limit):
            let end = index(of: first)
            return max(0, end - min(count, limit))..<end
        case .onAppend(_, let last, let limit):
            let start = min(index(of: last) + 1, lines.count)
            return start..<min(lines.count, start + min(count, limit))
        }
    }
}

extension Pager.Output {
    var ticket: Pager.Ticket {
        switch self {
        case .onPrepend(let ticket, _, _), .onAppend(let ticket, _, _): ticket
        }
    }
}
