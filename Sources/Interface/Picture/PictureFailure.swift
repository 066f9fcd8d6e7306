/// The reason why a picture is not shown, in one line for people.
package struct PictureFailure: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
