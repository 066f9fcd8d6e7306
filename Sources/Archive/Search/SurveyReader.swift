internal import Messages

/// Answers questions about one conversation by its survey: which blocks can hold the answer, and then what they say.
struct SurveyReader {
    let survey: Survey
    let blocks: BlockReader

    /// Messages of the main timeline before a place.
    func mains(before place: LinePlace) throws(StoreError) -> Int {
        guard let index = survey.block(at: place) else { return 0 }
        var count = survey.blocks[index].mainsBefore
        try blocks.forEachRecord(of: survey.blocks[index], in: survey) { line, head, _ in
            guard line < place else { return false }
            if head.isMain { count += 1 }
            return true
        }
        // A block that was overwritten since its survey may hold more.
        return min(count, survey.mains)
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
            try blocks.forEachRecord(of: survey.blocks[index], in: survey) { (place, head, fields) throws(StoreError) in
                let hash = IDHash(head.id)
                guard head.isMessage, let wanted = pending[hash],
                    let id = wanted.first(where: { head.id.elementsEqual($0.rawValue.utf8) })
                else { return true }
                found[id] = try blocks.records.message(head, fields, at: place)
                pending[hash] = wanted.count > 1 ? wanted.filter { $0 != id } : nil
                return !pending.isEmpty
            }
        }
        return found
    }
}
