internal import CMirror
internal import Files
internal import Formats
internal import Messages

/// Makes and extends segments.
extension ConversationBuilder {
    /// Makes the segment of a piece and records it in the state.
    func make(_ index: Int, of state: inout MirrorState, _ findings: inout Findings) throws(StoreError) {
        guard conversation.order == .sequence else {
            try KeyedBuilder(builder: self).make(&state, &findings)
            return
        }
        let piece = state.pieces[index]
        var writer = RecordWriter()
        let name = files.segment(piece.segment, of: id)
        var file = try RecordFile(files.folder(of: id) + "/making-\(piece.segment)")
        let isLast = index == state.pieces.count - 1
        let tail = try convert(piece, isLast: isLast, into: &writer) { (lines) throws(StoreError) in
            try file.append(lines)
        }
        (state.pieces[index].size, state.pieces[index].sum) = (file.size, file.sum)
        if isLast {
            state.tail = tail
            state.fingerprint = fingerprint(of: state.inputs - 1)
        }
        findings.take(&writer)
        try file.finish(as: name)
        try save(&state)
    }

    /// Adds the new part of the source to a complete state. The state is saved at the end. After an interruption, the next
    /// addition cuts off what was written.
    func extend(_ state: inout MirrorState, _ findings: inout Findings) throws(StoreError) {
        guard let tail = state.tail, let last = state.pieces.last, let size = last.size else { return }
        ConversationFolder(files: files).removeSegments(of: id, besides: Set(state.pieces.map(\.segment)))
        var writer = RecordWriter()
        let piece = MirrorState.Piece(
            segment: last.segment, first: state.inputs - 1, start: tail.position, last: conversation.feeds.count - 1,
            end: nil, size: nil)
        var lines: [UInt8] = []
        var (grown, segment) = (size, last.segment)
        let new = try convert(piece, isLast: true, state: tail.converter, into: &writer) { (part) throws(StoreError) in
            lines += part
            if lines.count > 4 << 20 { try flush(&lines, &grown, &segment, &state) }
        }
        try flush(&lines, &grown, &segment, &state)
        state.tail = new
        state.inputs = conversation.feeds.count
        state.fingerprint = fingerprint(of: state.inputs - 1)
        findings.take(&writer)
        try save(&state)
    }

    /// Appends lines to the last segment, or begins a new one if that is large.
    private func flush(
        _ lines: inout [UInt8], _ size: inout Int64, _ segment: inout Int, _ state: inout MirrorState
    ) throws(StoreError) {
        guard !lines.isEmpty else { return }
        if size > PiecePlanner.sizes[2] {
            segment += 1
            size = 0
            let last = state.pieces[state.pieces.count - 1]
            state.pieces.append(
                MirrorState.Piece(
                    segment: segment, first: last.last, start: last.end ?? 0, last: last.last, end: nil, size: 0))
            try MirrorFiles.replace(files.segment(segment, of: id), by: "")
        }
        size = try MirrorFiles.append(lines, to: files.segment(segment, of: id), of: size)
        var print = Fingerprint(after: state.pieces[state.pieces.count - 1].sum)
        print.add(lines)
        (state.pieces[state.pieces.count - 1].size, state.pieces[state.pieces.count - 1].sum) = (size, print.value)
        lines = []
    }

    /// Converts a piece and emits its lines as they come.
    /// - Parameter state: the state for the converter of the first feed; nil if the piece begins with that feed, or at a cut in
    ///   it.
    /// - Returns: the end of the last feed.
    private func convert(
        _ piece: MirrorState.Piece, isLast: Bool, state: String? = nil, into writer: inout RecordWriter,
        _ write: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) -> MirrorState.Tail? {
        var tail: MirrorState.Tail?
        let isBeginning = state == nil && piece.start == conversation.feeds[piece.first].start
        var before = isBeginning ? try FeedEnd(builder: self).state(before: piece.first) : nil
        for index in piece.first...max(piece.first, piece.last) {
            let feed = conversation.feeds[index]
            guard let file = source.file(feed.file) else { continue }
            let converter = format.converter(
                for: feed, of: conversation, names: names, state: index == piece.first ? state : nil, zone: zone)
            if let before { converter.follow(before) }
            let isFinal = isLast && index == piece.last
            var reader = FeedReader(
                source, file, from: index == piece.first ? piece.start : feed.start, by: converter)
            let end = (index == piece.last ? piece.end : nil) ?? feed.end ?? file.size
            try Self.steps(&reader, to: end, isWhole: !(isFinal && feed.grows), &writer) {
                (lines, _) throws(StoreError) in try write(lines)
            }
            if format.countsAcrossFeeds { before = converter.state }
            if isFinal {
                tail = MirrorState.Tail(
                    file: feed.file, inode: file.inode, position: reader.position,
                    mark: mark(file, before: reader.position), converter: converter.state, modified: file.modified,
                    size: file.size, grows: feed.grows, setting: feed.setting)
            }
        }
        return tail
    }
}

/// The next step for a conversation, which depends on the files on the disk.
struct ConversationStep {
    let builder: ConversationBuilder
    /// The message whose piece is made first.
    let message: String?
    /// True if a screen may be showing the conversation: its files are then replaced only by complete ones.
    let isShown: Bool
    /// True to compare all bytes with their checksums.
    let readsAll: Bool

    private var files: MirrorFiles { builder.files }

    /// Performs the step.
    /// - Returns: the state after it.
    func take(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        try ConversationFolder(files: files).make(builder.conversation)
        guard var state = try builder.wholeState(reads: readsAll), builder.continues(state) else {
            return isShown ? try remake(&findings) : try start(&findings)
        }
        if !state.isComplete {
            try makeNext(&state, &findings)
        } else if builder.hasMore(than: state) {
            try builder.extend(&state, &findings)
        }
        return state
    }

    /// Starts again with the requested piece.
    private func start(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        Disk.remove(files.state(of: builder.id))
        ConversationFolder(files: files).clear(builder.id)
        try ConversationFolder(files: files).make(builder.conversation)
        var state = try builder.plan()
        if state.pieces.isEmpty {
            state.tail = .nothing
            try builder.save(&state)
            return state
        }
        try makeNext(&state, &findings)
        return state
    }

    /// Makes the whole conversation next to the old one, and then replaces the old one.
    private func remake(_ findings: inout ConversationBuilder.Findings) throws(StoreError) -> MirrorState {
        var aside = files
        aside.isAside = true
        Disk.remove(aside.folder(of: builder.id))
        var builder = builder
        builder.files = aside
        try ConversationFolder(files: aside).make(builder.conversation)
        var state = try builder.plan()
        while let index = state.pieces.lastIndex(where: { $0.size == nil }) {
            try builder.make(index, of: &state, &findings)
        }
        try builder.save(&state)
        // Readers see the old folder or the new one, never a mixture.
        let (old, new) = (files.folder(of: builder.id), aside.folder(of: builder.id))
        let code = cmirror_exchange(new, old)
        guard code == 0 else { throw MirrorFiles.error(FileError(.write, old, code: code)) }
        try MirrorFiles.rename(aside.state(of: builder.id), files.state(of: builder.id))
        Disk.remove(new)
        return state
    }

    private func makeNext(
        _ state: inout MirrorState, _ findings: inout ConversationBuilder.Findings
    ) throws(StoreError) {
        let made = state.made
        let index: Int
        if made.isEmpty {
            index =
                try message.flatMap { (id) throws(StoreError) in try Finder(builder: builder).piece(of: id, in: state) }
                ?? state.pieces.count - 1
        } else if made.upperBound < state.pieces.count {
            index = made.upperBound
        } else {
            index = made.lowerBound - 1
        }
        guard state.pieces.indices.contains(index) else { return }
        try builder.make(index, of: &state, &findings)
    }
}
