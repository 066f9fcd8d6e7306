import Display
import Markup
import Messages

/// The state of the screen that changes how messages look, but never the number of their rows.
struct Looks: Hashable, Sendable {
    /// The user: messages of this person are the user's own.
    var me: PersonID?
    /// The user, with the words that count as mentions; nil when not known.
    var own: Addressee?
    var clockStyle = ClockStyle.minutes
    /// The columns of a time without seconds.
    var clockColumns = 5
    /// The time of the last event.
    var now: Timestamp?
    /// The links whose numbers are shown.
    var links: LinkNumbers?
    /// The key that acts on the row of an edge: it retries a failed load, crosses a gap or follows a link.
    var openKey = "Enter"

    /// The style of a name: the user's own in the accent, all others in a colour derived from the ID.
    func name(of person: PersonID) -> Style {
        person == me ? Style(.accent, .bold) : Style(.name(NameColor.index(for: person)))
    }

    /// `09:12` or `09:12:33`, `9:12 AM` or `9:12:33 AM`
    func clock(of entry: Entry) -> CleanText {
        guard clockStyle == .seconds else { return CleanText(entry.clock) }
        let half = entry.clock.firstIndex(of: " ") ?? entry.clock.endIndex
        let second = ":\(entry.second < 10 ? "0" : "")\(entry.second)"
        return CleanText("\(entry.clock[..<half])\(second)\(entry.clock[half...])")
    }

    /// The time, padded at the left to the width of its column: times align at the right.
    func alignedClock(of entry: Entry) -> CleanText {
        let clock = clock(of: entry)
        return .blanks(shownColumns - clock.columns) + clock
    }

    private var shownColumns: Int { clockColumns + (clockStyle == .seconds ? 3 : 0) }

    /// True if the entry shows its time. With seconds, every message does.
    func showsTime(of entry: Entry) -> Bool { clockStyle == .seconds || entry.showsTime }

    /// The columns of time and name next to a message, with the blanks after them. A longer time takes columns from the
    /// name, so that no text moves.
    func columns(of grid: Grid) -> (time: Int, name: Int) {
        let both = grid.style.clockColumns + 2 + grid.nameColumns + 2
        let isLonger = shownColumns > grid.style.clockColumns
        let time = shownColumns + (isLonger ? 1 : 2)
        return (time, both - time)
    }
}

/// The precision of times. `T` switches between the two.
enum ClockStyle: Hashable, Sendable {
    /// `09:12`
    case minutes
    /// `09:12:33`
    case seconds

    mutating func toggle() { self = self == .minutes ? .seconds : .minutes }
}

/// The columns of a pane: gutter, time, sender, text, scroll bar. At 60 columns and below, the sender stands above the text. The
/// columns depend only on the width, the settings and the names known when the conversation was opened, so that loading never
/// moves them.
struct Grid: Equatable, Sendable {
    let columns: Int
    /// The columns of the longest name; nil if the names are not known.
    private let names: Int?
    /// True if rows hold only words, for a screen reader.
    let isPlain: Bool
    let style: GridStyle

    /// - Parameter names: the columns of the longest name; nil if the names are not known.
    init(columns: Int, names: Int? = nil, isPlain: Bool = false, style: GridStyle = GridStyle()) {
        self.columns = max(1, columns)
        self.names = names
        self.isPlain = isPlain
        self.style = style
    }

    /// The same kind of grid for other columns and names.
    func with(columns: Int, names: Int?) -> Grid {
        Grid(columns: columns, names: names, isPlain: isPlain, style: style)
    }

    /// The most columns of a text: longer lines are hard to read.
    private static let measure = 120

    /// The mark before each row of code.
    var codeMark: CleanText { isPlain ? "" : "│ " }
    /// The mark before a row that continues a line of code.
    var wrappedCodeMark: CleanText { isPlain ? "" : "↪ " }

    var isNarrow: Bool { columns <= 60 }

    /// The columns of the mark at the selected message.
    var gutter: Int { columns >= 8 && !isPlain ? 1 : 0 }

    /// The blanks before title, day and status, as wide as the gutter.
    var margin: CleanText { CleanText.blanks(gutter) }

    /// The columns of the scroll bar and, if there is room, a blank before it.
    var rightMargin: Int { isPlain ? 0 : columns >= 30 ? 2 : columns >= 8 ? 1 : 0 }

    private static let leastNameColumns = 8

    var nameColumns: Int {
        // At most a third of the columns, so that texts keep room.
        if let width = style.nameColumns { return min(width, columns / 3) }
        return min(mostNameColumns, max(Grid.leastNameColumns, names ?? mostNameColumns))
    }

    private var mostNameColumns: Int {
        switch columns {
        case ..<80: 8
        case ..<100: 12
        case ..<140: 14
        default: 18
        }
    }

    /// The first column of texts.
    var textStart: Int { isNarrow ? gutter : gutter + style.clockColumns + 2 + nameColumns + 2 }

    /// The columns between the beginning of texts and the right margin.
    var bodyColumns: Int { max(1, columns - textStart - rightMargin) }

    /// The columns of texts, code and quotes. All of them, and reactions and reply counts, end at the same column.
    var textColumns: Int { min(Grid.measure, bodyColumns) }

    /// The columns of code after the mark.
    var codeColumns: Int { max(1, textColumns - codeMark.columns) }
}

/// The settings for the layout of messages.
struct GridStyle: Hashable, Sendable {
    /// The columns of the time.
    var clockColumns = 5
    /// The fixed columns of names; nil for as many as the names need.
    var nameColumns: Int?
    /// The key that unfolds a message, as shown in a row of the message.
    var foldKey = "z"

    init() {}

    init(zone: Zone, preferences: Preferences) {
        clockColumns = zone.clockColumns + (preferences.showsSeconds ? 3 : 0)
        nameColumns = preferences.nameWidth
        foldKey = preferences.keymap.keyName(.fold)
    }
}

/// The colour of a sender's name, the same in every run.
enum NameColor {
    /// FNV-1a, 32 bits (Fowler, Noll, Vo), since Swift's own hashes differ from run to run.
    static func index(for id: PersonID) -> Int {
        let hash = id.rawValue.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Int(hash % UInt32(Color.nameCount))
    }
}

/// Ranges of a text with styles: UTF-8 offsets, sorted, without overlaps.
typealias StyledRanges = [(range: Range<Int>, style: Style)]

extension Body.Line {
    /// The styles of a row: the sender of an action, marks, the words about an edit, and on top of them the hits.
    /// - Parameters:
    ///   - base: the style of plain text.
    ///   - upper: ranges that cover all others, as offsets in the line: hits of a query, or numbers of links.
    func styles(of row: WrappedRow, base: Style, name: Style, upper: StyledRanges) -> StyledRanges {
        let part = row.start..<row.start + row.text.string.utf8.count
        var ranges: StyledRanges = [(0..<nameEnd, name)]
        for piece in markup.pieces(in: part) { ranges.append((piece.range, piece.look.style(on: base))) }
        if let markStart { ranges.append((markStart..<Int.max, .dim)) }
        let upper = upper.filter { $0.range.overlaps(part) }
        var styles: StyledRanges = []
        for (range, style) in ranges.flatMap({ Body.Line.uncovered($0, by: upper) }) + upper {
            let cut = range.clamped(to: part)
            if !cut.isEmpty { styles.append((cut.lowerBound - row.start..<cut.upperBound - row.start, style)) }
        }
        return styles.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The parts of a range that other ranges do not cover.
    private static func uncovered(_ lower: (range: Range<Int>, style: Style), by upper: StyledRanges) -> StyledRanges {
        var left: StyledRanges = []
        var start = lower.range.lowerBound
        for range in upper.map(\.range) where range.overlaps(start..<max(start, lower.range.upperBound)) {
            if range.lowerBound > start { left.append((start..<range.lowerBound, lower.style)) }
            start = range.upperBound
        }
        if start < lower.range.upperBound { left.append((start..<lower.range.upperBound, lower.style)) }
        return left
    }
}

extension Markup.Look {
    /// The marks set weight and slant. Code has a colour instead, since it may also be bold or italic.
    func style(on base: Style) -> Style {
        if contains(.mark) || contains(.address) { return .dim }
        if contains(.code) { return Style(.code, base.attributes) }
        var style = base
        if contains(.bold) { style.attributes.insert(.bold) }
        if contains(.italic) { style.attributes.insert(.italic) }
        if contains(.struck) { style.attributes.insert(.dim) }
        if contains(.link) {
            style.attributes.insert(.underline)
            if style.color == .standard, !style.attributes.contains(.dim) { style.color = .accent }
        }
        return style
    }
}

/// The settings of the user that concern the screen.
package struct Preferences: Sendable {
    package var keymap = Keymap.standard
    /// True if the status line shows the link to the selected message.
    package var showsLink = false
    /// True if the list of conversations is hidden at first.
    package var hidesList = false
    /// True if the screen shows only words, for a screen reader.
    package var isPlain = false
    /// True if times have seconds at first.
    package var showsSeconds = false
    /// The fixed columns of names; nil for as many as the names need.
    package var nameWidth: Int?
    /// The words that count as mentions of the user, besides the ID and the name.
    package var highlight: [String] = []
    /// The reason why no conversation can be made in this archive, and what to do; nil if one can.
    package var obstacleToMaking: String?
    /// True if the archive has a server on which rooms can be joined and left.
    package var canJoin = false

    package init() {}
}
