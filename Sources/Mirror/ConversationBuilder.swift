internal import ArchiveFormat
internal import Dates
internal import Files
internal import Formats
internal import JSON
internal import Messages

/// Makes the segments of one conversation. After every step, the mirror on disk is one that readers can use and that another
/// process can continue.
struct ConversationBuilder {
    var files: MirrorFiles
    let source: Source
    let format: any Format
    let zone: Zone
    /// Identifies the format, its version and the zone.
    let key: String
    let conversation: ForeignConversation
    /// The names of people and conversations in mentions.
    let names: ForeignNames

    var id: String { conversation.id }

    /// Everything that a step found besides messages.
    struct Findings {
        var people: [ForeignPerson] = []
        var problems: [ForeignProblem] = []
        /// The setting with which the conversation has to be converted again; nil if the present one is right.
        var betterSetting: String?

        /// Adds what a converter has found.
        mutating func take(_ writer: inout RecordWriter) {
            let (people, problems) = writer.takeFindings()
            self.people += people
            self.problems += problems
            betterSetting = writer.betterSetting ?? betterSetting
        }
    }

    /// The state on the disk; nil if it is missing or damaged.
    static func state(of id: String, in files: MirrorFiles) -> MirrorState? {
        MirrorFiles.text(files.state(of: id)).flatMap { MirrorState(text: $0, of: id) }
    }

    /// Records the state, and the current stamps of the files.
    func save(_ state: inout MirrorState) throws(StoreError) {
        state.stamp = files.stamp(of: id)
        state.description = MirrorFiles.sum(of: files.description(of: id))
        try MirrorFiles.replace(files.state(of: id), by: state.text(of: id))
    }

    /// The state on the disk, if the segments match it. Later bytes in the segments, from an interrupted addition or another
    /// program, are cut off.
    /// - Parameter reads: true to compare all bytes, even if nothing seems to have changed.
    func wholeState(reads: Bool) throws(StoreError) -> MirrorState? {
        guard var state = Self.state(of: id, in: files) else { return nil }
        if !reads, files.stamp(of: id) == state.stamp { return state }
        guard Self.faults(of: state, id, in: files).isEmpty else { return nil }
        let folder = ConversationFolder(files: files)
        folder.removeSegments(of: id, besides: Set(state.pieces.filter { $0.size != nil }.map(\.segment)))
        for piece in state.pieces {
            guard let size = piece.size else { continue }
            try MirrorFiles.append([], to: files.segment(piece.segment, of: id), of: size)
        }
        try save(&state)
        return state
    }

    /// The names of the segments whose bytes have changed since they were written. Reads all segments.
    static func faults(of state: MirrorState, _ id: String, in files: MirrorFiles) -> [String] {
        state.pieces.compactMap { piece in
            guard let size = piece.size else { return nil }
            let path = files.segment(piece.segment, of: id)
            return MirrorFiles.sum(of: path, size: size) == piece.sum ? nil : path
        }
    }

    // MARK: - Planning

    /// A new state, without any segments yet.
    func plan() throws(StoreError) -> MirrorState {
        let pieces: [MirrorState.Piece]
        if conversation.order == .sequence {
            pieces = try Self.reading { () throws(FileError) in try planner.pieces() }
        } else {
            let whole = MirrorState.Piece(segment: 1, first: 0, start: 0, last: 0, end: nil, size: nil)
            pieces = conversation.feeds.isEmpty ? [] : [whole]
        }
        return MirrorState(
            key: key, fingerprint: fingerprint(of: conversation.feeds.count), inputs: conversation.feeds.count,
            pieces: pieces, tail: nil)
    }

    var planner: PiecePlanner { PiecePlanner(source: source, format: format, feeds: conversation.feeds) }

    func fingerprint(of count: Int) -> UInt64 {
        var print = Fingerprint()
        for feed in conversation.feeds.prefix(max(0, count)) {
            guard let file = source.file(feed.file) else { continue }
            print.add(feed)
            print.add(file.size)
            if conversation.order == .sequence {
                // Programs rename and compress logs that are complete, but their contents stay.
                print.add(mark(file, before: file.size))
            } else {
                print.add(file.inode)
                print.add(file.modified)
            }
        }
        return print.value
    }

    /// True if the state was made from the source as it is now, or from the same source before it grew.
    func continues(_ state: MirrorState) -> Bool {
        guard state.key == key, state.inputs <= conversation.feeds.count else { return false }
        guard conversation.order == .sequence else {
            return state.inputs == conversation.feeds.count && state.fingerprint == fingerprint(of: state.inputs)
        }
        guard state.inputs > 0 else { return state.pieces.isEmpty }
        guard state.fingerprint == fingerprint(of: state.tail == nil ? state.inputs : state.inputs - 1) else {
            return false
        }
        let feed = conversation.feeds[state.inputs - 1]
        guard let tail = state.tail else { return state.inputs == conversation.feeds.count }
        guard let file = source.file(feed.file), feed.setting == tail.setting else { return false }
        if file.inode == tail.inode, file.size == tail.size, file.modified == tail.modified { return true }
        return tail.grows && file.size >= tail.position && mark(file, before: tail.position) == tail.mark
    }

    /// True if the source contains more than a complete state.
    func hasMore(than state: MirrorState) -> Bool {
        guard conversation.order == .sequence, let tail = state.tail, state.isComplete else { return false }
        if state.inputs < conversation.feeds.count { return true }
        guard let feed = conversation.feeds.last, let file = source.file(feed.file) else { return false }
        return tail.grows && (file.size != tail.size || file.modified != tail.modified)
    }

    /// Lets a reader convert all bytes up to `end`. A file that cannot be read is reported, but does not stop the others.
    /// - Parameter write: receives lines as they come, with their keys if the writer keeps keys.
    static func steps(
        _ reader: inout FeedReader, to end: Int64, isWhole: Bool, _ writer: inout RecordWriter,
        _ write: (_ lines: [UInt8], _ keys: [(key: Int64, start: Int)]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var goesOn = true
        while goesOn {
            do throws(FileError) {
                goesOn = try reader.step(to: end, isWhole: isWhole, into: &writer)
            } catch {
                writer.problem(ForeignProblem(error))
                return
            }
            let (lines, keys) = writer.take()
            try write(lines, keys)
        }
    }

    /// A hash of the bytes before a position, to distinguish a replaced file from one that has grown.
    func mark(_ file: SourceFile, before position: Int64) -> UInt64 {
        let start = max(0, position - 4_096)
        var print = Fingerprint()
        print.add((try? source.read(file, at: start, count: Int(position - start))) ?? [])
        return print.value
    }

    static func reading<Result>(_ body: () throws(FileError) -> Result) throws(StoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw .unavailable(error.description) }
    }
}

/// A conversation's folder in a mirror, apart from its segments.
struct ConversationFolder {
    let files: MirrorFiles

    /// Makes the folder with its conversation.json, or updates that file.
    /// - Returns: true if it had to write.
    @discardableResult func make(_ conversation: ForeignConversation) throws(StoreError) -> Bool {
        let folder = files.folder(of: conversation.id)
        try MirrorFiles.make(folder: folder)
        var file = ConversationFile(id: conversation.id, title: conversation.title, topic: conversation.topic)
        (file.members, file.aliases) = (conversation.members, conversation.aliases)
        let text = file.json.text + "\n"
        let path = files.description(of: conversation.id)
        if MirrorFiles.text(path) == text { return false }
        try MirrorFiles.replace(path, by: text)
        return true
    }

    /// Deletes all other segments, which an interrupted addition or another program left.
    func removeSegments(of id: String, besides numbers: Set<Int>) {
        let folder = files.folder(of: id)
        let kept = Set(numbers.map { files.segment($0, of: id) })
        for name in MirrorFiles.names(in: folder) where SegmentFile.isSegment(name) {
            if !kept.contains(folder + "/" + name) { Disk.remove(folder + "/" + name) }
        }
    }

    /// Deletes the segments of a conversation, the oldest first, so that readers see no gap.
    func clear(_ id: String) {
        let folder = files.folder(of: id)
        for name in MirrorFiles.names(in: folder).sorted()
        where SegmentFile.isSegment(name) || name.hasPrefix("making-") {
            Disk.remove(folder + "/" + name)
        }
    }
}

/// Converts the end of a feed only to get the converter's state. It is needed because pieces are made newest first, and the first
/// lines of a feed may be in the same second as the last lines of the feed before, and equal to them.
struct FeedEnd {
    let builder: ConversationBuilder
    /// The number of bytes to read after a cut: more than one second's lines. If feeds are smaller, several are read.
    private static let bytes: Int64 = 64 << 10

    private var feeds: [Feed] { builder.conversation.feeds }

    /// - Returns: the converter's state after the feed before this one; nil if there is none, or if the format does not
    ///   need it.
    func state(before index: Int) throws(StoreError) -> String? {
        guard builder.format.countsAcrossFeeds, index > 0 else { return nil }
        var first = index - 1
        var held = builder.source.size(of: feeds[first])
        while held < FeedEnd.bytes, first > 0 {
            first -= 1
            held += builder.source.size(of: feeds[first])
        }
        var state: String?
        for feed in first..<index {
            state = try self.state(after: feed, following: state) ?? state
        }
        return state
    }

    private func state(after index: Int, following state: String?) throws(StoreError) -> String? {
        let feed = feeds[index]
        guard let file = builder.source.file(feed.file) else { return nil }
        let end = feed.end ?? file.size
        let cut = try ConversationBuilder.reading { () throws(FileError) in try self.cut(feed, file, before: end) }
        let converter = builder.format.converter(
            for: feed, of: builder.conversation, names: builder.names, state: nil, zone: builder.zone)
        if let state, cut == nil { converter.follow(state) }
        var reader = FeedReader(builder.source, file, from: cut ?? feed.start, by: converter)
        var writer = RecordWriter()
        try ConversationBuilder.steps(&reader, to: end, isWhole: true, &writer) { _, _ in }
        return converter.state
    }

    /// A place near the end of a feed at which a converter can begin; nil if there is none after the feed's beginning.
    private func cut(_ feed: Feed, _ file: SourceFile, before end: Int64) throws(FileError) -> Int64? {
        for distance in [FeedEnd.bytes, FeedEnd.bytes << 4, FeedEnd.bytes << 8] where end - distance > feed.start {
            if let place = try builder.planner.cut(feed, file, before: end, near: end - distance, after: feed.start) {
                return place
            }
        }
        return nil
    }
}

/// Finds the piece of a large conversation that contains a message, by the bytes of the message's ID.
struct Finder {
    let builder: ConversationBuilder

    /// Nil if the format writes no IDs, or if no record with the ID was found.
    func piece(of id: String, in state: MirrorState) throws(StoreError) -> Int? {
        guard builder.conversation.order == .sequence, state.pieces.count > 1 else { return nil }
        for (index, feed) in builder.conversation.feeds.enumerated().reversed() {
            guard let file = builder.source.file(feed.file), let needle = builder.format.needle(of: id, in: feed),
                let place = try ConversationBuilder.reading({ () throws(FileError) in
                    try builder.source.offsets(of: needle, in: file, from: feed.start, to: feed.end, limit: 1)
                }).first
            else { continue }
            return state.pieces.lastIndex { ($0.first, $0.start) <= (index, place) }
        }
        return nil
    }
}
