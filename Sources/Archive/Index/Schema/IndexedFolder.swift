internal import Files
import Glibc

/// The state of a conversation's folder when it was indexed, and the text of its conversation.json. With both, a list of very many
/// conversations opens neither the folders nor these files: it only compares stamps.
struct IndexedFolder {
    /// Longer texts are read from their files: a list of all members may have megabytes.
    static let longestText: Int64 = 4_096

    /// The stamp of the folder when its segments were those of the index; nil if they have to be listed.
    let folder: FileStamp?
    /// The stamp of conversation.json; nil if it has to be read, or if there was none.
    let file: FileStamp?
    /// The text of that file, without a byte order mark. Borrowed.
    let text: UnsafeRawBufferPointer

    init(folder: FileStamp?, file: FileStamp?, text: UnsafeRawBufferPointer) {
        (self.folder, self.file, self.text) = (folder, file, text)
    }

    // MARK: - In the index

    private static let none = FileStamp(size: 0, inode: 0, seconds: 0, nanoseconds: 0)
    private static let stampSize = MemoryLayout<FileStamp>.size

    /// - Parameter bytes: the bytes from `bytes`; empty if nothing is kept.
    init(_ bytes: UnsafeRawBufferPointer) {
        func stamp(_ number: Int) -> FileStamp? {
            let offset = number * IndexedFolder.stampSize
            guard bytes.count >= offset + IndexedFolder.stampSize else { return nil }
            let stamp = bytes.loadUnaligned(fromByteOffset: offset, as: FileStamp.self)
            return stamp == IndexedFolder.none ? nil : stamp
        }
        self.init(
            folder: stamp(0), file: stamp(1),
            text: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2 * IndexedFolder.stampSize)))
    }

    /// The bytes for the index.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * IndexedFolder.stampSize + text.count)
        for stamp in [folder, file] { withUnsafeBytes(of: stamp ?? IndexedFolder.none) { bytes += $0 } }
        return bytes + text
    }

    // MARK: - From the disk

    /// A stamp that differs from that of every later state; nil if the file system's clock may not have moved on since the last change.
    /// - Parameter now: a time before the file's status was read, in seconds since 1970.
    static func lasting(_ stamp: FileStamp?, at now: Int) -> FileStamp? {
        // Some file systems count in steps of two seconds.
        stamp.flatMap { $0.seconds < now - 2 ? $0 : nil }
    }

    /// Returns true if the index stores the text of a file with this stamp.
    static func keeps(_ file: FileStamp?, at now: Int) -> Bool {
        lasting(file, at: now).map { $0.size <= longestText } ?? false
    }
}
