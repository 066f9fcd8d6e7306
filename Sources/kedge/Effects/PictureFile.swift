import Display
import Glibc
import Interface

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

/// A picture file, recognised by its first bytes and not by its name.
struct PictureFormat: Equatable {
    enum Kind: Equatable { case png, jpeg, gif, webp }

    let kind: Kind
    let size: PixelSize

    /// The bytes at the beginning of a file in which its size must be. The header of a JPEG may hold a small picture before it.
    static let headBytes = 256 * 1024

    /// - Parameter head: the first bytes of the file.
    /// - Returns: nil when it is no picture of a known kind, or is cut off before it states its size.
    init?(_ head: [UInt8]) {
        let found: (Kind, PixelSize?) =
            if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                (.png, PictureFormat.png(head))
            } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
                (.jpeg, PictureFormat.jpeg(head))
            } else if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8)) {
                (.gif, PictureFormat.little16(head, 6, 8))
            } else {
                (.webp, PictureFormat.webp(head))
            }
        guard let size = found.1, size.width > 0, size.height > 0 else { return nil }
        (kind, self.size) = (found.0, size)
    }

    private static func number(_ head: [UInt8], _ places: [Int]) -> Int? {
        places.reduce(0) { sum, place in
            guard let sum, head.indices.contains(place) else { return nil }
            return sum << 8 | Int(head[place])
        }
    }

    private static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }

    private static func little16(_ head: [UInt8], _ width: Int, _ height: Int) -> PixelSize? {
        size(number(head, [width + 1, width]), number(head, [height + 1, height]))
    }

    private static func png(_ head: [UInt8]) -> PixelSize? {
        guard head.dropFirst(12).starts(with: Array("IHDR".utf8)) else { return nil }
        return size(number(head, [16, 17, 18, 19]), number(head, [20, 21, 22, 23]))
    }

    /// Goes from marker to marker up to the one of a frame, which states the size.
    private static func jpeg(_ head: [UInt8]) -> PixelSize? {
        var place = 2
        while let marker = number(head, [place, place + 1]), marker >> 8 == 0xFF {
            let code = marker & 0xFF
            // Fill bytes before a marker, and markers without contents.
            if code == 0xFF || code == 0x01 || (0xD0...0xD7).contains(code) {
                place += code == 0xFF ? 1 : 2
                continue
            }
            let isFrame = (0xC0...0xCF).contains(code) && ![0xC4, 0xC8, 0xCC].contains(code)
            if isFrame {
                return size(number(head, [place + 7, place + 8]), number(head, [place + 5, place + 6]))
            }
            guard let length = number(head, [place + 2, place + 3]), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func webp(_ head: [UInt8]) -> PixelSize? {
        guard head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) else {
            return nil
        }
        switch String(decoding: head.dropFirst(12).prefix(4), as: UTF8.self) {
        case "VP8X":
            return size(number(head, [26, 25, 24]).map { $0 + 1 }, number(head, [29, 28, 27]).map { $0 + 1 })
        case "VP8L":
            guard let bits = number(head, [24, 23, 22, 21]) else { return nil }
            return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            return little16(head, 26, 28).map { PixelSize(width: $0.width & 0x3FFF, height: $0.height & 0x3FFF) }
        default: return nil
        }
    }
}
