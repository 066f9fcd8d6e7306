import Glibc
internal import Messages

/// The whole content of a small file, for JSON documents.
struct SmallFile: ~Copyable {
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
        let buffer = try Memory.allocate(count + JSONPadding.bytes)
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
