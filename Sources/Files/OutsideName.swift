internal import Glibc

/// Names and paths that other people wrote: in messages, in archives, on servers.
package enum OutsideName {
    /// The path with "/" between its names; nil if it leads out of its folder, or has a name that is hidden or longer than 250
    /// bytes.
    package static func enclosed(_ path: String) -> String? {
        let parts = path.replacing("\\", with: "/").split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !parts.isEmpty, !parts.contains(".."), parts.first != "__MACOSX",
            !parts.contains(where: { $0.hasPrefix(".") || $0.utf8.contains(0) || $0.utf8.count > 250 })
        else { return nil }
        return parts.joined(separator: "/")
    }

    /// The beginning of a name, of at most this many bytes. No Unicode scalar is cut.
    package static func cut(_ name: String, toBytes most: Int) -> String {
        var start = name.unicodeScalars.prefix(most)
        while String(start).utf8.count > most { start.removeLast() }
        return String(start)
    }

    /// Finds a file inside a folder, without opening it and never through a symbolic link.
    /// - Parameters:
    ///   - path: the names of folders and of the file, separated by "/".
    ///   - folder: the folder that contains the file. The user chose it, so its own path may contain symbolic links.
    /// - Returns: the absolute path of the file.
    /// - Throws: `outside`, `link`, `irregular`, or an error of the system; see `isMissing`.
    package static func find(_ path: String, in folder: String) throws(FileError) -> String {
        let names = path.split(separator: "/").filter { $0 != "." }.map(String.init)
        guard !path.hasPrefix("/"), !path.utf8.contains(0), !names.contains("..") else {
            throw FileError(.read, path, .outside)
        }
        guard let root = Disk.realPath(folder) else { throw FileError(.read, folder, code: errno) }
        guard let name = names.last else { throw FileError(.read, folder, .irregular) }
        var parent = try OpenFile(folder: root)
        for name in names.dropLast() {
            let status = try parent.status(of: name)
            if status.isLink { throw FileError(.read, path, .link) }
            parent = try parent.folder(name)
        }
        let status = try parent.status(of: name)
        if status.isLink { throw FileError(.read, path, .link) }
        guard status.isFile else { throw FileError(.read, path, .irregular) }
        return root + "/" + names.joined(separator: "/")
    }
}
