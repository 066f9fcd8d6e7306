import Display
import Messages

/// The state of the screen that changes how messages look, but never the number of their rows.
struct Looks: Hashable, Sendable {
    /// The user: messages of this person are the user's own.
    var me: PersonID?
    /// The user, with the words by which others address him; nil when it is not known who that is.
    var own: Addressee?
    var clockStyle = ClockStyle.minutes
    /// The columns of a time without seconds.
    var clockColumns = 5
    /// As of the last event.
    var now: Timestamp?
    /// The links whose numbers are shown.
    var links: LinkNumbers?
    /// The key that tries again what did not load.
    var openKey = "Enter"

    /// The style of a name: the user's own in the accent, all others in a colour of theirs.
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

    /// The same as wide as the column of times, so that hours of one digit and of two end at the same column.
    func alignedClock(of entry: Entry) -> CleanText {
        let clock = clock(of: entry)
        return .blanks(shownColumns - clock.columns) + clock
    }

    private var shownColumns: Int { clockColumns + (clockStyle == .seconds ? 3 : 0) }

    /// With seconds, every message shows its time.
    func showsTime(of entry: Entry) -> Bool { clockStyle == .seconds || entry.showsTime }

    /// The columns of time and name beside a message, with the blanks after them. A longer time takes columns from the name,
    /// so that no text moves.
    func columns(of grid: Grid) -> (time: Int, name: Int) {
        let both = grid.style.clockColumns + 2 + grid.nameColumns + 2
        let isLonger = shownColumns > grid.style.clockColumns
        let time = shownColumns + (isLonger ? 1 : 2)
        return (time, both - time)
    }
}
