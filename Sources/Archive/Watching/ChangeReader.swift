internal import JSON
package import Messages

/// The changes in a log after a place.
struct LogChanges {
    var changes: [StoreChange] = []
    /// The end of the last whole line that was read.
    var end: LinePlace
    /// True if more lines follow.
    var isMore = false
    /// Edits and deletions without effect, in lines for the user.
    var passedOver: [String] = []
}

/// Reads new lines of a conversation, each line once, and computes the changes to the messages that they concern.
struct ChangeReader {
    /// The approximate number of records to read for one result; later ones are left to the next call.
    private static let batch = 1_024

    let pages: MessageAssembler

    /// - Parameter place: the start of a line, or a place within the previous last line, which may have been incomplete.
    func changes(after place: LinePlace) throws(StoreError) -> LogChanges {
        var lines = try lines(after: place)
        for message in lines.arrived { lines.targets.remove(message.id) }
        let updated = try pages.messages(lines.targets)
        let arrived = try pages.messages(lines.arrived)
        let inOwnThreads = try inOwnThreads(lines.arrived)
        return LogChanges(
            changes: updated.map { .updated($0) } + (inOwnThreads.isEmpty ? [] : [.inOwnThreads(inOwnThreads)])
                + (try arrivals(arrived, lines, after: place)), end: lines.end,
            isMore: lines.isMore, passedOver: faults(of: lines.textChanges, about: updated + arrived))
    }

    /// The messages that have arrived, and the gaps between them.
    /// - Parameter place: the end of the known part of the log.
    private func arrivals(
        _ messages: [Message], _ lines: Lines, after place: LinePlace
    ) throws(StoreError) -> [StoreChange] {
        var last = place.segment
        guard lines.end.segment > last else { return messages.map { .arrived($0) } }
        let islands = try pages.reader.islands()
        let segments = Dictionary(lines.arrived.map { ($0.id, $0.place.segment) }, uniquingKeysWith: { old, _ in old })
        var changes: [StoreChange] = []
        for message in messages {
            let segment = segments[message.id] ?? last
            if islands.isGap(from: last, to: segment) { changes.append(.gap) }
            changes.append(.arrived(message))
            last = max(last, segment)
        }
        if islands.isGap(from: last, to: lines.end.segment) { changes.append(.gap) }
        return changes
    }

    /// The changes that newly inserted older segments make, also to messages in other segments.
    func changes(of segments: [Int]) throws(StoreError) -> [StoreChange] {
        let reader = pages.reader
        var targets: Set<MessageID> = []
        for segment in segments {
            var next = LinePlace(segment: segment, offset: 0)
            while let block = try reader.block(from: next), block.segment == segment {
                try reader.forEachRecord(of: block) { (place, head, fields) throws(StoreError) in
                    if let amendment = reader.blocks.records.amendment(head, fields, at: place) {
                        targets.insert(amendment.target)
                    }
                }
                next = block.end
            }
        }
        let known = Set(segments)
        let others = try reader.messages(targets).values.filter { !known.contains($0.place.segment) }
        let updated = try pages.messages(others.sorted { $0.place < $1.place })
        return [.filled] + updated.map { .updated($0) }
    }

    /// The reasons why edits and deletions have no effect.
    private func faults(of textChanges: [Amendment], about messages: [Message]) -> [String] {
        if textChanges.isEmpty { return [] }
        let authors = Dictionary(messages.map { ($0.id, $0.sender?.id) }, uniquingKeysWith: { old, _ in old })
        return textChanges.compactMap { fault(of: $0, authors) }
    }

    private func fault(of change: Amendment, _ authors: [MessageID: PersonID?]) -> String? {
        let action = if case .delete = change.action { "a deletion" } else { "an edit" }
        let subject = "\(pages.conversation): \(action) of \"\(printable(change.target.rawValue))\""
        guard let author = authors[change.target] else { return "\(subject) is skipped: there is no such message" }
        if change.action.isModeration || author != nil && author == change.sender { return nil }
        let writer = change.sender.map { "by \"\(printable($0.rawValue))\"" } ?? "by nobody"
        return "\(subject) \(writer) is skipped: only its author can change it"
    }

    /// Like `changes(after:)`, but only the new messages, and those with another text.
    /// - Parameter place: as in `changes(after:)`.
    func arrivals(after place: LinePlace) throws(StoreError) -> (arrivals: [Arrival], end: LinePlace, isMore: Bool) {
        let lines = try lines(after: place)
        let inOwnThreads = try inOwnThreads(lines.arrived)
        let arrivals = try pages.messages(lines.arrived).map {
            Arrival(conversation: pages.conversation, message: $0, isInOwnThread: inOwnThreads.contains($0.id))
        }
        let changed = Set(lines.textChanges.map(\.target)).subtracting(lines.arrived.map(\.id))
        let updated = try pages.messages(changed).map {
            Arrival(conversation: pages.conversation, message: $0, isNew: false)
        }
        return (arrivals + updated, lines.end, lines.isMore)
    }

    private func inOwnThreads(_ arrived: [StoredMessage]) throws(StoreError) -> Set<MessageID> {
        try pages.me.map { (me) throws(StoreError) in try pages.inOwnThreads(me, arrived) } ?? []
    }

    private struct Lines {
        var arrived: [StoredMessage] = []
        /// The messages that the lines amend.
        var targets: Set<MessageID> = []
        /// Edits and deletions, which only the author of a message may make, or a moderator.
        var textChanges: [Amendment] = []
        var end: LinePlace
        var isMore = false
    }

    private func lines(after place: LinePlace) throws(StoreError) -> Lines {
        let reader = pages.reader
        var lines = Lines(end: try reader.lineStart(of: place))
        var count = 0
        while let block = try reader.block(from: lines.end) {
            let known = lines.end
            try reader.forEachRecord(of: block) { (place, head, fields) throws(StoreError) in
                if head.isMessage { lines.arrived.append(try reader.blocks.records.message(head, fields, at: place)) }
                if let amendment = reader.blocks.records.amendment(head, fields, at: place) {
                    lines.targets.insert(amendment.target)
                    if head.kind == .edit || head.kind == .delete { lines.textChanges.append(amendment) }
                }
                count += 1
            }
            lines.end = try reader.end(ofWholeLinesIn: block)
            // The rest is an incomplete line.
            if lines.end == known { break }
            lines.isMore = count >= ChangeReader.batch
            if lines.isMore { break }
        }
        lines.arrived = try reader.marked(lines.arrived)
        return lines
    }
}

extension JSONArchive {
    /// The current files of a conversation, compared with an earlier state.
    /// - Parameter known: the earlier state.
    func look(at id: ConversationID, since known: KnownLog?) throws(StoreError) -> LogLook {
        LogLook(try catalogue.folder(of: id) == nil ? nil : try segments(of: id), since: known)
    }

    /// - Parameter place: the end of the part that has been read; nil for the end of the files.
    func known(_ segments: [Segment], upTo place: LinePlace?) throws(StoreError) -> KnownLog {
        try KnownLog(segments, end: place ?? .end(of: segments))
    }

    /// The changes in the lines after a place. The lines before it must be unchanged.
    /// - Parameters:
    ///   - now: the current files.
    ///   - place: the end of the part that has been read; nil for the end of the files.
    func newChanges(
        in id: ConversationID, _ now: [Segment], after place: LinePlace?
    ) throws(StoreError) -> (KnownLog, LogChanges) {
        let end = LinePlace.end(of: now)
        guard let place, place != end else { return (try KnownLog(now, end: end), LogChanges(end: end)) }
        var new = try pages(of: id, now) { (pages) throws(StoreError) in
            try ChangeReader(pages: pages).changes(after: place)
        }
        if !new.passedOver.isEmpty {
            for line in new.passedOver { passedOver[id, default: ProblemList()].add(line) }
            found.replace("\(id) (edits)", with: passedOver[id] ?? ProblemList())
            new.changes.append(.passedOver)
        }
        return (try KnownLog(now, end: new.end), new)
    }

    /// The changes by segments that have come into gaps. The index covers them first, since a page would otherwise have to read
    /// the whole log.
    /// - Parameter new: the indices of these segments.
    func filled(
        _ id: ConversationID, _ now: [Segment], _ new: [Int]
    ) async throws(StoreError) -> [StoreChange] {
        if new.isEmpty { return [] }
        if keepsIndex { await indexRecords(first: id) }
        return try pages(of: id, now) { (pages) throws(StoreError) in try ChangeReader(pages: pages).changes(of: new) }
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) {
        typing?.make()
        typing?.note(person, in: conversation)
    }

    /// The people who are writing in other processes.
    func typists(in conversation: ConversationID) -> [Person] {
        let ids = typing?.people(in: conversation) ?? []
        let names = people.names(Set(ids), in: conversation)
        return ids.map { names[$0] ?? Person(id: $0, name: $0.rawValue) }
    }

    func note(_ failure: some CustomStringConvertible, watching id: ConversationID) {
        found.replace("\(id) (changes)") {
            $0.add("\(id): changes are not noticed (\(failure)); open the conversation again")
        }
    }
}

extension JSONArchive {
    /// - Parameter unwatched: the number of conversations whose arrivals cannot be seen; nil for all. 0 removes the
    ///   problem.
    func note(_ failure: String, unwatched: Int?) {
        found.replace("conversations (arrivals)") { problems in
            if unwatched == 0 { return }
            let which = unwatched.map { "\($0) conversations" } ?? "conversations"
            problems.add("\(which): new messages are not noticed until they are opened (\(failure))")
        }
    }
}
