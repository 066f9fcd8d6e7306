import Display
import Messages

/// The links and files of a message, numbered from 1: links first, then files. The user opens one of them by its number, or
/// copies its address.
struct LinkNumbers: Hashable, Sendable {
    let message: MessageID
    let openables: [Openable]
    /// Whether the chosen one is copied, and not opened.
    var copies = false

    /// The number of the message's file with this index.
    func number(ofFile index: Int) -> Int? {
        let links = openables.count { if case .link = $0 { true } else { false } }
        return links + index < openables.count ? links + index + 1 : nil
    }

    /// A row whose links show their numbers. A number replaces the first characters of an address, so that it takes no room.
    /// - Returns: the row, and the places of the numbers in it.
    func numbered(_ row: WrappedRow, line: Int, links: [Body.Link]) -> (row: WrappedRow, labels: [Range<Int>]) {
        var bytes = Array(row.text.string.utf8)
        var labels: [Range<Int>] = []
        for (index, link) in links.enumerated() where link.line == line {
            let start = link.place.lowerBound - row.start
            let label = Array("[\(index + 1)]".utf8)
            // An address begins with ASCII. The number fits into "http://", if it is of a size that anybody types.
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
