package import Archive
internal import Dates
internal import Formats
package import Messages

/// Finds conversations by the IDs that services give them.
package enum Conversations {
    /// The conversation of an archive that a service knows by one of these IDs.
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
        if let header = MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)), header.path == path {
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

    /// An archive that was imported keeps the other IDs in the files of its conversations.
    private static func native(_ aliases: [String], in path: String) -> ConversationID? {
        let root = path + "/conversations"
        let tree = JSONTree()
        for name in MirrorFiles.names(in: root) {
            if aliases.contains(name) { return ConversationID(name) }
            guard let text = MirrorFiles.text(root + "/" + name + "/conversation.json") else { continue }
            let isNamed = Array(text.utf8).withUnsafeBytes { bytes in
                tree.parse(bytes)?["aliases"]?.elements.contains { $0.string.map(aliases.contains) ?? false } ?? false
            }
            if isNamed { return ConversationID(name) }
        }
        return nil
    }
}
