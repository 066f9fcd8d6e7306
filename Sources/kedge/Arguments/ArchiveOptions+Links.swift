import Archive
import Formats
import Messages
import Mirror
import Settings

extension ArchiveOptions {
    /// The place that a link of the command line names: Kedge's own link, or one that a service copies for sharing. Of several
    /// archives that the settings name, that which holds the conversation is taken.
    mutating func resolve(_ text: String) throws -> Link {
        switch Permalink.parse(text) {
        case nil: return Link(text)
        case .unresolvable(let reason): throw Failure(.usage, reason)
        case .link(let permalink):
            for path in candidates {
                let folders = Folders(environment: Environment.variables)
                let index = IndexFolder(cache: folders.cache, archive: path)
                guard let id = Conversations.named(permalink.conversations, in: path, index: index) else { continue }
                archive = path
                return Link(conversation: id, message: permalink.message.map { MessageID($0) })
            }
            throw Failure(
                .nothingFound,
                "no archive that Kedge knows holds the conversation of this link; name the archive with --archive, or in "
                    + "config.toml as [archives.NAME]")
        }
    }

    /// The canonical paths of the archive that is named, and else of all those of the settings.
    private var candidates: [String] {
        if archive != nil { return (try? [ArchiveLocation.realPath(path())]) ?? [] }
        let named = Config.ofUser.archives.sorted { $0.key < $1.key }.map(\.value.path)
        var paths: [String] = []
        for path in ((try? [path()]) ?? []) + named where !paths.contains(ArchiveLocation.realPath(path)) {
            paths.append(ArchiveLocation.realPath(path))
        }
        return paths
    }
}
