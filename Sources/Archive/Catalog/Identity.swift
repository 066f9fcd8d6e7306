package import Messages

/// The person who reads and writes in an archive.
package struct Identity: Hashable, Sendable {
    /// How the person is named.
    enum Source: Hashable, Sendable {
        /// The person whom archive.json names, if it names one.
        case ofArchive
        case person(PersonID)
        case nobody
    }

    let source: Source
    /// The words that stand for the person in texts, besides the ID and the name.
    package var highlight: [String] = []

    /// The person whom archive.json names, if it names one.
    package static let ofArchive = Identity(source: .ofArchive)
    package static let nobody = Identity(source: .nobody)

    package static func person(_ id: PersonID) -> Identity { Identity(source: .person(id)) }
}
