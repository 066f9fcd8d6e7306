/// The meaning of a fuzzer's bytes: a size (columns, rows), input from a terminal, and other happenings in between.
///
///     FF happening argument        a happening, with its number and a byte of detail
///     anything else                bytes of the terminal, all that come up to the next FF at once
///
/// UTF-8 never contains FF, so that a fuzzer's changes of keys stay keys.
struct KeyScript {
    enum Step: Equatable {
        case typed([UInt8])
        case happening(Happening, argument: UInt8)
    }

    /// The order matters: the corpus refers to the numbers.
    enum Happening: UInt8, CaseIterable {
        /// The first, the last or every request to the store gets its response, or fails.
        case answerFirst, answerLast, answerAll, failAll
        /// All timers end.
        case timePasses
        /// The rest of a sequence or of a paste never comes.
        case sequenceEnds, pasteEnds
        /// The clock moves on by a number of hours.
        case clockMoves
        /// The screen gets a number of columns, or of rows.
        case columns, rows
        /// Somebody writes, replies in a thread, edits or deletes a message, or the files are rewritten without it.
        case says, replies, edits, deletes, loses
        /// Somebody writes in another conversation.
        case saysElsewhere
        /// A post arrives, or does not.
        case arrives, isNotSent
        case doubleClick
        case problem, trouble, obstacle, types, prepares
        /// The store reports the last messages when the archive was first opened.
        case baseline
    }

    let columns: Int
    let rows: Int
    let steps: [Step]

    /// The largest number of happenings: inputs that take longer find nothing more.
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
