/// Finds the name that a misspelt word was meant to be.
package enum Spelling {
    /// The name with the fewest errors; nil if each differs in more than a third of the letters.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let letters = Array(word.lowercased().prefix(64))
        let scored = names.map { name in (errors: errors(letters, Array(name)), name: name) }
        let best = scored.min { ($0.errors, $0.name) < ($1.errors, $1.name) }
        return best.flatMap { $0.errors <= max(1, (letters.count + 1) / 3) ? $0.name : nil }
    }

    /// The number of letters to insert, remove, replace or swap with the next one.
    package static func errors(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
