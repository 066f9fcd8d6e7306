import Glibc
internal import Synchronization

/// Indexes that are there as long as the process: where those of an archive cannot be kept.
package enum TemporaryIndexes {
    private static let paths = Mutex<Set<String>>([])

    static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// A folder for one; nil when there is no room for it either.
    static func make() -> IndexFolder? {
        var template = Array((parent + "/kedge-XXXXXX").utf8CString)
        guard let path = mkdtemp(&template) else { return nil }
        let folder = IndexFolder(path: String(cString: path))
        paths.withLock { _ = $0.insert(folder.path) }
        return folder
    }

    static func contains(_ folder: IndexFolder) -> Bool { paths.withLock { $0.contains(folder.path) } }

    /// Removes a folder that was made here; any other is left alone.
    static func remove(_ folder: IndexFolder) {
        guard paths.withLock({ $0.remove(folder.path) }) != nil else { return }
        folder.removeAll()
        rmdir(folder.path)
    }

    /// At the end of the process, which does not wait for the threads that use them.
    package static func removeAll() {
        for path in paths.withLock({ $0 }) { remove(IndexFolder(path: path)) }
    }
}
