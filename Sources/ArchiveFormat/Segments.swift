internal import JSON

/// The files with the records of a conversation: `messages-000001.jsonl`, in the order of their names' bytes.
package enum SegmentFile {
    private static let (prefix, suffix) = ("messages-", ".jsonl")

    /// The size in bytes at which a segment is full: the next records begin a new one.
    package static let full: Int64 = 8 << 20
    package static let first = name(1)

    package static func isSegment(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }

    /// - Parameter digits: the least number of digits: zeros are put in front.
    package static func name(_ number: Int64, digits: Int = 6) -> String {
        let text = String(number)
        return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text + suffix
    }

    /// The number in a name and the number of its digits; nil unless there are 1 to 18.
    static func number(in name: String) -> (number: Int64, digits: Int)? {
        guard isSegment(name) else { return nil }
        let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return (digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, digits.count)
    }

    /// The name of the next segment; nil if no valid name would sort after `last` by its bytes.
    /// - Parameter last: nil before the first segment.
    package static func name(after last: String?) -> String? {
        guard let last else { return first }
        guard let (number, digits) = number(in: last) else { return nil }
        let next = name(number + 1, digits: digits)
        return next.utf8.count == last.utf8.count ? next : nil
    }
}

/// The name of a segment synced from a server: a number of 18 digits, so that names sort as numbers do.
package struct SegmentName: Hashable, Comparable, Sendable {
    package let number: Int64

    /// The first segment of a room's first island: half of all numbers are for older events.
    package static let first = SegmentName(unchecked: 500_000_000_000_000_000)
    /// The distance between islands: this many pages fit between two of them.
    private static let distance: Int64 = 1_000_000_000
    private static let all: Range<Int64> = 0..<1_000_000_000_000_000_000

    private init(unchecked number: Int64) { self.number = number }

    /// Nil for a number of more than 18 digits.
    private init?(_ number: Int64) {
        guard SegmentName.all.contains(number) else { return nil }
        self.number = number
    }

    /// Nil if it is not the name of a synced segment.
    package init?(file name: String) {
        guard let (number, digits) = SegmentFile.number(in: name), digits == 18 else { return nil }
        self.number = number
    }

    package var file: String { SegmentFile.name(number, digits: 18) }

    /// The name of a segment right before this one; nil if there is none.
    package var before: SegmentName? { SegmentName(number - 1) }

    /// The name of a segment right after this one; nil if there is none.
    package var after: SegmentName? { SegmentName(number + 1) }

    /// The name of the first segment of an island after the one that ends with this segment; nil if there is none.
    package var island: SegmentName? {
        SegmentName((number / SegmentName.distance + 2) * SegmentName.distance)
    }

    /// The name of an island between a segment and this one, far from both, since pages will be added before it and after it. Nil
    /// if no number is left between them.
    /// - Parameter older: nil if there is no older segment.
    package func middle(after older: SegmentName?) -> SegmentName? {
        let lower = older?.number ?? max(-1, number - 2 * SegmentName.distance)
        let middle = lower + (number - lower) / 2
        return middle - lower > 1 && number - middle > 1 ? SegmentName(middle) : nil
    }

    package static func < (a: SegmentName, b: SegmentName) -> Bool { a.number < b.number }
}

/// The first line of a synced segment, which says what is before the segment.
///
///     {"type":"segment","before":"gap","from":"t12","to":"s3"}
///     {"type":"segment","before":"messages-500000000000000000.jsonl","to":"s3","end":"t14"}
package struct SegmentHead: Hashable, Sendable {
    package enum Before: Hashable, Sendable {
        /// The room begins with this segment.
        case start
        /// Missing events, unless the segment with the previous number exists.
        case gap
        case segment(SegmentName)
    }

    package var before: Before
    /// The token for the next page backwards; nil if the server must be asked for it.
    package var from: String?
    /// The token at which the gap before the segment ended when it was found; nil if the server must be asked for it, or if the gap
    /// reached the beginning of the room. In a page that was fetched forwards: the same for the gap after the page.
    package var to: String?
    /// The token after the last event of an island found inside a gap, or of a page fetched forwards: the gap after it
    /// ends there. Nothing is ever appended to such a segment.
    package var end: String?

    package init(before: Before, from: String? = nil, to: String? = nil, end: String? = nil) {
        (self.before, self.from, self.to, self.end) = (before, from, to, end)
    }

    /// The line with its line feed.
    package var line: [UInt8] {
        let before =
            switch before {
            case .start: "start"
            case .gap: "gap"
            case .segment(let name): name.file
            }
        let fields: JSONText = [
            "type": "segment", "before": JSONText(before), "from": JSONText(ifAny: from), "to": JSONText(ifAny: to),
            "end": JSONText(ifAny: end),
        ]
        return fields.line
    }

    /// The length in bytes of the longest head, with its line feed.
    package static let longest = 64 << 10

    /// - Parameter beginning: the first bytes of a segment, at most `longest`.
    /// - Returns: nil if its first line is not a head.
    package init?(of beginning: [UInt8]) {
        guard let end = beginning.firstIndex(of: 0x0A) else { return nil }
        guard let head = beginning[..<end].withUnsafeBytes({ SegmentHead(line: $0) }) else { return nil }
        self = head
    }

    /// Nil if the line is not a head.
    package init?(line: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(line), value["type"]?.string == "segment" else { return nil }
        switch value["before"]?.string {
        case "start": before = .start
        case "gap": before = .gap
        case let name?:
            guard let name = SegmentName(file: name) else { return nil }
            before = .segment(name)
        case nil: return nil
        }
        (from, to, end) = (value["from"]?.string, value["to"]?.string, value["end"]?.string)
    }
}
