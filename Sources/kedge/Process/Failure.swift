import Messages

/// The reason why a command did not do its work: one line on stderr, and the exit status.
struct Failure: Error {
    enum Status: Int32 {
        case nothingFound = 1
        case usage = 2
        case unreadable = 3
        case notSent = 4
    }

    let status: Status
    let text: String

    init(_ status: Status, _ text: String) {
        (self.status, self.text) = (status, text)
    }

    init(_ error: StoreError) {
        switch error {
        case .noSuchConversation, .noSuchMessage: self.init(.nothingFound, error.description)
        case .unavailable, .unreadable: self.init(.unreadable, error.description)
        case .notSent, .editedMeanwhile: self.init(.notSent, error.description)
        }
    }
}
