import Testing

/// Where a jump may lead, as the walk judges it.
struct LandingTests {
    private let conversation: ScratchConversation
    private let columns = 100
    /// A message of one row, among whose followers are enough for a screen.
    private let target: Int

    init() throws {
        let conversation = try ScratchConversation(archive: Program.demo, conversation: "general")
        target = try #require((1_000..<1_100).first { conversation.rows(of: $0, columns: 100).count == 1 })
        self.conversation = conversation
    }

    /// A screen of twelve rows that begins with this one, with the messages from one on below it.
    private func look(_ top: Spot?, from first: Int, selected: Int) -> Look {
        var spots = top.map { [$0] } ?? []
        for index in first..<first + 12 {
            for row in conversation.rows(of: index, columns: columns).indices {
                spots.append(.message(index, form: 0, row: row))
            }
        }
        spots = Array(spots.prefix(12))
        let area = spots.map { spot in
            guard case .message(let index, _, let row) = spot else { return " loading older messages" }
            return " " + (conversation.rows(of: index, columns: columns)[row].texts.min() ?? "")
        }
        let shot = Shot(["title  \(selected + 1) of 3,300", "day"] + area + ["status"], columns: columns)
        return Look(shot: shot, spots: spots, conversation: conversation, known: conversation.count)
    }

    @Test func `A page that comes before the key leaves the row of an edge in place`() {
        let before = look(.edge(.older), from: target + 1, selected: target + 2)
        let after = look(nil, from: target, selected: target)
        #expect(Walk.complaint(about: target, from: before, to: after) == nil)
    }

    @Test func `A message that is wholly visible stays, and any other is put in the middle`() {
        let whole = look(nil, from: target, selected: target + 2)
        let cut = look(nil, from: target + 1, selected: target + 2)
        let after = look(nil, from: target, selected: target)
        #expect(Walk.complaint(about: target, from: whole, to: after) == nil)
        #expect(Walk.complaint(about: target, from: cut, to: after)?.contains("not on 5") == true)
        #expect(Walk.complaint(about: target, from: whole, to: cut) == "not on \(target)")
    }
}
