/// The search for the gap in which events around one stand. The clocks of people may be wrong by years, so the server is asked whether
/// anything stands between the end of a known island and that of the events: half of the gaps are left after each question.
///
///     |— island —| gap |— island —| gap |— island —|
///                                ↑ later, or not?
///
/// That is cheap (one event at most is sent) and says what /messages will say when the gaps are filled.
package struct IslandSearch: Sendable {
    /// The gaps in which the events may stand, the newest first.
    package private(set) var gaps: ArraySlice<Gap>
    /// The token after the last of the events.
    private let end: String?
    private var isGivenUp = false

    /// - Parameter gaps: in which the events may stand, the newest first.
    package init(_ gaps: [Gap], _ page: ContextPage) { (self.gaps, end) = (gaps[...], page.end) }

    /// The last gap of the newer half.
    private var middle: Int { gaps.startIndex + (gaps.count - 1) / 2 }

    /// The tokens between which the server is asked for an event; nil if there is nothing to ask.
    package var question: (from: String, to: String)? {
        guard !isGivenUp, gaps.count > 1, let end else { return nil }
        // After the island that divides the halves, or before it: the events are not in it.
        return (gaps[middle].stop ?? gaps[middle + 1].from).map { ($0, end) }
    }

    /// Takes the server's word on whether an event stands between the tokens.
    package mutating func take(isLater: Bool) {
        guard gaps.count > 1 else { return }
        gaps = isLater ? gaps[...middle] : gaps[(middle + 1)...]
    }

    /// Leaves the question open.
    package mutating func giveUp() { isGivenUp = true }

    /// Whether a gap is one of these, or what is left of one.
    package func holds(_ gap: Gap) -> Bool {
        guard let newest = gaps.first, let oldest = gaps.last, gap.edge <= newest.edge else { return false }
        guard let lower = oldest.older else { return true }
        return gap.older.map { $0 >= lower } ?? false
    }
}
