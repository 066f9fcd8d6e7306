import Archive
import Formats
import Messages
import Mirror
import Settings

import Glibc

extension ArchiveOptions {
    /// The place that a link of the command line names: Kedge's own link, with the name of an archive before it if there is
    /// none in the options (`work:general`), or a link that a service copies for sharing. Of several archives that the settings
    /// name, that which holds the conversation is taken.
    mutating func resolve(_ text: String) throws -> Link {
        switch Permalink.parse(text) {
        case nil: return linkOfNamedArchive(text) ?? Link(text)
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
                "no archive that Kedge knows has the conversation of this link; name the archive with --archive, or in "
                    + "config.toml as [archives.NAME]")
        }
    }

    /// Takes a path instead of a link: `kedge open ~/Downloads/result.json`. The name of something in the current folder is a
    /// path only if no conversation of the archive has this name.
    /// - Returns: whether the text is a path.
    mutating func takesPath(_ text: String) throws -> Bool {
        guard archive == nil else { return false }
        let isPlain = ArchiveOptions.isPath(text)
        guard isPlain || access(text, F_OK) == 0 else { return false }
        if !isPlain, let path = try foundPath().map(ArchiveLocation.realPath) {
            let index = IndexFolder(cache: Folders(environment: Environment.variables).cache, archive: path)
            let id = Link(text).conversation.rawValue
            if Conversations.named([id], in: path, index: index) != nil { return false }
        }
        archive = text
        return true
    }

    /// Takes the path or the name of an archive, of which a conversation is named besides: `kedge open ~/irclogs kedge`.
    /// - Returns: whether the text is one of these.
    mutating func takesArchive(_ text: String) -> Bool {
        guard archive == nil, ArchiveOptions.isArchive(text) else { return false }
        archive = text
        return true
    }

    /// Whether a text is the path or the name of an archive.
    static func isArchive(_ text: String) -> Bool {
        isPath(text) || access(text, F_OK) == 0 || Config.ofUser.archives[text] != nil
    }

    /// Whether a text can be nothing but a path.
    static func isPath(_ text: String) -> Bool {
        ["/", "./", "../"].contains { text.hasPrefix($0) } || text == "." || text == ".."
    }

    /// The link after the name of an archive; nil if there is no such name. Takes that archive.
    private mutating func linkOfNamedArchive(_ text: String) -> Link? {
        guard archive == nil, let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        guard !name.contains("/"), let known = Config.ofUser.archives[name] else { return nil }
        archive = known.path
        return Link(String(text[text.index(after: colon)...]))
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
