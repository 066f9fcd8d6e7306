internal import GRDB

extension DatabaseError {
    /// Why SQLite failed, for people: nothing of what it was asked.
    var cause: String {
        switch resultCode {
        case .SQLITE_FULL: "the disk is full; make room"
        case .SQLITE_IOERR: "input or output failed: the disk is full or broken, or `ulimit -f` allows no larger file"
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: "it may not be opened; check its permissions"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another process keeps it; try again"
        case .SQLITE_NOMEM: "there is not enough memory; try again"
        default: message ?? "\(resultCode)"
        }
    }
}
