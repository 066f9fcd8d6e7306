extension Source {
    /// Calls `body` with each record of the array that stands under a key at the top of a file, and reads the file piece by piece.
    /// - Parameter body: returns what is wrong with a record.
    /// - Returns: where its first record may begin, and what was broken in it; nil without such an array.
    func forEachRecord(
        of file: SourceFile, under key: String, _ body: @escaping (JSONValue) -> String?
    ) throws(SourceError) -> (start: Int64, problems: [ForeignProblem])? {
        guard let start = try start(of: key, in: file) else { return nil }
        var reader = FeedReader(
            self, file, from: start, by: ArrayConverter(Feed(file: file.path)) { record, _ in body(record) })
        var writer = RecordWriter()
        while try reader.step(to: file.size, isWhole: true, into: &writer) {}
        return (start, writer.problems)
    }

    /// The byte after the bracket of an array with a key.
    func start(of key: String, in file: SourceFile) throws(SourceError) -> Int64? {
        let needle = Array("\"\(key)\"".utf8)
        var found: Int64?
        // A text that holds the key has a backslash before its last quote.
        try search(needle, in: file, context: needle.count + 64) { offset, bytes in
            let rest = bytes.dropFirst(needle.count)
            guard let colon = rest.firstIndex(where: { $0 > 0x20 }), rest[colon] == UInt8(ascii: ":"),
                let bracket = rest[(colon + 1)...].firstIndex(where: { $0 > 0x20 }), rest[bracket] == UInt8(ascii: "[")
            else { return true }
            found = offset + Int64(bracket - bytes.startIndex) + 1
            return false
        }
        return found
    }
}
