/// The objects of small files that hold an array of objects, or a single object where an array is expected.
enum JSONRecords {
    /// Calls `body` with each object. Objects that are not valid JSON are passed over.
    /// - Returns: how many pieces were passed over.
    static func forEach(in file: [UInt8], _ body: (JSONValue) -> Void) -> Int {
        let padded = file + [UInt8](repeating: 0, count: 64)
        let tree = JSONTree()
        var broken = 0
        padded.withUnsafeBytes { padded in
            let start = start(of: padded, count: file.count)
            let bytes = UnsafeRawBufferPointer(rebasing: padded[start..<file.count])
            var splitter = RecordSplitter(bytes, isEnd: true)
            while let piece = splitter.next() {
                guard case .record(let range) = piece,
                    let value = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[range]), padding: 64)
                else {
                    broken += 1
                    continue
                }
                body(value)
            }
        }
        return broken
    }

    /// The byte after a byte order mark, white space and the bracket of an array.
    static func start(of bytes: Bytes, count: Int) -> Int {
        var at = 0
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { at = 3 }
        while at < count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
        if at < count, bytes[at] == UInt8(ascii: "[") { at += 1 }
        return at
    }
}
