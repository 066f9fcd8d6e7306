import Algorithms
import Display

/// Where the rows of a text begin at one width, as far as that is known: from the beginning of the text on. A row's break
/// depends on the text before it alone, so that text typed after it never moves it, however long a line is; and
/// the breaks before a change stay known.
struct RowStarts: Hashable, Sendable {
    private(set) var columns: Int
    /// Rising, the first one is 0.
    private var starts = [0]

    /// A row of characters that take no column ends here all the same.
    private static let longest = 4_096

    init(columns: Int) { self.columns = columns }

    /// Finds the beginnings of the rows up to the one that a place is in.
    mutating func extend(to place: Int, in characters: [Character]) {
        while let last = starts.last, last <= place {
            guard let next = RowStarts.end(of: characters, from: last, columns: columns).following, next <= place else {
                return
            }
            starts.append(next)
        }
    }

    /// The text from a place on is another now.
    mutating func forget(from place: Int) {
        // Its row, and the one before that, which may take in the word that begins it now. One more, since characters without a
        // column can stand between the two.
        starts.removeSubrange(max(1, count(upTo: place) - 2)...)
    }

    /// The row that a place is in, of those that are known.
    func row(of place: Int) -> Int { count(upTo: place) - 1 }

    func start(of row: Int) -> Int { starts[row] }

    /// How many rows begin at the place or before it; at least one.
    private func count(upTo place: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > place }
    }

    /// Where the row ends that begins at a place, and where the one after it begins.
    static func end(of characters: [Character], from start: Int, columns: Int) -> (end: Int, following: Int?) {
        var width = 0
        var place = start
        var lastBlank: Int?
        while place < characters.count, characters[place] != "\n" {
            let columnsOfThis = RowStarts.columns(of: characters[place])
            // The last column is the cursor's.
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
        // Nothing in a text that is one byte takes another number.
        character.utf8.count == 1 ? 1 : CleanText(String(character)).columns
    }
}
