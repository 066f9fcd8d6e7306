import Display

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
