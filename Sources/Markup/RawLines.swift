/// The lines of a text that has not been scrubbed, without their ends: split where `CleanText.lines` splits. At least one.
struct RawLines: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    /// The beginning of the next line; nil after the last one.
    private var start: Int?

    /// The lines of a part of a text.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) {
        self.bytes = bytes
        (start, end) = (part.lowerBound, part.upperBound)
    }

    mutating func next() -> Range<Int>? {
        guard let start else { return nil }
        var place = start
        while place < end {
            if let length = endLength(at: place) {
                self.start = place + length
                return start..<place
            }
            place += 1
        }
        self.start = nil
        return start..<end
    }

    /// The bytes of the line end that begins at a place; nil without one.
    private func endLength(at place: Int) -> Int? {
        switch bytes[place] {
        // Most bytes are letters and blanks.
        case 0x20..<0xC2: nil
        case 0x0D: place + 1 < end && bytes[place + 1] == 0x0A ? 2 : 1
        case 0x0A...0x0C: 1
        case 0xC2: place + 1 < end && bytes[place + 1] == 0x85 ? 2 : nil
        case 0xE2: place + 2 < end && bytes[place + 1] == 0x80 && bytes[place + 2] & 0xFE == 0xA8 ? 3 : nil
        default: nil
        }
    }
}
