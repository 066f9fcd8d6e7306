internal import Files
internal import Index
package import Messages

/// The index of an archive, for commands that build, check or count by it.
package struct ArchiveIndex: Sendable {
    let catalogue: Catalogue
    let folder: IndexFolder

    /// - Parameters:
    ///   - path: the archive.
    ///   - folder: the folder of its index.
    package init(archive path: String, in folder: IndexFolder) {
        catalogue = Catalogue(archive: path)
        self.folder = folder
    }

    /// Builds the index, or updates it to the current files.
    /// - Parameters:
    ///   - isRebuilding: whether to build a new index, which replaces the old one when it is complete.
    ///   - withWords: whether to index the words of texts, too.
    ///   - onWait: called once, with a line about the other process, if the index is locked.
    ///   - progress: called on several threads with the bytes of the archive done so far and in all.
    /// - Returns: the errors of conversations that could not be read.
    /// - Throws: `unavailable` if the index cannot be built.
    package func make(
        isRebuilding: Bool = false, withWords: Bool = true, onWait: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> [StoreError] {
        let control = IndexControl { progress($0.done, $0.total) }
        do {
            let patience = LockPatience(limit: LockPatience.long.limit, onWait: onWait)
            return try IndexBuilder(
                catalogue: catalogue, folder: folder, control: control, patience: patience, isChecking: true
            )
            .run(withWords: withWords, renewal: isRebuilding ? .aside : .none).map(\.1)
        } catch let error as IndexFault where error.isLocked {
            throw .unavailable("\(error); then try again")
        } catch is CancellationError {
            throw .unavailable("the index was not finished; try again")
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// The entries of the folder of conversations that are not conversations, one line each.
    /// - Throws: if the folder of all conversations cannot be read.
    package func strays() throws(StoreError) -> [String] {
        var problems = ProblemList()
        _ = try catalogue.ids(&problems)
        return problems.all(source: "conversations")
    }
}
