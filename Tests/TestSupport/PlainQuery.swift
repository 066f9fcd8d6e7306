/// A plain message, for a reader that shares only the rules with Kedge.
package struct PlainMessage: Sendable {
    package let conversation: String
    /// Minutes since the start of the test's clock.
    package let minute: Int
    /// Nil for a message without a sender.
    package let sender: String?
    package let text: String
    let words: [String]
    package let isReply: Bool
    package let isThreadReply: Bool
    package let hasFile: Bool
    /// Found only by a query that asks for such lines.
    package let isPresence: Bool

    package init(
        conversation: String, minute: Int, sender: String?, text: String, isReply: Bool, isThreadReply: Bool,
        hasFile: Bool, isPresence: Bool = false
    ) {
        self.conversation = conversation
        self.minute = minute
        self.sender = sender
        self.text = text
        words = PlainSearch.words(text)
        self.isReply = isReply
        self.isThreadReply = isThreadReply
        self.hasFile = hasFile
        self.isPresence = isPresence
    }
}

/// A query as it is typed, made of parts with a known meaning: nothing is parsed. Loops compare it with a message.
package struct PlainQuery: Sendable, CustomStringConvertible {
    /// The condition of a part on a message, and the parts that it is joined with: of parts of the same kind, any may
    /// hold.
    private struct Part: Sendable {
        let typed: String
        var kind: Kind = .all
        var isExcluded = false
        let isTrue: @Sendable (PlainMessage) -> Bool

        /// A refused part makes the whole query find nothing.
        enum Kind { case all, sender, conversation, nothing, refused }
    }

    private static let presence = "is:presence"
    private let parts: [Part]

    package var description: String { parts.map { ($0.isExcluded ? "-" : "") + $0.typed }.joined(separator: " ") }

    package func accepts(_ message: PlainMessage) -> Bool {
        let parts = parts.filter { $0.kind != .nothing }
        // An empty query.
        if parts.isEmpty || parts.contains(where: { $0.kind == .refused }) { return false }
        if message.isPresence, !parts.contains(where: { $0.typed == Self.presence && !$0.isExcluded }) { return false }
        for part in parts where part.isExcluded && part.isTrue(message) { return false }
        for part in parts where !part.isExcluded && part.kind == .all && !part.isTrue(message) { return false }
        for kind in [Part.Kind.sender, .conversation] {
            let some = parts.filter { $0.kind == kind && !$0.isExcluded }
            if !some.isEmpty, !some.contains(where: { $0.isTrue(message) }) { return false }
        }
        return true
    }

    // MARK: - Made at random

    /// The contents of a test's archives.
    package struct World: Sendable {
        let words: [String]
        /// For each typed name, the IDs of the people that it means.
        let senders: [(typed: String, ids: Set<String>)]
        let conversations: [(typed: String, ids: Set<String>)]
        let minutes: Range<Int>
        /// A minute as it is typed; quoted or not.
        let time: @Sendable (Int) -> String

        package init(
            words: [String], senders: [(typed: String, ids: Set<String>)],
            conversations: [(typed: String, ids: Set<String>)], minutes: Range<Int>,
            time: @escaping @Sendable (Int) -> String
        ) {
            self.words = words
            self.senders = senders
            self.conversations = conversations
            self.minutes = minutes
            self.time = time
        }
    }

    package init(in world: World, _ random: inout SeededGenerator) {
        parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            var part = Self.part(in: world, &random)
            part.isExcluded = Int.random(in: 0..<3, using: &random) == 0
            return part
        }
    }

    private static func part(in world: World, _ random: inout SeededGenerator) -> Part {
        switch Int.random(in: 0..<13, using: &random) {
        case 0...1: return phrase([world.words.randomElement(using: &random) ?? ""])
        case 2: return phrase((0..<2).map { _ in world.words.randomElement(using: &random) ?? "" })
        case 3:
            let word = PlainSearch.words(world.words.randomElement(using: &random) ?? "").first ?? ""
            let start = String(word.prefix(Int.random(in: 1...4, using: &random)))
            guard Int.random(in: 0..<3, using: &random) == 0 else {
                return Part(typed: start + "*") { $0.words.contains { $0.hasPrefix(start) } }
            }
            let before = PlainSearch.words(world.words.randomElement(using: &random) ?? "").last ?? ""
            return Part(typed: "\"\(before) \(start)*\"") { message in
                zip(message.words, message.words.dropFirst()).contains { $0 == before && $1.hasPrefix(start) }
            }
        case 4...5:
            guard let (typed, ids) = world.senders.randomElement(using: &random) else { return nothing("-") }
            return Part(typed: "from:" + typed, kind: .sender) { $0.sender.map(ids.contains) ?? false }
        case 6:
            guard let (typed, ids) = world.conversations.randomElement(using: &random) else { return nothing("-") }
            return Part(typed: "IN:" + typed, kind: .conversation) { ids.contains($0.conversation) }
        case 7...8: return date(in: world, &random)
        case 9: return link(Bool.random(using: &random) ? "has:link" : "Has:\"LINK\"")
        case 10:
            let marks: [Part] = [
                Part(typed: "has:file", isTrue: \.hasFile), Part(typed: "has:attachment", isTrue: \.hasFile),
                Part(typed: "is:reply", isTrue: \.isReply), Part(typed: "is:thread", isTrue: \.isThreadReply),
                Part(typed: presence, isTrue: \.isPresence),
            ]
            return marks.randomElement(using: &random) ?? marks[0]
        case 11:
            // Letters of a word in a row, which no index of words has.
            let word = PlainSearch.words(world.words.randomElement(using: &random) ?? "").first ?? ""
            let letters = String(word.dropFirst().prefix(2))
            guard !letters.isEmpty, letters.allSatisfy({ $0.isASCII }) else { return nothing("-") }
            return Part(typed: "/\(letters)/") { $0.text.lowercased().contains(letters) }
        default:
            let isRefused = Int.random(in: 0..<8, using: &random) == 0
            let typed = isRefused ? ["from:", "has:"] : ["...", "\"\"", "in:#"]
            return Part(typed: typed.randomElement(using: &random) ?? "", kind: isRefused ? .refused : .nothing) { _ in
                true
            }
        }
    }

    private static func nothing(_ typed: String) -> Part { Part(typed: typed, kind: .nothing) { _ in true } }

    private static func phrase(_ words: [String]) -> Part {
        let wanted = words.flatMap(PlainSearch.words)
        return Part(typed: words.count > 1 ? "\"\(words.joined(separator: " "))\"" : words[0]) { message in
            message.words.indices.contains { message.words[$0...].prefix(wanted.count).elementsEqual(wanted) }
        }
    }

    private static func link(_ typed: String) -> Part {
        Part(typed: typed) { message in
            // The words of a link in these tests: between blanks, commas and hyphens.
            message.text.lowercased().split { !$0.isLetter && !$0.isNumber && !":/.".contains($0) }.contains { piece in
                piece.hasPrefix("www.") || piece.contains("http://") || piece.contains("https://")
            }
        }
    }

    private static func date(in world: World, _ random: inout SeededGenerator) -> Part {
        let minute = Int.random(in: world.minutes, using: &random)
        let kinds: [(String, @Sendable (Int) -> Bool)] = [
            ("since", { $0 >= minute }), ("until", { $0 <= minute }), ("after", { $0 > minute }),
            ("before", { $0 < minute }), ("on", { $0 == minute }), ("during", { $0 == minute }),
        ]
        let (name, isTrue) = kinds.randomElement(using: &random) ?? kinds[0]
        return Part(typed: "\(name):\(world.time(minute))") { isTrue($0.minute) }
    }
}
