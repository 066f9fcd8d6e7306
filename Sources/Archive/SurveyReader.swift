internal import Messages

/// Answers questions about one conversation by its survey: which blocks can hold the answer, and then what they say.
struct SurveyReader {
    let survey: Survey
    let blocks: BlockReader

    /// Messages of the main timeline before a place, and at it when that is asked for.
    func mains(before place: LinePlace, inclusive: Bool = false) throws(StoreError) -> Int {
        guard let index = survey.block(at: place) else { return 0 }
        var count = survey.blocks[index].mainsBefore
        try blocks.forEachRecord(of: survey.blocks[index], in: survey) { line, head, _ in
            guard line < place || (inclusive && line == place) else { return false }
            if head.isMain { count += 1 }
            return true
        }
        // A block that was overwritten since its survey may hold more.
        return min(count, survey.mains)
    }

    /// Whether the line at a place is still the message it was.
    func holds(_ id: MessageID, at place: LinePlace) throws(StoreError) -> Bool {
        guard let index = survey.block(at: place) else { return false }
        var isThere = false
        try blocks.forEachRecord(of: survey.blocks[index], in: survey) { line, head, _ in
            isThere = line == place && head.isMessage && head.id.elementsEqual(id.rawValue.utf8)
            return line < place
        }
        return isThere
    }

    /// The messages of the main timeline with these indices, as far as there are some.
    func mains(_ range: Range<Int>) throws(StoreError) -> [StoredMessage] {
        let range = range.clamped(to: 0..<survey.mains)
        guard !range.isEmpty, var block = survey.block(ofMain: range.lowerBound) else { return [] }
        var found: [StoredMessage] = []
        found.reserveCapacity(range.count)
        var next = survey.blocks[block].mainsBefore
        while block < survey.blocks.count, next < range.upperBound {
            try blocks.forEachRecord(of: survey.blocks[block], in: survey) { place, head, fields in
                guard head.isMain else { return true }
                if next >= range.lowerBound { found.append(blocks.records.message(head, fields, at: place)) }
                next += 1
                return next < range.upperBound
            }
            block += 1
        }
        return found
    }

    /// The index of the first message of the main timeline, in the order of the log, at or after a moment.
    func firstMain(atOrAfter moment: Timestamp) throws(StoreError) -> Int? {
        for block in survey.blocks where block.latest.map({ $0 >= moment }) ?? false {
            var index = block.mainsBefore
            var isFound = false
            try blocks.forEachRecord(of: block, in: survey) { _, head, _ in
                guard head.isMain else { return true }
                isFound = head.at >= moment
                if !isFound { index += 1 }
                return !isFound
            }
            // The latest one of its block may have been a reply in a thread, or a repeated line.
            if isFound { return index }
        }
        return nil
    }

    func message(_ id: MessageID) throws(StoreError) -> StoredMessage? {
        try messages([id], near: LinePlace(segment: 0, offset: 0))[id]
    }

    /// The messages with these IDs, thread replies included, as far as there are some. The blocks nearest to a place are
    /// read first: most quotes are of what was said just before.
    func messages(_ ids: Set<MessageID>, near place: LinePlace) throws(StoreError) -> [MessageID: StoredMessage] {
        var pending: [IDHash: [MessageID]] = [:]
        for id in ids { pending[IDHash(id), default: []].append(id) }
        let start = survey.block(at: place) ?? 0
        let nearest = survey.blocks.indices.sorted { abs($0 - start) < abs($1 - start) }
        var found: [MessageID: StoredMessage] = [:]
        for index in nearest {
            if pending.isEmpty { break }
            guard pending.keys.contains(where: { survey.ids.mayContain($0, at: index) }) else { continue }
            try blocks.forEachRecord(of: survey.blocks[index], in: survey) { place, head, fields in
                let hash = IDHash(head.id)
                guard head.isMessage, let wanted = pending[hash],
                    let id = wanted.first(where: { head.id.elementsEqual($0.rawValue.utf8) })
                else { return true }
                found[id] = blocks.records.message(head, fields, at: place)
                pending[hash] = wanted.count > 1 ? wanted.filter { $0 != id } : nil
                return !pending.isEmpty
            }
        }
        return found
    }

    /// What the log says of these messages behind them, in its order.
    func overrules(of messages: some Sequence<StoredMessage>) throws(StoreError) -> [MessageID: [Overrule]] {
        var wanted: [IDHash: [StoredMessage]] = [:]
        for message in messages { wanted[IDHash(message.id), default: []].append(message) }
        guard let first = wanted.values.joined().map(\.place).min() else { return [:] }
        var found: [MessageID: [Overrule]] = [:]
        for index in survey.blocks.indices[(survey.block(at: first) ?? 0)...] {
            let block = survey.blocks[index]
            guard block.hasOverrules, wanted.keys.contains(where: { survey.targets.mayContain($0, at: index) }) else {
                continue
            }
            try blocks.forEachRecord(of: block, in: survey) { place, head, fields in
                if let overrule = blocks.records.overrule(head, fields, at: place, of: wanted) {
                    found[overrule.target, default: []].append(overrule)
                }
                return true
            }
        }
        return found
    }
}
