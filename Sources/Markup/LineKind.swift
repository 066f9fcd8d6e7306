/// What a line of a text is.
package enum LineKind: Equatable, Sendable {
    case prose, code
    /// The line that opens or closes a block of code.
    case fence
}
