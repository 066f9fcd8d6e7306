internal import Files
import Glibc
internal import JSON
internal import Messages
internal import Threads

/// The folders of an archive. Their errors are those of a store.
enum Folder {
    /// The entries of a folder except hidden ones, sorted by the bytes of their names.
    /// - Throws: `unreadable` without permission, otherwise `unavailable`; a list that ends early would lack conversations.
    static func entries(_ path: String) throws(StoreError) -> [FolderEntry] {
        do throws(FileError) {
            return try Disk.entries(of: path).filter { !$0.isHidden }
                .sorted { precedes($0.name, $1.name) }
        } catch {
            throw StoreError(reading: error)
        }
    }

    /// Compares two names by their bytes: in one call, since each start of Kedge sorts the names of all segments.
    private static func precedes(_ a: String, _ b: String) -> Bool {
        var (a, b) = (a, b)
        return a.withUTF8 { a in
            b.withUTF8 { b in
                guard let first = a.baseAddress, let second = b.baseAddress else { return a.count < b.count }
                let order = memcmp(first, second, min(a.count, b.count))
                return order == 0 ? a.count < b.count : order < 0
            }
        }
    }

    /// The names in a folder except hidden ones and those that are not UTF-8, sorted by their bytes.
    /// - Throws: the errors of `entries`.
    static func names(_ path: String) throws(StoreError) -> [String] {
        try entries(path).filter(\.isText).map(\.name)
    }

    /// - Throws: the errors of `File.status`.
    static func exists(_ path: String) throws(StoreError) -> Bool { try File.status(path)?.isFolder ?? false }
}

/// The whole content of a small file, for JSON documents.
struct SmallFile: ~Copyable {
    /// The most bytes of a file that describes people or conversations.
    static let largest: Int64 = 64 << 20

    private let buffer: UnsafeMutableRawBufferPointer
    let stamp: FileStamp
    private let count: Int

    /// - Parameter limit: the most bytes to read.
    /// - Throws: `unreadable` if the file is larger; otherwise the errors of `File`.
    init(_ path: String, limit: Int64) throws(StoreError) {
        let file = try File(path)
        let stamp = file.stamp
        guard stamp.size <= limit else { throw .unreadable("\(path): larger than \(limit >> 20) MiB; make it smaller") }
        let count = Int(stamp.size)
        let buffer = try Memory.allocate(count + JSONReader.padding)
        do {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: 0)
        } catch {
            Memory.free(buffer)
            throw error
        }
        (self.buffer, self.stamp, self.count) = (buffer, stamp, count)
    }

    deinit { Memory.free(buffer) }

    /// The content without a byte order mark; valid while the `SmallFile` exists.
    var slice: Slice {
        let start = ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return Slice(UnsafeRawBufferPointer(rebasing: buffer[start..<count]), readable: buffer.count - start)
    }
}

/// U+FEFF in UTF-8, which some editors write at the start of a file.
enum ByteOrderMark {
    static func length(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}

extension SerialThread {
    /// Starts a thread for reading files. An actor on it may block without occupying the cooperative pool.
    /// - Throws: `unavailable` if the system cannot start a thread.
    static func forReading() throws(StoreError) -> SerialThread {
        let thread = SerialThread()
        try thread.startForReading()
        return thread
    }

    /// - Throws: `unavailable` when no thread can be started.
    func startForReading() throws(StoreError) {
        guard start() else {
            throw .unavailable("no thread can be started for reading the archive; close other programs")
        }
    }
}
