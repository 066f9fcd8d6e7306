internal import Index
internal import Messages

extension IndexFault {
    /// True if another process did not release the index in time.
    var isLocked: Bool { if case .locked = self { true } else { false } }

    /// True if an error means that files of the index are damaged.
    static func isDamage(_ error: any Error) -> Bool {
        if case .damaged = error as? IndexFault { true } else { false }
    }
}

extension StoreError {
    /// The error to report for an index that cannot be saved.
    static func savingIndex(_ reason: String) -> StoreError { .unavailable("the index cannot be saved: \(reason)") }

    /// The error to report for an index that cannot be read: `unreadable` if it is damaged and must be rebuilt;
    /// otherwise `unavailable`.
    static func readingIndex(_ error: any Error) -> StoreError {
        let isLasting = IndexFault.isDamage(error) || !(error is IndexFault)
        let text = "the index cannot be read: \(error)"
        return isLasting ? .unreadable(text) : .unavailable(text)
    }
}
