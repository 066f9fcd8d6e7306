internal import Archive
internal import Files
internal import Formats
internal import Messages
internal import Synchronization

/// Reports when files of a source change, appear, disappear or are renamed.
final class SourceWatch: Sendable {
    private struct State {
        /// A hash of the names in each folder, by its path.
        var names: [String: UInt64] = [:]
        /// The paths of folders, by the watch's number for them.
        var paths: [CInt: String] = [:]
        var hasNewNames = false
    }

    private let root: String
    private let state: Shared
    private let watch: FolderWatch?
    /// The system lets each user watch some thousands of folders, and other programs need some of them.
    private static let mostFolders = 500

    /// - Parameter onChange: called on the watch's thread.
    init(_ path: String, onChange: @escaping @Sendable () -> Void) {
        root = path
        let state = Shared()
        self.state = state
        watch = try? FolderWatch { numbers in
            state.note(numbers)
            onChange()
        }
        addFolders()
    }

    func stop() { watch?.stop() }

    /// True if names have changed since the last call. Also starts to watch new folders.
    func takeNewNames() -> Bool {
        let hasNewNames = state.takeNewNames()
        if hasNewNames { addFolders() }
        return hasNewNames
    }

    private func addFolders() {
        for folder in folders() where !state.knows(folder) {
            guard let number = try? watch?.add(folder) else { continue }
            state.add(folder, number)
        }
    }

    /// The folder of a file, or a folder with its subfolders.
    private func folders() -> [String] {
        guard let status = try? Disk.existing(root) else { return [] }
        guard status.isFolder else { return [Disk.folder(of: root)] }
        var found = [root]
        var index = 0
        while index < found.count, found.count < SourceWatch.mostFolders {
            try? Disk.forEachEntry(of: found[index]) { entry in
                if entry.isFolder == true, !entry.isHidden { found.append(found[index] + "/" + entry.name) }
                return found.count < SourceWatch.mostFolders
            }
            index += 1
        }
        return found
    }

    /// The state, which the watch's thread also changes.
    private final class Shared: Sendable {
        private let state = Mutex(State())

        func knows(_ folder: String) -> Bool { state.withLock { $0.names[folder] != nil } }

        func add(_ folder: String, _ number: CInt) {
            let names = Shared.names(in: folder)
            state.withLock { state in
                state.names[folder] = names
                state.paths[number] = folder
            }
        }

        func takeNewNames() -> Bool {
            state.withLock { state in
                defer { state.hasNewNames = false }
                return state.hasNewNames
            }
        }

        /// Compares names instead of folders' times, which the system advances too rarely to distinguish two changes.
        func note(_ numbers: Set<CInt>) {
            state.withLock { state in
                for number in numbers {
                    guard let path = state.paths[number] else {
                        state.hasNewNames = true
                        continue
                    }
                    let names = Shared.names(in: path)
                    if state.names.updateValue(names, forKey: path) != names { state.hasNewNames = true }
                }
            }
        }

        /// A hash of the names in a folder and the inodes of their files.
        private static func names(in folder: String) -> UInt64 {
            var sum: UInt64 = 1
            for entry in (try? Disk.entries(of: folder)) ?? [] {
                var print = Fingerprint()
                print.add(entry.inode)
                print.add(entry.name)
                // The order in which the system lists names may change.
                sum &+= print.value
            }
            return sum
        }
    }
}

/// Finds the format of a source.
enum Recognizer {
    /// True if a format is certain that a source is an export, or contains one.
    static func knows(_ source: Source, among formats: [any Format]) -> Bool {
        formats.contains { if case .certain = $0.recognise(source) { true } else { false } }
    }

    /// The first format that is certain; else the only format that understands a part. Only the named format is tried if the user
    /// named one.
    /// - Throws: `unreadable` with one line about the kind of source, or about the formats that Kedge reads.
    static func format(of source: Source, at path: String, among formats: [any Format]) throws(StoreError) -> any Format
    {
        var looks: [String] = []
        var weak: [any Format] = []
        let named = source.options.format.map { id in formats.filter { $0.id == id } } ?? formats
        func refuse(_ look: String?) throws(StoreError) {
            if source.options.format == nil, let look { throw .unreadable("\(path): this looks like \(look)") }
        }
        for format in named {
            switch format.recognise(source) {
            case .certain:
                try refuse(UnsupportedSource.look(of: source, understoodBy: format, isCertain: true))
                return format
            case .weak: weak.append(format)
            case .unsure(let look): looks.append(look)
            case .no: break
            }
        }
        for format in weak {
            try refuse(UnsupportedSource.look(of: source, understoodBy: format, isCertain: false))
        }
        if weak.isEmpty { try refuse(UnsupportedSource.look(of: source)) }
        if weak.count > 1 {
            let choices = weak.map { "--format \($0.id)" }.joined(separator: " or ")
            throw .unreadable("\(path): matches several formats: use \(choices)")
        }
        if let format = weak.first { return format }
        if let look = looks.first { throw .unreadable("\(path): this looks like \(look)") }
        if source.options.format != nil {
            throw .unreadable(
                "\(path): nothing in it has the format that you named (\(named.map(\.name).joined(separator: ", ")))")
        }
        let names = formats.map(\.name).joined(separator: ", ")
        guard !source.files.isEmpty else {
            let content = source.packed.isEmpty ? "it is empty" : "it contains no file that Kedge reads"
            throw .unreadable("\(path): \(content); name an archive of Kedge or one of: \(names)")
        }
        throw .unreadable("\(path): neither an archive of Kedge nor an export that it reads (\(names))")
    }
}

// MARK: - Names

extension Recognizer {
    /// Reading more files than this only to find their names would take too long.
    private static let mostNamed = 1_000

    /// The format of a source, and the source as the format reads it: if no format knows the names of the files in a folder, the
    /// files get the endings that fit their contents.
    static func recognise(
        _ source: Source, at path: String, among formats: [any Format]
    ) throws(StoreError) -> (format: any Format, source: Source) {
        do throws(StoreError) {
            return (try format(of: source, at: path, among: formats), source)
        } catch {
            guard !source.isFile, source.files.count <= mostNamed else { throw error }
            let named = named(source)
            guard named.files != source.files, let found = try? format(of: named, at: path, among: formats) else {
                throw error
            }
            return (found, named)
        }
    }

    private static func named(_ source: Source) -> Source {
        var taken = Set(source.files.map(\.path))
        return source.renamed { file in
            guard let ending = ending(of: file, in: source), !file.name.lowercased().hasSuffix(ending) else {
                return file.path
            }
            let old = endings.first { file.name.lowercased().hasSuffix($0) } ?? ""
            let names = [file.path.dropLast(old.count) + ending, file.path + ending]
            return names.map { String($0) }.first { taken.insert($0).inserted } ?? file.path
        }
    }

    /// The endings that formats know, and others that people use for them.
    private static let endings = [".jsonl", ".json", ".html", ".txt", ".htm", ".log", ".text", ".ndjson"]

    /// The ending that fits the beginning of a file; nil if it is not text.
    private static func ending(of file: SourceFile, in source: Source) -> String? {
        guard let head = try? source.read(file, count: 64 << 10), !head.contains(0) else { return nil }
        let text = (head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]).drop { $0 <= 0x20 }
        let next = text.dropFirst().first { $0 > 0x20 }
        switch text.first.map({ Unicode.Scalar($0) }) {
        case nil: return nil
        case "<": return text.starts(with: Array("<?xml".utf8)) ? nil : ".html"
        case "[" where next == UInt8(ascii: "{"): return ".json"
        case "{":
            // One object a line, or one in many lines.
            let lines = text.split(separator: 10, maxSplits: 1)
            let isWhole = lines[0].last { $0 > 0x20 } == UInt8(ascii: "}")
            return isWhole && lines.last?.first { $0 > 0x20 } == UInt8(ascii: "{") && lines.count > 1
                ? ".jsonl" : ".json"
        default: return ".txt"
        }
    }
}
