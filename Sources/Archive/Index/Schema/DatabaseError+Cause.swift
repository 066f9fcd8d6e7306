internal import SQLite

extension DatabaseError {
    /// Why SQLite failed, for people. Does not contain the query.
    var cause: String {
        switch code {
        case .full: "the disk is full; make room"
        case .io: "input or output failed: the disk is full or broken, or `ulimit -f` allows no larger file"
        case .cannotOpen, .permission, .readOnly: "it may not be opened; check its permissions"
        case .busy, .locked: "another process keeps it; try again"
        case .outOfMemory: "there is not enough memory; try again"
        default: message
        }
    }
}
