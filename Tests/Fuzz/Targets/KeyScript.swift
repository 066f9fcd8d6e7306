/// What a fuzzer's bytes mean: a size (columns, rows), what a terminal sends, and between that what else happens.
///
///     FF happening argument        a happening, with its number and a byte that says how
///     anything else                bytes of the terminal, all that come up to the next FF at once
///
/// FF is in no text of UTF-8, so that what a fuzzer makes of keys stays keys.
struct KeyScript {
    enum Step: Equatable {
        case typed([UInt8])
        case happening(Happening, argument: UInt8)
    }

    /// The order counts: the corpus names them by their numbers.
    enum Happening: UInt8, CaseIterable {
        /// The first, the last or all of what was asked of the store is answered, or fails.
        case answerFirst, answerLast, answerAll, failAll
        /// All that waits for time has waited enough.
        case timePasses
        /// The rest of a sequence or of a paste does not come.
        case sequenceEnds, pasteEnds
        /// The clock goes on by so many hours.
        case clockMoves
        /// A new size of so many columns; so many rows.
        case columns, rows
        /// Somebody says, replies in a thread, changes or deletes something, or the files are rewritten without it.
        case says, replies, edits, deletes, loses
        /// Somebody says something in another conversation.
        case saysElsewhere
        /// What was sent arrives, or does not.
        case arrives, isNotSent
        case doubleClick
        case problem, trouble, obstacle, types, prepares
        /// The store says what was there when the archive was first opened.
        case baseline
    }

    let columns: Int
    let rows: Int
    let steps: [Step]

    /// So many at most: what takes longer than a moment finds nothing more.
    private static let most = 300

    init(_ bytes: [UInt8]) {
        columns = 1 + Int(bytes.first ?? 71)
        rows = 1 + Int(bytes.dropFirst().first ?? 13) % 80
        var steps: [Step] = []
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty, steps.count < Self.most {
            if rest.first == 0xFF {
                let kinds = Happening.allCases
                let kind = kinds[Int(rest.dropFirst().first ?? 0) % kinds.count]
                steps.append(.happening(kind, argument: rest.dropFirst(2).first ?? 0))
                rest = rest.dropFirst(3)
            } else {
                let typed = rest.prefix { $0 != 0xFF }
                steps.append(.typed(Array(typed)))
                rest = rest.dropFirst(typed.count)
            }
        }
        self.steps = steps
    }
}
