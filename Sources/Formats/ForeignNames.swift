/// The names that an export lists apart from its records, for mentions in texts.
package struct ForeignNames: Sendable {
    private var people: [UInt64: [UInt8]] = [:]
    private var conversations: [UInt64: [UInt8]] = [:]

    /// No names: mentions show IDs.
    package init() {}

    package init(_ archive: ForeignArchive) {
        self.init(people: archive.people)
        for conversation in archive.conversations {
            for alias in conversation.aliases {
                conversations[ForeignNames.hash(alias)] = Array(conversation.id.utf8)
            }
        }
    }

    package init(people: [ForeignPerson]) {
        for person in people { self.people[ForeignNames.hash(person.id)] = Array(person.name.utf8) }
    }

    /// The name of the person with this ID.
    package func person(_ id: Bytes) -> [UInt8]? { people[Fingerprint.of(id)] }

    /// The ID of the conversation with this alias: `general` for `C024BE91L`.
    package func conversation(_ alias: Bytes) -> [UInt8]? { conversations[Fingerprint.of(alias)] }

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { Fingerprint.of(UnsafeRawBufferPointer($0)) }
    }
}
