/// The order of titles in a list: letters without regard to their case, numbers by their value ("45" before "449").
struct TitleOrder: Comparable, Sendable {
    private enum Piece: Hashable, Sendable {
        /// Digits without leading zeros. A number of any length has its place.
        case number(String)
        case text(String)
    }

    private let pieces: [Piece]

    init(_ title: String) {
        var pieces: [Piece] = []
        var rest = title.lowercased()[...]
        while let first = rest.first {
            let isNumber = TitleOrder.isDigit(first)
            let run = rest.prefix { TitleOrder.isDigit($0) == isNumber }
            pieces.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(String(run)))
            rest = rest[run.endIndex...]
        }
        self.pieces = pieces
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    static func < (a: TitleOrder, b: TitleOrder) -> Bool {
        a.pieces.lexicographicallyPrecedes(b.pieces) { a, b in
            switch (a, b) {
            case (.number(let a), .number(let b)): (a.utf8.count, a) < (b.utf8.count, b)
            case (.text(let a), .text(let b)): a < b
            case (.number, .text): true
            case (.text, .number): false
            }
        }
    }
}
