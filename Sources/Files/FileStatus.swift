package import Glibc
internal import SystemPackage

/// The state of a file or a folder at one moment.
package struct FileStatus: Sendable {
    private let status: Stat
    /// The user of this process, who stays the same.
    private static let user = geteuid()

    init(_ status: Stat) { self.status = status }

    package var isFile: Bool { status.type == .regular }
    package var isFolder: Bool { status.type == .directory }
    package var isLink: Bool { status.type == .symbolicLink }
    /// True if the user of this process owns the file.
    package var isOwn: Bool { status.userID.rawValue == FileStatus.user }
    /// True for a folder with the sticky bit, which many users share, such as /tmp.
    package var isShared: Bool { status.permissions.contains(.saveText) }
    /// The permissions of the owner, the group and all others.
    package var permissions: mode_t { status.permissions.rawValue & 0o777 }
    /// The number of its names (hard links).
    package var links: Int { status.linkCount }
    /// In bytes.
    package var size: Int64 { status.size }
    package var inode: UInt64 { UInt64(status.inode.rawValue) }
    /// The time of the last change of the content.
    package var modified: (seconds: Int, nanoseconds: Int) { (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) }
    /// The time of the last change of any kind, which no program can set.
    package var changed: (seconds: Int, nanoseconds: Int) { (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) }
    package var stamp: FileStamp {
        FileStamp(size: size, inode: inode, seconds: modified.seconds, nanoseconds: modified.nanoseconds)
    }
    /// The type: regular file, folder, link or another.
    package var type: UInt32 { status.type.rawValue }

    /// The reason not to write into it, such as a link, which may lead elsewhere; nil for an ordinary file.
    package var obstacle: FileError.Cause? {
        if isLink { return .link }
        return isFile && links > 1 ? .secondName : nil
    }
}

/// Identifies a file and its state, to detect that it was replaced or has changed.
package struct FileStamp: Hashable, Sendable {
    package let size: Int64
    package let inode: UInt64
    package let seconds: Int
    package let nanoseconds: Int

    package init(size: Int64, inode: UInt64, seconds: Int, nanoseconds: Int) {
        (self.size, self.inode, self.seconds, self.nanoseconds) = (size, inode, seconds, nanoseconds)
    }

    /// Returns true if both stamps are of one file, which has not become shorter.
    package func continues(_ earlier: FileStamp) -> Bool { inode == earlier.inode && size >= earlier.size }
}
