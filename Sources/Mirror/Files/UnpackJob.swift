import Glibc
internal import Messages

/// Writes the files of an archive into a folder, as libarchive gives them.
final class UnpackJob {
    /// The files to unpack.
    enum Choice {
        /// The files that formats read; pictures and films stay packed. A compressed file that is no archive holds one file without
        /// a name: it gets this name.
        case texts(String)
        /// The files with these paths.
        case paths(Set<String>)
    }

    private let folder: String
    private let choice: Choice
    private let limit: Int64
    private let mostFiles: Int
    private var written: Int64 = 0
    private var target: (temporary: String, path: String, descriptor: CInt)?
    /// The files that were unpacked.
    private(set) var count = 0
    /// The paths of files that stay packed.
    private(set) var packed: [String] = []
    /// Why it stopped; nil if it had to unpack too much.
    private(set) var failure: StoreError?

    private static let endings = [
        "json", "jsonl", "txt", "log", "html", "htm", "md", "weechatlog", "ndjson", "csv", "xml", "chatlog", "mbox",
        "mbx",
        "eml", "mail", "partial", "sqlite", "sqlite-wal",
    ]

    init(folder: String, limit: Int64, _ mostFiles: Int, takes choice: Choice) {
        self.folder = folder
        self.choice = choice
        self.limit = limit
        self.mostFiles = mostFiles
    }

    deinit { abandon() }

    static func of(_ context: UnsafeMutableRawPointer?) -> UnpackJob {
        guard let context else { return UnpackJob(folder: "/dev/null", limit: 0, 0, takes: .paths([])) }
        return Unmanaged<UnpackJob>.fromOpaque(context).takeUnretainedValue()
    }

    /// - Returns: 1 to unpack a file, 0 to leave it, -1 to stop.
    func begin(_ name: UnsafePointer<CChar>?, _ size: Int64) -> CInt {
        guard let name, let path = path(of: String(cString: name)) else { return 0 }
        guard count < mostFiles, size <= limit - written else { return -1 }
        do throws(StoreError) {
            let target = folder + "/" + path
            try MirrorFiles.make(folder: String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)]))
            let temporary = folder + "/.part"
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw MirrorFiles.error(errno, temporary) }
            self.target = (temporary, target, descriptor)
            return 1
        } catch {
            failure = error
            return -1
        }
    }

    /// Where to unpack a file of the archive; nil to leave it.
    private func path(of name: String) -> String? {
        switch choice {
        case .paths(let paths):
            guard let path = UnpackJob.enclosed(name), paths.contains(path) else { return nil }
            return path
        case .texts(let ownName):
            guard let path = UnpackJob.enclosed(name.isEmpty ? ownName : name) else { return nil }
            let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last.map { $0.lowercased() }
            guard let ending, !name.isEmpty, !UnpackJob.endings.contains(ending) else { return path }
            if packed.count < mostFiles, !path.contains("\n") { packed.append(path) }
            return nil
        }
    }

    func give(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        guard let target, let bytes else { return false }
        written += Int64(count)
        guard written <= limit else { return false }
        var done = 0
        while done < count {
            let part = write(target.descriptor, bytes + done, count - done)
            if part < 0, errno == EINTR { continue }
            guard part > 0 else {
                failure = MirrorFiles.error(errno, target.path)
                return false
            }
            done += part
        }
        return true
    }

    func end() -> Bool {
        guard let target else { return false }
        close(target.descriptor)
        self.target = nil
        guard rename(target.temporary, target.path) == 0 else {
            failure = MirrorFiles.error(errno, target.path)
            return false
        }
        count += 1
        return true
    }

    /// Leaves a file that cannot be read whole: what there is of it is kept.
    func abandon() {
        if target != nil { _ = end() }
    }

    /// The path without anything that leads out of the folder; nil if nothing is left, and for hidden files.
    static func enclosed(_ path: String) -> String? {
        let parts = path.replacing("\\", with: "/").split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !parts.isEmpty, !parts.contains(".."), parts.first != "__MACOSX",
            !parts.contains(where: { $0.hasPrefix(".") || $0.utf8.contains(0) || $0.utf8.count > 250 })
        else { return nil }
        return parts.joined(separator: "/")
    }
}
