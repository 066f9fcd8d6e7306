internal import SQLite
package import Messages
internal import Words

/// Compares the index of an archive with its files. Changes neither.
///
///     records.db → SQLite's integrity check
///     each segment → its lines → compared with their rows, and with all counts   (RecordCheck)
///                              → expected words → compared with the index        (WordCheck)
///
/// The words are opened before the records. The builder writes them after the records, so during the check they can
/// only be older than the records, and missing words are not a fault.
package struct IndexCheck: Sendable {
    package enum Verdict: Sendable {
        /// There is no complete index; the text contains the reason and a remedy.
        case missing(String)
        /// The index cannot be read.
        case broken(String)
        case compared([ConversationCheck])
    }

    private static let cache = 2 << 20

    private let catalogue: Catalogue
    private let folder: IndexFolder

    /// - Parameters:
    ///   - path: the archive.
    ///   - folder: the folder of its index.
    package init(archive path: String, in folder: IndexFolder) {
        catalogue = Catalogue(archive: path)
        self.folder = folder
    }

    /// - Parameter progress: called with the bytes done so far and in all. The words count as many bytes as the
    ///   records.
    /// - Throws: the errors of listing the conversations.
    package func run(
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> Verdict {
        let ids = try catalogue.ids()
        try folder.closeToOthers()
        do {
            let words = WordReader(folder.words)
            _ = try words.refresh()
            guard let records = try folder.recordDatabase.reader(cache: IndexCheck.cache) else {
                return .missing("there is no index; `kedge index` builds it")
            }
            return try records.read { records in
                // Words that belong to other records have no effect, and the next build replaces them.
                let isOfThem = try words.identity == RecordSchema.identity(records)
                return try compare(ids, records, isOfThem ? WordCheck(words) : nil, progress)
            }
        } catch let error as DatabaseError {
            guard IndexDatabase.isBroken(error) else { throw IndexFailure.reading(error) }
            return .broken(error.cause)
        } catch let error as WordFault {
            guard IndexFailure.isDamage(error) else { throw IndexFailure.reading(error) }
            return .broken("\(error)")
        } catch let error as StoreError {
            throw error
        } catch {
            return .broken("\(error)")
        }
    }

    private func compare(
        _ ids: [ConversationID], _ database: Database, _ words: WordCheck?, _ progress: (Int64, Int64) -> Void
    ) throws -> Verdict {
        // If this query fails, the integrity check reports the damage.
        let total = (try? database.first(Int64.self, "SELECT sum(size) FROM segment")) ?? 0
        let fault = try database.first(String.self, "PRAGMA integrity_check(1)")
        if fault != "ok" { return .broken(fault ?? "the records cannot be checked") }
        guard try RecordSchema.isReady(database) else {
            return .missing("the index is not finished; `kedge index` continues it")
        }
        var known: [IndexedConversation] = []
        for id in ids { if let one = try IndexedConversation.find(id, in: database) { known.append(one) } }
        // Sorted by rows, which is the order of the words.
        known.sort { $0.number < $1.number }
        var checks: [ConversationID: ConversationCheck] = [:]
        let people = try CheckedPeople(database)
        var done: Int64 = 0
        for conversation in known {
            checks[conversation.id] = try attempt(conversation.id) {
                let segments = try segments(of: conversation.id)
                let check = try RecordCheck(conversation, segments, database, people: people, words: words)
                return try check.run { progress(done + $0, 2 * total) }
            }
            done += conversation.segments.reduce(0) { $0 + $1.size }
        }
        try words?.finish(database) { progress(total + Int64($0 * Double(total)), 2 * total) }
        for conversation in known {
            if checks[conversation.id]?.obstacle != nil { continue }
            if let words {
                checks[conversation.id]?.add(words.findings(of: conversation.number))
            } else {
                checks[conversation.id]?.missingWords = conversation.counts.messages
            }
        }
        var listed: [ConversationCheck] = []
        for id in ids {
            if let check = checks[id] {
                listed.append(check)
            } else {
                let check = try attempt(id) {
                    var check = ConversationCheck(id: id)
                    check.missingBytes = try segments(of: id).size
                    check.isUnknown = true
                    return check
                }
                listed.append(check)
            }
        }
        return .compared(listed + (try strays(besides: Set(ids.map(\.rawValue)), in: database)))
    }

    /// If the files of a conversation cannot be read, only that is reported, and the other conversations are still
    /// checked.
    private func attempt(
        _ id: ConversationID, _ check: () throws -> ConversationCheck
    ) throws -> ConversationCheck {
        do {
            return try check()
        } catch let error as StoreError {
            var unchecked = ConversationCheck(id: id)
            unchecked.obstacle = "\(error)"
            return unchecked
        }
    }

    private func segments(of id: ConversationID) throws -> [Segment] {
        guard let path = try catalogue.folder(of: id) else { return [] }
        var strays = ProblemList()
        return try Segment.all(in: path, of: id, &strays)
    }

    /// Reports index entries of conversations that are not in the archive, and entries without a conversation.
    private func strays(besides ids: Set<String>, in database: Database) throws -> [ConversationCheck] {
        var checks: [ConversationCheck] = []
        var numbers: Set<Int64> = []
        let known = try database.rows("SELECT number, id FROM conversation ORDER BY number") {
            ($0.integer(0), $0.text(1))
        }
        for (number, id) in known {
            numbers.insert(number)
            if ids.contains(id) { continue }
            var check = ConversationCheck(id: ConversationID(id))
            check.faults.add("the index says there is such a conversation, the archive has none")
            checks.append(check)
        }
        var check = ConversationCheck(id: ConversationID("(none)"))
        let table = RecordTable(database)
        var next: Int64 = 0
        while let first = try table.first(in: next..<Int64.max) {
            let number = RecordRow(first.row).conversation
            let rows = RecordRow.all(of: number)
            if !numbers.contains(number) {
                var count = 0
                try table.forEach(in: rows) { _, _ in
                    count += 1
                    return true
                }
                check.faults.add(
                    "the index has \(count) records of conversation number \(number), which does not exist")
            }
            next = rows.upperBound
        }
        for fault in try LookupCheck(database).faults() { check.faults.add(fault) }
        for (table, entry) in [
            ("segment", "segment"), ("problem", "problem"), ("retired", "number of a segment that is gone"),
        ] {
            let strays = try database.all(
                Int64.self,
                """
                SELECT DISTINCT conversation FROM \(table) WHERE conversation NOT IN (SELECT number FROM conversation)
                """)
            for number in strays {
                check.faults.add("the index has a \(entry) of conversation number \(number), which does not exist")
            }
        }
        return check.faults.isEmpty ? checks : checks + [check]
    }
}
