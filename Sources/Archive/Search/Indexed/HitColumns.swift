internal import Messages
internal import Search

/// Compares the columns of the index with the conditions of a query, all but its words.
final class HitColumns {
    enum Verdict {
        case no
        case yes
        /// Only the message itself can decide.
        case unsure
    }

    private let criteria: HitCriteria
    private let asksForSender: Bool
    private let asksForMarks: Bool
    private let asksForFile: Bool
    private let asksForTime: Bool
    /// Whether each sender met so far passes the query, by the sender's number.
    private var senders: [Int64: Bool] = [:]

    init(_ criteria: HitCriteria) {
        self.criteria = criteria
        let filters = criteria.query.filters
        let marks = filters.marks.union(filters.excludedMarks)
        asksForSender = criteria.asksForSender
        asksForFile = marks.contains(.file)
        asksForMarks = !marks.isDisjoint(with: [.file, .reply, .thread, .presence])
        asksForTime = !criteria.times.isEmpty
    }

    func verdict(of row: RecordColumns, _ view: IndexView) throws(StoreError) -> Verdict {
        if row.kind.isDeleted || row.kind.isPresence && !criteria.asksForPresence { return .no }
        if asksForTime, !criteria.times.contains(Timestamp(milliseconds: row.at)) { return .no }
        if asksForSender, try !isMeant(row.sender, view) { return .no }
        if !asksForMarks { return .yes }
        var marks: QueryMarks = []
        if row.isReply { marks.insert(.reply) }
        if row.thread != nil { marks.insert(.thread) }
        if row.kind.isPresence { marks.insert(.presence) }
        // The list of attachments may be invalid; only decoding the whole message shows it.
        let mayHaveFile = asksForFile && row.kind.hasAttachments
        guard criteria.passes(marks, doubtful: mayHaveFile ? .file : []) else { return .no }
        return mayHaveFile ? .unsure : .yes
    }

    private func isMeant(_ sender: Int64?, _ view: IndexView) throws(StoreError) -> Bool {
        if let sender, let known = senders[sender] { return known }
        var id = try sender.map { (number) throws(StoreError) in try view.personID(number) ?? "" } ?? ""
        let isMeant = id.withUTF8 { criteria.passes(sender: UnsafeRawBufferPointer($0)) }
        if let sender { senders[sender] = isMeant }
        return isMeant
    }
}
