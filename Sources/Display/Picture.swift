/// A picture in a form that a terminal takes.
package struct Picture: Hashable, Sendable {
    package enum Pixels: Sendable {
        /// The body of a sixel sequence.
        case sixel(SixelBody)
        /// A PNG file, which the terminal decodes.
        case png([UInt8])
        /// Rows of pixels of four bytes: red, green, blue, opacity.
        case rgba([UInt8], width: Int, height: Int)
    }

    /// Tells pictures apart: no two of one program have the same number.
    package let number: Int
    /// The cells that it covers.
    package let size: Size
    package let pixels: Pixels

    package init(number: Int, size: Size, pixels: Pixels) {
        (self.number, self.size, self.pixels) = (number, size, pixels)
    }

    package static func == (one: Picture, other: Picture) -> Bool { one.number == other.number }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A picture at its place on the screen.
package struct PlacedPicture: Hashable, Sendable {
    package let picture: Picture
    /// The cell at its top left.
    package let position: ScreenPosition

    package init(_ picture: Picture, at position: ScreenPosition) {
        (self.picture, self.position) = (picture, position)
    }

    /// True if all its cells are on a screen of this size, above the last row: below a picture of sixels the terminal moves the
    /// cursor to the next row, and would scroll.
    func fits(_ size: Size) -> Bool {
        position.row >= 0 && position.column >= 0 && picture.size.rows > 0 && picture.size.columns > 0
            && position.row + picture.size.rows < size.rows && position.column + picture.size.columns <= size.columns
    }
}

/// The body of a sixel sequence. Each byte was checked: it holds only digits and the characters of sixels, so that no
/// other sequence can hide in it.
package struct SixelBody: Hashable, Sendable {
    package let bytes: [UInt8]
    package let size: PixelSize

    /// - Parameter text: a whole sequence, as a program makes it: `Esc P … q " 1;1;width;height … Esc \`, perhaps with line feeds
    ///   around it.
    /// - Returns: nil when it holds anything else, or when it does not state its size or draws beyond it.
    package init?(_ text: [UInt8]) {
        let newlines: [UInt8] = [0x0A, 0x0D]
        var rest = text[...].drop { newlines.contains($0) }
        while let last = rest.last, newlines.contains(last) { rest.removeLast() }
        guard rest.starts(with: Array("\u{1B}P".utf8)), rest.suffix(2) == Array("\u{1B}\\".utf8)[...] else {
            return nil
        }
        rest = rest.dropFirst(2).dropLast(2)
        guard let start = rest.firstIndex(of: UInt8(ascii: "q")), rest[..<start].allSatisfy(SixelBody.isParameter)
        else {
            return nil
        }
        let body = rest[(start + 1)...]
        guard
            body.allSatisfy({ SixelBody.isParameter($0) || SixelBody.marks.contains($0) || (0x3F..<0x7F).contains($0) }
            ),
            let size = SixelBody.stated(body), SixelBody.rows(body) <= size.height
        else { return nil }
        (bytes, self.size) = (Array(body), size)
    }

    /// `"` raster, `!` repeat, `#` colour, `$` back, `-` next row.
    private static let marks = Set("\"!#$-".utf8)

    private static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ";")
    }

    private static func stated(_ body: ArraySlice<UInt8>) -> PixelSize? {
        guard body.first == UInt8(ascii: "\"") else { return nil }
        let numbers = body.dropFirst().prefix(while: isParameter).split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
        ).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        guard numbers.count == 4, (1...65_535).contains(numbers[2]), (1...65_535).contains(numbers[3]) else {
            return nil
        }
        return PixelSize(width: numbers[2], height: numbers[3])
    }

    /// The rows of pixels before the last row of sixels that draws: a row of sixels is six rows of pixels, and the last one may
    /// be empty below.
    private static func rows(_ body: ArraySlice<UInt8>) -> Int {
        let last = body.lastIndex { (0x3F..<0x7F).contains($0) } ?? body.startIndex
        return body[..<last].count { $0 == UInt8(ascii: "-") } * 6
    }
}
