internal import Algorithms
internal import CSimdjson

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

extension Source {
    /// The files of a folder with one of these endings, in any case; the file of a source that is one file, whatever its name.
    /// Contents decide then: an ending only saves reading thousands of pictures.
    func candidates(_ endings: String...) -> LazyFilterSequence<[SourceFile]> {
        files.lazy.filter { file in
            isFile || !file.name.hasPrefix("._") && endings.contains { file.hasEnding($0) }
        }
    }
}

extension SourceFile {
    fileprivate func hasEnding(_ ending: String) -> Bool {
        let end = path.utf8.suffix(ending.utf8.count)
        return end.count == ending.utf8.count && zip(end, ending.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
}

extension Source {
    /// The path in the source of a file that a record names, seen from a folder of the source; nil if it leads out of the
    /// source. Exporters on Windows write "\" between the parts of a path.
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

extension Source {
    /// Where some bytes stand in a file: the offsets of their first byte, in order. Reads the file piece by piece.
    /// - Parameter limit: how many are enough.
    package func offsets(
        of needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, limit: Int = .max
    ) throws(SourceError) -> [Int64] {
        var found: [Int64] = []
        try search(needle, in: file, from: start, to: end) { offset, _ in
            found.append(offset)
            return found.count < limit
        }
        return found
    }

    /// Calls `body` with each place where some bytes stand in a file, and with at most `context` bytes from there on, until it
    /// returns false.
    func search(
        _ needle: [UInt8], in file: SourceFile, from start: Int64 = 0, to end: Int64? = nil, context: Int = 0,
        _ body: (Int64, ArraySlice<UInt8>) -> Bool
    ) throws(SourceError) {
        var position = start
        let end = min(end ?? file.size, file.size)
        // These bytes are read again with the next piece.
        let overlap = max(needle.count, context) - 1
        var goesOn = true
        while goesOn, position < end {
            let bytes = try read(file, at: position, count: Int(min(Int64(4 << 20), end - position)))
            let isLast = bytes.isEmpty || position + Int64(bytes.count) >= end || bytes.count <= overlap
            let count = isLast ? bytes.count : bytes.count - overlap
            Source.find(needle, in: bytes) { offset in
                guard offset < count else { return false }
                goesOn = body(position + Int64(offset), bytes[offset..<min(bytes.count, offset + context)])
                return goesOn
            }
            position += Int64(count)
            if isLast { break }
        }
    }

    fileprivate static func find(_ needle: [UInt8], in bytes: [UInt8], _ body: (Int) -> Bool) {
        bytes.withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard let base = bytes.baseAddress, let part = needle.baseAddress else { return }
                let (text, wanted) = (
                    base.assumingMemoryBound(to: CChar.self), part.assumingMemoryBound(to: CChar.self)
                )
                var at = 0
                while at < bytes.count {
                    at += csj_find(text + at, bytes.count - at, wanted, needle.count)
                    guard at < bytes.count, body(at) else { return }
                    at += 1
                }
            }
        }
    }
}

extension Source {
    /// Where some bytes stand first.
    static func firstOffset(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        var found: Int?
        find(needle, in: bytes) { offset in
            found = offset
            return false
        }
        return found
    }
}

/// Reads bytes of the files of an export. Tests read from memory.
package protocol SourceReading: Sendable {
    /// At most `count` bytes from `offset` on; fewer at the end of the file.
    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8]
}

/// How the user says that an export is to be read, where its files leave that open. Nil: Kedge finds it out.
package struct ReadingOptions: Hashable, Sendable {
    /// The ID of the format.
    package var format: String?
    /// The character set of lines that are no UTF-8, as `Charset.known` gives it.
    package var charset: String?
    /// The order of the numbers of a date.
    package var dates: DateOrder?

    package init(format: String? = nil, charset: String? = nil, dates: DateOrder? = nil) {
        (self.format, self.charset, self.dates) = (format, charset, dates)
    }

    /// Stands for what differs from nothing: empty, or as `-CP1251-dmy`.
    package var text: String {
        [charset, dates?.rawValue].compactMap { $0 }.map { "-\($0)" }.joined()
    }
}

/// The order of the numbers of a date.
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
