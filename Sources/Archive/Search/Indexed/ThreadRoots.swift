internal import Messages

/// Finds the positions at which hits are displayed: a thread reply has the position of its root.
final class ThreadRoots {
    /// How many roots to remember. Replies to the same root mostly follow each other closely.
    private static let remembered = 4_096

    private let coverage: WordCoverage
    private let rest: UncoveredLines?
    /// The index of a root in the main timeline, by the hash of its ID; nil if the root is not in it.
    private var known: [IDHash: Int?] = [:]

    init(_ coverage: WordCoverage, after rest: UncoveredLines?) {
        self.coverage = coverage
        self.rest = rest
    }

    func place(of row: RecordColumns, _ view: IndexView) throws(StoreError) -> HitPlace {
        if row.kind.isMain { return HitPlace(order: row.main, index: row.main) }
        let root = try row.thread.flatMap { (thread) throws(StoreError) in try index(of: thread, view) }
        return HitPlace(order: row.main, index: root ?? max(0, row.main - 1), isReply: true)
    }

    private func index(of root: IDHash, _ view: IndexView) throws(StoreError) -> Int? {
        if let known = known[root] { return known }
        if known.count >= ThreadRoots.remembered { known = [:] }
        let found = try view.records(ofID: root).first { $0.kind.isMessage }
        let isCovered = found.map { $0.kind.isMain && $0.place < coverage.end } ?? false
        let index = isCovered ? found?.main : try rest?.order(of: root)
        known.updateValue(index, forKey: root)
        return index
    }
}
