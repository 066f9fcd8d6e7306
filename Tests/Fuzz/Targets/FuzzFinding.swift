/// Something that Kedge did with an input and must not do.
package struct FuzzFinding: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// - Throws: a finding with this text, unless the condition holds.
func demand(_ condition: Bool, _ text: @autoclosure () -> String) throws(FuzzFinding) {
    if !condition { throw FuzzFinding(text()) }
}
