internal import Dates
internal import Formats
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
