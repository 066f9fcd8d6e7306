import Testing

@testable import Formats

struct UniqueIDsTests {
    @Test func `A thousand conversations of one name need a thousand tries`() {
        var ids = UniqueIDs()
        let all = (0..<1_000).map { _ in ids.take("general") }
        #expect(Array(all[..<3]) == ["general", "general-2", "general-3"] && all[999] == "general-1000")
        #expect(ids.tries == 999)
    }

    @Test func `A number that is a name itself is passed over`() {
        var ids = UniqueIDs()
        #expect(ids.take("a-2") == "a-2")
        #expect(ids.take("b", "a") == "b")
        #expect(ids.take("b", "a") == "a")
        #expect(ids.take("b", "a") == "a-3")
        #expect(ids.take("a-2") == "a-2-2")
    }
}
