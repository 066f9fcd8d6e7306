import Display
import Emoji
import Messages
import Search
import Timeline

/// The completion of `@name` and `:emoji:` in the text that is being written.
extension Writing {
    /// The mention of all people in a Matrix room.
    private static let everybody = PersonID("@room")

    /// Finds candidates for the word before the cursor.
    mutating func complete(in context: Context) {
        guard let place = context.writingPlace, let composer = composers[place] else { return }
        var completion = completion(of: composer.area, in: context)
        // If the candidates are the same, the selected one stays: the cursor has moved, or another part of the text has changed.
        if let former = composer.completion, former.candidates == completion?.candidates {
            completion?.selected = former.selected
        }
        composers[place]?.completion = completion
    }

    private func completion(of area: TextArea, in context: Context) -> Composer.Completion? {
        let word = area.wordBeforeCursor
        let typed = String(word.dropFirst())
        let candidates: [Composer.Completion.Candidate]
        switch word.first {
        case "@": candidates = people(named: typed, in: context)
        case ":" where typed.count >= 2:
            candidates = EmojiNames.matching(typed.trimmingSuffix(":"), limit: 8).map {
                Composer.Completion.Candidate(text: $0.emoji, shown: "\($0.emoji) \($0.name)")
            }
        default: return nil
        }
        return candidates.isEmpty ? nil : Composer.Completion(candidates: candidates, length: word.count)
    }

    /// Members, and senders of loaded messages, if their ID or a word of their name begins with the typed text.
    private func people(named typed: String, in context: Context) -> [Composer.Completion.Candidate] {
        var seen: Set<PersonID> = []
        let (timeline, conversation) = ((context.thread ?? context.main).timeline, context.conversation)
        let writers = (0..<timeline.count).reversed().compactMap { timeline.list[$0].message.sender }
        let members = (conversation?.members ?? []) + (conversation.flatMap { self.members[$0.id] } ?? [])
        let everybody =
            conversation?.callsAll == true && !typed.isEmpty ? [Person(id: Writing.everybody, name: "room")] : []
        let all = (writers + members + everybody).filter { seen.insert($0.id).inserted }
        let wanted = QueryName(typed, isPrefix: true)
        let found = all.filter { person in
            typed.isEmpty || wanted.isPart(of: person.name) || wanted.isPart(of: person.id.rawValue)
        }
        .prefix(8).map { (person: $0, shown: ShownName.of($0).string) }
        // A room may have thousands of members, so each name is looked at once, and not for each candidate.
        var bearers: [String: [PersonID]] = Dictionary(found.map { ($0.shown, []) }) { first, _ in first }
        for person in all {
            // Most names are plain: they are shown as they are.
            let shown = person.name.utf8.allSatisfy { $0 < 0x80 } ? person.name : ShownName.of(person).string
            bearers[shown]?.append(person.id)
        }
        return found.map { person, shown in
            candidate(person, hasNamesake: bearers[shown]?.contains { $0 != person.id } ?? false)
        }
    }

    /// A person on Matrix is mentioned by a name that is unique here; others by a name that is a single word, else by the ID.
    private func candidate(_ person: Person, hasNamesake: Bool) -> Composer.Completion.Candidate {
        if person.id == Writing.everybody {
            return Composer.Completion.Candidate(text: "@room", shown: "room (notifies everybody)")
        }
        let (word, id) = ("@" + person.name, person.id.rawValue)
        if hasNamesake {
            return Composer.Completion.Candidate(
                text: id.hasPrefix("@") ? id : "@" + id, shown: "\(person.name) (\(id))")
        }
        if Calls.canCall(person.id, by: word), person.name != id {
            return Composer.Completion.Candidate(text: word, shown: person.name, person: person.id)
        }
        // On Matrix, a name with formatting marks would mention nobody, so the ID is used.
        let isOfMatrix = id.hasPrefix("@") && id.contains(":")
        let isWord =
            !isOfMatrix && !person.name.contains(where: \.isWhitespace) && !person.name.isEmpty && person.name != id
        let text = isWord ? word : id.hasPrefix("@") ? id : "@" + id
        return Composer.Completion.Candidate(text: text, shown: person.name)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String { last == character ? String(dropLast()) : self }
}
