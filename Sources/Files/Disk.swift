package import Glibc
internal import SystemPackage

/// Files and folders by their paths.
package enum Disk {
    /// The status of a path; nil if nothing exists there. A name that is too long for the file system counts as missing.
    /// - Parameter follows: true to look at the target of a symbolic link.
    /// - Throws: if the status cannot be determined, for example if a folder on the path may not be searched.
    package static func status(_ path: String, follows: Bool = true) throws(FileError) -> FileStatus? {
        do throws(FileError) {
            return try existing(path, follows: follows)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The status of a path, with an error when nothing exists there.
    package static func existing(_ path: String, follows: Bool = true) throws(FileError) -> FileStatus {
        do throws(Errno) {
            return FileStatus(try Stat(path, followTargetSymlink: follows))
        } catch {
            throw FileError(.read, path, code: error.rawValue)
        }
    }

    /// True if something exists at the path. Follows symbolic links.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path without symbolic links; nil if nothing exists there.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

// MARK: - Whole files

extension Disk {
    /// The bytes of a small file; nil if there is none.
    /// - Parameter limit: in bytes; a longer file is an error.
    package static func read(_ path: String, limit: Int64, follows: Bool = true) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try OpenFile(reading: path, follows: follows).bytes(limit: limit)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return nil
        }
    }

    /// Replaces a file as a whole: readers see the old one or the new one.
    /// - Parameter isSynced: true if the disk has the new file when this returns.
    package static func replace(
        _ path: String, with bytes: [UInt8], permissions: mode_t = 0o600, isSynced: Bool = true
    ) throws(FileError) {
        do throws(FileError) {
            var file = try UnnamedFile(path + ".new", permissions: permissions)
            try file.append(bytes)
            try file.finish(as: path, isSynced: isSynced)
        } catch {
            throw FileError(.write, path, error.cause)
        }
    }

    /// Creates a file. When it returns, the disk has the content; when it throws, it leaves no new file.
    /// - Throws: also when something exists at the path.
    package static func create(_ path: String, _ bytes: [UInt8], permissions: mode_t = 0o600) throws(FileError) {
        let file = try OpenFile(creating: path, permissions: permissions)
        do throws(FileError) {
            try file.write(bytes)
            try file.sync()
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Creates a file with a random name, which only its owner can read.
    /// - Returns: its path.
    package static func createTemporary(
        in folder: String, _ prefix: String, _ suffix: String, _ bytes: [UInt8]
    ) throws(FileError) -> String {
        var name = SystemRandomNumberGenerator()
        let path = "\(folder)/\(prefix)\(String(name.next(), radix: 36))\(suffix)"
        try create(path, bytes)
        return path
    }

    /// Appends lines to a file that only its owner can read, and creates it if it is missing. Uses a single write, so that the
    /// lines of several processes do not mix.
    package static func append(_ lines: [UInt8], to path: String) throws(FileError) {
        do throws(FileError) {
            try create(path, [])
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        let file = try OpenFile(appendingTo: path)
        try file.closeToOthers()
        try file.append(lines, isSynced: false)
    }

    /// Copies a file, completely or not at all. Follows no symbolic link.
    package static func copy(_ source: String, to target: String) throws(FileError) {
        let from = try OpenFile(reading: source, follows: false)
        var to = try UnnamedFile(target + ".new")
        while true {
            let bytes = try from.bytes(at: to.size, count: 1 << 20)
            if bytes.isEmpty { return try to.finish(as: target) }
            try to.append(bytes)
        }
    }

    /// Gives a file or a folder another name, in place of any file that has it.
    package static func rename(_ path: String, to name: String) throws(FileError) {
        guard Glibc.rename(path, name) == 0 else { throw FileError(.write, name, code: errno) }
    }

    /// Deletes a file, or a folder with all that it holds.
    package static func remove(_ path: String) {
        guard unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
        for entry in (try? entries(of: path)) ?? [] { remove(path + "/" + entry.name) }
        rmdir(path)
    }
}

/// A file that gets its name when it is whole. Deleted if it never is.
package struct UnnamedFile: ~Copyable {
    private let file: OpenFile
    /// In bytes.
    package private(set) var size: Int64 = 0
    private var isNamed = false

    /// - Parameter path: its path until then. A file that a killed process has left there is deleted.
    package init(_ path: String, permissions: mode_t = 0o600) throws(FileError) {
        do throws(FileError) {
            file = try OpenFile(creating: path, permissions: permissions)
        } catch {
            guard error.code == EEXIST else { throw error }
            unlink(path)
            file = try OpenFile(creating: path, permissions: permissions)
        }
    }

    deinit { if !isNamed { unlink(file.path) } }

    package mutating func append(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
        size += Int64(bytes.count)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try file.write(bytes)
        size += Int64(bytes.count)
    }

    /// Gives the file its name, in place of any file that has it.
    /// - Parameter isSynced: true if the disk has the file and its name when this returns.
    package mutating func finish(as name: String, isSynced: Bool = false) throws(FileError) {
        if isSynced { try file.sync() }
        try Disk.rename(file.path, to: name)
        isNamed = true
        if isSynced { try OpenFile(folder: Disk.folder(of: name)).syncNames() }
    }
}

// MARK: - Folders

extension Disk {
    /// Creates a folder and those above it, for the owner alone.
    /// - Parameter isPrivate: true to close an existing folder to others.
    /// - Throws: `foreign` for a private folder of another user.
    package static func makeFolder(_ path: String, isPrivate: Bool = true) throws(FileError) {
        // Mostly the folder above exists.
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            for end in path.indices.dropFirst() where path[end] == "/" { try makeOne(String(path[..<end])) }
            try makeOne(path)
        }
        do throws(FileError) {
            if isPrivate {
                try OpenFile(folder: path).closeToOthers()
            } else if try status(path)?.isFolder != true {
                throw FileError(.write, path, code: ENOTDIR)
            }
        } catch {
            throw FileError(.write, path, error.cause)
        }
    }

    private static func makeOne(_ path: String) throws(FileError) {
        guard mkdir(path, 0o700) != 0 else { return }
        let code = errno
        if code != EEXIST, !exists(path) { throw FileError(.write, path, code: code) }
    }

    /// Creates a folder in another one.
    /// - Throws: also when something exists at the path.
    package static func createFolder(_ path: String, permissions: mode_t) throws(FileError) {
        guard mkdir(path, permissions) == 0 else { throw FileError(.write, path, code: errno) }
    }

    /// Removes an empty folder.
    package static func removeFolder(_ path: String) { rmdir(path) }

    /// Copies the files and folders in a folder, and nothing else in it. Once whole, the copy replaces an earlier one.
    package static func copyFolder(_ source: String, to path: String) throws(FileError) {
        let (new, old) = ("\(path).\(getpid()).new", "\(path).\(getpid()).old")
        defer { remove(new) }
        try copyContent(of: source, to: new)
        try? rename(path, to: old)
        defer { remove(old) }
        do throws(FileError) {
            try rename(new, to: path)
        } catch {
            guard error.code == EEXIST || error.code == ENOTEMPTY else { throw error }
        }
    }

    private static func copyContent(of source: String, to target: String) throws(FileError) {
        try createFolder(target, permissions: 0o700)
        for entry in try entries(of: source) where entry.isText {
            let (from, to) = ("\(source)/\(entry.name)", "\(target)/\(entry.name)")
            guard let status = try? status(from, follows: false) else { continue }
            if status.isFolder { try copyContent(of: from, to: to) } else if status.isFile { try copy(from, to: to) }
        }
    }

    /// The entries of a folder in no order, with the hidden ones.
    /// - Throws: also when the list ends early.
    package static func entries(of folder: String) throws(FileError) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        try forEachEntry(of: folder) {
            entries.append($0)
            return true
        }
        return entries
    }

    /// Calls `body` with each entry until it returns false.
    package static func forEachEntry(
        of folder: String, _ body: (FolderEntry) -> Bool
    ) throws(FileError) {
        guard let stream = opendir(folder) else { throw FileError(.read, folder, code: errno) }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let found = FolderEntry(entry)
            if found.name != ".", found.name != "..", !body(found) { return }
        }
        if errno != 0 { throw FileError(.read, folder, code: errno) }
    }
}

/// An entry of a folder.
package struct FolderEntry: Sendable {
    /// Invalid UTF-8 is replaced by U+FFFD.
    package let name: String
    /// True if the name is UTF-8.
    package let isText: Bool
    /// True for a folder; nil for a symbolic link, and on a file system that does not tell.
    package let isFolder: Bool?
    package let inode: UInt64

    package var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }

    init(_ entry: UnsafeMutablePointer<dirent>) {
        (name, isText) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            let bytes = bytes.prefix { $0 != 0 }
            if let name = String(validating: bytes, as: UTF8.self) { return (name, true) }
            return (String(decoding: bytes, as: UTF8.self), false)
        }
        let type = Int(entry.pointee.d_type)
        isFolder = type == DT_LNK || type == DT_UNKNOWN ? nil : type == DT_DIR
        inode = UInt64(entry.pointee.d_ino)
    }
}
