package import Display
package import Messages

/// Messages as the screen shows them, for a terminal outside of the screen of `open`.
package enum PrintedMessages {
    /// All rows of the messages, none of them folded.
    /// - Parameters:
    ///   - target: the message that is marked.
    ///   - me: the user.
    ///   - now: for the age of the last reply in a thread.
    package static func lines(
        of messages: [Message], target: MessageID?, columns: Int, zone: Zone, me: PersonID?, now: Timestamp
    ) -> [Line] {
        let grid = Grid(columns: columns, style: GridStyle(zone: zone, preferences: Preferences()))
        let folds = Dictionary(messages.map { ($0.id, false) }) { first, _ in first }
        let looks = Looks(me: me, clockColumns: zone.clockColumns, now: now)
        return Entry.entries(messages, after: nil, zone: zone, folds: folds).flatMap { entry -> [Line] in
            let rows = MessageRows(entry, grid: grid)
            let view = MessageView(
                entry, rows: rows, grid: grid, isSelected: false, target: target, query: nil, visible: 0..<rows.height,
                looks: looks)
            return (0..<rows.height).map(view.line)
        }
    }
}
