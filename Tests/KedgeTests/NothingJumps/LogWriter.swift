import Foundation
import Messages
import TestSupport

/// Somebody who writes into a conversation while another one reads it: whole lines, each with one write.
struct LogWriter {
    private let file: FileHandle
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
        let path = "\(archive)/conversations/\(conversation)/messages-000001.jsonl"
        file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
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
        let data = try JSONSerialization.data(withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
        try file.seekToEnd()
        try file.write(contentsOf: data + Data([0x0A]))
    }

    private mutating func text() -> String {
        let count = [1, 4, 15, 60].randomElement(using: &random) ?? 1
        let words = (0..<count).map { _ in LogWriter.words.randomElement(using: &random) ?? "" }
        let text = words.joined(separator: " ")
        return Int.random(in: 0..<6, using: &random) == 0 ? text + "\n```\nlet salt = 1\n```\naye" : text
    }
}
