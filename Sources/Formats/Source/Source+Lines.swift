extension Source {
    /// Calls `body` with each line of a file that is not blank, without its line feed, and with the offset of its first byte. Reads the
    /// file piece by piece. A line beyond `Record.longest` is passed over: converters report it.
    /// - Parameter body: 64 more bytes can be read after a line.
    func forEachLine(of file: SourceFile, _ body: (Bytes, Int64) -> Void) throws(SourceError) {
        var (position, rest) = (Int64(0), [UInt8]())
        // Whether the rest of a line that was too long is still to come.
        var isPassing = false
        while position < file.size {
            let bytes = try read(file, at: position, count: Int(min(4 << 20, file.size - position)))
            guard !bytes.isEmpty else { break }
            let start = position - Int64(rest.count)
            position += Int64(bytes.count)
            rest += bytes
            let whole = position < file.size ? rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 : rest.count
            rest.append(contentsOf: repeatElement(0, count: 64))
            rest.withUnsafeBytes { bytes in
                var at = 0
                while at < whole {
                    let end = bytes[at..<whole].firstIndex(of: UInt8(ascii: "\n")) ?? whole
                    let line = Bytes(rebasing: bytes[at..<end])
                    if !isPassing, line.count <= Record.longest, !line.trimmed.isEmpty { body(line, start + Int64(at)) }
                    isPassing = false
                    at = end + 1
                }
            }
            rest.removeLast(64)
            rest.removeFirst(whole)
            if rest.count > Record.longest {
                rest.removeAll()
                isPassing = true
            }
        }
    }
}
