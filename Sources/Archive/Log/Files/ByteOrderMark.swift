/// U+FEFF in UTF-8, which some editors write at the start of a file.
enum ByteOrderMark {
    static func length(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}
