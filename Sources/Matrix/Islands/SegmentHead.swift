internal import Formats

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
