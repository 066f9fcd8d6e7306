internal import Formats

/// The name of a mirrored segment: a number of 18 digits, so that names sort as numbers do.
package struct SegmentName: Hashable, Comparable, Sendable {
    package let number: Int64

    /// Where the first island of a room begins: half of all numbers are for what is older.
    package static let first = SegmentName(500_000_000_000_000_000)
    /// The distance between islands: this number of pages can go between two of them.
    private static let distance: Int64 = 1_000_000_000
    private static let all: Range<Int64> = 0..<1_000_000_000_000_000_000

    private init(_ number: Int64) { self.number = number }

    /// Nil if it is not the name of a mirrored segment.
    package init?(file name: some StringProtocol) {
        guard name.hasPrefix("messages-"), name.hasSuffix(".jsonl") else { return nil }
        let digits = name.dropFirst("messages-".count).dropLast(".jsonl".count)
        guard digits.utf8.count == 18, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(digits)
        else { return nil }
        self.number = number
    }

    package var file: String {
        let digits = String(number)
        return "messages-" + String(repeating: "0", count: max(0, 18 - digits.count)) + digits + ".jsonl"
    }

    /// The name of a segment right before this one; nil if there is none.
    package var before: SegmentName? {
        SegmentName.all.contains(number - 1) ? SegmentName(number - 1) : nil
    }

    /// The name of a segment right after this one; nil if there is none.
    package var after: SegmentName? { SegmentName.all.contains(number + 1) ? SegmentName(number + 1) : nil }

    /// The name of the first segment of an island after the one that ends with this segment; nil if there is none.
    package var island: SegmentName? {
        let next = (number / SegmentName.distance + 2) * SegmentName.distance
        return SegmentName.all.contains(next) ? SegmentName(next) : nil
    }

    /// The name of an island between a segment and this one, far from both: pages are to go before it and after it. Nil if
    /// there is no room.
    /// - Parameter older: nil if nothing older is here.
    package func middle(after older: SegmentName?) -> SegmentName? {
        let lower = older?.number ?? max(-1, number - 2 * SegmentName.distance)
        let middle = lower + (number - lower) / 2
        return middle - lower > 1 && number - middle > 1 ? SegmentName(middle) : nil
    }

    package static func < (a: SegmentName, b: SegmentName) -> Bool { a.number < b.number }
}

/// The first line of a mirrored segment: what stands before it.
///
///     {"type":"segment","before":"gap","from":"t12","to":"s3"}
///     {"type":"segment","before":"messages-500000000000000000.jsonl","to":"s3","end":"t14"}
package struct SegmentHead: Hashable, Sendable {
    package enum Before: Hashable, Sendable {
        /// The room begins with this segment.
        case start
        /// Events that are not here, unless the segment with the number before is.
        case gap
        case segment(SegmentName)
    }

    package var before: Before
    /// The token from which the server goes on backwards; nil if it must be asked for.
    package var from: String?
    /// The token at which the gap ends; nil if it must be asked for, or the gap reaches to the beginning of the room. A page that was
    /// fetched forwards says it of the gap after it: where that ended when it was found.
    package var to: String?
    /// The token after the last event of an island that was found in the midst of a gap, or of a page that was fetched forwards: the
    /// gap after it ends there. Nothing is ever appended to such a segment.
    package var end: String?

    package init(before: Before, from: String? = nil, to: String? = nil, end: String? = nil) {
        (self.before, self.from, self.to, self.end) = (before, from, to, end)
    }

    /// With its line feed.
    package var line: [UInt8] {
        let before =
            switch before {
            case .start: "start"
            case .gap: "gap"
            case .segment(let name): name.file
            }
        var line = "{\"type\":\"segment\",\"before\":\(JSONString.text(before))"
        if let from { line += ",\"from\":\(JSONString.text(from))" }
        if let to { line += ",\"to\":\(JSONString.text(to))" }
        if let end { line += ",\"end\":\(JSONString.text(end))" }
        return Array((line + "}\n").utf8)
    }

    /// Nil if the line is no head.
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
