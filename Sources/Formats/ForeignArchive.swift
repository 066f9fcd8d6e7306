/// An export as its format describes it, before any record is converted.
package struct ForeignArchive: Sendable {
    /// The name of the workspace, server or network; nil if the files do not tell it.
    package var name: String?
    /// The ID of the person whose export it is; nil if unknown.
    package var me: String?
    /// The people that the files list apart from the records. Converters report others with `RecordWriter.person`.
    package var people: [ForeignPerson]
    package var conversations: [ForeignConversation]
    /// Files that were not understood.
    package var problems: [ForeignProblem]

    package init(
        name: String? = nil, me: String? = nil, people: [ForeignPerson] = [], conversations: [ForeignConversation] = [],
        problems: [ForeignProblem] = []
    ) {
        self.name = name
        self.me = me
        self.people = people
        self.conversations = conversations
        self.problems = problems
    }
}

/// A conversation of an export, and where its records are.
package struct ForeignConversation: Hashable, Sendable {
    /// Unique in the archive, without "/", stable from one export to the next, and good to type: `general`.
    package let id: String
    /// The name for people; nil if it is the ID.
    package var title: String?
    package var topic: String?
    /// IDs of people.
    package var members: [String]
    /// Other IDs by which links name this conversation, such as `C024BE91L`.
    package var aliases: [String]
    /// In the order of the conversation (`sequence`).
    package var feeds: [Feed]
    package var order: Order

    package enum Order: Hashable, Sendable {
        /// The records of one feed after those of another, as they stand. Feeds are converted piece by piece, the last piece
        /// first, where the format can `cut` them, and the last feed may grow.
        case sequence
        /// By the keys of the records, from all feeds together; of records with one key that of the feed with the highest rank
        /// counts, and of one feed the last. For files that overlap, descend, or hold replies of each other.
        case byKey
    }

    package init(
        id: String, title: String? = nil, topic: String? = nil, members: [String] = [], aliases: [String] = [],
        feeds: [Feed] = [], order: Order = .sequence
    ) {
        self.id = id
        self.title = title
        self.topic = topic
        self.members = members
        self.aliases = aliases
        self.feeds = feeds
        self.order = order
    }
}

/// Collects the conversations of an archive, and gives each an ID that is good to type and stays the same from one export to the next.
struct ConversationList {
    private var entries: [(title: String, place: String, conversation: (String) -> ForeignConversation)] = []

    /// - Parameters:
    ///   - place: what tells conversations of one title apart: their folder, or the service's own ID.
    ///   - make: makes the conversation with the ID that it gets.
    mutating func add(
        title: String, place: String, aliases: [String] = [], members: [String] = [], topic: String? = nil,
        feeds: [Feed], order: ForeignConversation.Order = .sequence
    ) {
        entries.append(
            (
                title, place,
                { id in
                    ForeignConversation(
                        id: id, title: title == id || title.isEmpty ? nil : title, topic: topic, members: members,
                        aliases: aliases.filter { !$0.isEmpty && $0 != id }, feeds: feeds, order: order)
                }
            ))
    }

    /// The conversations in the order in which they were added.
    var conversations: [ForeignConversation] {
        let slugs = entries.map { Slug.of($0.title) }.map { $0.isEmpty ? "chat" : $0 }
        let uses = Dictionary(slugs.map { ($0, 1) }, uniquingKeysWith: +)
        var ids = UniqueIDs()
        return zip(entries, slugs).map { entry, slug in
            let place = uses[slug] == 1 ? "" : Slug.of(entry.place)
            return entry.conversation(ids.take(place.isEmpty ? slug : slug + "-" + place))
        }
    }
}

/// A person of an export.
package struct ForeignPerson: Hashable, Sendable {
    package let id: String
    /// The name to show.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

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

/// A place in an export that a format did not understand. The rest of the export is shown.
package struct ForeignProblem: Hashable, Sendable {
    /// The path in the source.
    package let file: String
    /// The number of its line, or its first byte; nil for the whole file.
    package let place: Place?
    /// The kind of the problem, in a few words: `record is not valid JSON`. Problems of one kind are counted together.
    package let kind: String

    package enum Place: Hashable, Sendable {
        case line(Int)
        case byte(Int64)
    }

    package init(file: String, place: Place? = nil, kind: String) {
        self.file = file
        self.place = place
        self.kind = kind
    }
}

extension ForeignProblem: CustomStringConvertible {
    /// `2020-01-02.json, byte 120: record is not valid JSON`
    package var description: String {
        switch place {
        case .line(let line): "\(file):\(line): \(kind)"
        case .byte(let byte): "\(file), byte \(byte): \(kind)"
        case nil: "\(file): \(kind)"
        }
    }
}
