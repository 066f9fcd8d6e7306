import Glibc
package import Messages

/// Makes an archive.
package enum NewArchive {
    /// Makes an empty archive in a folder that is new or empty.
    /// - Parameter me: the person who writes in it.
    /// - Throws: `notSent` with one line that names the path.
    package static func make(at path: String, name: String, me: PersonID) throws(StoreError) {
        guard access(path + "/archive.json", F_OK) != 0 else {
            throw .notSent("\(path): already an archive; open it, or name a new folder")
        }
        if try Folder.exists(path), let entry = try Folder.entries(path).first {
            throw .notSent("\(path): not empty (\(printable(entry.name))); name a new or an empty folder")
        }
        try NewFile.makeFolders(path)
        let code = NewFile.makeFolder(path + "/conversations")
        guard code == 0 else { throw WriteFailure.error(code, path + "/conversations") }
        try NewFile.write(
            RecordEncoder.line(["id": me.rawValue, "name": me.rawValue], in: ("[", "]")), to: path + "/people.json")
        // Last, since this file makes the folder an archive.
        try NewFile.write(
            RecordEncoder.line(["format": "kedge", "name": name, "me": me.rawValue], numbers: ["version": "1"]),
            to: path + "/archive.json")
        NewFile.syncNames(of: path)
    }
}

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

/// Creates files and folders that do not exist yet: for their owner alone, unless the folder that they are in is open to others.
enum NewFile {
    /// Creates a folder in another one.
    /// - Returns: the number of the error; 0 after success.
    static func makeFolder(_ path: String) -> CInt {
        mkdir(path, permissions(in: DiskPath.folder(of: path)) | 0o700) == 0 ? 0 : errno
    }

    /// Creates a folder, and those that it is in: the first of them for the owner alone.
    /// - Throws: `notSent`
    static func makeFolders(_ path: String) throws(StoreError) {
        var code = mkdir(path, 0o700) == 0 ? 0 : errno
        if code == ENOENT, DiskPath.folder(of: path) != "/", DiskPath.folder(of: path) != "." {
            try makeFolders(DiskPath.folder(of: path))
            code = makeFolder(path)
        }
        guard code == 0 || code == EEXIST else { throw WriteFailure.error(code, path) }
    }

    /// The permissions that a new entry of a folder gives to its group and to all users: those that the folder gives them.
    static func permissions(in folder: String) -> mode_t {
        var status = stat()
        // A folder with the sticky bit, such as /tmp, is for the private files of many.
        guard stat(folder, &status) == 0, status.st_mode & S_ISVTX == 0 else { return 0 }
        return status.st_mode & 0o077
    }

    /// Creates a file. When it returns, the content is on the disk; when it throws, there is no file.
    /// - Throws: `notSent`, also when there is such a file.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let mode = permissions(in: DiskPath.folder(of: path)) & 0o066 | 0o600
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw WriteFailure.error(errno, path) }
        defer { close(file) }
        var count = 0
        repeat {
            count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        } while count < 0
            && errno == EINTR
        let code = count < 0 ? errno : ENOSPC
        guard count == bytes.count, fsync(file) == 0 else {
            unlink(path)
            throw WriteFailure.error(code, path)
        }
    }

    /// Waits until the disk has the names in a folder.
    static func syncNames(of folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

private enum DiskPath {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
