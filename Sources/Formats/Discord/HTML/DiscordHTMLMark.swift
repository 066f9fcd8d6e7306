internal import CSimdjson

/// Bytes by which parts of the HTML are found. No text of a message holds them, as its `<` is escaped.
struct DiscordHTMLMark {
    private let name: [UInt8]
    /// The bytes before the name: with a quote before it, and without.
    private let before: [[UInt8]]

    static let group = DiscordHTMLMark("chatlog__message-group", after: "<div class=")
    static let message = DiscordHTMLMark("data-message-id=", after: "")

    private init(_ name: StaticString, after: String) {
        self.name = Array(Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount))
        before = after.isEmpty ? [[]] : [Array((after + "\"").utf8), Array(after.utf8)]
    }

    /// The offset of the first mark from a place on, with what stands before it.
    func first(in bytes: Bytes, from start: Int = 0) -> Int? {
        var at = start
        while let place = find(bytes, at) {
            for before in before where place - before.count >= start {
                if bytes[(place - before.count)..<place].elementsEqual(before) { return place - before.count }
            }
            at = place + 1
        }
        return nil
    }

    /// All of them.
    func all(in bytes: Bytes) -> [Int] {
        var found: [Int] = []
        while let place = first(in: bytes, from: found.last.map { $0 + name.count } ?? 0) { found.append(place) }
        return found
    }

    private func find(_ bytes: Bytes, _ start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        let found = name.withUnsafeBytes { name in
            guard let name = name.baseAddress else { return bytes.count }
            return start
                + csj_find(
                    (base + start).assumingMemoryBound(to: CChar.self), bytes.count - start,
                    name.assumingMemoryBound(to: CChar.self), self.name.count)
        }
        return found < bytes.count ? found : nil
    }

    /// The number after a mark of a message.
    static func id(in bytes: Bytes, at mark: Int) -> Int64? {
        var start = mark + message.name.count
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") { start += 1 }
        var end = start
        while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
        return start < end ? DiscordID.number(Bytes(rebasing: bytes[start..<end])) : nil
    }
}
