package import Files
internal import Glibc
internal import JSON
internal import Search

/// The files of an export, which Kedge never changes.
package struct Source: Sendable {
    /// The name of the opened folder or file, for users.
    package let name: String
    /// All regular files, sorted by path; just one if the source is a single file.
    package private(set) var files: [SourceFile]
    /// The paths of files that stay packed and cannot be read here: pictures and the like in a zip. Sorted.
    package let packed: [String]
    /// True if the source is one file and not a folder.
    package let isFile: Bool
    private var reader: any SourceReading
    /// The user's options for reading the files.
    package var options = ReadingOptions()
    /// The paths of renamed files in the export, by their new paths.
    private var originals: [String: String] = [:]

    /// - Parameter packed: the paths of files that attachments may refer to, but that cannot be read.
    package init(
        name: String, files: [SourceFile], packed: [String] = [], isFile: Bool = false, reader: any SourceReading
    ) {
        self.name = name
        self.files = files.sorted { $0.path < $1.path }
        self.packed = packed.sorted()
        self.isFile = isFile
        self.reader = reader
    }

    /// At most `count` bytes from `offset` on; fewer at the end of the file. None for a negative count, which occurs when a file
    /// has grown since its size was listed.
    package func read(_ file: SourceFile, at offset: Int64 = 0, count: Int) throws(FileError) -> [UInt8] {
        count > 0 ? try reader.read(file, at: max(0, offset), count: count) : []
    }

    /// The whole file.
    /// - Throws: `tooLarge` beyond `limit` bytes.
    package func whole(_ file: SourceFile, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
        guard file.size <= Int64(limit) else { throw FileError(.read, file.path, .tooLarge(Int64(limit))) }
        return try reader.read(file, at: 0, count: Int(file.size))
    }

    /// The same source with the new states of some files, by path.
    package func updated(_ files: [String: SourceFile]) -> Source {
        var source = self
        source.files = self.files.map { files[$0.path] ?? $0 }
        return source
    }

    /// The same source with other paths for its files.
    /// - Parameter path: returns the new path of a file, or nil to leave the file out.
    package func renamed(_ path: (SourceFile) -> String?) -> Source {
        var originals: [String: SourceFile] = [:]
        for file in files { if let path = path(file) { originals[path] = file } }
        var source = self
        source.files = originals.map { path, file in
            SourceFile(path: path, size: file.size, modified: file.modified, inode: file.inode)
        }.sorted { $0.path < $1.path }
        source.reader = RenamedFiles(reader: reader, originals: originals)
        source.originals = originals.mapValues(\.path)
        return source
    }

    /// The path of a file in the export itself: other paths are only for formats.
    package func original(_ path: String) -> String { originals[path] ?? path }

    /// The file with this path; nil if there is none.
    package func file(_ path: String) -> SourceFile? {
        let place = files.partitioningIndex { $0.path >= path }
        return place < files.count && files[place].path == path ? files[place] : nil
    }

    /// True if there are files, packed or not, whose paths begin with this prefix.
    package func hasFiles(under prefix: String) -> Bool {
        let place = files.partitioningIndex { $0.path >= prefix }
        if place < files.count, files[place].path.hasPrefix(prefix) { return true }
        let packedPlace = packed.partitioningIndex { $0 >= prefix }
        return packedPlace < packed.count && packed[packedPlace].hasPrefix(prefix)
    }

    /// True if the folder of a file contains other files, packed or not.
    package func hasFiles(beside file: SourceFile) -> Bool {
        files.contains { $0.folder == file.folder && $0.path != file.path }
            || packed.contains { SourceFile.folder(of: $0) == file.folder }
    }
}

extension Source {
    /// The files in a folder with one of these extensions, in any case; or the only file, whatever its name. The extension only
    /// avoids reading thousands of pictures: contents decide.
    func candidates(_ endings: String...) -> LazyFilterSequence<[SourceFile]> {
        files.lazy.filter { file in
            isFile || !file.name.hasPrefix("._") && endings.contains { file.hasEnding($0) }
        }
    }
}

extension Source {
    /// The path in the source of a file that a record names relative to a folder; nil if it leads out of the source. Exporters on
    /// Windows write "\" between the parts of a path.
    package static func inside(_ path: String, of folder: Substring) -> String? {
        let path = path.replacing("\\", with: "/")
        guard !path.isEmpty, !path.hasPrefix("/"), !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            return nil
        }
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            guard part != "..", !(part.utf8.count == 2 && part.hasSuffix(":")) else { return nil }
            parts.append(part)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }
}

extension Source {
    /// The offsets at which some bytes occur in a file, in order. Reads the file piece by piece.
    /// - Parameter limit: the search stops after this many.
    package func offsets(
        of needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, limit: Int = .max
    ) throws(FileError) -> [Int64] {
        var found: [Int64] = []
        try search(needle, in: file, from: start, to: end) { offset, _ in
            found.append(offset)
            return found.count < limit
        }
        return found
    }

    /// Calls `body` with each offset at which some bytes occur in a file, and with at most `context` bytes from there, until it
    /// returns false.
    func search(
        _ needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, context: Int = 0,
        _ body: (Int64, ArraySlice<UInt8>) -> Bool
    ) throws(FileError) {
        var position = start
        let end = min(end ?? file.size, file.size)
        // The end of each piece is read again with the next piece.
        let overlap = max(needle.count, context) - 1
        var goesOn = true
        while goesOn, position < end {
            let bytes = try read(file, at: position, count: Int(min(Int64(4 << 20), end - position)))
            let isLast = bytes.isEmpty || position + Int64(bytes.count) >= end || bytes.count <= overlap
            let count = isLast ? bytes.count : bytes.count - overlap
            needle.withUnsafeBytes { needle in
                var at = 0
                while goesOn, let place = bytes.withUnsafeBytes({ $0.offset(of: needle, from: at) }), place < count {
                    goesOn = body(position + Int64(place), bytes[place..<min(bytes.count, place + context)])
                    at = place + 1
                }
            }
            position += Int64(count)
            if isLast { break }
        }
    }
}

/// A file of an export.
package struct SourceFile: Hashable, Sendable {
    /// The path in the source, with "/" between its parts; the name of the file if the source is that file.
    package let path: String
    /// In bytes.
    package let size: Int64
    /// In nanoseconds since 1970.
    package let modified: Int64
    /// The number that identifies the file in the file system, whatever its name.
    package let inode: UInt64

    package init(path: String, size: Int64, modified: Int64 = 0, inode: UInt64 = 0) {
        self.path = path
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    /// The last part of the path.
    package var name: Substring { SourceFile.name(of: path) }

    /// The name without its extension.
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name) }

    static func name(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The path without its last part; empty for a file at the root.
    package var folder: Substring { SourceFile.folder(of: path) }

    static func folder(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
    }

    /// True if the path ends with an extension, in any case.
    fileprivate func hasEnding(_ ending: String) -> Bool {
        let end = path.utf8.suffix(ending.utf8.count)
        return end.count == ending.utf8.count && zip(end, ending.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}

extension Feed {
    /// The folder of the file. Paths to copies of files are relative to it.
    var folder: Substring { SourceFile.folder(of: file) }
}

/// Reads bytes of the files of an export. Tests read from memory.
package protocol SourceReading: Sendable {
    /// At most `count` bytes from `offset` on; fewer at the end of the file.
    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(FileError) -> [UInt8]
}

/// The user's options for reading an export, for facts that its files may not contain. Nil: Kedge finds it out.
package struct ReadingOptions: Hashable, Sendable {
    /// The ID of the format.
    package var format: String?
    /// The character set of lines that are not UTF-8, as `Charset.known` returns it.
    package var charset: String?
    /// The order of day, month and year in dates written as numbers.
    package var dates: DateOrder?

    package init(format: String? = nil, charset: String? = nil, dates: DateOrder? = nil) {
        (self.format, self.charset, self.dates) = (format, charset, dates)
    }

    /// The options as text; empty if none is set: `-CP1251-dmy`.
    package var text: String {
        [charset, dates?.rawValue].compactMap { $0 }.map { "-\($0)" }.joined()
    }
}

/// The order of day, month and year in dates written as numbers.
package enum DateOrder: String, Hashable, Sendable, CaseIterable {
    case dayMonthYear = "dmy"
    case monthDayYear = "mdy"
    case yearMonthDay = "ymd"

    /// `day/month/year`
    var name: String {
        switch self {
        case .dayMonthYear: "day/month/year"
        case .monthDayYear: "month/day/year"
        case .yearMonthDay: "year/month/day"
        }
    }
}

/// Reads files that have other paths in a source than in the export.
private struct RenamedFiles: SourceReading {
    let reader: any SourceReading
    /// The files of the export, by their paths in the source.
    let originals: [String: SourceFile]

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try reader.read(originals[file.path] ?? file, at: offset, count: count)
    }
}

/// Files in memory, for tests and for text without a file.
package struct MemorySource: SourceReading {
    private let contents: [String: [UInt8]]

    package init(_ contents: [String: [UInt8]]) { self.contents = contents }

    package func read(_ file: SourceFile, at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        guard let bytes = contents[file.path] else { throw FileError(.read, file.path, code: ENOENT) }
        let start = min(Int(offset), bytes.count)
        return Array(bytes[start..<min(bytes.count, start + count)])
    }
}

extension Source {
    /// A source in memory, from the contents of files by path.
    package init(name: String = "memory", _ contents: [String: [UInt8]], isFile: Bool = false) {
        self.init(
            name: name, files: contents.map { SourceFile(path: $0.key, size: Int64($0.value.count)) }, isFile: isFile,
            reader: MemorySource(contents))
    }
}
