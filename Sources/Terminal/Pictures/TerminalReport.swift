internal import Display

/// A report of the terminal on a question about pictures or keys.
enum TerminalReport: Hashable {
    /// Whether it knows Kitty's graphics protocol.
    case kitty(Bool)
    /// The numbers of its primary attributes (DA1). The number 4 stands for sixels.
    case attributes([Int])
    case cell(PixelSize)
    /// It knows Kitty's keyboard protocol.
    case keyboard

    /// Those of a control sequence, `Esc [ ? 62;4 c`, `Esc [ 6;height;width t` and `Esc [ ? 0 u`; nil for any other.
    init?(parameters: [UInt8], final: UInt8) {
        switch (final, parameters.first) {
        case (UInt8(ascii: "c"), UInt8(ascii: "?")):
            self = .attributes(TerminalReport.numbers(parameters.dropFirst()).compactMap(\.self))
        case (UInt8(ascii: "t"), UInt8(ascii: "6")):
            let numbers = TerminalReport.numbers(parameters[...])
            guard numbers.count == 3, let height = numbers[1], let width = numbers[2], (1...1_000).contains(height),
                (1...1_000).contains(width)
            else { return nil }
            self = .cell(PixelSize(width: width, height: height))
        case (UInt8(ascii: "u"), UInt8(ascii: "?")) where parameters.count > 1: self = .keyboard
        default: return nil
        }
    }

    /// The beginning of a report about Kitty's protocol.
    static let kittyStart = Array("\u{1B}_Gi=\(PictureInquiry.question);".utf8)

    /// That of a control string, without its end: `Esc _ G i=31;OK`; nil for any other.
    init?(string: ArraySlice<UInt8>) {
        guard string.starts(with: TerminalReport.kittyStart) else { return nil }
        self = .kitty(string.dropFirst(TerminalReport.kittyStart.count) == Array("OK".utf8)[...])
    }

    private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int?] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Int(String(decoding: $0, as: UTF8.self))
        }
    }
}
