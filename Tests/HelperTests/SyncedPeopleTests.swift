import Formats
import Foundation
import TestSupport
import Testing

@testable import Helper

/// The names of people in the archive of an account.
struct SyncedPeopleTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "kedge-people-\(UUID().uuidString)").path

    @Test func `people of one name are told apart where they meet, or may meet`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let people = (0..<Int.random(in: 0...9, using: &random)).map { number in
                ForeignPerson(id: "@\(number):e.org", name: ["Ana", "Ben", "Cy"].randomElement(using: &random) ?? "")
            }
            let rooms = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Set(people.filter { _ in Bool.random(using: &random) }.map(\.id))
            }
            try? FileManager.default.removeItem(atPath: path)
            var file = try SyncedPeople(path: path)
            try file.take(people) { give in rooms.forEach(give) }
            let expected = people.filter { person in
                people.contains { Self.mayMeet($0, person, in: rooms) }
            }
            #expect(try toldApart() == Set(expected.map(\.id)), "seed \(seed): \(people), \(rooms)")
        }
    }

    /// Whether two people of one name are in a room together, or one of them is in no room that is known.
    private static func mayMeet(_ one: ForeignPerson, _ other: ForeignPerson, in rooms: [Set<String>]) -> Bool {
        guard one.id != other.id, one.name == other.name else { return false }
        let places = [one, other].map { person in rooms.indices.filter { rooms[$0].contains(person.id) } }
        return places.contains([]) || !Set(places[0]).isDisjoint(with: places[1])
    }

    /// Those whose names are shown with their IDs.
    private func toldApart() throws -> Set<String> {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: String]])
        return Set(list.filter { $0["name"] == "\($0["plain"] ?? "-") (\($0["id"] ?? ""))" }.compactMap { $0["id"] })
    }
}
