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
    func `A text field is edited like a shell's line`(actions: [Action], text: String, cursor: Int) {
        var field = TextField("tide at noon")
        for action in actions { _ = field.edit(action) }
        #expect(field.text == text)
        #expect(field.cursor == cursor)
        let isEdit = field.edit(.pageUp)
        #expect(!isEdit)
    }

    @Test func `Each character as the user sees it is one character of the field`() {
        var field = TextField("a👨‍👩‍👧é")
        _ = field.edit(.fieldBackspace)
        _ = field.edit(.fieldBackspace)
        #expect(field.text == "a")
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `The cursor is always within the visible part, with text around it`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let characters = Array("abc d謝謝é👍\u{1B}\u{202E}")
        for _ in 0..<500 {
            var field = TextField()
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                field.insert([characters.randomElement(using: &random) ?? "a"])
            }
            for _ in 0..<Int.random(in: 0..<60, using: &random) { _ = field.edit(.fieldLeft) }
            let columns = Int.random(in: 1...30, using: &random)
            let (text, cursor) = field.visible(columns: columns)
            #expect(text.columns <= columns)
            #expect((0..<columns).contains(cursor) || text.columns == 0 && cursor == 0)
            #expect(CleanText(field.text).string.contains(text.string))
        }
    }

    @Test func `A paste without an end is cut`() {
        var field = TextField()
        field.insert(Array(repeating: "x", count: TextField.longest - 1))
        field.insert(["y", "z"])
        #expect(field.text.count == TextField.longest)
        #expect(field.text.hasSuffix("xy"))
    }
}

/// Which hit is next, against a naive walk over all.
struct HitPlacesTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `The next hit is that of a naive walk, or unknown as long as it may be another`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let all = Self.places(&random)
            var find = Find(towards: .newer, origin: nil, originIndex: nil)
            for taken in 0...all.count {
                find.places = HitPlaces()
                find.places.append(Array(all[..<taken]))
                #expect((0..<taken).map { find.places[HitOrdinal($0)] } == Array(all[..<taken]))
                for isComplete in taken == all.count ? [false, true] : [false] {
                    find.isComplete = isComplete
                    for index in -1...13 {
                        for including in [false, true] { check(find, all, from: index, including: including) }
                    }
                }
            }
        }
    }

    @Test func `All replies between the same two messages are reached once, both ways`() {
        var find = Find(towards: .older, origin: nil, originIndex: nil)
        let all = [
            HitPlace(order: 100, index: 100), HitPlace(order: 100, index: 10, isReply: true),
            HitPlace(order: 100, index: 10, isReply: true), HitPlace(order: 100, index: 50, isReply: true),
            HitPlace(order: 99, index: 99), HitPlace(order: 0, index: 0, isReply: true),
        ]
        find.places.append(all)
        find.isComplete = true
        #expect(walk(find, .older, from: find.next(.older, from: 200)) == Array(0..<6))
        #expect(walk(find, .newer, from: find.next(.newer, from: -1)) == (0..<6).reversed())
    }

    private func walk(_ find: Find, _ direction: FindDirection, from first: Find.Lookup) -> [Int] {
        var ordinals: [Int] = []
        var lookup = first
        while case .found(let ordinal) = lookup, ordinals.count < 100 {
            ordinals.append(ordinal.value)
            lookup = find.next(direction, fromOrdinal: ordinal)
        }
        return ordinals
    }

    /// As a store gives them: newest first, replies before the message that they stand before.
    private static func places(_ random: inout SeededGenerator) -> [HitPlace] {
        var places: [HitPlace] = []
        for order in (0...12).reversed() {
            if Int.random(in: 0..<3, using: &random) == 0 { places.append(HitPlace(order: order, index: order)) }
            for _ in 0..<Int.random(in: 0..<3, using: &random) where Bool.random(using: &random) {
                places.append(
                    HitPlace(order: order, index: Int.random(in: 0...max(0, order - 1), using: &random), isReply: true))
            }
        }
        return places
    }

    private func check(_ find: Find, _ all: [HitPlace], from index: Int, including: Bool) {
        // A reply of this order stands before the message, the message itself counts when asked for.
        let isOlder = { (hit: HitPlace) in
            hit.order < index || hit.order == index && (hit.isReply || including)
        }
        let isNewer = { (hit: HitPlace) in hit.order > index || hit.order == index && !hit.isReply && including }
        for (direction, truth) in [
            (FindDirection.older, all.firstIndex(where: isOlder)), (.newer, all.lastIndex(where: isNewer)),
        ] {
            switch find.next(direction, from: index, including: including) {
            case .found(let ordinal): #expect(ordinal.value == truth)
            case .none: #expect(truth == nil)
            case .unknown: #expect(!find.isComplete)
            }
        }
    }
}
