internal import Formats

/// Records as bytes: whole lines.
enum Lines {
    /// The ID of a record; nil if it has none, or stands out of its place (`late`).
    static func id(of line: UnsafeRawBufferPointer, _ tree: JSONTree) -> String? {
        guard let value = tree.parse(line), value["late"] == nil else { return nil }
        return value["id"]?.string
    }

    /// The IDs of the messages, in their order.
    static func messages(in bytes: [UInt8]) -> [String] {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var ids: [String] = []
        forEach(in: bytes) { line in
            if let value = tree.parse(line), value["type"]?.string == "message", let id = value["id"]?.string {
                ids.append(id)
            }
        }
        return ids
    }

    /// Calls `body` with each line, without its line feed.
    static func forEach(in bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                body(UnsafeRawBufferPointer(rebasing: rest[..<end]))
                rest = end < rest.endIndex ? UnsafeRawBufferPointer(rebasing: rest[(end + 1)...]) : .empty
            }
        }
    }

    /// The last lines.
    static func last(_ count: Int, of bytes: [UInt8]) -> [UInt8] {
        var (start, found) = (bytes.endIndex, 0)
        while start > bytes.startIndex {
            if start < bytes.endIndex, bytes[start - 1] == 0x0A {
                found += 1
                if found == count { break }
            }
            start -= 1
        }
        return Array(bytes[start...])
    }

    /// The lines that hold a text, read by `read`, in their order.
    static func find<Value>(
        _ needle: String, in bytes: [UInt8], _ tree: JSONTree, _ read: (JSONValue) -> Value?
    ) -> [Value] {
        bytes.withUnsafeBytes { bytes in
            var found: [Value] = []
            var start = 0
            while let place = bytes.offset(of: needle, from: start) {
                let begin = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
                if let value = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])).flatMap(read) {
                    found.append(value)
                }
                start = end
            }
            return found
        }
    }

    static func ids(in bytes: [UInt8]) -> Set<String> {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var ids: Set<String> = []
        forEach(in: bytes) { if let id = id(of: $0, tree) { ids.insert(id) } }
        return ids
    }

    /// The lines whose IDs are not among these.
    static func without(_ ids: Set<String>, _ bytes: [UInt8]) -> [UInt8] {
        guard !ids.isEmpty else { return bytes }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var rest: [UInt8] = []
        forEach(in: bytes) { line in
            if let id = id(of: line, tree), ids.contains(id) { return }
            rest += line
            rest.append(0x0A)
        }
        return rest
    }
}
