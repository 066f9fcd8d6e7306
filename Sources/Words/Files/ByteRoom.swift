/// Bytes with free space after them, so that a writer need not check for each byte: appending bytes one by one to an
/// array takes several times as long.
struct ByteRoom {
    private var room: [UInt8] = []
    /// The number of bytes.
    private(set) var count = 0

    var bytes: ArraySlice<UInt8> { room[..<count] }

    /// - Parameter kept: the number of bytes to keep.
    mutating func removeAll(after kept: Int = 0) { count = kept }

    /// - Parameters:
    ///   - most: the largest number of bytes that `body` writes.
    ///   - body: receives the place to write to, and moves it to the end of the written bytes.
    @inline(__always)
    mutating func append(atMost most: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        if count + most > room.count { grow(count + most) }
        count = room.withUnsafeMutableBufferPointer { room in
            guard let start = room.baseAddress else { return 0 }
            var end = start + count
            body(&end)
            return end - start
        }
    }

    private mutating func grow(_ needed: Int) {
        room.append(contentsOf: repeatElement(0, count: max(needed, 2 * room.count) - room.count))
    }

    @inline(__always)
    func withBytes<Result>(from start: Int = 0, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        room.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<count])) }
    }
}
