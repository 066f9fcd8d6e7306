package import Files
internal import Glibc

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
