import Glibc

/// Where Kedge keeps the user's own files, by the XDG base directory specification.
///
/// Without a home there are no folders: one that any user can find and create first is no place for private files.
package struct Folders: Hashable, Sendable {
    /// The user's settings.
    package let config: String?
    /// Read positions, drafts and the log.
    package let state: String?
    /// Archives that Kedge itself makes.
    package let data: String?
    /// The indexes of archives, which may be deleted at any time.
    package let cache: String?
    /// Files that are of no use once the processes have ended.
    package let runtime: String?

    /// - Parameters:
    ///   - environment: variables by name. A relative path counts as unset, as the specification says.
    ///   - account: the home that the system has for the user, for when HOME is not set.
    package init(environment: [String: String], account: () -> String? = Folders.homeOfAccount) {
        let home = Folders.absolute(environment["HOME"]) ?? Folders.absolute(account())
        func folder(_ variable: String, else fallback: String) -> String? {
            (Folders.absolute(environment[variable]) ?? home.map { $0 + "/" + fallback }).map { $0 + "/kedge" }
        }
        config = folder("XDG_CONFIG_HOME", else: ".config")
        state = folder("XDG_STATE_HOME", else: ".local/state")
        data = folder("XDG_DATA_HOME", else: ".local/share")
        cache = folder("XDG_CACHE_HOME", else: ".cache")
        // There is no such folder after some kinds of login; then one in the state folder does as well.
        runtime = Folders.absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/kedge" } ?? state.map { $0 + "/run" }
    }

    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The home in the system's list of users; nil when there is none, or the user is not in the list.
    package static func homeOfAccount() -> String? {
        guard let entry = getpwuid(geteuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}

/// Finds the archive to open: `--archive`, else `KEDGE_ARCHIVE`, else the config's, else the current folder if it is
/// one.
package enum ArchiveLocation {
    /// - Parameter isArchive: whether the folder at a path holds an archive.
    /// - Returns: the path; nil when nothing names one.
    package static func resolve(
        option: String?, environment: [String: String], config: Config, isArchive: (String) -> Bool
    ) -> String? {
        // A name of the config stands for its path, unless there is a folder of that name.
        func named(_ path: String) -> String {
            guard let known = config.archives[path], access(path, F_OK) != 0 else { return path }
            return known.path
        }
        if let option { return named(option) }
        if let path = environment["KEDGE_ARCHIVE"], !path.isEmpty { return named(path) }
        if let path = config.archive { return path }
        return isArchive(".") ? "." : nil
    }

    /// A path from the root, of something that need not exist.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The canonical path of a folder, however it was reached. May wait for the disk.
    package static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// Copies a folder with its files and folders. Leaves out everything else.
package struct FolderCopy {
    private let source: String

    package init(of source: String) { self.source = source }

    /// Puts the copy in the place of a former one, when it is whole.
    /// - Throws: the number of the error, and the path that it is about.
    package func make(at path: String) throws(PrivateFolder.Failure) {
        let new = "\(path).\(getpid()).new"
        defer { FolderCopy.remove(new) }
        try FolderCopy.copy(source, to: new)
        let old = "\(path).\(getpid()).old"
        rename(path, old)
        defer { FolderCopy.remove(old) }
        guard rename(new, path) != 0, errno != EEXIST, errno != ENOTEMPTY else { return }
        throw PrivateFolder.Failure(path: path, code: errno)
    }

    private static func copy(_ source: String, to target: String) throws(PrivateFolder.Failure) {
        guard mkdir(target, 0o700) == 0 else { throw PrivateFolder.Failure(path: target, code: errno) }
        for name in try names(in: source) {
            var status = stat()
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            guard lstat(from, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try copy(from, to: to)
            case S_IFREG: try copyFile(from, to: to)
            default: continue
            }
        }
    }

    private static func copyFile(_ source: String, to target: String) throws(PrivateFolder.Failure) {
        let from = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard from >= 0 else { throw PrivateFolder.Failure(path: source, code: errno) }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw PrivateFolder.Failure(path: target, code: errno) }
        defer { close(to) }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count >= 0 else { throw PrivateFolder.Failure(path: source, code: errno) }
            if count == 0 { return }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { write(to, $0.baseAddress?.advanced(by: done), count - done) }
                guard written > 0 else { throw PrivateFolder.Failure(path: target, code: written < 0 ? errno : ENOSPC) }
                done += written
            }
        }
    }

    private static func names(in folder: String) throws(PrivateFolder.Failure) -> [String] {
        guard let stream = opendir(folder) else { throw PrivateFolder.Failure(path: folder, code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in (try? names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
