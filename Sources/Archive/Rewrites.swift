internal import Messages
internal import Search

/// What the lines behind a place, read backwards so far, do to the texts of the messages before it. Of a fixed size:
/// what it does not know for certain is read again from the log.
struct Rewrites {
    /// Beyond that many messages that an edit made a match of and that are still to come, all messages are looked at.
    private static let mostPending = 4_096

    /// The targets of all edits and deletions. Grows with the conversation, up to 128 KiB.
    private var targets: BloomFilters
    /// The targets of the edits that match, as long as their messages are still to come.
    private var pending: Set<IDHash> = []
    private var isOverfull = false
    private var isEmpty = true

    /// - Parameter blocks: of the conversation.
    init(blocks: Int) {
        var bits = 4_096
        while bits < min(blocks * 4_096, 1 << 20) { bits *= 2 }
        targets = BloomFilters(bits: bits, probes: 4, count: 1)
    }

    mutating func note(_ target: UnsafeRawBufferPointer, isMatch: Bool) {
        let hash = IDHash(target)
        targets.insert(hash, at: 0)
        isEmpty = false
        guard isMatch, !isOverfull else { return }
        pending.insert(hash)
        if pending.count > Rewrites.mostPending {
            isOverfull = true
            pending = []
        }
    }

    /// Whether a message may say something else than its own line.
    func mayConcern(_ id: UnsafeRawBufferPointer) -> Bool { !isEmpty && targets.mayContain(IDHash(id), at: 0) }

    /// Whether a block may hold a message that an edit made a match of.
    func mayMatch(block: Int, of survey: Survey) -> Bool {
        isOverfull || pending.contains { survey.ids.mayContain($0, at: block) }
    }

    /// Whether an edit may have made a match of a message, which has come now.
    mutating func takeMatch(_ id: UnsafeRawBufferPointer) -> Bool {
        isOverfull ? mayConcern(id) : !pending.isEmpty && pending.remove(IDHash(id)) != nil
    }
}
