internal import Messages

/// The changes in a log after a place.
struct News {
    var changes: [StoreChange] = []
    /// The end of the last whole line that was read.
    var end: LinePlace
    /// Whether more lines follow.
    var isMore = false
    /// Edits and deletions without effect, in lines for people.
    var passedOver: [String] = []
}
