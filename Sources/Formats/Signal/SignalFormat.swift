package import Dates

/// Chats of Signal Desktop as two programs export them.
///
/// Facts, from the sources of the programs:
/// - sigtop writes a file for each conversation: an array of the rows of Signal's own database, a row a line, in the order in which
///   they were received. `sent_at` in milliseconds is by what Signal itself names a message: `quote.id` is that of another.
/// - A row names people by IDs and telephone numbers alone; the file is named by the conversation, with the number in brackets.
/// - signal-export writes a folder for each conversation with `data.json`: a message a line, with names, local times and no IDs.
package struct SignalFormat: Format {
    package let id = "signal"
    package let name = "Signal chats"
    package let version = 1

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        source.candidates(".json").contains { SignalFile($0, in: source) != nil } ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive(me: "me", people: [ForeignPerson(id: "me", name: "Me")], conversations: [])
        var ids = UniqueIDs()
        for file in source.candidates(".json") {
            guard let found = SignalFile(file, in: source) else { continue }
            let slug = Slug.of(found.title)
            let id = ids.take(slug.isEmpty ? "chat" : slug)
            if let person = found.onlyPerson { archive.people.append(ForeignPerson(id: person, name: found.title)) }
            archive.conversations.append(
                ForeignConversation(
                    id: id, title: found.title == id ? nil : found.title, aliases: found.alias.map { [$0] } ?? [],
                    feeds: [Feed(file: file.path, start: found.start, setting: found.kind.rawValue)]))
        }
        // signal-export names the owner "Me" instead of an ID.
        let isNamed = archive.conversations.allSatisfy { $0.feeds.first?.setting == SignalFile.Kind.lines.rawValue }
        if isNamed { (archive.me, archive.people) = ("Me", []) }
        return archive
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        feed.setting == SignalFile.Kind.lines.rawValue
            ? SignalLineConverter(feed, zone: zone)
            : SignalConverter(feed, names: names, title: conversation.title ?? conversation.id)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        guard feed.setting == SignalFile.Kind.rows.rawValue else { return nil }
        return Array(id.utf8.prefix { $0 != UInt8(ascii: ".") })
    }
}
