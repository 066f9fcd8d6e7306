package import Files
package import JSON
/// An export as its format describes it, before any record is converted.
package struct ForeignArchive: Sendable {
    /// The name of the workspace, server or network; nil if the files do not contain it.
    package var name: String?
    /// The ID of the person whose export it is; nil if unknown.
    package var me: String?
    /// The people that the files list apart from the records. Converters report others with `RecordWriter.person`.
    package var people: [ForeignPerson] = []
    package var conversations: [ForeignConversation] = []
    /// Files that were not understood.
    package var problems: [ForeignProblem] = []
}

/// A conversation of an export, and the places of its records.
package struct ForeignConversation: Hashable, Sendable {
    /// The ID: unique in the archive, without "/", the same in the next export, and easy to type: `general`.
    package let id: String
    /// The name to show; nil if it is the ID.
    package var title: String?
    package var topic: String?
    /// IDs of people.
    package var members: [String]
    /// Other IDs by which links name this conversation, such as `C024BE91L`.
    package var aliases: [String]
    /// The records, in the order of the conversation if that is a `sequence`.
    package var feeds: [Feed]
    package var order: Order

    package enum Order: Hashable, Sendable {
        /// Feed after feed, each in the order of its file. Feeds are converted piece by piece, the last piece first where the
        /// format can `cut` them. The last feed may grow.
        case sequence
        /// Sorted by the keys of the records of all feeds. Of records with the same key, the one from the feed with the highest
        /// rank is kept; within one feed, the last one. For files that overlap, are descending, or contain replies to each other.
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

/// Collects the conversations of an archive, and gives each an ID that is easy to type and the same in the next export.
struct ConversationList {
    private var entries: [(slug: String, place: String, conversation: (String) -> ForeignConversation)] = []

    /// - Parameters:
    ///   - slug: the ID, if no other conversation has it; nil to make it from the title.
    ///   - place: distinguishes conversations with the same ID: their folder, or the service's own ID; empty to number them.
    mutating func add(
        title: String, slug: String? = nil, place: String = "", aliases: [String] = [], members: [String] = [],
        topic: String? = nil, feeds: [Feed], order: ForeignConversation.Order = .sequence
    ) {
        entries.append(
            (
                slug ?? Slug.of(title), place,
                { id in
                    ForeignConversation(
                        id: id, title: title == id || title.isEmpty ? nil : title, topic: topic, members: members,
                        aliases: aliases.filter { !$0.isEmpty && $0 != id }, feeds: feeds, order: order)
                }
            ))
    }

    /// The conversations in the order in which they were added.
    var conversations: [ForeignConversation] {
        let slugs = entries.map { $0.slug.isEmpty ? "chat" : $0.slug }
        let uses = Dictionary(slugs.map { ($0, 1) }, uniquingKeysWith: +)
        var ids = UniqueIDs()
        return zip(entries, slugs).map { entry, slug in
            let place = uses[slug] == 1 ? "" : Slug.of(entry.place)
            return entry.conversation(ids.take(place.isEmpty ? slug : slug + "-" + place))
        }
    }
}

extension Sequence {
    /// Groups the elements by key, in the order in which the keys first occur.
    func groups<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        var (groups, places) = ([[Element]](), [Key: Int]())
        for element in self {
            let place = places[key(element), default: groups.count]
            if place == groups.count {
                places[key(element)] = place
                groups.append([])
            }
            groups[place].append(element)
        }
        return groups
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
    /// The kind of error, in a few words: `record is not valid JSON`. Errors of one kind are counted together.
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

    /// A file that cannot be read.
    package init(_ error: FileError) {
        let isTooLarge = if case .tooLarge = error.cause { true } else { false }
        self.init(file: error.path, kind: isTooLarge ? "too large to be read at once" : error.reason)
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
