import Glibc
internal import Messages

/// Identifies a file and its state, to detect that it was replaced or has changed.
struct FileStamp: Equatable {
    let size: Int64
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int

    init(size: Int64, inode: UInt64, seconds: Int, nanoseconds: Int) {
        (self.size, self.inode, self.seconds, self.nanoseconds) = (size, inode, seconds, nanoseconds)
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// Whether this is the same file, unchanged in size or longer.
    func continues(_ earlier: FileStamp) -> Bool { inode == earlier.inode && size >= earlier.size }
}
