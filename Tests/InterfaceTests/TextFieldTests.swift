import Display
import Messages
import TestSupport
import Testing

@testable import Interface

struct TextFieldTests {
    @Test(arguments: [
        ([.fieldStart, .fieldDelete] as [Action], "ide at noon", 0), ([.fieldBackspace], "tide at noo", 11),
        ([.fieldDeleteWord], "tide at ", 8), ([.fieldWordLeft, .fieldWordLeft], "tide at noon", 5),
        ([.fieldWordLeft, .fieldDeleteToStart], "noon", 0), ([.fieldWordLeft, .fieldDeleteToEnd], "tide at ", 8),
        ([.fieldStart, .fieldWordRight], "tide at noon", 4),
        ([.fieldStart, .fieldLeft, .fieldRight], "tide at noon", 1),
        ([.fieldStart, .fieldEnd, .fieldRight, .fieldDelete], "tide at noon", 12),
    ])
    func `It is edited as a line of a shell`(actions: [Action], text: String, cursor: Int) {
        var field = TextField("tide at noon")
        for action in actions { _ = field.edit(action) }
        #expect(field.text == text)
        #expect(field.cursor == cursor)
        let isEdit = field.edit(.pageUp)
        #expect(!isEdit)
    }

    @Test func `What the user sees as one character is one`() {
        var field = TextField("a👨‍👩‍👧é")
        _ = field.edit(.fieldBackspace)
        _ = field.edit(.fieldBackspace)
        #expect(field.text == "a")
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `The cursor is always within what is shown, and the text around it`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let characters = Array("abc d謝謝é👍\u{1B}\u{202E}")
        for _ in 0..<500 {
            var field = TextField()
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                field.insert(characters.randomElement(using: &random) ?? "a")
            }
            for _ in 0..<Int.random(in: 0..<60, using: &random) { _ = field.edit(.fieldLeft) }
            let columns = Int.random(in: 1...30, using: &random)
            let (text, cursor) = field.visible(columns: columns)
            #expect(text.columns <= columns)
            #expect((0..<columns).contains(cursor) || text.columns == 0 && cursor == 0)
            #expect(CleanText(field.text).string.contains(text.string))
        }
    }

    @Test func `A paste without end is cut`() {
        var field = TextField()
        for _ in 0..<TextField.longest + 5 { field.insert("x") }
        #expect(field.text.count == TextField.longest)
    }
}

/// Which hit is next, against a naive reading of all.
struct HitPlacesTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `The next hit is that of a naive reading, or unknown as long as it may be another`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 0...12, using: &random)
            let all = Set((0..<count).map { _ in Self.place(&random) }).sorted(by: >)
            var find = Find(towards: .newer, origin: nil, originIndex: nil)
            for taken in 0...all.count {
                find.places = HitPlaces()
                find.places.append(Array(all[..<taken]))
                for isComplete in taken == all.count ? [false, true] : [false] {
                    find.isComplete = isComplete
                    for _ in 0..<5 {
                        let here = Self.place(&random)
                        let newer = all.last { $0 > here }
                        let older = all.first { $0 < here }
                        expect(find.next(.newer, from: here), newer, isComplete)
                        expect(find.next(.older, from: here), older, isComplete)
                    }
                }
            }
            for (ordinal, place) in all.enumerated() { #expect(find.places.ordinal(of: place) == ordinal) }
            #expect(find.places.ordinal(of: HitPlace(order: 99, index: 99)) == nil)
        }
    }

    private static func place(_ random: inout SeededGenerator) -> HitPlace {
        let order = Int.random(in: 0...10, using: &random)
        let isReply = Bool.random(using: &random) && order > 0
        return HitPlace(
            order: order, index: isReply ? Int.random(in: 0..<order, using: &random) : order, isReply: isReply)
    }

    private func expect(_ lookup: Find.Lookup, _ truth: HitPlace?, _ isComplete: Bool) {
        switch lookup {
        case .found(let place): #expect(place == truth)
        case .none: #expect(truth == nil)
        case .unknown: #expect(!isComplete)
        }
    }
}
