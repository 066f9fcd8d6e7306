package import JSON

/// The paths of an archive's files and folders.
///
///     archive.json  people.json  spaces.json  invitations.json
///     conversations/general/conversation.json  messages-000001.jsonl  messages-000002.jsonl
package struct ArchivePaths: Hashable, Sendable {
    package let archive: String

    package init(_ archive: String) { self.archive = archive }

    /// The file that makes a folder an archive.
    package var label: String { archive + "/archive.json" }
    package var people: String { archive + "/people.json" }
    package var spaces: String { archive + "/spaces.json" }
    package var invitations: String { archive + "/invitations.json" }
    /// The folder that contains the folders of all conversations.
    package var conversations: String { archive + "/conversations" }

    package func folder(of conversation: String) -> String { conversations + "/" + conversation }

    package func description(of conversation: String) -> String {
        ArchivePaths.description(in: folder(of: conversation))
    }

    /// - Parameter folder: that of a conversation.
    package static func description(in folder: String) -> String { folder + "/conversation.json" }

    /// The names that other files in the folder of an archive may not have.
    package static let names: Set<String> = [
        "archive.json", "people.json", "spaces.json", "invitations.json", "conversations",
    ]
}

/// The content of archive.json.
package struct ArchiveLabel: Hashable, Sendable {
    package static let format = "kedge"
    /// The version of the format that this Kedge reads and writes.
    package static let version: Int64 = 1

    /// As in the file; nil if it has none.
    package let format: String?
    package let version: Int64?
    package let name: String?
    /// The ID of the person who reads and writes in the archive.
    package var me: String?
    /// The kind of server whose account is synced to the archive, such as `matrix`; nil for any other archive.
    package let server: String?
    /// The path of the export that was imported; nil for an archive that was not made by an import.
    package var source: String?

    package init(name: String, me: String?, server: String? = nil) {
        (format, version) = (ArchiveLabel.format, ArchiveLabel.version)
        (self.name, self.me, self.server) = (name, me, server)
    }

    package init(file: Bytes) throws(JSONReader.Failure) {
        let reader = JSONReader(names: "format version name me server source")
        let fields = try reader.object(file)
        (format, version, name) = (fields.text(0), fields.integer(1), fields.text(2))
        (me, server, source) = (fields.text(3), fields.text(4), fields.text(5))
    }

    /// The content of the file.
    package var json: JSONText {
        [
            "format": JSONText(ifAny: format), "version": version.map { JSONText($0) }, "name": JSONText(ifAny: name),
            "me": JSONText(ifAny: me), "server": JSONText(ifAny: server), "source": JSONText(ifAny: source),
        ]
    }
}
