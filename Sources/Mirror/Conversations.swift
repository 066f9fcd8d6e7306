package import Archive
internal import ArchiveFormat
internal import Dates
internal import Formats
package import Messages

/// Finds conversations by the IDs that their service uses.
package enum Conversations {
    /// The conversation of an archive for which the service uses one of these IDs.
    /// - Parameters:
    ///   - path: the canonical path of an archive or of an export.
    ///   - index: the folder of its index.
    /// - Returns: nil if there is none, or if the archive cannot be read.
    package static func named(
        _ aliases: [String], in path: String, index: IndexFolder
    ) -> ConversationID? {
        guard Export.isExport(path) else { return native(aliases, in: path) }
        let files = MirrorFiles(root: index.path + "/mirror")
        let planner = MirrorPlanner(
            path: path, files: files, zone: .local, formats: Formats.all, options: ReadingOptions())
        if let header = files.header, header.path == path {
            return first(of: aliases, header.aliases, Set(MirrorFiles.names(in: files.conversations)))
        }
        guard let plan = try? planner.prepare() else { return nil }
        var known: [String: String] = [:]
        for conversation in plan.archive.conversations {
            for alias in conversation.aliases { known[alias] = conversation.id }
        }
        return first(of: aliases, known, Set(plan.places.keys))
    }

    private static func first(
        of aliases: [String], _ known: [String: String], _ ids: Set<String>
    ) -> ConversationID? {
        for alias in aliases {
            if let id = known[alias] ?? (ids.contains(alias) ? alias : nil) { return ConversationID(id) }
        }
        return nil
    }

    /// Finds a conversation in an imported archive, whose conversation files contain the service's IDs.
    private static func native(_ aliases: [String], in path: String) -> ConversationID? {
        let paths = ArchivePaths(path)
        let reader = ConversationFileReader(isWhole: true)
        for name in MirrorFiles.names(in: paths.conversations) {
            if aliases.contains(name) { return ConversationID(name) }
            guard let text = MirrorFiles.text(paths.description(of: name)) else { continue }
            let file = Array(text.utf8).withUnsafeBytes { try? reader.read($0) }
            if file?.aliases.contains(where: aliases.contains) == true { return ConversationID(name) }
        }
        return nil
    }
}
