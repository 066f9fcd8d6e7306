internal import Glibc

/// A file that is being written, and has no place yet. What is not put into its place is removed with this object.
final class NewFile: Sendable {
    let descriptor: CInt
    private let path: String

    /// - Parameter path: of a file that does not exist; one that a killed process has left is replaced.
    init(_ path: String) throws(DiskFailure) {
        unlink(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DiskFailure(path, code: errno) }
        self.path = path
    }

    deinit {
        close(descriptor)
        remove()
    }

    /// Removes it, unless it has its place.
    func remove() { unlink(path) }

    /// Removes all that was written.
    func clear() {
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Gives it a name under which it is there whole, also after a loss of power.
    func put(at place: String) throws(DiskFailure) {
        guard fsync(descriptor) == 0, rename(path, place) == 0 else { throw DiskFailure(place, code: errno) }
        try DiskFile.syncNames(of: DiskFile.folder(of: place))
    }
}
