internal import Messages

/// Suggests up to three conversations or people with similar names, best first.
enum Nearest {
    /// Conversations whose ID or title begins like `wanted` or is spelled similarly, regardless of case.
    static func ids(to wanted: ConversationID, among all: [Conversation]) -> [ConversationID] {
        best(all, for: wanted.rawValue, id: \.id.rawValue, errorsIn: 3) { [$0.id.rawValue, $0.title] }.map(\.id)
    }

    /// People whose ID, name or a word of the name is similar. Allows more errors than `ids`, because the user has no
    /// list of people to look at.
    static func people(to wanted: String, among all: [Person]) -> [Person] {
        best(all, for: wanted, id: \.id.rawValue, errorsIn: 2) { person in
            [person.id.rawValue, person.name] + person.name.split(separator: " ").map(String.init)
        }
    }

    /// - Parameter errorsIn: one error is allowed for this many letters.
    private static func best<Item>(
        _ all: [Item], for wanted: String, id: (Item) -> String, errorsIn letters: Int, names: (Item) -> [String]
    ) -> [Item] {
        let wanted = plain(wanted)
        guard !wanted.isEmpty else { return [] }
        let mostErrors = max(1, wanted.count / letters)
        let scored = all.compactMap { item -> (score: Int, id: String, item: Item)? in
            let scores = names(item).compactMap { score(wanted, plain($0), mostErrors: mostErrors) }
            return scores.min().map { ($0, id(item), item) }
        }
        return scored.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.prefix(3).map(\.item)
    }

    /// Drops a leading "#", so that "ubuntu" finds "#ubuntu". Cuts the text, because the edit distance takes quadratic
    /// time.
    private static func plain(_ text: String) -> [Character] {
        Array(text.lowercased().drop { $0 == "#" }.prefix(64))
    }

    private static func score(_ wanted: [Character], _ name: [Character], mostErrors: Int) -> Int? {
        if wanted == name { return 0 }
        if !name.isEmpty, name.starts(with: wanted) || wanted.starts(with: name) { return 1 }
        let distance = distance(wanted, name)
        return distance <= mostErrors ? 1 + distance : nil
    }

    /// The Levenshtein distance.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let replaced = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
