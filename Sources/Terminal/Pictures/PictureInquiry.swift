internal import Display

/// The questions about pictures to a terminal, and its reports. It has no clock: its owner says when each report came.
struct PictureInquiry {
    /// After this time the terminal counts as one that shows no pictures.
    static let limit = Duration.seconds(1)

    /// Nil when nothing was asked, or when the reports have come.
    private(set) var asked: ContinuousClock.Instant?
    /// Nil until it is known.
    private(set) var support: PictureSupport?
    private var isKitty = false
    private var cell: PixelSize?

    var deadline: ContinuousClock.Instant? { asked?.advanced(by: PictureInquiry.limit) }

    /// The number of the picture that the question for Kitty's protocol is about.
    static let question = 31

    /// The questions for Kitty's protocol (a picture of one pixel, which is not shown) and for the size of a cell, and last the
    /// one that every terminal reports on: its attributes, among which are sixels.
    /// - Parameters:
    ///   - cell: the size of a cell as far as it is known.
    ///   - isDirect: whether nothing is between this program and the terminal. A multiplexer would take Kitty's protocol for a
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
