internal import CSimdjson

extension UnsafeRawBufferPointer {
    /// Where a text stands first, from a place on.
    package func offset(of text: String, from start: Int = 0) -> Int? {
        var text = text
        return text.withUTF8 { offset(of: UnsafeRawBufferPointer($0), from: start) }
    }

    func offset(of text: StaticString, from start: Int = 0) -> Int? {
        offset(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    private func offset(of text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let part = text.baseAddress else { return nil }
        let rest = (base + start).assumingMemoryBound(to: CChar.self)
        let place = start + csj_find(rest, count - start, part.assumingMemoryBound(to: CChar.self), text.count)
        return place < count ? place : nil
    }

    /// The bytes without white space at their ends.
    var trimmed: UnsafeRawBufferPointer {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return .empty
        }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
    }
}
