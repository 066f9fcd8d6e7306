internal import ArchiveFormat
internal import Files
import Glibc
internal import JSON
package import Messages

/// Makes an archive.
package enum NewArchive {
    /// Makes an empty archive in a folder that is new or empty.
    /// - Parameter me: the person who writes in it.
    /// - Throws: `notSent` with one line that names the path.
    package static func make(at path: String, name: String, me: PersonID) throws(StoreError) {
        let paths = ArchivePaths(path)
        guard !Disk.exists(paths.label) else {
            throw .notSent("\(path): already an archive; open it, or name a new folder")
        }
        if try Folder.exists(path), let entry = try Folder.entries(path).first {
            throw .notSent("\(path): not empty (\(printable(entry.name))); name a new or an empty folder")
        }
        do throws(FileError) {
            try NewEntry.makeFolders(path)
            try NewEntry.makeFolder(paths.conversations)
            let people = PersonEntry.file([PersonEntry(id: me.rawValue, name: me.rawValue)])
            try NewEntry.write(JSONText(json: people).printable.bytes, to: paths.people)
            // Last, since this file makes the folder an archive.
            try NewEntry.write(ArchiveLabel(name: name, me: me.rawValue).json.printable.line, to: paths.label)
        } catch {
            throw StoreError(writing: error)
        }
        NewEntry.syncNames(of: path)
    }
}

/// Makes a conversation.
package enum NewConversation {
    /// The most bytes of an ID, which is the name of a folder: some file systems take only 143.
    private static let longestID = 120

    /// The reason why nothing is written into the archive of an account: it would reach nobody.
    static func ofServer(_ archive: String) -> String {
        "\(archive): mirrors the account of a server, where rooms are made; `kedge-matrix join` joins one"
    }

    /// The ID for a title: its letters in lower case, with "-" for blanks, and for signs that mean something to a shell. A long one
    /// is cut. Nil if nothing is left.
    package static func id(for title: String) -> ConversationID? {
        let scalars = title.lowercased().unicodeScalars.filter { $0.properties.generalCategory != .control }
        let words = String(String.UnicodeScalarView(scalars)).split { $0.isWhitespace || isSign($0) }
        let id = String(words.joined(separator: "-").drop { $0 == "." || $0 == "-" })
        return id.isEmpty ? nil : ConversationID(OutsideName.cut(id, toBytes: longestID))
    }

    private static func isSign(_ character: Character) -> Bool {
        character.isASCII && !character.isLetter && !character.isNumber && !"-_.".contains(character)
    }

    /// Makes an empty conversation in an archive.
    /// - Returns: its ID, which is made from the title.
    /// - Throws: `notSent` if there is such a conversation, or it cannot be made; `unreadable` if there is no archive.
    package static func make(title: String, topic: String?, in archive: String) throws(StoreError) -> ConversationID {
        guard try ArchiveLabel(folder: archive).server == nil else { throw .notSent(ofServer(archive)) }
        guard let id = id(for: title) else {
            throw .notSent("\"\(title.shortened)\" has no letter or digit to make an ID of")
        }
        let catalogue = Catalogue(archive: archive)
        if let link = WriteFailure.link(among: [catalogue.root]) { throw .notSent(link) }
        let folder = catalogue.path(of: id)
        do throws(FileError) {
            do throws(FileError) { try NewEntry.makeFolder(catalogue.root) } catch {
                guard error.code == EEXIST else { throw error }
            }
            try NewEntry.makeFolder(folder)
            do throws(FileError) {
                let file = ConversationFile(id: id.rawValue, title: title, topic: topic)
                try NewEntry.write(file.json.printable.line, to: ArchivePaths.description(in: folder))
            } catch {
                Disk.removeFolder(folder)
                throw error
            }
        } catch {
            if error.code == EEXIST, error.path == folder {
                throw .notSent("there is a conversation \"\(id)\" already")
            }
            throw StoreError(writing: error)
        }
        NewEntry.syncNames(of: folder)
        NewEntry.syncNames(of: catalogue.root)
        return id
    }
}

/// Creates files and folders that do not exist yet: for their owner alone, unless their parent folder is open to others.
enum NewEntry {
    /// Creates a folder in another one.
    static func makeFolder(_ path: String) throws(FileError) {
        try Disk.createFolder(path, permissions: permissions(in: Disk.folder(of: path)) | 0o700)
    }

    /// Creates a folder and its missing parents: the topmost of them for the owner alone.
    static func makeFolders(_ path: String) throws(FileError) {
        do throws(FileError) {
            try Disk.createFolder(path, permissions: 0o700)
        } catch {
            let parent = Disk.folder(of: path)
            if error.code == EEXIST { return }
            guard error.code == ENOENT, parent != "/", parent != "." else { throw error }
            try makeFolders(parent)
            try makeFolder(path)
        }
    }

    /// The permissions that a new entry of a folder gives to its group and to all users: the same that the folder gives them.
    static func permissions(in folder: String) -> mode_t {
        // A folder with the sticky bit, such as /tmp, is for the private files of many.
        guard let status = try? Disk.existing(folder), !status.isShared else { return 0 }
        return status.permissions & 0o077
    }

    /// Creates a file. When it returns, the content is on the disk; when it throws, there is no file.
    static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try Disk.create(path, bytes, permissions: permissions(in: Disk.folder(of: path)) & 0o066 | 0o600)
    }

    /// Waits until the disk has the names in a folder.
    static func syncNames(of folder: String) { try? OpenFile(folder: folder).syncNames() }
}
