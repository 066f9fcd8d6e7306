/// Files in memory, for tests and for text that is no file.
package struct MemorySource: SourceReading {
    private let contents: [String: [UInt8]]

    package init(_ contents: [String: [UInt8]]) { self.contents = contents }

    package func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        guard let bytes = contents[file.path] else { throw .unreadable(file.path, "no such file") }
        let start = min(Int(offset), bytes.count)
        return Array(bytes[start..<min(bytes.count, start + count)])
    }
}

extension Source {
    /// A source in memory: the files by their paths.
    package init(name: String = "memory", _ contents: [String: [UInt8]], isFile: Bool = false) {
        self.init(
            name: name, files: contents.map { SourceFile(path: $0.key, size: Int64($0.value.count)) }, isFile: isFile,
            reader: MemorySource(contents))
    }
}
