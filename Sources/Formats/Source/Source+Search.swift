internal import CSimdjson

extension Source {
    /// Where some bytes stand in a file: the offsets of their first byte, in order. Reads the file piece by piece.
    /// - Parameter limit: how many are enough.
    func offsets(
        of needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, limit: Int = .max
    ) throws(SourceError) -> [Int64] {
        var found: [Int64] = []
        var position = start
        let end = min(end ?? file.size, file.size)
        while position < end, found.count < limit {
            let bytes = try read(file, at: position, count: Int(min(Int64(4 << 20), end - position)))
            guard !bytes.isEmpty else { break }
            Source.find(needle, in: bytes) { offset in
                found.append(position + Int64(offset))
                return found.count < limit
            }
            let isLast = position + Int64(bytes.count) >= end
            // What begins in this piece may end in the next one.
            position += Int64(isLast || bytes.count < needle.count ? bytes.count : bytes.count - needle.count + 1)
        }
        return found
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
