/// Bytes with room after them, into which a writer writes without asking for each byte: to append bytes to an array one by
/// one takes several times as long.
struct ByteRoom {
    private var room: [UInt8] = []
    /// The number of bytes.
    private(set) var count = 0

    var bytes: ArraySlice<UInt8> { room[..<count] }

    /// - Parameter kept: how many bytes stay.
    mutating func removeAll(after kept: Int = 0) { count = kept }

    /// - Parameters:
    ///   - most: how many bytes `body` writes at most.
    ///   - body: gets where to write, and moves it to the end of what it has written.
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
