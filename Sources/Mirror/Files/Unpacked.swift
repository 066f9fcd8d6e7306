internal import CArchive
internal import Files
internal import Formats
internal import Messages

/// The text files of a zip or compressed file, unpacked into the mirror while that is being made.
enum Unpacked {
    /// Unpacking stops after this many bytes, more than any export has, so that a decompression bomb cannot fill the disk.
    private static let mostBytes: Int64 = 64 << 30
    /// A bomb is more than a thousand times as large when unpacked; texts are about ten times as large.
    private static let mostTimes: Int64 = 400
    private static let mostFiles = 1_000_000

    /// The source for the formats. A compressed file is replaced by its contents; in a folder, compressed files are added to the
    /// others in unpacked form.
    /// - Parameter problems: receives errors in compressed files, even if they were unpacked before.
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
            Disk.remove(folder)
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

    /// The beginning of the error for a compressed file that could only be read in part.
    private static let damaged = "is cut off or damaged"
    /// The beginning of the error for a compressed file from which nothing could be read.
    private static let lost = "cannot be unpacked"

    /// The error for a source that no format recognises, if damage is the reason, or if nothing in it could be read.
    static func error(
        _ error: StoreError, at path: String, _ source: Source, _ problems: [ForeignProblem]
    ) -> StoreError {
        let damage = problems.first { $0.kind.hasPrefix(damaged) || $0.kind.hasPrefix(lost) }
        guard case .unreadable = error, let problem = damage ?? (source.files.isEmpty ? problems.first : nil) else {
            return error
        }
        let text = (path.hasSuffix(problem.file) ? path : "\(path): \(problem.file)") + ": \(problem.kind)"
        if source.files.isEmpty { return .unreadable(damage == nil ? text : text + "; copy or download it again") }
        return .unreadable("\(text), and Kedge does not recognise the rest; copy or download it again")
    }

    /// The damage of a zip that could be unpacked without its end, which lists its files; nil if the end is there.
    private static func cut(_ file: SourceFile, in source: Source) -> String? {
        let longest = 66_000
        guard let head = try? source.read(file, count: 4), head.starts(with: [0x50, 0x4B]),
            let tail = try? source.read(file, at: file.size - Int64(longest), count: longest)
        else { return nil }
        // The record at the end has at least 22 bytes.
        let isWhole = tail.indices.dropLast(21).contains { tail[$0...].starts(with: [0x50, 0x4B, 0x05, 0x06]) }
        return isWhole ? nil : "its end is missing"
    }

    /// Throws an error for a file whose extension says that it is compressed, if it is not.
    static func checkName(_ source: Source, at path: String) throws(StoreError) {
        guard source.isFile, let file = source.files.first else { return }
        if file.size == 0 { throw .unreadable("\(path): the file is empty; copy or download it again") }
        guard let ending = (endings + [".zip"]).first(where: { file.name.lowercased().hasSuffix($0) }),
            !isPacked(source)
        else { return }
        let kind = ending.dropFirst()
        throw .unreadable("\(path): is not a \(kind) file; copy or download it again, or rename it")
    }

    /// A hash of a folder of unpacked files, to detect changes.
    private static func seal(_ mark: String, _ folder: String) -> String {
        let packed = Fingerprint.of(MirrorFiles.text(folder + "/.packed") ?? "")
        return "\(mark) \(packed) \(MirrorFiles.stamp(ofTree: folder))"
    }

    /// True if the source is a single compressed file.
    static func isPacked(_ source: Source) -> Bool {
        guard source.isFile, let file = source.files.first else { return false }
        return isCompressed(file, in: source)
    }

    /// Unpacks some files of an archive to their paths in a folder.
    /// - Parameter size: the size of the archive, in bytes.
    static func files(_ paths: Set<String>, of archive: String, size: Int64, into folder: String) throws(StoreError) {
        try run(UnpackJob(folder: folder, limit: limit(size), mostFiles, takes: .paths(paths)), archive)
    }

    /// Deletes the unpacked files: the mirror holds their contents now.
    static func removeFiles(_ files: MirrorFiles) {
        Disk.remove(files.root + "/state/unpacked")
        Disk.remove(files.root + "/state/unpacked-database")
    }

    /// Reads a folder in which some logs are compressed, as log rotation does.
    private static func withLogs(
        _ source: Source, at path: String, files: MirrorFiles, _ problems: inout [ForeignProblem]
    ) throws(StoreError) -> Source {
        func isPacked(_ file: SourceFile) -> Bool { endings.contains { file.name.hasSuffix($0) } }
        let packed = source.files.filter(isPacked)
        guard !packed.isEmpty else { return source }
        let folder = files.root + "/state/unpacked-logs"
        if MirrorFiles.text(folder + "/.whole") != seal("", folder) { Disk.remove(folder) }
        try MirrorFiles.make(folder: folder)
        var names: [String: String] = [:]
        var all = source.files.filter { !isPacked($0) }
        for file in packed {
            guard isCompressed(file, in: source) else {
                // An export may have such files among its attachments.
                if all.isEmpty {
                    let reason = file.size == 0 ? "it is empty" : "it is not compressed"
                    problems.append(ForeignProblem(file: file.path, kind: "\(lost) (\(reason))"))
                }
                continue
            }
            // The name contains the state of the compressed file, so a changed file is unpacked again.
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
                    // A broken file does not hide the others.
                    if error.isTransient { throw error }
                    let reason = "\(error)".dropFirst("\(path)/\(file.path): ".count).prefix { $0 != ";" }
                    problems.append(ForeignProblem(file: file.path, kind: String(reason)))
                    continue
                }
                try MirrorFiles.rename(folder + "/part", folder + "/" + name)
            }
            guard let size = MirrorFiles.size(folder + "/" + name) else { continue }
            // While a log is being compressed, both files exist.
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

    /// The endings of compressed logs.
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
        // The digit after "BZh" is the size of the blocks.
        let isBzip2 = head.starts(with: Array("BZh".utf8)) && head.dropFirst(4).starts(with: Array("1AY&SY".utf8))
        return isBzip2 || starts.contains { head.starts(with: $0) }
            || head.dropFirst(257).starts(with: Array("ustar".utf8))
    }

    private static func limit(_ size: Int64) -> Int64 { min(mostBytes, max(64 << 20, size * mostTimes)) }

    /// Unpacks the files of a job. No path leads out of its folder.
    /// - Returns: the reason why only a part of the archive could be read; nil if all of it was read.
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
            // The entries before the damage are used.
            job.abandon()
            return reason.isEmpty ? "it cannot be read to its end" : reason
        case CARCHIVE_MISSING: throw .unreadable("\(path): \(lost): \(reason)")
        default: throw .unreadable("\(path): \(lost) (\(reason)); make the export again")
        }
    }
}

/// Writes the files of an archive into a folder, as libarchive delivers them.
final class UnpackJob {
    /// The files to unpack.
    enum Choice {
        /// Files that formats read: those with an ending of a text or a database, and those of any other ending without a zero
        /// byte in their first part. Pictures and videos stay packed. A compressed file that is not an archive contains one file
        /// without a name, which gets this name.
        case texts(String)
        /// The files with these paths.
        case paths(Set<String>)
    }

    private let folder: String
    private let choice: Choice
    private let limit: Int64
    private let mostFiles: Int
    private var written: Int64 = 0
    /// The file that is being unpacked, from its first bytes on.
    private var target: UnnamedFile?
    /// The path of that file in the archive, and its size; -1 if unknown.
    private var (path, size): (String, Int64) = ("", 0)
    /// The number of unpacked files.
    private(set) var count = 0
    /// The paths of files that stay packed.
    private(set) var packed: [String] = []
    /// The error that stopped the job; nil if the archive unpacks to too many bytes.
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
        guard count < mostFiles else { return -1 }
        (self.path, self.size) = (path, size)
        return 1
    }

    /// The path to which to unpack a file of the archive; nil to skip it.
    private func path(of name: String) -> String? {
        switch choice {
        case .paths(let paths):
            guard let path = OutsideName.enclosed(name), paths.contains(path) else { return nil }
            return path
        case .texts(let ownName): return OutsideName.enclosed(name.isEmpty ? ownName : name)
        }
    }

    /// True if formats may read the file, by its ending or its first bytes.
    private func isWanted(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard case .texts(let ownName) = choice, path != ownName,
            let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
        else { return true }
        return UnpackJob.endings.contains(ending.lowercased()) || !bytes.contains(0)
    }

    private func start() -> Bool {
        guard size <= limit - written else { return false }
        return succeeds { () throws(FileError) in
            try Disk.makeFolder(Disk.folder(of: folder + "/" + path))
            target = try UnnamedFile(folder + "/.part")
        }
    }

    /// - Returns: 1 to go on, 0 to leave the rest of the file, -1 to stop.
    func give(_ bytes: UnsafeRawPointer?, _ count: Int) -> CInt {
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        if target == nil {
            guard isWanted(bytes) else {
                if packed.count < mostFiles, !path.contains("\n") { packed.append(path) }
                return 0
            }
            guard start() else { return -1 }
        }
        written += Int64(count)
        guard written <= limit else { return -1 }
        return succeeds { () throws(FileError) in try target?.append(bytes) } ? 1 : -1
    }

    func end() -> Bool {
        defer { target = nil }
        // No bytes come of an empty file.
        guard target != nil || start(),
            succeeds({ () throws(FileError) in try target?.finish(as: folder + "/" + path) })
        else { return false }
        count += 1
        return true
    }

    private func succeeds(_ body: () throws(FileError) -> Void?) -> Bool {
        do throws(FileError) {
            return try body() != nil
        } catch {
            failure = MirrorFiles.error(error)
            return false
        }
    }

    /// Ends a file that cannot be read completely. The part that was read is kept.
    func abandon() {
        if target != nil { _ = end() }
    }
}
