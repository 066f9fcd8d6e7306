package import Display
internal import FoundationEssentials

extension PlacedPicture {
    /// The sequences that draw the picture at its place, and leave the cursor where it was.
    var sequence: [UInt8] {
        let start = "\u{1B}7\u{1B}[\(position.row + 1);\(position.column + 1)H"
        return Array(start.utf8) + picture.sequence + Array("\u{1B}8".utf8)
    }
}

extension Picture {
    /// Removes the pictures that were drawn by Kitty's protocol, and frees the terminal's memory of them.
    static let kittyRemoval = Array("\u{1B}_Ga=d,d=A,q=2\u{1B}\\".utf8)

    var isKitty: Bool { if case .sixel = pixels { false } else { true } }

    /// The first parameter of sixels says that pixels are squares: by 0 some terminals make them twice as high,
    /// whatever the body says. The second one leaves pixels without a colour as they are.
    fileprivate var sequence: [UInt8] {
        switch pixels {
        case .sixel(let body): Array("\u{1B}P7;1;0q".utf8) + body.bytes + Array("\u{1B}\\".utf8)
        case .png(let file): kitty("f=100", file)
        case .rgba(let rows, let width, let height): kitty("f=32,s=\(width),v=\(height)", rows)
        }
    }

    /// The most bytes of base64 in one sequence of Kitty's protocol.
    private static let piece = 4_096

    /// The sequences for a picture in pieces; all but the last say that more follow. The terminal scales the picture to
    /// its cells, leaves the cursor alone, and does not reply.
    private func kitty(_ format: String, _ data: [UInt8]) -> [UInt8] {
        let text = Array(Data(data).base64EncodedData())
        let starts = Array(stride(from: 0, to: max(1, text.count), by: Picture.piece))
        return starts.flatMap { start -> [UInt8] in
            let end = min(start + Picture.piece, text.count)
            let more = end < text.count ? 1 : 0
            let keys =
                start == 0
                ? "a=T,t=d,\(format),i=1,p=1,c=\(size.columns),r=\(size.rows),C=1,q=2,m=\(more)" : "q=2,m=\(more)"
            return Array("\u{1B}_G\(keys);".utf8) + text[start..<end] + Array("\u{1B}\\".utf8)
        }
    }
}

/// The questions about pictures to a terminal, and its reports. It has no clock: its owner says when each report came.
struct PictureInquiry {
    /// After this time the terminal counts as one that shows no pictures.
    static let limit = Duration.seconds(1)

    /// The time at which the questions were sent; nil if they were not, or after the reports.
    private(set) var asked: ContinuousClock.Instant?
    /// The result; nil while it is not known.
    private(set) var support: PictureSupport?
    private var isKitty = false
    private var cell: PixelSize?

    var deadline: ContinuousClock.Instant? { asked?.advanced(by: PictureInquiry.limit) }

    /// The number of the picture that the question for Kitty's protocol is about.
    static let question = 31

    /// The questions for Kitty's protocol (a picture of one pixel, which is not shown) and for the size of a cell, and last for the
    /// attributes, which every terminal reports and which say if it shows sixels.
    /// - Parameters:
    ///   - cell: the size of a cell as far as it is known.
    ///   - isDirect: true if nothing is between this program and the terminal. A multiplexer would take Kitty's protocol for a
    ///     title; it replies to the last question for itself.
    mutating func begin(cell: PixelSize?, isDirect: Bool, at now: ContinuousClock.Instant) -> [UInt8] {
        (asked, self.cell) = (now, cell)
        let kitty = isDirect ? "\u{1B}_Gi=\(PictureInquiry.question),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" : ""
        return Array("\(kitty)\(cell == nil ? "\u{1B}[16t" : "")\u{1B}[c".utf8)
    }

    mutating func take(_ report: TerminalReport) {
        guard asked != nil else { return }
        switch report {
        case .kitty(let isFine): isKitty = isFine
        case .cell(let size): cell = size
        case .keyboard: break
        case .attributes(let numbers):
            let cell = cell ?? .smallestCell
            asked = nil
            support = isKitty ? .kitty(cell: cell) : numbers.contains(4) ? .sixel(cell: cell) : PictureSupport.none
        }
    }

    mutating func end(at now: ContinuousClock.Instant) {
        guard let deadline, now >= deadline else { return }
        asked = nil
        support = PictureSupport.none
    }
}

/// The ways of a terminal to show pictures.
package enum PictureSupport: Hashable, Sendable {
    case none
    /// Kitty's graphics protocol. The terminal scales pictures to cells, so their shape alone matters.
    case kitty(cell: PixelSize)
    /// Sixels, which the terminal shows pixel by pixel.
    case sixel(cell: PixelSize)
}

/// A report of the terminal on a question about pictures or keys.
enum TerminalReport: Hashable {
    /// True if it knows Kitty's graphics protocol.
    case kitty(Bool)
    /// The numbers of its primary attributes (DA1). The number 4 stands for sixels.
    case attributes([Int])
    case cell(PixelSize)
    /// It knows Kitty's keyboard protocol.
    case keyboard

    /// The report in `Esc [ ? 62;4 c`, `Esc [ 6;height;width t` or `Esc [ ? 0 u`; nil for any other sequence.
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

    /// The report in a control string, without its end: `Esc _ G i=31;OK`; nil for any other.
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
