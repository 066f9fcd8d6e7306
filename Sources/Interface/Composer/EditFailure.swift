/// The reason why a program did not edit a text, in one line for people.
package struct EditFailure: Error, Hashable, Sendable {
    let reason: String

    package init(_ reason: String) { self.reason = reason }
}
