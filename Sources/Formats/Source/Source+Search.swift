internal import CSimdjson

extension Source {
    /// Where some bytes stand in a file: the offsets of their first byte, in order. Reads the file piece by piece.
    /// - Parameter limit: how many are enough.
    package func offsets(
        of needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, limit: Int = .max
    ) throws(SourceError) -> [Int64] {
        var found: [Int64] = []
        try search(needle, in: file, from: start, to: end) { offset, _ in
            found.append(offset)
            return found.count < limit
        }
        return found
    }

    /// Calls `body` with each place where some bytes stand in a file, and with at most `context` bytes from there on, until it
    /// returns false.
    func search(
        _ needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, context: Int = 0,
        _ body: (Int64, ArraySlice<UInt8>) -> Bool
    ) throws(SourceError) {
        var position = start
        let end = min(end ?? file.size, file.size)
        // These bytes are read again with the next piece.
        let overlap = max(needle.count, context) - 1
        var goesOn = true
        while goesOn, position < end {
            let bytes = try read(file, at: position, count: Int(min(Int64(4 << 20), end - position)))
            let isLast = bytes.isEmpty || position + Int64(bytes.count) >= end || bytes.count <= overlap
            let count = isLast ? bytes.count : bytes.count - overlap
            Source.find(needle, in: bytes) { offset in
                guard offset < count else { return false }
                goesOn = body(position + Int64(offset), bytes[offset..<min(bytes.count, offset + context)])
                return goesOn
            }
            position += Int64(count)
            if isLast { break }
        }
    }

    fileprivate static func find(_ needle: [UInt8], in bytes: [UInt8], _ body: (Int) -> Bool) {
        bytes.withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard let base = bytes.baseAddress, let part = needle.baseAddress else { return }
                let (text, wanted) = (
                    base.assumingMemoryBound(to: CChar.self), part.assumingMemoryBound(to: CChar.self)
                )
                var at = 0
                while at < bytes.count {
                    at += csj_find(text + at, bytes.count - at, wanted, needle.count)
                    guard at < bytes.count, body(at) else { return }
                    at += 1
                }
            }
        }
    }
}

extension Source {
    /// Where some bytes stand first.
    static func firstOffset(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        var found: Int?
        find(needle, in: bytes) { offset in
            found = offset
            return false
        }
        return found
    }
}
