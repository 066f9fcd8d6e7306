internal import CSQLite

/// An error that SQLite reported.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
    /// SQLite's primary result code, such as 11 for a corrupt file.
    package enum Code: Int32, Sendable {
        case error = 1
        case permission = 3
        case busy = 5
        case locked = 6
        case outOfMemory = 7
        case readOnly = 8
        case io = 10
        case corrupt = 11
        case full = 13
        case cannotOpen = 14
        case constraint = 19
        case mismatch = 20
        case notADatabase = 26
    }

    /// SQLite's extended result code: the primary one is its lowest byte.
    package let extendedCode: Int32
    /// In SQLite's words.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.init(extendedCode: code.rawValue, message)
    }

    init(extendedCode: Int32, _ message: String) {
        self.extendedCode = extendedCode
        self.message = message
    }

    /// Nil for a code that is not in `Code`.
    package var code: Code? { Code(rawValue: extendedCode & 0xFF) }

    package var description: String { "SQLite error \(extendedCode): \(message)" }
}
