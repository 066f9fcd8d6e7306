/// The rows of the screen: title, day, messages, composer, status. A low screen gives up the day, then the title, then the
/// status, since messages are more important. The composer always has a row: it takes that of the status, and on a screen of a
/// single row that of the messages, which is then counted twice.
struct Rows: Equatable, Sendable {
    let title: Int
    let day: Int
    let messages: Int
    let composer: Int
    let status: Int

    /// - Parameter composer: the rows that it wants. At least one row of messages stays above it.
    init(rows: Int, composer: Int = 0) {
        status = rows >= (composer > 0 ? 3 : 2) ? 1 : 0
        title = rows >= 4 ? 1 : 0
        day = rows >= 6 ? 1 : 0
        let left = rows - status - title - day
        self.composer = min(composer, max(1, left - 1))
        messages = max(1, left - self.composer)
    }
}
