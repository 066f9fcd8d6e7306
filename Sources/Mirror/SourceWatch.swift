internal import Archive
import Glibc
internal import Messages
internal import Synchronization

/// Reports when a file of a source changes.
final class SourceWatch: Sendable {
    private let path: String
    private let watch: FolderWatch?
    private let folders: [String]
    /// When each folder last changed, in nanoseconds since 1970.
    private let times: Mutex<[Int64]>
    /// The system lets each user watch some thousands of folders; other programs need some.
    private static let mostFolders = 500

    init(_ path: String, onChange: @escaping @Sendable () -> Void) {
        self.path = path
        let folders = SourceWatch.folders(at: path)
        self.folders = folders
        times = Mutex(folders.map(SourceWatch.time))
        watch = try? FolderWatch { _ in onChange() }
        for folder in folders { _ = try? watch?.add(folder) }
    }

    func stop() { watch?.stop() }

    /// Whether a file was made, renamed or removed since the last call.
    func foldersChanged() -> Bool {
        let now = folders.map(SourceWatch.time)
        return times.withLock { times in
            defer { times = now }
            return times != now
        }
    }

    private static func time(_ folder: String) -> Int64 {
        var status = stat()
        guard stat(folder, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// The folder of a file; a folder and those in it.
    private static func folders(at path: String) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [path.lastIndex(of: "/").map { String(path[..<$0]) }.flatMap { $0.isEmpty ? "/" : $0 } ?? "."]
        }
        var found = [path]
        var index = 0
        while index < found.count, found.count < mostFolders {
            if let stream = opendir(found[index]) {
                while let entry = readdir(stream), found.count < mostFolders {
                    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                    }
                    if entry.pointee.d_type == UInt8(DT_DIR), !name.hasPrefix(".") {
                        found.append(found[index] + "/" + name)
                    }
                }
                closedir(stream)
            }
            index += 1
        }
        return found
    }
}
