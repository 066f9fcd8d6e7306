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
                conversations[ForeignNames.hash(alias.utf8)] = Array(conversation.id.utf8)
            }
        }
    }

    package init(people: [ForeignPerson]) {
        for person in people { self.people[ForeignNames.hash(person.id.utf8)] = Array(person.name.utf8) }
    }

    /// The name of the person with this ID.
    package func person(_ id: Bytes) -> [UInt8]? { people[ForeignNames.hash(id)] }

    /// The ID of the conversation with this alias: `general` for `C024BE91L`.
    package func conversation(_ alias: Bytes) -> [UInt8]? { conversations[ForeignNames.hash(alias)] }

    /// FNV-1a, 64 bits (Fowler, Noll, Vo).
    private static func hash(_ id: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
