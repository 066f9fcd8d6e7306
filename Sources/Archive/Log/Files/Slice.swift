/// Bytes that somebody else owns, and how many may be read from their start: simdjson looks a little further.
/// Pointers, since an array a line would be an allocation for each of millions.
struct Slice {
    let bytes: UnsafeRawBufferPointer
    let readable: Int

    init(_ bytes: UnsafeRawBufferPointer, readable: Int) {
        self.bytes = bytes
        self.readable = readable
    }

    init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, readable: bytes.count) }

    var count: Int { bytes.count }
}
