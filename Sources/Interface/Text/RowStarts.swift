import Algorithms
import Display

/// The beginnings of the rows of a text at one width, from its beginning up to some place. A row depends on the text before it
/// alone: text typed after it never moves it, and the beginnings before a change stay valid.
struct RowStarts: Hashable, Sendable {
    private(set) var columns: Int
    /// Ascending. The first one is 0.
    private var starts = [0]

    /// A row of characters without columns ends after this number of characters.
    private static let longest = 4_096

    init(columns: Int) { self.columns = columns }

    /// Finds the beginnings of the rows up to the row of a place.
    mutating func extend(to place: Int, in characters: [Character]) {
        while let last = starts.last, last <= place {
            guard let next = RowStarts.end(of: characters, from: last, columns: columns).following, next <= place else {
                return
            }
            starts.append(next)
        }
    }

    /// The text has changed from a place on.
    mutating func forget(from place: Int) {
        // The row of the place, and the one before it, which may have room for the changed word. One more, since characters
        // without columns may stand between the two.
        starts.removeSubrange(max(1, count(upTo: place) - 2)...)
    }

    /// The row of a place, among the known ones.
    func row(of place: Int) -> Int { count(upTo: place) - 1 }

    func start(of row: Int) -> Int { starts[row] }

    /// The number of rows that begin at a place or before it; at least one.
    private func count(upTo place: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > place }
    }

    /// The end of the row that begins at a place, and the beginning of the next row.
    static func end(of characters: [Character], from start: Int, columns: Int) -> (end: Int, following: Int?) {
        var width = 0
        var place = start
        var lastBlank: Int?
        while place < characters.count, characters[place] != "\n" {
            let columnsOfThis = RowStarts.columns(of: characters[place])
            // The last column is kept free for the cursor.
            if width + columnsOfThis > columns - 1 || place - start >= longest, place > start {
                let split = lastBlank.map { $0 + 1 } ?? place
                return (split, split)
            }
            if characters[place].isWhitespace { lastBlank = place }
            width += columnsOfThis
            place += 1
        }
        return (place, place < characters.count ? place + 1 : nil)
    }

    static func columns(of character: Character) -> Int {
        // A character of one byte always has one column here.
        character.utf8.count == 1 ? 1 : CleanText(String(character)).columns
    }
}
