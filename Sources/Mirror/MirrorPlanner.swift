internal import ArchiveFormat
internal import Dates
internal import Files
internal import Formats
internal import JSON
internal import Messages

/// Finds the format and the conversations of a source, and prepares its mirror.
struct MirrorPlanner {
    let path: String
    let files: MirrorFiles
    let zone: Zone
    /// The formats to try, stricter ones first.
    let formats: [any Format]
    /// The user's options for reading the source.
    let options: ReadingOptions

    /// The header of the mirror on the disk; nil if there is none, or if this version of Kedge would make a different mirror.
    var header: MirrorHeader? {
        guard let header = files.header, header.path == path,
            let format = formats.first(where: { $0.id == header.format }), header.key == key(of: format),
            options.format ?? header.format == header.format
        else { return nil }
        return header
    }

    /// The header, if the mirror was complete and still has its conversations and people. Reads no conversation files.
    var wholeHeader: MirrorHeader? {
        header.flatMap { $0.listing != nil && $0.labels == files.stampOfLabels ? $0 : nil }
    }

    /// The header, if neither the source nor the mirror has changed since. Reads the list of their files.
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
        try files.locked { () throws(StoreError) in try write(plan) }
        return plan
    }

    /// - Parameters:
    ///   - listing: a hash of the list of files before any was unpacked.
    ///   - problems: the errors from listing and unpacking the files.
    func plan(
        _ source: Source, listing: UInt64, _ problems: [ForeignProblem]
    ) throws(StoreError) -> MirrorPlan {
        var source = source
        source.options = options
        let format: any Format
        do throws(StoreError) {
            (format, source) = try Recognizer.recognise(source, at: path, among: formats)
        } catch {
            try Unpacked.checkName(source, at: path)
            throw Unpacked.error(error, at: path, source, problems)
        }
        var archive = try ConversationBuilder.reading { () throws(FileError) in try format.archive(in: source) }
        archive.conversations = ConversationNames.unique(archive.conversations)
        archive.problems = archive.problems.map { problem in
            ForeignProblem(file: source.original(problem.file), place: problem.place, kind: problem.kind)
        }
        archive.problems += problems
        var plan = MirrorPlan(
            source: source, format: format, archive: archive, key: key(of: format), names: ForeignNames(archive),
            listing: listing)
        for (place, conversation) in archive.conversations.enumerated() { plan.places[conversation.id] = place }
        return plan
    }

    /// A hash of everything except the source that affects the result.
    private func key(of format: any Format) -> String {
        // A zone is identified by its offsets over the years.
        var print = Fingerprint()
        for quarter in 0..<240 { print.add(zone.offset(Timestamp(milliseconds: Int64(quarter) * 7_889_400_000))) }
        return "\(format.id)-\(format.version)-\(String(print.value, radix: 16))\(options.text)"
    }

    /// Writes the mirror's files except for messages, and removes conversations that the source no longer contains.
    private func write(_ plan: MirrorPlan) throws(StoreError) {
        let (archive, known) = (plan.archive, files.header)
        if let known, known.path != path {
            Disk.remove(files.conversations)
            try files.make()
        }
        for conversation in archive.conversations { try ConversationFolder(files: files).make(conversation) }
        removeOthers(plan)
        var people = PeopleFile(of: files)
        // People who occur only in messages are found when all messages are converted again.
        if !people.isWhole { files.removeStates() }
        try people.add(archive.people, isNewest: true)
        if !people.isWhole { try people.write() }
        let label = ArchiveLabel(name: archive.name ?? plan.source.name, me: archive.me).json.text + "\n"
        try MirrorFiles.replace(files.label, by: label)
        var header = MirrorHeader(path: path, format: plan.format.id, key: plan.key)
        // Hashes what should have been written, since a file may be damaged already.
        header.content = MirrorFiles.content(Fingerprint.of(label), archive.conversations.map(\.id))
        for conversation in archive.conversations {
            for alias in conversation.aliases { header.aliases[alias] = conversation.id }
        }
        try MirrorFiles.replace(files.source, by: header.text)
    }

    private func removeOthers(_ plan: MirrorPlan) {
        for name in MirrorFiles.names(in: files.conversations) where plan.places[name] == nil {
            Disk.remove(files.folder(of: name))
            Disk.remove(files.state(of: name))
        }
    }
}

/// A source that has been read, with its format.
struct MirrorPlan: Sendable {
    var source: Source
    let format: any Format
    var archive: ForeignArchive
    let key: String
    let names: ForeignNames
    /// A hash of the list of the source's files.
    let listing: UInt64
    /// The indices of conversations by their IDs.
    var places: [String: Int] = [:]
}

/// Makes the IDs of conversations usable as names of folders.
enum ConversationNames {
    private static let longest = 120

    /// Gives conversations IDs that are unique, short, and without special characters for paths or terminals.
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
        // A combining mark after a dot makes one character with it, but the folder would still be hidden.
        while name.unicodeScalars.first == "." { name.unicodeScalars.removeFirst() }
        return name.isEmpty ? "conversation" : name
    }
}
