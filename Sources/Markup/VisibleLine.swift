internal import Display

/// A line that has not been scrubbed, without the characters that the screen never shows: joiners, variation selectors and the
/// like. Between two marks they would hide that these are one.
struct VisibleLine {
    let bytes: [UInt8]
    /// For each byte, and for the end, its place in the line as it is; nil if nothing is left out.
    private let places: [Int]?

    init(_ line: UnsafeBufferPointer<UInt8>) {
        guard VisibleLine.leavesSomethingOut(line) else {
            (bytes, places) = (Array(line), nil)
            return
        }
        var (bytes, places): ([UInt8], [Int]) = ([], [])
        VisibleLine.forEachScalar(line) { scalar, range in
            guard !CleanText.isLeftOut(scalar) else { return true }
            bytes.append(contentsOf: line[range])
            places.append(contentsOf: range)
            return true
        }
        (self.bytes, self.places) = (bytes, places + [line.count])
    }

    private static func leavesSomethingOut(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.contains(where: { $0 >= 0x80 }) else { return false }
        var isSo = false
        forEachScalar(line) { scalar, _ in
            isSo = CleanText.isLeftOut(scalar)
            return !isSo
        }
        return isSo
    }

    /// Calls `body` with each scalar and its bytes, until it returns false.
    private static func forEachScalar(
        _ line: UnsafeBufferPointer<UInt8>, _ body: (Unicode.Scalar, Range<Int>) -> Bool
    ) {
        var start = 0
        while start < line.count {
            let scalar = Neighbor.scalar(line, start)
            let end = min(line.count, start + UTF8.width(scalar))
            guard body(scalar, start..<end) else { return }
            start = end
        }
    }

    /// Marks of these bytes, in the line as it is. What is left out belongs to the piece before it.
    func restored(_ markup: Markup) -> Markup {
        guard let places else { return markup }
        func whole(_ range: Range<Int>) -> Range<Int> { places[range.lowerBound]..<places[range.upperBound] }
        return Markup(
            pieces: markup.pieces.map { Markup.Piece(range: whole($0.range), look: $0.look) },
            links: markup.links.map { Markup.Link(address: whole($0.address), whole: whole($0.whole)) })
    }

    /// The place of a byte in the line as it is.
    func restored(_ offset: Int) -> Int { places?[offset] ?? offset }
}
