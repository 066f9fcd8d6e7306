internal import Dates
internal import Formats
import Glibc
internal import Messages

/// Makes the segments of one conversation. Every step leaves a mirror on the disk that readers can use and that another
/// process can go on with.
struct ConversationBuilder {
    let files: MirrorFiles
    let source: Source
    let format: any Format
    let zone: Zone
    /// Stands for the format, its version and the zone.
    let key: String
    let conversation: ForeignConversation
    /// For mentions.
    let names: ForeignNames

    var id: String { conversation.id }

    /// Everything besides messages that a step found.
    struct Findings {
        var people: [ForeignPerson] = []
        var problems: [ForeignProblem] = []
        /// The setting with which the conversation has to be made again; nil if it is right.
        var betterSetting: String?
    }

    /// The state on the disk; nil if there is none that is whole.
    static func state(of id: String, in files: MirrorFiles) -> MirrorState? {
        MirrorFiles.text(files.state(of: id)).flatMap { MirrorState(text: $0, of: id) }
    }

    /// Notes the state, and how the files are now.
    func save(_ state: inout MirrorState) throws(StoreError) {
        state.stamp = files.stamp(of: id)
        state.description = MirrorFiles.sum(of: files.description(of: id))
        try MirrorFiles.replace(files.state(of: id), by: state.text(of: id))
    }

    /// The state on the disk, if the segments are what it says that was written. Bytes that an addition which was cut off, or a
    /// stranger, has left behind them are cut off.
    /// - Parameter reads: whether to compare the bytes even where nothing seems to have changed.
    func wholeState(reads: Bool) throws(StoreError) -> MirrorState? {
        guard var state = Self.state(of: id, in: files) else { return nil }
        if !reads, files.stamp(of: id) == state.stamp { return state }
        guard Self.faults(of: state, id, in: files).isEmpty else { return nil }
        let folder = ConversationFolder(files: files)
        folder.removeSegments(of: id, besides: Set(state.pieces.filter { $0.size != nil }.map(\.segment)))
        for piece in state.pieces {
            guard let size = piece.size else { continue }
            _ = try UnnamedFile.append([], to: files.segment(piece.segment, of: id), of: size)
        }
        try save(&state)
        return state
    }

    /// The names of the segments whose bytes are not those that were written. Reads all of them.
    static func faults(of state: MirrorState, _ id: String, in files: MirrorFiles) -> [String] {
        state.pieces.compactMap { piece in
            guard let size = piece.size else { return nil }
            let path = files.segment(piece.segment, of: id)
            return MirrorFiles.sum(of: path, size: size) == piece.sum ? nil : path
        }
    }

    // MARK: - Planning

    /// A state in which nothing is made.
    func plan() throws(StoreError) -> MirrorState {
        guard conversation.order == .sequence else {
            let whole = MirrorState.Piece(segment: 1, first: 0, start: 0, last: 0, end: nil, size: nil)
            return MirrorState(
                key: key, fingerprint: fingerprint(of: conversation.feeds.count), inputs: conversation.feeds.count,
                pieces: conversation.feeds.isEmpty ? [] : [whole], tail: nil)
        }
        let pieces = try Self.reading { () throws(SourceError) in
            try planner.pieces(from: 0, at: conversation.feeds.first?.start ?? 0, segment: 1)
        }
        return MirrorState(
            key: key, fingerprint: fingerprint(of: conversation.feeds.count), inputs: conversation.feeds.count,
            pieces: pieces, tail: nil)
    }

    private var planner: PiecePlanner { PiecePlanner(source: source, format: format, feeds: conversation.feeds) }

    func fingerprint(of count: Int) -> UInt64 {
        var print = Fingerprint()
        for feed in conversation.feeds.prefix(max(0, count)) {
            guard let file = source.file(feed.file) else { continue }
            print.add(feed)
            print.add(file.size)
            if conversation.order == .sequence {
                // Programs rename logs that they have ended, and compress them: their contents stay.
                print.add(mark(file, before: file.size))
            } else {
                print.add(file.inode)
                print.add(file.modified)
            }
        }
        return print.value
    }

    /// Whether a state describes the source as it is, or as it was before it grew.
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

    /// Whether the source holds more than a complete state.
    func hasMore(than state: MirrorState) -> Bool {
        guard conversation.order == .sequence, let tail = state.tail, state.isComplete else { return false }
        if state.inputs < conversation.feeds.count { return true }
        guard let feed = conversation.feeds.last, let file = source.file(feed.file) else { return false }
        return tail.grows && (file.size != tail.size || file.modified != tail.modified)
    }

    /// Lets a reader convert all bytes up to `end`. A file that cannot be read hides no other: it becomes a problem.
    static func steps(
        _ reader: inout FeedReader, to end: Int64, isWhole: Bool, _ writer: inout RecordWriter,
        _ write: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var goesOn = true
        while goesOn {
            do throws(SourceError) {
                goesOn = try reader.step(to: end, isWhole: isWhole, into: &writer)
            } catch {
                writer.problem(error.problem)
                return
            }
            try write(writer.take().lines)
        }
    }

    /// Stands for the bytes before a position, by which a file that was replaced is told from one that has grown.
    func mark(_ file: SourceFile, before position: Int64) -> UInt64 {
        let start = max(0, position - 4_096)
        var print = Fingerprint()
        print.add((try? source.read(file, at: start, count: Int(position - start))) ?? [])
        return print.value
    }

    static func reading<Result>(_ body: () throws(SourceError) -> Result) throws(StoreError) -> Result {
        do throws(SourceError) { return try body() } catch { throw .unavailable(error.description) }
    }
}

/// The folder of a conversation in a mirror, without its segments.
struct ConversationFolder {
    let files: MirrorFiles

    /// Makes the folder with its conversation.json, or brings that up to date.
    /// - Returns: whether it had to write.
    @discardableResult func make(_ conversation: ForeignConversation) throws(StoreError) -> Bool {
        let folder = files.folder(of: conversation.id)
        if MirrorFiles.size(folder) != nil { unlink(folder) }
        try MirrorFiles.make(folder: folder)
        var fields = ["\"id\":\(JSONString.text(conversation.id))"]
        if let title = conversation.title { fields.append("\"title\":\(JSONString.text(title))") }
        if let topic = conversation.topic { fields.append("\"topic\":\(JSONString.text(topic))") }
        if !conversation.members.isEmpty {
            fields.append("\"members\":[\(conversation.members.map(JSONString.text).joined(separator: ","))]")
        }
        if !conversation.aliases.isEmpty {
            fields.append("\"aliases\":[\(conversation.aliases.map(JSONString.text).joined(separator: ","))]")
        }
        let text = "{\(fields.joined(separator: ","))}\n"
        let path = files.description(of: conversation.id)
        if MirrorFiles.text(path) == text { return false }
        try MirrorFiles.replace(path, by: text)
        return true
    }

    /// Deletes the segments that are none of these: an addition has begun them and not finished, or a stranger has put them there.
    func removeSegments(of id: String, besides numbers: Set<Int>) {
        let folder = files.folder(of: id)
        let kept = Set(numbers.map { files.segment($0, of: id) })
        for name in MirrorFiles.names(in: folder) where name.hasPrefix("messages-") {
            if !kept.contains(folder + "/" + name) { MirrorFiles.remove(folder + "/" + name) }
        }
    }

    /// Deletes the segments of a conversation, the oldest first, so that readers see no gap.
    func clear(_ id: String) {
        let folder = files.folder(of: id)
        for name in MirrorFiles.names(in: folder).sorted()
        where name.hasPrefix("messages-") || name.hasPrefix("making-") {
            MirrorFiles.remove(folder + "/" + name)
        }
    }
}

/// Converts the end of a feed again, for its state: pieces are made newest first, and the first lines of a feed may repeat the last
/// ones of the feed before within the same second.
struct FeedEnd {
    let builder: ConversationBuilder
    /// How much is read, if a cut is there: more than a second holds. Of smaller feeds, several.
    private static let bytes: Int64 = 64 << 10

    private var feeds: [Feed] { builder.conversation.feeds }

    /// - Returns: the state of the converter that has converted the feed before this one; nil if there is none, or if the format
    ///   does not need it.
    func state(before index: Int) throws(StoreError) -> String? {
        guard builder.format.countsAcrossFeeds, index > 0 else { return nil }
        var first = index - 1
        var held = size(first)
        while held < FeedEnd.bytes, first > 0 {
            first -= 1
            held += size(first)
        }
        var state: String?
        for feed in first..<index {
            state = try self.state(after: feed, following: state) ?? state
        }
        return state
    }

    private func size(_ index: Int) -> Int64 {
        guard let file = builder.source.file(feeds[index].file) else { return 0 }
        return max(0, (feeds[index].end ?? file.size) - feeds[index].start)
    }

    private func state(after index: Int, following state: String?) throws(StoreError) -> String? {
        let feed = feeds[index]
        guard let file = builder.source.file(feed.file) else { return nil }
        let end = feed.end ?? file.size
        let cut = try ConversationBuilder.reading { () throws(SourceError) in try self.cut(feed, file, before: end) }
        let converter = builder.format.converter(
            for: feed, of: builder.conversation, names: builder.names, state: nil, zone: builder.zone)
        if let state, cut == nil { converter.follow(state) }
        var reader = FeedReader(builder.source, file, from: cut ?? feed.start, by: converter)
        var writer = RecordWriter()
        try ConversationBuilder.steps(&reader, to: end, isWhole: true, &writer) { _ in }
        return converter.state
    }

    /// A place near the end of a feed at which a converter can begin; nil if it has to begin where the feed does.
    private func cut(_ feed: Feed, _ file: SourceFile, before end: Int64) throws(SourceError) -> Int64? {
        let planner = PiecePlanner(source: builder.source, format: builder.format, feeds: feeds)
        for distance in [FeedEnd.bytes, FeedEnd.bytes << 4, FeedEnd.bytes << 8] where end - distance > feed.start {
            if let place = try planner.cut(feed, file, before: end, near: end - distance, after: feed.start) {
                return place
            }
        }
        return nil
    }
}

/// Finds the piece of a large conversation in which a message stands, by the bytes of its ID.
struct Finder {
    let builder: ConversationBuilder

    /// Nil if the format writes no IDs, and if none was found.
    func piece(of id: String, in state: MirrorState) throws(StoreError) -> Int? {
        guard builder.conversation.order == .sequence, state.pieces.count > 1 else { return nil }
        for (index, feed) in builder.conversation.feeds.enumerated().reversed() {
            guard let file = builder.source.file(feed.file), let needle = builder.format.needle(of: id, in: feed),
                let place = try ConversationBuilder.reading({ () throws(SourceError) in
                    try builder.source.offsets(of: needle, in: file, from: feed.start, to: feed.end, limit: 1)
                }).first
            else { continue }
            return state.pieces.lastIndex { ($0.first, $0.start) <= (index, place) }
        }
        return nil
    }
}
