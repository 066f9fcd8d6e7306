/// In which direction a gap is filled.
package enum FillDirection: String, Hashable, Sendable {
    /// From its newer end.
    case backward = "b"
    /// From its older end.
    case forward = "f"
}
