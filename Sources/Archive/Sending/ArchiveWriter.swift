internal import ArchiveFormat
internal import Files
internal import Index
internal import JSON
internal import Messages
internal import Threads

/// Appends to the conversations of an archive. Uses a thread of its own, so that pages wait neither for the locks of
/// other processes nor for slow disks.
///
///     post → validate → line → lock → (a retry: is it there already?) → append
actor ArchiveWriter {
    private nonisolated let executor: SerialThread
    private let patience: Duration
    private let blocks = BlockReader()
    private let index: IndexReader

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter patience: the time to wait for other writers of the same conversation.
    /// - Throws: `unavailable` if no thread can be started.
    init(index service: IndexService?, patience: Duration) throws(StoreError) {
        executor = try .forReading()
        index = IndexReader(service)
        self.patience = patience
    }

    /// Appends a post to the log of a conversation. When it returns, the line is on the disk.
    /// - Parameters:
    ///   - folder: the folder of the conversation.
    ///   - isRetry: true if an earlier try may have succeeded.
    /// - Throws: `notSent`, `noSuchMessage`, and the errors of reading files.
    func send(
        _ post: Post, to conversation: ConversationID, in folder: String, isRetry: Bool
    ) throws(StoreError) {
        let line = try PostRules.line(post)
        var refusal: StoreError?
        do throws(StoreError) {
            try check(post, in: conversation, folder)
        } catch {
            // A successful first try may forbid the second: a deleted message cannot be deleted again. So a retry looks
            // for its line first.
            guard isRetry else { throw error }
            refusal = error
        }
        let log = try LockedLog(folder, of: conversation, patience: patience, blocks: blocks)
        if isRetry, try log.keeps(post.id) { return }
        if let refusal { throw refusal }
        try log.append(line)
    }

    /// Runs before the lock is taken, since it may scan the whole log.
    private func check(_ post: Post, in conversation: ConversationID, _ folder: String) throws(StoreError) {
        let references = post.references
        guard !references.isEmpty else { return }
        let segments = try Segment.all(in: folder, of: conversation)
        try index.read(conversation, segments) { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            let found = try reader.messages(Set(references))
            for id in references where found[id] == nil { throw .noSuchMessage(id, in: conversation) }
            // A reply may refer to any message.
            if case .message = post.content { return }
            for message in try reader.folded(found.values).values {
                if let fault = PostRules.fault(of: post, about: message) { throw .notSent(fault) }
                if let error = post.overwriting(message.text, in: conversation) { throw error }
            }
        }
    }
}

/// The log of a conversation under an exclusive lock.
///
///     lock → cut off an incomplete last line → append one line with one write → sync to disk
///
/// Nothing else in the log ever changes.
struct LockedLog: ~Copyable {
    private let folder: String
    private let lock: FolderLock
    private let blocks: BlockReader
    private let segments: [Segment]

    /// Waits for other writers, and removes a line that one of them has left incomplete.
    /// - Throws: `notSent`, and the errors of reading files.
    init(
        _ folder: String, of id: ConversationID, patience: Duration, blocks: BlockReader
    ) throws(StoreError) {
        let lock = try FolderLock(folder, patience: patience)
        var segments = try Segment.all(in: folder, of: id)
        if let last = segments.last, try Tail.mend(last, in: lock, blocks.records) {
            segments = try Segment.all(in: folder, of: id)
        }
        self.folder = folder
        self.lock = lock
        self.blocks = blocks
        self.segments = segments
    }

    /// True if the log contains a record with this ID. If so, the record is on the disk when this returns.
    /// - Throws: `notSent`, and the errors of reading files.
    func keeps(_ id: MessageID) throws(StoreError) -> Bool {
        guard let segment = try segment(holding: id) else { return false }
        try File(segment.path).sync()
        return true
    }

    /// - Parameter line: includes the line feed.
    /// - Throws: `notSent`; the log is unchanged then.
    func append(_ line: [UInt8]) throws(StoreError) {
        let next = SegmentFile.name(after: segments.last?.name)
        guard let last = segments.last, last.stamp.size < SegmentFile.full || next == nil else {
            return try append(line, toNew: next ?? SegmentFile.first)
        }
        let file = try lock.open(last)
        // The writer that created an empty segment may have been killed before the name was on the disk.
        if last.stamp.size == 0 { try lock.syncNames() }
        try file.append(line)
    }

    private func append(_ line: [UInt8], toNew name: String) throws(StoreError) {
        let file = try lock.create(name, like: segments.last?.path)
        do throws(StoreError) {
            try lock.syncNames()
            try file.append(line)
        } catch {
            lock.remove(name)
            throw error
        }
    }

    private func segment(holding id: MessageID) throws(StoreError) -> Segment? {
        let filter = IDFilter([IDHash(id)], isOfLinks: false)
        let log = PlainLog(segments: segments)
        // A line of an earlier try is near the end.
        for (number, segment) in segments.enumerated().reversed() where segment.stamp.size > 0 {
            let stretch = LinePlace(segment: number, offset: 0)..<LinePlace(segment: number, offset: segment.stamp.size)
            var isThere = false
            try log.scan(stretch, filter, blocks) { _, head, _ in
                isThere = head.id.elementsEqual(id.rawValue.utf8)
                return !isThere
            }
            if isThere { return segment }
        }
        return nil
    }
}

/// Repairs the end of a segment whose last writer may have been killed.
private enum Tail {
    /// Cuts off an incomplete last line, or adds the missing line feed to a complete one.
    /// - Returns: true if the segment was changed.
    static func mend(
        _ segment: Segment, in folder: borrowing FolderLock, _ records: RecordReader
    ) throws(StoreError) -> Bool {
        let end = segment.stamp.size
        let start = try BlockWalk(segments: [segment]).line(around: LinePlace(segment: 0, offset: end)).offset
        guard start < end else { return false }
        let isWhole = try isWhole(segment, start..<end, records)
        let file = try folder.open(segment)
        do throws(FileError) {
            if isWhole { try file.append([0x0A], isSynced: true) } else { try file.cut(to: start) }
        } catch {
            throw StoreError(writing: error)
        }
        return true
    }

    private static func isWhole(
        _ segment: Segment, _ range: Range<Int64>, _ records: RecordReader
    ) throws(StoreError) -> Bool {
        // A line of this length is never parsed, so whether it is complete is unknown: it stays.
        guard range.count < LineScanner.longestLine else { return true }
        let count = range.count
        let buffer = try Memory.allocate(count + JSONReader.padding)
        defer { Memory.free(buffer) }
        let file = try File(segment.path)
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: range.lowerBound)
        let content = Slice.content(
            of: UnsafeRawBufferPointer(buffer), 0..<count, isFileStart: range.lowerBound == 0)
        let line = LogLine(offset: range.lowerBound, length: count, isTerminated: false, content: content)
        if case .failure(.notJSON) = try records.read(line) { return content.isClosedObject }
        return true
    }
}

extension Slice {
    /// True if invalid JSON has the form of a whole object: every bracket is closed, the first one by the last
    /// character. A killed writer never leaves such a line, so it was written on purpose and stays.
    fileprivate var isClosedObject: Bool {
        var (depth, isInText, isEscaped) = (0, false, false)
        guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return false }
        for (index, byte) in bytes[...last].enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isInText {
                isEscaped = byte == UInt8(ascii: "\\")
                isInText = byte != UInt8(ascii: "\"")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth <= 0 { return depth == 0 && index == last }
                default: if depth == 0, byte > 0x20 { return false }
                }
            }
        }
        return false
    }
}
