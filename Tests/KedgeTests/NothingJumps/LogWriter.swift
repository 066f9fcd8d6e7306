import Foundation
import Messages
import TestSupport

/// Somebody who writes into a conversation while another one reads it: whole lines, each with one write.
struct LogWriter {
    private let folder: String
    private var file: FileHandle
    private let prefix: String
    private var lines = 0
    private var clock: Int64
    private var random: SeededGenerator

    static let people = ["ana", "ben", "mei", "yuki", "noor", "priya", "soren"]
    private static let words = [
        "salt", "rope", "gull", "fog", "two knots", "half a mile", "so it goes", "aye", "潮", "naïve", "🌊",
        "again and again",
    ]

    /// - Parameter after: the time of the newest line.
    init(archive: String, conversation: String, after: Timestamp, seed: UInt64) throws {
        folder = "\(archive)/conversations/\(conversation)/"
        file = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "messages-000001.jsonl"))
        prefix = "w-\(seed)-"
        clock = after.milliseconds
        random = SeededGenerator(seed: seed)
    }

    /// Writes one line about the conversation, or about a message of it.
    /// - Parameter target: a message that may be edited, deleted, answered or reacted to, and who wrote it.
    /// - Returns: what the line does.
    mutating func write(target: String, author: String) throws -> String {
        let roll = Int.random(in: 0..<10, using: &random)
        var line = somebody()
        switch roll {
        case 0...3: line["text"] = text()
        case 4: (line["text"], line["replyTo"]) = (text(), target)
        case 5: (line["text"], line["thread"]) = (text(), target)
        case 6: (line["emoji"], line["target"]) = (["👍", "⚓", "❤️"].randomElement(using: &random), target)
        case 7: (line["from"], line["target"]) = (author, target)
        default: (line["text"], line["from"], line["target"]) = (text(), author, target)
        }
        let type = roll < 6 ? "message" : roll == 6 ? "reaction" : roll == 7 ? "delete" : "edit"
        try append(line, type: type)
        return roll < 4 ? "message" : "\(type) for \(target)"
    }

    /// Writes a message that stands in the main timeline.
    mutating func writeMessage() throws {
        var line = somebody()
        line["text"] = text()
        try append(line, type: "message")
    }

    /// Puts a copy of the log in its place.
    /// - Parameter id: a message that the copy lacks; nil when it lacks none.
    mutating func rewrite(without id: String?) throws {
        let path = folder + "messages-000001.jsonl"
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
        let start = id.map { Data(#"{"type":"message","id":"\#($0)","#.utf8) }
        let kept = lines.filter { line in !(start.map(line.starts) ?? false) }
        try replace(path, by: kept)
        file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }

    /// Writes a file of messages that are older than all others, of the same day as the first of them.
    mutating func writeOlderFile(before moment: Timestamp) throws {
        let day = moment.milliseconds / 86_400_000 * 86_400_000
        let times = (0..<Int.random(in: 1...25, using: &random)).map { _ in
            Int64.random(in: day..<moment.milliseconds, using: &random)
        }
        let lines = try times.sorted().enumerated().map { number, time in
            var line = somebody()
            (line["type"], line["id"], line["text"]) = ("message", prefix + "older-\(number)", text())
            line["at"] = Timestamp(milliseconds: time).iso8601
            return try data(line)
        }
        try replace(folder + "messages-000000.jsonl", by: lines)
    }

    private func replace(_ path: String, by lines: [Data]) throws {
        let new = folder + "new"
        try Data(lines.joined(separator: [0x0A]) + [0x0A]).write(to: URL(fileURLWithPath: new))
        guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private mutating func somebody() -> [String: Any] {
        ["from": LogWriter.people.randomElement(using: &random) ?? "ana"]
    }

    private mutating func append(_ line: [String: Any], type: String) throws {
        var line = line
        clock += Int64.random(in: 0...400_000, using: &random)
        lines += 1
        line["type"] = type
        line["id"] = prefix + "\(lines)"
        line["at"] = Timestamp(milliseconds: clock).iso8601
        try file.seekToEnd()
        try file.write(contentsOf: try data(line) + Data([0x0A]))
    }

    private func data(_ line: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private mutating func text() -> String {
        let count = [1, 4, 15, 60].randomElement(using: &random) ?? 1
        let words = (0..<count).map { _ in LogWriter.words.randomElement(using: &random) ?? "" }
        let text = words.joined(separator: " ")
        return Int.random(in: 0..<6, using: &random) == 0 ? text + "\n```\nlet salt = 1\n```\naye" : text
    }
}
