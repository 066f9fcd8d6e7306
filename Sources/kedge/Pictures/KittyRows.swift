import Display

import FoundationEssentials

/// The pixels in the sequences of Kitty's protocol, as a program prints them. Nothing but pixels and their size is taken from it.
struct KittyRows: Equatable {
    /// Rows of pixels of four bytes.
    let rows: [UInt8]
    let size: PixelSize

    /// - Returns: nil when there is anything else in it, or when pixels are missing.
    init?(_ text: [UInt8]) {
        let start = Array("\u{1B}_G".utf8)
        let end = Array("\u{1B}\\".utf8)
        var rest = text[...]
        var rows: [UInt8] = []
        var size: PixelSize?
        while rest.starts(with: start), let close = rest.firstRange(of: end) {
            let parts = rest[(rest.startIndex + start.count)..<close.lowerBound].split(
                separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
            if size == nil { size = parts.first.flatMap(KittyRows.size) }
            if parts.count > 1 {
                // Each piece is padded by itself.
                guard let piece = Data(base64Encoded: Data(parts[1])) else { return nil }
                rows += piece
            }
            rest = rest[close.upperBound...]
        }
        guard rest.allSatisfy({ $0 == 0x0A || $0 == 0x0D }), let size, rows.count == size.width * size.height * 4 else {
            return nil
        }
        (self.rows, self.size) = (rows, size)
    }

    /// `f=32,s=width,v=height`
    private static func size(_ keys: ArraySlice<UInt8>) -> PixelSize? {
        var values: [Substring: Int] = [:]
        for pair in String(decoding: keys, as: UTF8.self).split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2, let value = Int(sides[1]) { values[sides[0]] = value }
        }
        guard values["f"] == 32, let width = values["s"], let height = values["v"], (1...65_535).contains(width),
            (1...65_535).contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}
