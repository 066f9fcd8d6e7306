import Foundation
import TestSupport
import Testing

@testable import Formats
@testable import Mirror

/// The ID of a line counts how often the line was written in its second. The file in which it stands makes no difference.
struct RepeatedLineTests {
    private static let log = "irc.t.#c.weechatlog"
    private static let formats: [any Format] = [IRCFormat()]

    /// Lines of which many repeat those before in their second.
    private func lines(_ count: Int, seed: UInt64, fraction: String = "") -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { index in
            let (minute, second) = (index / 420, index / 7 % 60)
            let time = String(format: "2026-03-29 00:%02d:%02d", minute, second)
            return "\(time)\(fraction)\tana\t\(["hi", "ho", "hey"].randomElement(using: &random) ?? "")\n"
        }
    }

    private func ids(_ files: [String: [String]]) async throws -> [String] {
        try await TestExport(files.mapValues { $0.joined() }).messages("t.c", formats: Self.formats)
    }

    @Test func `a log in two files gives the IDs of the log in one file`() async throws {
        let seed = UInt64.random(in: 0...(.max))
        let lines = lines(24, seed: seed)
        let whole = try await ids([Self.log: lines])
        #expect(Set(whole).count == 24, "seed \(seed)")
        for cut in 1..<24 {
            let parts = [Self.log + ".1": Array(lines[..<cut]), Self.log: Array(lines[cut...])]
            #expect(try await ids(parts) == whole, "seed \(seed), cut at \(cut)")
        }
    }

    @Test func `a log that is rotated within a second goes on with the counts of that second`() async throws {
        let line = "2026-03-29 00:00:06\tana\thi\n"
        let export = try TestExport([Self.log: line + line])
        _ = try await export.messages("t.c", formats: Self.formats)
        try FileManager.default.moveItem(
            atPath: "\(export.source)/\(Self.log)", toPath: "\(export.source)/\(Self.log).1")
        try export.write(line + "2026-03-29 00:00:07\tana\tho\n", to: Self.log)
        let ids = try await export.messages("t.c", formats: Self.formats)
        #expect(ids.count == 4 && ids[2] == ids[0] + ".3")
    }

    @Test func `files of a single second count through all of them`() async throws {
        let line = "2026-03-29 00:00:06\tana\thi\n"
        let ids = try await ids([Self.log: [line], Self.log + ".1": [line], Self.log + ".2": [line]])
        #expect(ids.dropFirst() == [ids[0] + ".2", ids[0] + ".3"])
    }

    @Test func `pieces of large logs count as if they were one`() async throws {
        let seed = UInt64.random(in: 0...(.max))
        let text = String(repeating: "x", count: 4_000)
        // Of each second, seven lines, each with another fraction.
        let lines = lines(900, seed: seed).enumerated().map { index, line in
            line.replacingOccurrences(of: "\tana", with: ".\(String(format: "%06d", index))Z\tana")
                .replacingOccurrences(of: "\n", with: text + "\n")
        }
        var random = SeededGenerator(seed: seed)
        let cut = 750 + Int.random(in: 0..<7, using: &random)
        for files in [[Self.log: lines], [Self.log + ".1": Array(lines[..<cut]), Self.log: Array(lines[cut...])]] {
            let export = try TestExport(files.mapValues { $0.joined() })
            let ids = try await export.messages("t.c", formats: Self.formats)
            #expect(export.segments("t.c").count > 1)
            #expect(ids.count == 900 && Set(ids).count == 900, "seed \(seed), cut at \(cut)")
        }
    }
}
