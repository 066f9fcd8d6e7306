internal import Archive
internal import Formats
import Glibc
internal import Messages
internal import Synchronization

/// Reports when a file of a source changes, and whether files came, went or changed their names.
final class SourceWatch: Sendable {
    private struct State {
        /// Stands for the names in each folder, by its path.
        var names: [String: UInt64] = [:]
        /// The paths of folders by their numbers in the watch.
        var paths: [CInt: String] = [:]
        var hasNewNames = false
    }

    private let root: String
    private let state: Shared
    private let watch: FolderWatch?
    /// The system lets each user watch some thousands of folders; other programs need some.
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

    /// Whether names have changed since the last call. New folders are watched from then on.
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

    /// The folder of a file; a folder and those in it.
    private func folders() -> [String] {
        var status = stat()
        guard stat(root, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            let parent = root.lastIndex(of: "/").map { String(root[..<$0]) } ?? "."
            return [parent.isEmpty ? "/" : parent]
        }
        var found = [root]
        var index = 0
        while index < found.count, found.count < SourceWatch.mostFolders {
            if let stream = opendir(found[index]) {
                while let entry = readdir(stream), found.count < SourceWatch.mostFolders {
                    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                    }
                    if entry.pointee.d_type == UInt8(DT_DIR), !name.hasPrefix(".") {
                        found.append(found[index] + "/" + name)
                    }
                }
                closedir(stream)
            }
            index += 1
        }
        return found
    }

    /// The state, which the thread of the watch changes too.
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

        /// Looks at the names rather than at the times of folders, which the system advances too seldom to tell two changes
        /// apart.
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

        /// Stands for the names in a folder and for the files that have them.
        private static func names(in folder: String) -> UInt64 {
            guard let stream = opendir(folder) else { return 0 }
            defer { closedir(stream) }
            var sum: UInt64 = 1
            while let entry = readdir(stream) {
                var print = Fingerprint()
                print.add(entry.pointee.d_ino)
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    print.add(UnsafeRawBufferPointer(rebasing: $0.prefix { $0 != 0 }))
                }
                // The order in which the system lists names may change.
                sum &+= print.value
            }
            return sum
        }
    }
}

/// Finds the format of a source.
enum Recognizer {
    /// Whether a format is certain that a source is an export, or holds one.
    static func knows(_ source: Source, among formats: [any Format]) -> Bool {
        formats.contains { if case .certain = $0.recognise(source) { true } else { false } }
    }

    /// The first that is certain wins; else the one that understands a part, unless there are several. The user may name one.
    /// - Throws: `unreadable` with a line that says how the source looks, or which formats Kedge reads.
    static func format(of source: Source, at path: String, among formats: [any Format]) throws(StoreError) -> any Format
    {
        var looks: [String] = []
        var weak: [any Format] = []
        let named = source.options.format.map { id in formats.filter { $0.id == id } } ?? formats
        for format in named {
            switch format.recognise(source) {
            case .certain: return format
            case .weak: weak.append(format)
            case .unsure(let look): looks.append(look)
            case .no: break
            }
        }
        // Of a folder, what is understood is shown.
        if source.options.format == nil, weak.isEmpty || source.isFile, let look = UnsupportedSource.look(of: source) {
            throw .unreadable("\(path): this looks like \(look)")
        }
        if weak.count > 1 {
            let choices = weak.map { "--format \($0.id)" }.joined(separator: " or ")
            throw .unreadable("\(path): can be of several formats: \(choices) decides")
        }
        if let format = weak.first { return format }
        if let look = looks.first { throw .unreadable("\(path): this looks like \(look)") }
        if source.options.format != nil {
            throw .unreadable(
                "\(path): nothing in it is of the format that was named (\(named.map(\.name).joined(separator: ", ")))")
        }
        let names = formats.map(\.name).joined(separator: ", ")
        guard !source.files.isEmpty else {
            let content = source.packed.isEmpty ? "there is nothing in it" : "no file in it is one that Kedge reads"
            throw .unreadable("\(path): \(content); name an archive of Kedge or one of: \(names)")
        }
        throw .unreadable("\(path): neither an archive of Kedge nor an export that it reads (\(names))")
    }
}
