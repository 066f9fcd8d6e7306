/// Borrowed bytes, and how many bytes are readable from their start: simdjson reads beyond the end. Not an array, which
/// would need an allocation for each of millions of lines.
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
