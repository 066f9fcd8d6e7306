/// A file of an export.
package struct SourceFile: Hashable, Sendable {
    /// The path in the source, with "/" between its parts; the name of the file if the source is that file.
    package let path: String
    /// In bytes.
    package let size: Int64
    /// In nanoseconds since 1970.
    package let modified: Int64
    /// The number that identifies the file in the file system, whatever its name.
    package let inode: UInt64

    package init(path: String, size: Int64, modified: Int64 = 0, inode: UInt64 = 0) {
        self.path = path
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    /// The last part of the path.
    package var name: Substring { SourceFile.name(of: path) }

    /// The name without its extension.
    var stem: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name) }

    static func name(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The path without its last part; empty for a file at the root.
    package var folder: Substring { SourceFile.folder(of: path) }

    static func folder(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
    }
}

extension Feed {
    /// The folder of the file. Paths to copies of files are relative to it.
    var folder: Substring { SourceFile.folder(of: file) }
}
