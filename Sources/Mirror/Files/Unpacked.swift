internal import CArchive
internal import Formats
import Glibc
internal import Messages

/// The texts of a zip or of a compressed file, unpacked into the mirror as long as that is being made.
enum Unpacked {
    /// More than any export unpacks to; a bomb stops there.
    private static let mostBytes: Int64 = 64 << 30
    /// A bomb unpacks to more than a thousand times its size; texts compress to a tenth.
    private static let mostTimes: Int64 = 400
    private static let mostFiles = 1_000_000

    /// A source as formats read it: unpacked if it is a compressed file, with the compressed files of a folder unpacked beside
    /// the others.
    /// - Parameter problems: receives those of compressed files, also when they were unpacked before.
    static func source(_ plain: Source, at path: String, files: MirrorFiles, _ problems: inout [ForeignProblem])
        throws(StoreError) -> Source
    {
        if let archive = SlackdumpArchive(in: plain, at: path) { return try archive.source(files, &problems) }
        guard plain.isFile, let file = plain.files.first else {
            return try withLogs(plain, at: path, files: files, &problems)
        }
        guard isPacked(plain) else { return plain }
        let folder = files.root + "/state/unpacked"
        let mark = "\(file.inode) \(file.size) \(file.modified)"
        if MirrorFiles.text(folder + "/.whole") != seal(mark, folder) {
            try MirrorFiles.make(folder: files.root + "/state")
            MirrorFiles.remove(folder)
            try MirrorFiles.make(folder: folder)
            let job = UnpackJob(folder: folder, limit: limit(file.size), mostFiles, takes: .texts(plainName(file.name)))
            let damage = try run(job, path) ?? cut(file, in: plain)
            try MirrorFiles.replace(folder + "/.damage", by: damage ?? "")
            try MirrorFiles.replace(folder + "/.packed", by: job.packed.joined(separator: "\n"))
            try MirrorFiles.replace(folder + "/.whole", by: seal(mark, folder))
        }
        if let damage = MirrorFiles.text(folder + "/.damage"), !damage.isEmpty {
            problems.append(ForeignProblem(file: file.path, kind: "\(damaged) (\(damage)); the rest is missing"))
        }
        let source = try DiskSource.source(at: folder)
        let packed = MirrorFiles.text(folder + "/.packed") ?? ""
        let unpacked = Source(
            name: plain.name, files: source.files, packed: packed.split(separator: "\n").map(String.init),
            reader: DiskSource(root: folder, isFile: false))
        guard let archive = SlackdumpArchive(in: unpacked, at: folder) else { return unpacked }
        return try archive.source(files, &problems)
    }

    /// How the problem of a compressed file begins that was read in part.
    private static let damaged = "is cut off or damaged"

    /// The error for a source that no format recognises, if its damage is the reason.
    static func error(_ error: StoreError, at path: String, _ problems: [ForeignProblem]) -> StoreError {
        guard case .unreadable = error, let problem = problems.first(where: { $0.kind.hasPrefix(damaged) }) else {
            return error
        }
        let name = path.hasSuffix(problem.file) ? path : "\(path): \(problem.file)"
        return .unreadable("\(name): \(problem.kind), and what is left is no export; copy or download it again")
    }

    /// What is missing of a zip that could be unpacked: its list of files stands at its end.
    private static func cut(_ file: SourceFile, in source: Source) -> String? {
        let longest = 66_000
        guard let head = try? source.read(file, count: 4), head.starts(with: [0x50, 0x4B]),
            let tail = try? source.read(file, at: file.size - Int64(longest), count: longest)
        else { return nil }
        // The record at the end has at least 22 bytes.
        let isWhole = tail.indices.dropLast(21).contains { tail[$0...].starts(with: [0x50, 0x4B, 0x05, 0x06]) }
        return isWhole ? nil : "its end is missing"
    }

    /// The error for a file whose name says that it is compressed, if it is not.
    static func checkName(_ source: Source, at path: String) throws(StoreError) {
        guard source.isFile, let file = source.files.first else { return }
        if file.size == 0 { throw .unreadable("\(path): the file is empty; copy or download it again") }
        guard let ending = (endings + [".zip"]).first(where: { file.name.lowercased().hasSuffix($0) }),
            !isPacked(source)
        else { return }
        let kind = ending.dropFirst()
        throw .unreadable("\(path): does not begin as a \(kind) file does; copy or download it again, or rename it")
    }

    /// What a folder of unpacked files holds when nobody has changed it since.
    private static func seal(_ mark: String, _ folder: String) -> String {
        let packed = Fingerprint.of(MirrorFiles.text(folder + "/.packed") ?? "")
        return "\(mark) \(packed) \(MirrorFiles.stamp(ofTree: folder))"
    }

    /// Whether a source is one file that is compressed.
    static func isPacked(_ source: Source) -> Bool {
        guard source.isFile, let file = source.files.first else { return false }
        return isCompressed(file, in: source)
    }

    /// Unpacks some files of an archive to their paths in a folder.
    /// - Parameter size: of the archive, in bytes.
    static func files(_ paths: Set<String>, of archive: String, size: Int64, into folder: String) throws(StoreError) {
        try run(UnpackJob(folder: folder, limit: limit(size), mostFiles, takes: .paths(paths)), archive)
    }

    /// Deletes what was unpacked: the mirror holds it now.
    static func removeFiles(_ files: MirrorFiles) {
        MirrorFiles.remove(files.root + "/state/unpacked")
        MirrorFiles.remove(files.root + "/state/unpacked-database")
    }

    /// A folder in which some logs are compressed, as log rotation leaves them.
    private static func withLogs(
        _ source: Source, at path: String, files: MirrorFiles, _ problems: inout [ForeignProblem]
    ) throws(StoreError) -> Source {
        let packed = source.files.filter { file in endings.contains { file.name.hasSuffix($0) } }
        guard !packed.isEmpty else { return source }
        let folder = files.root + "/state/unpacked-logs"
        if MirrorFiles.text(folder + "/.whole") != seal("", folder) { MirrorFiles.remove(folder) }
        try MirrorFiles.make(folder: folder)
        var names: [String: String] = [:]
        var all = source.files.filter { !packed.contains($0) }
        for file in packed where isCompressed(file, in: source) {
            // The name holds the state of the file, so that a new one is unpacked anew.
            let name = "\(file.inode)-\(file.size)-\(file.modified)"
            if MirrorFiles.size(folder + "/" + name) == nil {
                do throws(StoreError) {
                    let damage = try run(
                        UnpackJob(folder: folder, limit: limit(file.size), mostFiles, takes: .texts("part")),
                        path + "/" + file.path)
                    if let damage {
                        problems.append(
                            ForeignProblem(file: file.path, kind: "\(damaged) (\(damage)); the rest is missing"))
                    }
                } catch {
                    // One broken file does not hide the others.
                    if error.isTransient { throw error }
                    problems.append(ForeignProblem(file: file.path, kind: "cannot be unpacked"))
                    continue
                }
                try UnnamedFile.rename(folder + "/part", folder + "/" + name)
            }
            guard let size = MirrorFiles.size(folder + "/" + name) else { continue }
            // Both are there while a log is being compressed.
            let plain = String(file.folder.isEmpty ? "" : file.folder + "/") + plainName(file.name)
            guard source.file(plain) == nil else { continue }
            names[plain] = folder + "/" + name
            all.append(SourceFile(path: plain, size: size, modified: file.modified, inode: file.inode))
        }
        try MirrorFiles.replace(folder + "/.whole", by: seal("", folder))
        return Source(
            name: source.name, files: all,
            reader: MixedSource(plain: DiskSource(root: path, isFile: false), unpacked: names))
    }

    /// How the names of compressed logs end.
    private static let endings = [".gz", ".zst", ".xz", ".bz2"]

    private static func plainName(_ name: Substring) -> String {
        for ending in endings where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        return String(name)
    }

    /// Zip, gzip, Zstandard, xz, bzip2 and tar by their first bytes.
    private static func isCompressed(_ file: SourceFile, in source: Source) -> Bool {
        guard let head = try? source.read(file, count: 262) else { return false }
        let starts: [[UInt8]] = [
            [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD],
            [0xFD, 0x37, 0x7A, 0x58, 0x5A],
        ]
        // After "BZh" comes a digit, which says the size of the blocks.
        let isBzip2 = head.starts(with: Array("BZh".utf8)) && head.dropFirst(4).starts(with: Array("1AY&SY".utf8))
        return isBzip2 || starts.contains { head.starts(with: $0) }
            || head.dropFirst(257).starts(with: Array("ustar".utf8))
    }

    private static func limit(_ size: Int64) -> Int64 { min(mostBytes, max(64 << 20, size * mostTimes)) }

    /// Unpacks what a job takes. No path leaves its folder.
    /// - Returns: the reason why the archive could be read in part only; nil if it was read whole.
    @discardableResult
    private static func run(_ job: UnpackJob, _ path: String) throws(StoreError) -> String? {
        var message: UnsafePointer<CChar>?
        let status = withExtendedLifetime(job) {
            carchive_read(
                path, { UnpackJob.of($0).begin($1, $2) }, { UnpackJob.of($0).give($1, $2) }, { UnpackJob.of($0).end() },
                Unmanaged.passUnretained(job).toOpaque(), &message)
        }
        let reason = message.map { String(cString: $0) } ?? ""
        switch status {
        case CARCHIVE_OK: return nil
        case CARCHIVE_STOPPED:
            throw job.failure
                ?? .unreadable("\(path): unpacks to more than \(mostTimes) times its size; it is not unpacked")
        case CARCHIVE_DAMAGED where job.count > 0:
            // The entries before the damage are shown.
            job.abandon()
            return reason.isEmpty ? "it cannot be read to its end" : reason
        case CARCHIVE_MISSING: throw .unreadable("\(path): cannot be unpacked: \(reason)")
        default: throw .unreadable("\(path): cannot be unpacked (\(reason)); make the export again")
        }
    }
}

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
