internal import Messages

/// The messages that have come into a log after a place.
struct News {
    var changes: [StoreChange] = []
    /// Behind the last whole line that was read.
    var end: LinePlace
    /// Whether the log goes on after it.
    var isMore = false
    /// Edits and deletions that are passed over, in lines for people.
    var passedOver: [String] = []
}
