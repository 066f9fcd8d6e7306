import Messages
import Mirror

extension ArchiveOptions {
    /// The folder of Kedge's own archive, or that of the whole copy of an export. Shows the progress of making it.
    /// - Parameter readsAll: whether every byte of the copy is compared with its checksum; what differs is made again.
    func nativeFolder(readsAll: Bool = false) throws -> String {
        guard let export = try export(readsAll: readsAll) else { return try path() }
        let bar = ProgressBar()
        try waiting { () async throws(StoreError) in try await export.settle { bar.show($0, of: $1) } }
        bar.finish()
        return export.folder
    }
}
