@testable import Archive
import Foundation
import Messages
import TestSupport
import Testing

struct ArchiveStatisticsTests {
    private let zone = Zone(secondsEast: 5_400)

    private func statistics(_ archive: TemporaryArchive, in index: IndexFolder? = nil) throws -> Statistics {
        try ArchiveIndex(archive: archive.path, in: index ?? archive.index).statistics(of: general, in: zone).statistics
    }

    private func expect(_ statistics: Statistics, _ plain: NaiveConversation, _ seed: UInt64) {
        let all = plain.all
        #expect(statistics.count == all.count, "seed \(seed)")
        #expect(statistics.first == all.first?.at && statistics.last == all.last?.at, "seed \(seed)")
        #expect(statistics.presence == all.count { $0.presence != nil }, "seed \(seed)")
        #expect(statistics.senderless == all.count { $0.sender == nil }, "seed \(seed)")
        var (hours, months): ([Int], [String: Int]) = (Array(repeating: 0, count: 24), [:])
        for message in all {
            let civil = zone.civil(message.at)
            hours[civil.hour] += 1
            months[String(civil.date.iso8601.prefix(7)), default: 0] += 1
        }
        #expect(statistics.hours == hours, "seed \(seed)")
        #expect(
            Dictionary(uniqueKeysWithValues: statistics.months.map { ($0.month.iso8601, $0.count) }) == months,
            "seed \(seed)")
        let people = Dictionary(grouping: all.compactMap(\.sender), by: \.self).mapValues(\.count)
        let counted = statistics.people.map { ($0.person, $0.count) }
        #expect(Dictionary(uniqueKeysWithValues: counted) == people, "seed \(seed)")
    }

    @Test(arguments: RandomArchiveTests.seeds)
    func `Statistics equal those of a plain reader with a full, a partial and no index`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        try RandomArchiveTests.write(
            archive, count: Int.random(in: 0...200, using: &random), padding: 40_000, &random)
        let plain = try NaiveConversation(
            folder: archive.path + "/conversations/general", names: ["ana": "Ana Ruiz", "ben": "Ben"])
        // A path at which no folder can be created.
        let nowhere = IndexFolder(cache: archive.path + "/archive.json", archive: archive.path)
        try expect(statistics(archive, in: nowhere), plain, seed)
        try RandomArchiveTests.index(archive, .part, &random)
        try expect(statistics(archive), plain, seed)
        try expect(statistics(archive), plain, seed)
    }

    @Test func `A line without a line feed counts as soon as it can be parsed`() throws {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        try archive.append(firstSegment, message("m1") + "\n" + message("m3", from: "ben"))
        #expect(try statistics(archive).count == 3)
        #expect(try statistics(archive).people.map(\.count) == [2, 1])
        try archive.append(firstSegment, "\n" + #"{"type":"message","id":"#)
        #expect(try statistics(archive).count == 3)
    }

    @Test func `Bad lines are reported with and without an index`() throws {
        let archive = try TemporaryArchive(message("m1"), "broken", message("m1"), message("m2"))
        let nowhere = IndexFolder(cache: archive.path + "/archive.json", archive: archive.path)
        for folder in [archive.index, nowhere] {
            let answer = try ArchiveIndex(archive: archive.path, in: folder).statistics(of: general, in: zone)
            #expect(answer.statistics.count == 2)
            let reported = answer.problems.filter { $0.hasPrefix("general/messages-000001.jsonl:") }
            #expect(reported.count == 2, "\(answer.problems)")
            #expect(reported.contains { $0.hasPrefix("general/messages-000001.jsonl:3: repeats") })
        }
    }

    @Test func `A conversation without files has empty statistics, and a missing one is an error`() throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations/general/conversation.json", "{}")
        #expect(try statistics(archive).count == 0)
        #expect(throws: StoreError.noSuchConversation(ConversationID("other"), nearest: [])) {
            try ArchiveIndex(archive: archive.path, in: archive.index)
                .statistics(of: ConversationID("other"), in: zone)
        }
    }
}
