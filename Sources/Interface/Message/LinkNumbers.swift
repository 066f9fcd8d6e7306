import Display
import Messages

/// The links and files of a message under the numbers by which one of them is chosen: the first one has the number 1, and files
/// come after the links.
struct LinkNumbers: Hashable, Sendable {
    let message: MessageID
    let openables: [Openable]

    /// The number of the message's file with this index.
    func number(ofFile index: Int) -> Int? {
        let links = openables.count { if case .link = $0 { true } else { false } }
        return links + index < openables.count ? links + index + 1 : nil
    }

    /// The numbers of the links of a row, in place of the first characters of their addresses: so they take no room.
    /// - Returns: the row with them, and where they stand in it.
    func numbered(_ row: WrappedRow, line: Int, links: [Body.Link]) -> (row: WrappedRow, labels: [Range<Int>]) {
        var bytes = Array(row.text.string.utf8)
        var labels: [Range<Int>] = []
        for (index, link) in links.enumerated() where link.line == line {
            let start = link.place.lowerBound - row.start
            let label = Array("[\(index + 1)]".utf8)
            // An address begins with ASCII: "http://" has room for every number that is worth reading.
            guard bytes.indices.contains(start), label.count <= 7 else { continue }
            let end = min(start + label.count, bytes.count)
            bytes.replaceSubrange(start..<end, with: label.prefix(end - start))
            labels.append(start..<end)
        }
        guard !labels.isEmpty else { return (row, []) }
        var numbered = row
        numbered.text = CleanText(String(decoding: bytes, as: UTF8.self))
        return (numbered, labels)
    }
}
