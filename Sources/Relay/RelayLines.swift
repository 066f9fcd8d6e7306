/// Splits the bytes of a connection into lines.
package struct RelayLines: Sendable {
    /// In bytes: the other side of the connection sends nothing longer.
    package static let longest = 1 << 20

    /// A line is longer than all that this protocol has: the connection is to be closed.
    package struct TooLong: Error {}

    private var rest: [UInt8] = []

    package init() {}

    /// Takes the next bytes.
    /// - Parameter body: called with each line that they complete, without its line feed. Empty lines are left out.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(TooLong) {
        var left = bytes
        while let end = left.firstIndex(of: 0x0A) {
            try add(UnsafeRawBufferPointer(rebasing: left[..<end]))
            if !rest.isEmpty { rest.withUnsafeBytes(body) }
            rest.removeAll(keepingCapacity: rest.capacity < 64 << 10)
            left = UnsafeRawBufferPointer(rebasing: left[(end + 1)...])
        }
        try add(left)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) throws(TooLong) {
        guard bytes.count <= RelayLines.longest - rest.count else { throw TooLong() }
        rest += bytes
    }
}
