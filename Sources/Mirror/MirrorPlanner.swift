internal import Dates
internal import Formats
import Glibc
internal import Messages

/// Reads what a source is and which conversations it holds, and prepares its mirror.
struct MirrorPlanner {
    let path: String
    let files: MirrorFiles
    let zone: Zone
    /// The formats to try, the stricter ones first.
    let formats: [any Format]
    /// How the user says that the source is to be read.
    let options: ReadingOptions

    /// The header of the mirror on the disk; nil if there is no mirror, or one that this Kedge would make in another way.
    var header: MirrorHeader? {
        guard let header = MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)), header.path == path,
            let format = formats.first(where: { $0.id == header.format }), header.key == key(of: format),
            options.format ?? header.format == header.format
        else { return nil }
        return header
    }

    /// The same, if the mirror was whole once and still has its conversations and people. Reads no file of a conversation.
    var wholeHeader: MirrorHeader? {
        header.flatMap { $0.listing != nil && $0.labels == files.stampOfLabels ? $0 : nil }
    }

    /// The same, if the source is as it was then, and the mirror too. Reads the list of their files.
    var currentHeader: MirrorHeader? {
        get throws(StoreError) {
            guard let header, header.listing != nil, header.stamp == files.stampOfAll,
                try DiskSource.source(at: path).listing == header.listing
            else { return nil }
            return header
        }
    }

    /// Reads a source and prepares the mirror for it.
    /// - Throws: `unreadable` if no format recognises the source.
    func prepare() throws(StoreError) -> MirrorPlan {
        var problems: [ForeignProblem] = []
        let source = try DiskSource.source(at: path, &problems) { Recognizer.knows($0, among: formats) }
        let unpacked = try Unpacked.source(source, at: path, files: files, &problems)
        let plan = try plan(unpacked, listing: source.listing, problems)
        try files.make()
        try MirrorLock.hold(files) { () throws(StoreError) in try write(plan) }
        return plan
    }

    /// - Parameters:
    ///   - listing: stands for the list of files before any was unpacked.
    ///   - problems: those of listing and unpacking them.
    func plan(
        _ source: Source, listing: UInt64, _ problems: [ForeignProblem]
    ) throws(StoreError) -> MirrorPlan {
        var source = source
        source.options = options
        let format: any Format
        do throws(StoreError) {
            format = try Recognizer.format(of: source, at: path, among: formats)
        } catch {
            try Unpacked.checkName(source, at: path)
            throw Unpacked.error(error, at: path, problems)
        }
        var archive = try ConversationBuilder.reading { () throws(SourceError) in try format.archive(in: source) }
        archive.conversations = ConversationNames.unique(archive.conversations)
        archive.problems += problems
        var plan = MirrorPlan(
            source: source, format: format, archive: archive, key: key(of: format), names: ForeignNames(archive),
            listing: listing)
        for (place, conversation) in archive.conversations.enumerated() { plan.places[conversation.id] = place }
        return plan
    }

    /// Stands for everything besides the source that decides what its records become.
    private func key(of format: any Format) -> String {
        // A zone is known by its offsets over the years.
        var print = Fingerprint()
        for quarter in 0..<240 { print.add(zone.offset(Timestamp(milliseconds: Int64(quarter) * 7_889_400_000))) }
        return "\(format.id)-\(format.version)-\(String(print.value, radix: 16))\(options.text)"
    }

    /// Writes the mirror's files apart from messages, and removes conversations that the source no longer holds.
    private func write(_ plan: MirrorPlan) throws(StoreError) {
        let (archive, known) = (plan.archive, MirrorFiles.text(files.source).flatMap(MirrorHeader.init(text:)))
        if let known, known.path != path {
            MirrorFiles.remove(files.conversations)
            try files.make()
        }
        for conversation in archive.conversations { try ConversationFolder(files: files).make(conversation) }
        removeOthers(plan)
        var people = PeopleFile(of: files)
        // Those whom only messages name are found when these are read again.
        if !people.isWhole { files.removeStates() }
        try people.add(archive.people, isNewest: true)
        if !people.isWhole { try people.write() }
        var fields = [
            "\"format\":\"kedge\"", "\"version\":1", "\"name\":\(JSONString.text(archive.name ?? plan.source.name))",
        ]
        if let me = archive.me { fields.append("\"me\":\(JSONString.text(me))") }
        let label = "{\(fields.joined(separator: ","))}\n"
        try MirrorFiles.replace(files.label, by: label)
        var header = MirrorHeader(path: path, format: plan.format.id, key: plan.key)
        // By what was to be written: a file may be damaged by now.
        header.content = MirrorFiles.content(Fingerprint.of(label), archive.conversations.map(\.id))
        for conversation in archive.conversations {
            for alias in conversation.aliases { header.aliases[alias] = conversation.id }
        }
        try MirrorFiles.replace(files.source, by: header.text)
    }

    private func removeOthers(_ plan: MirrorPlan) {
        for name in MirrorFiles.names(in: files.conversations) where plan.places[name] == nil {
            MirrorFiles.remove(files.folder(of: name))
            unlink(files.state(of: name))
        }
    }
}

/// The source as it was read, with the format that reads it.
struct MirrorPlan: Sendable {
    var source: Source
    let format: any Format
    var archive: ForeignArchive
    let key: String
    let names: ForeignNames
    /// Stands for the list of files.
    let listing: UInt64
    /// The indices of conversations by their IDs.
    var places: [String: Int] = [:]
}

/// Makes the IDs of conversations usable as names of folders.
enum ConversationNames {
    private static let longest = 120

    /// Conversations with IDs that are unique, short, and without anything that a path or a terminal would act on.
    static func unique(_ conversations: [ForeignConversation]) -> [ForeignConversation] {
        var ids = UniqueIDs()
        return conversations.map { conversation in
            let id = ids.take(clean(conversation.id))
            guard id != conversation.id else { return conversation }
            return ForeignConversation(
                id: id, title: conversation.title ?? conversation.id, topic: conversation.topic,
                members: conversation.members, aliases: conversation.aliases + [conversation.id],
                feeds: conversation.feeds, order: conversation.order)
        }
    }

    private static func clean(_ id: String) -> String {
        var name = ""
        for scalar in id.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            name.unicodeScalars.append(scalar == "/" || isControl ? "_" : scalar)
            if name.utf8.count >= longest { break }
        }
        // A combining mark after a dot makes another character of it, and the folder is hidden all the same.
        while name.unicodeScalars.first == "." { name.unicodeScalars.removeFirst() }
        return name.isEmpty ? "conversation" : name
    }
}
