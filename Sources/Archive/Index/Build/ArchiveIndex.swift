internal import Locks
package import Messages

/// The index of an archive, for who makes it on purpose.
package struct ArchiveIndex: Sendable {
    private let catalogue: Catalogue
    private let folder: IndexFolder

    /// - Parameters:
    ///   - path: of the archive.
    ///   - folder: of its index.
    package init(archive path: String, in folder: IndexFolder) {
        catalogue = Catalogue(archive: path)
        self.folder = folder
    }

    /// Makes the index, or brings it up to the files.
    /// - Parameters:
    ///   - isRebuilding: whether to make it anew; the former one gives way when the new one is there.
    ///   - withWords: whether texts can be searched by it.
    ///   - onWait: told once, in a line, which other process is waited for.
    ///   - progress: told how far it is, in bytes of the archive, on several threads.
    /// - Returns: why conversations could not be read.
    /// - Throws: `unavailable` when there can be no index.
    package func make(
        isRebuilding: Bool = false, withWords: Bool = true, onWait: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> [StoreError] {
        let control = IndexControl { progress($0.done, $0.total) }
        do {
            let patience = LockPatience(limit: LockPatience.long.limit, onWait: onWait)
            return try IndexBuilder(catalogue: catalogue, folder: folder, control: control, patience: patience)
                .run(withWords: withWords, renewal: isRebuilding ? .aside : .none).map(\.1)
        } catch let error as IndexLocked {
            throw .unavailable("\(error); then try again")
        } catch is CancellationError {
            throw .unavailable("the making of the index was given up; try again")
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// What stands among the conversations and is none: one line each.
    /// - Throws: when the folder of all of them cannot be read.
    package func strays() throws(StoreError) -> [String] {
        var problems = ProblemList()
        _ = try catalogue.ids(&problems)
        return problems.all(source: "conversations")
    }
}
