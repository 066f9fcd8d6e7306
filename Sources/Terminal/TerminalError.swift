/// Why there can be no screen, and what to do about it, in one line.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
