import Glibc
package import Messages

/// Makes a conversation.
package enum NewConversation {
    /// In bytes: the ID is the name of a folder.
    private static let longestID = 200

    /// Why nothing is written into the archive of an account: what is written here would reach nobody.
    static func ofServer(_ archive: String) -> String {
        "\(archive): mirrors the account of a server, where rooms are made; `kedge-matrix join` joins one"
    }

    /// The ID for a title: its letters in lower case, with "-" for blanks, and for signs that mean something to a shell; nil if
    /// nothing is left.
    package static func id(for title: String) -> ConversationID? {
        let id = text(for: title)
        return id.isEmpty || id.utf8.count > longestID ? nil : ConversationID(id)
    }

    /// Why a title has no ID.
    private static func noID(for title: String) -> String {
        text(for: title).isEmpty
            ? "\"\(title.shortened)\" has no letter or digit to make an ID of"
            : "\"\(title.shortened)\" is too long for the name of a conversation"
    }

    private static func text(for title: String) -> String {
        let scalars = title.lowercased().unicodeScalars.filter { $0.properties.generalCategory != .control }
        let words = String(String.UnicodeScalarView(scalars)).split { $0.isWhitespace || isSign($0) }
        return String(words.joined(separator: "-").drop { $0 == "." || $0 == "-" })
    }

    private static func isSign(_ character: Character) -> Bool {
        character.isASCII && !character.isLetter && !character.isNumber && !"-_.".contains(character)
    }

    /// Makes an empty conversation in an archive.
    /// - Returns: its ID, which is made of the title.
    /// - Throws: `notSent` if there is such a conversation, or it cannot be made; `unreadable` if there is no archive.
    package static func make(title: String, topic: String?, in archive: String) throws(StoreError) -> ConversationID {
        guard try ArchiveLabel(folder: archive).server == nil else { throw .notSent(ofServer(archive)) }
        guard let id = id(for: title) else { throw .notSent(noID(for: title)) }
        let catalogue = Catalogue(archive: archive)
        if let link = WriteFailure.link(among: [catalogue.root]) { throw .notSent(link) }
        var code = NewFile.makeFolder(catalogue.root)
        guard code == 0 || code == EEXIST else { throw WriteFailure.error(code, catalogue.root) }
        let folder = catalogue.path(of: id)
        code = NewFile.makeFolder(folder)
        guard code == 0 else {
            if code == EEXIST { throw .notSent("there is a conversation \"\(id)\" already") }
            throw WriteFailure.error(code, folder)
        }
        do throws(StoreError) {
            let line = RecordEncoder.line(["id": id.rawValue, "title": title, "topic": topic])
            try NewFile.write(line, to: folder + "/conversation.json")
        } catch {
            rmdir(folder)
            throw error
        }
        NewFile.syncNames(of: folder)
        NewFile.syncNames(of: catalogue.root)
        return id
    }
}
