internal import CMirror
package import Files
internal import Formats
internal import Glibc
package import JSON

/// The files of an account. They are read through no symbolic link.
package enum DiskFile {
    /// The bytes of a file; nil if there is none.
    /// - Parameter longest: in bytes; a longer file is an error.
    package static func read(_ path: String, longest: Int64 = 1 << 30) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try OpenFile(reading: path, follows: false).bytes(limit: longest)
        } catch {
            // A file in the place of its folder is no missing file.
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Replaces a file, completely or not at all.
    /// - Parameters:
    ///   - body: the bytes after the parts; nil for none.
    ///   - isSynced: true if the disk has the new file when this returns.
    package static func replace(
        _ path: String, with parts: [[UInt8]], and body: ResponseBody? = nil, isSynced: Bool = true
    ) throws(FileError) {
        // Readers of the folder skip hidden names.
        let name = path.split(separator: "/").last ?? ""
        var file = try UnnamedFile("\(Disk.folder(of: path))/.\(name).new")
        for part in parts { try file.append(part) }
        try body?.forEachPiece { (piece) throws(FileError) in try file.append(piece) }
        try file.finish(as: path, isSynced: isSynced)
    }

    /// Deletes a file, if it is there.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError(.write, path, code: errno) }
    }

    /// Waits until the disk has everything that was written to the file system of a folder: one wait for thousands of files.
    package static func syncAll(of folder: String) throws(FileError) {
        let file = try OpenFile(folder: folder)
        let code = withExtendedLifetime(file) { cmirror_sync($0.descriptor) }
        guard code == 0 else { throw FileError(.write, folder, code: code) }
    }

    /// The names in a folder, unsorted; none if there is no folder.
    package static func names(in folder: String) throws(FileError) -> [String] {
        Disk.exists(folder) ? try Disk.entries(of: folder).map(\.name) : []
    }
}

/// The body of a response, or a file with one. A long body is a file that is mapped into memory: its pages take memory only while
/// they are read.
package final class ResponseBody: @unchecked Sendable {
    // Nobody writes to the bytes.
    private let start: UnsafeMutableRawPointer?
    private let length: Int
    /// True if the bytes are in a file.
    package let isFile: Bool
    /// The offset of the body in its file, in bytes.
    private let offset: Int

    /// Owns memory from malloc, and frees it.
    package init(_ start: UnsafeMutablePointer<CChar>?, count: Int) {
        (self.start, length, isFile, offset) = (start.map { UnsafeMutableRawPointer($0) }, count, false, 0)
    }

    /// Maps an open file, which may be closed afterwards.
    /// - Parameter offset: the offset of the body in the file, in bytes.
    /// - Throws: the reason why the file cannot be read.
    package init(file: CInt, from offset: Int = 0) throws(FileError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileError(.read, "a long response", code: errno) }
        (length, self.offset, isFile) = (Int(status.st_size), min(offset, Int(status.st_size)), true)
        let bytes = length > 0 ? mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0) : nil
        guard bytes != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw FileError(.read, "a long response", code: errno)
        }
        start = bytes
    }

    deinit {
        guard isFile else { return free(start) }
        if let start { munmap(start, length) }
    }

    package func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let all = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length)
        return try body(UnsafeRawBufferPointer(rebasing: all[min(offset, all.count)...]))
    }

    /// Calls `body` with the bytes, in pieces of at most 1 MiB.
    package func forEachPiece<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure)
    {
        try withUnsafeBytes { (bytes) throws(Failure) in
            for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + (1 << 20), bytes.count)])
                try body(piece)
                release(piece)
            }
        }
    }

    /// Releases the memory of a part of the bytes, until that part is read again.
    package func release(_ part: UnsafeRawBufferPointer) {
        guard isFile, let start, let first = part.baseAddress else { return }
        let page = Int(sysconf(CInt(_SC_PAGESIZE)))
        let begin = (first - UnsafeRawPointer(start)) / page * page
        madvise(start + begin, first - UnsafeRawPointer(start) - begin + part.count, MADV_DONTNEED)
    }
}

/// Records as bytes: whole lines.
package enum Lines {
    /// The ID of a record; nil if it has none, or stands out of its place (`late`).
    package static func id(of record: JSONValue) -> String? { record["late"] == nil ? record["id"]?.string : nil }

    /// The IDs of the messages, in their order.
    package static func messages(in bytes: [UInt8]) -> [String] {
        var ids: [String] = []
        forEach(in: bytes) { record in
            if record["type"]?.string == "message", let id = record["id"]?.string { ids.append(id) }
        }
        return ids
    }

    /// Calls `body` with each record.
    package static func forEach(in bytes: [UInt8], _ body: (JSONValue) -> Void) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        bytes.withUnsafeBytes { for line in $0.lines { tree.parse(line).map(body) } }
    }

    /// The last lines.
    package static func last(_ count: Int, of bytes: [UInt8]) -> [UInt8] {
        var (start, found) = (bytes.endIndex, 0)
        while start > bytes.startIndex {
            if start < bytes.endIndex, bytes[start - 1] == 0x0A {
                found += 1
                if found == count { break }
            }
            start -= 1
        }
        return Array(bytes[start...])
    }

    /// The lines that hold a text, read by `read`, in their order.
    package static func find<Value>(
        _ needle: String, in bytes: [UInt8], _ read: (JSONValue) -> Value?
    ) -> [Value] {
        let tree = JSONTree()
        return bytes.withUnsafeBytes { bytes in
            defer { withExtendedLifetime(tree) {} }
            var found: [Value] = []
            var start = 0
            while let place = bytes.offset(of: needle, from: start) {
                let begin = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
                if let value = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])).flatMap(read) {
                    found.append(value)
                }
                start = end
            }
            return found
        }
    }

    /// The IDs of all records that are in their places.
    package static func ids(in bytes: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        forEach(in: bytes) { if let id = id(of: $0) { ids.insert(id) } }
        return ids
    }

    /// The lines whose IDs are not among these.
    package static func without(_ ids: Set<String>, _ bytes: [UInt8]) -> [UInt8] {
        guard !ids.isEmpty else { return bytes }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var rest: [UInt8] = []
        bytes.withUnsafeBytes { bytes in
            for line in bytes.lines {
                if let id = tree.parse(line).flatMap(id), ids.contains(id) { continue }
                rest += line
                rest.append(0x0A)
            }
        }
        return rest
    }
}

/// The right to write into the archive of an account. It ends with the process.
package struct AccountLock: ~Copyable {
    private let file: OpenFile

    /// - Parameters:
    ///   - archive: the path of the archive, for people.
    ///   - folder: the folder of the network's helper in the archive.
    ///   - patience: the time to wait while another process has the lock.
    /// - Throws: also when another process has it.
    package init(archive: String, folder: String, patience: Duration = .zero) throws(FileError) {
        do throws(FileError) {
            file = try OpenFile.locked(folder + "/lock", LockPatience(limit: patience))
        } catch {
            guard case .held = error.cause else { throw error }
            throw FileError(.write, archive, error.cause)
        }
    }
}

/// A file that is being written under a temporary name. It is removed with this object unless `put` has renamed it.
package final class DownloadFile: Sendable {
    private let file: OpenFile
    package var descriptor: CInt { file.descriptor }

    /// - Parameter path: a new file; one that a killed process has left is replaced.
    package init(_ path: String) throws(FileError) {
        unlink(path)
        file = try OpenFile(creating: path)
    }

    deinit { remove() }

    /// Removes the file, unless `put` has moved it.
    package func remove() { unlink(file.path) }

    /// Removes all that was written.
    package func clear() { try? file.cut(to: 0) }

    /// Moves it, complete and synced to the disk, to its place.
    package func put(at place: String) throws(FileError) {
        try file.sync()
        try Disk.rename(file.path, to: place)
        try OpenFile(folder: Disk.folder(of: place)).syncNames()
    }
}
