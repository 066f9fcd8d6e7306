internal import Algorithms

/// The files of an export, which nobody changes here.
package struct Source: Sendable {
    /// The name of the folder or file that was opened, for people.
    package let name: String
    /// All regular files, sorted by path. A source that is a single file holds that alone.
    package let files: [SourceFile]
    /// The paths of further files, which cannot be read here: pictures and the like in a zip. Sorted.
    package let packed: [String]
    /// Whether the source is one file instead of a folder.
    package let isFile: Bool
    private let reader: any SourceReading
    /// What the user says of it, where its files leave that open.
    package var options = ReadingOptions()

    /// - Parameter packed: the paths of files that attachments may name, but that cannot be read.
    package init(
        name: String, files: [SourceFile], packed: [String] = [], isFile: Bool = false, reader: any SourceReading
    ) {
        self.name = name
        self.files = files.sorted { $0.path < $1.path }
        self.packed = packed.sorted()
        self.isFile = isFile
        self.reader = reader
    }

    /// At most `count` bytes from `offset` on; fewer at the end of the file. None for a negative count: sizes that were listed
    /// before a file grew lead to such counts.
    package func read(_ file: SourceFile, at offset: Int64 = 0, count: Int) throws(SourceError) -> [UInt8] {
        count > 0 ? try reader.read(file, at: max(0, offset), count: count) : []
    }

    /// The whole file.
    /// - Throws: `tooLarge` beyond `limit` bytes.
    package func whole(_ file: SourceFile, limit: Int = 64 << 20) throws(SourceError) -> [UInt8] {
        guard file.size <= Int64(limit) else { throw .tooLarge(file.path) }
        return try reader.read(file, at: 0, count: Int(file.size))
    }

    /// The same source with new states of some files, by their paths.
    package func updated(_ files: [String: SourceFile]) -> Source {
        var source = Source(
            name: name, files: self.files.map { files[$0.path] ?? $0 }, packed: packed, isFile: isFile, reader: reader)
        source.options = options
        return source
    }

    /// The file with this path; nil if there is none.
    package func file(_ path: String) -> SourceFile? {
        let place = files.partitioningIndex { $0.path >= path }
        return place < files.count && files[place].path == path ? files[place] : nil
    }

    /// Whether there are files whose paths begin so, packed or not.
    package func hasFiles(under prefix: String) -> Bool {
        let place = files.partitioningIndex { $0.path >= prefix }
        if place < files.count, files[place].path.hasPrefix(prefix) { return true }
        let packedPlace = packed.partitioningIndex { $0 >= prefix }
        return packedPlace < packed.count && packed[packedPlace].hasPrefix(prefix)
    }

    /// Whether the folder of a file holds other files, packed or not.
    package func hasFiles(beside file: SourceFile) -> Bool {
        files.contains { $0.folder == file.folder && $0.path != file.path }
            || packed.contains { SourceFile.folder(of: $0) == file.folder }
    }
}
