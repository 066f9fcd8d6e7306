internal import Messages

/// The hits of one conversation, the newest first, by steps that read a few blocks each: first for its survey, when
/// there is none, then backwards for the hits.
final class HitSource {
    private enum Stage {
        case unread([Segment])
        case surveying(Surveying)
        case scanning(ConversationScan)
    }

    let conversation: ConversationID
    private let criteria: HitCriteria
    private let blocks: BlockReader
    private let lookups: BlockReader
    private let remembered: Int
    private var stage: Stage
    /// Hits that are not taken yet, the newest last.
    private var found: ArraySlice<FoundMessage> = []
    /// How the conversation was surveyed, as soon as it is.
    private(set) var survey: Survey?
    /// The bytes of all steps.
    let work: Int64

    /// - Parameters:
    ///   - lookups: another reader than `blocks`.
    ///   - remembered: as the scan's.
    init(
        _ conversation: ConversationID, _ opening: (segments: [Segment], survey: Survey?), _ criteria: HitCriteria,
        blocks: BlockReader, lookups: BlockReader, remembered: Int = Rewrites.usualCapacity
    ) {
        self.conversation = conversation
        self.criteria = criteria
        self.blocks = blocks
        self.lookups = lookups
        self.remembered = remembered
        survey = opening.survey
        let size = opening.segments.reduce(0) { $0 + $1.stamp.size }
        if let survey = opening.survey {
            work = size
            stage = .scanning(
                ConversationScan(survey, criteria, blocks: blocks, lookups: lookups, remembered: remembered))
        } else {
            work = size * 2
            stage = .unread(opening.segments)
        }
    }

    var hasFound: Bool { !found.isEmpty }

    /// Whether there is nothing more to find.
    var isOver: Bool {
        guard found.isEmpty, case .scanning(let scan) = stage else { return false }
        return scan.bound == nil
    }

    /// The time of the next hit; as long as it is not known, a time that it is not behind.
    var time: Timestamp {
        if let next = found.last { return next.message.at }
        guard case .scanning(let scan) = stage else { return Timestamp(milliseconds: .max) }
        return scan.bound ?? Timestamp(milliseconds: .min)
    }

    /// Of `work`, in bytes.
    var done: Int64 {
        switch stage {
        case .unread: return 0
        case .surveying(let surveying): return surveying.progress
        case .scanning(let scan): return work - scan.remaining
        }
    }

    func take() -> FoundMessage? { found.popLast() }

    /// The hits of one block, the newest first.
    func takeAll() -> [FoundMessage] {
        defer { found = [] }
        return found.reversed()
    }

    /// Goes on looking. Only when nothing is left to take.
    /// - Returns: whether the survey has just been made.
    /// - Throws: `unreadable`, `unavailable`; the source has then to be given up.
    func step() throws(StoreError) -> Bool {
        switch stage {
        case .unread(let segments):
            stage = .surveying(Surveying(segments, blocks))
            return false
        case .surveying(let surveying):
            guard let survey = try surveying.next() else { return false }
            self.survey = survey
            stage = .scanning(
                ConversationScan(survey, criteria, blocks: blocks, lookups: lookups, remembered: remembered))
            return true
        case .scanning(let scan):
            found = try scan.next()[...]
            return false
        }
    }
}
