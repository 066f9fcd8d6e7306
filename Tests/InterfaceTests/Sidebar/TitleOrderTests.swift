import Testing

@testable import Interface

/// The order of titles in a list.
struct TitleOrderTests {
    private static func sorted(_ titles: [String]) -> [String] {
        titles.sorted { TitleOrder($0) < TitleOrder($1) }
    }

    @Test func `Numbers stand in the order of their values, and the case of letters does not count`() {
        #expect(
            Self.sorted(["449", "45", "room 10", "Room 9", "448", "archive"]) == [
                "45", "448", "449", "archive", "Room 9", "room 10",
            ])
    }

    @Test func `Numbers that no machine word holds have their place, and leading zeros do not count`() {
        let long = String(repeating: "9", count: 40)
        #expect(Self.sorted(["1" + long, long, "007", "8"]) == ["007", "8", long, "1" + long])
        #expect(!(TitleOrder("7") < TitleOrder("007")) && !(TitleOrder("007") < TitleOrder("7")))
    }

    @Test func `A title stands before its continuations, an empty one before all`() {
        #expect(Self.sorted(["build 2", "build", "", "build-a", "2"]) == ["", "2", "build", "build 2", "build-a"])
    }
}
