import Display
import Files
import Glibc
import Interface

/// An open picture file, whose beginning was read. It is closed with this object.
final class PictureFile {
    private let file: OpenFile
    /// The descriptor, for a program that reads the file.
    var descriptor: Int32 { file.descriptor }
    let format: PictureFormat
    private let bytes: Int64

    /// More than any camera makes.
    private static let mostBytes: Int64 = 64 * 1024 * 1024
    private static let mostPixels = 100_000_000
    private static let longestSide = 30_000
    /// Larger PNGs are made smaller before they are sent.
    private static let mostBytesSent: Int64 = 512 * 1024
    private static let mostPixelsSent = 4_000_000

    /// - Parameter path: a file inside the archive, as found by the store.
    init(_ path: String) throws(EffectError) {
        do throws(FileError) {
            file = try OpenFile(reading: path, follows: false)
            bytes = try file.status().size
        } catch {
            throw EffectError(
                error.cause == .irregular ? "it is not a regular file" : "the file cannot be read: \(error.reason)")
        }
        guard bytes <= PictureFile.mostBytes else { throw EffectError("the file is too large to be shown here") }
        let head = (try? file.bytes(at: 0, count: PictureFormat.headBytes)) ?? []
        guard let format = PictureFormat(head) else {
            throw EffectError("the file holds no picture that can be shown here (PNG, JPEG, GIF, WebP)")
        }
        let size = format.size
        guard max(size.width, size.height) <= PictureFile.longestSide,
            size.width * size.height <= PictureFile.mostPixels
        else {
            throw EffectError("the picture is too large to be shown here: \(size.width) × \(size.height)")
        }
        self.format = format
    }

    /// The whole file, if it is a PNG that a terminal can show unchanged: small and complete.
    var plainPNG: [UInt8]? {
        let size = format.size
        guard format.kind == .png, bytes <= PictureFile.mostBytesSent,
            size.width * size.height <= PictureFile.mostPixelsSent
        else { return nil }
        let content = (try? file.bytes(at: 0, count: Int(bytes))) ?? []
        return content.suffix(8).starts(with: Array("IEND".utf8)) ? content : nil
    }
}

/// A picture file, recognised by its first bytes and not by its name.
struct PictureFormat: Equatable {
    enum Kind: Equatable { case png, jpeg, gif, webp }

    let kind: Kind
    let size: PixelSize

    /// The number of bytes in which the size must be found. The header of a JPEG may hold a small picture before it.
    static let headBytes = 256 * 1024

    /// - Parameter head: the first bytes of the file.
    /// - Returns: nil when it is not a picture of a known kind, or is cut off before it states its size.
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

    /// Reads the markers up to that of a frame, which states the size.
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
