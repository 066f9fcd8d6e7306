import Display
import Interface

import Glibc

/// An open file of a picture, whose beginning was read. It is closed with this object.
final class PictureFile {
    let descriptor: Int32
    let format: PictureFormat
    private let bytes: Int

    /// More than any camera makes.
    private static let mostBytes = 64 * 1024 * 1024
    private static let mostPixels = 100_000_000
    private static let longestSide = 30_000
    /// Larger PNGs are made smaller before they are sent.
    private static let mostBytesSent = 512 * 1024
    private static let mostPixelsSent = 4_000_000

    /// - Parameter path: of a file inside the archive, as the store has found it.
    init(_ path: String) throws(PictureFailure) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw PictureFailure("the file cannot be read: \(String(cString: strerror(errno)))")
        }
        do throws(PictureFailure) {
            (bytes, format) = try PictureFile.look(at: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func look(at descriptor: Int32) throws(PictureFailure) -> (bytes: Int, PictureFormat) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PictureFailure("it is not a regular file")
        }
        guard status.st_size <= mostBytes else { throw PictureFailure("the file is too large to be shown here") }
        guard let format = PictureFormat(read(descriptor, atMost: PictureFormat.headBytes)) else {
            throw PictureFailure("the file holds no picture that can be shown here (PNG, JPEG, GIF, WebP)")
        }
        let size = format.size
        guard max(size.width, size.height) <= longestSide, size.width * size.height <= mostPixels else {
            throw PictureFailure("the picture is too large to be shown here: \(size.width) × \(size.height)")
        }
        return (Int(status.st_size), format)
    }

    /// The bytes from the beginning of the file.
    private static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let more = pread(
                    descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized, off_t(initialized))
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { return }
                initialized += more
            }
        }
    }

    /// The whole file, if it is a PNG that a terminal may be given as it is: a small one, and not cut off.
    var plainPNG: [UInt8]? {
        let size = format.size
        guard format.kind == .png, bytes <= PictureFile.mostBytesSent,
            size.width * size.height <= PictureFile.mostPixelsSent
        else { return nil }
        let file = PictureFile.read(descriptor, atMost: bytes)
        return file.suffix(8).starts(with: Array("IEND".utf8)) ? file : nil
    }
}
