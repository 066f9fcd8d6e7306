/// The kind of a line: prose, or part of a block of code.
package enum LineKind: Equatable, Sendable {
    case prose, code
    /// The line that opens or closes a block of code.
    case fence
}
