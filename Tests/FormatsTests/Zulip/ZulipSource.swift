import JSON
@testable import Formats

/// Archives as zulip-archive writes them.
enum ZulipSource {
    static func message(_ id: Int, _ content: String, from: String = "Ana Ruiz", at: Int = 1_714_550_400) -> String {
        """
            {
                "content": \(JSONText(content)),
                "id": \(id),
                "sender_full_name": \(JSONText(from)),
                "timestamp": \(at)
            }
        """
    }

    static func topic(_ messages: [String]) -> [UInt8] {
        Array("[\n\(messages.joined(separator: ",\n"))\n]".utf8)
    }

    static let index = #"""
        {
            "streams": {
                "general": {"id": 12, "latest_id": 109, "topic_data": {
                    "hello": {"latest_date": 1714550405, "size": 3}, "✔ Is it 50%?": {"latest_date": 1714550409, "size": 2}}},
                "empty": {"id": 14, "latest_id": 0, "topic_data": {}},
                "old name": {"id": 13, "latest_id": 50, "topic_data": {"a": {"latest_date": 7, "size": 1}}},
                "Café & bar": {"id": 13, "latest_id": 60, "topic_data": {"a": {"latest_date": 6, "size": 2}}}
            },
            "time": 1714550500.25
        }
        """#

    /// Two channels: in one, a topic was resolved after its first messages had been archived; the other was renamed.
    static let files: [String: [UInt8]] = [
        "json/stream_index.json": Array(index.utf8),
        "json/12-general/hello.json": topic([
            message(101, "<p>first</p>"), message(103, "<p>third</p>", from: "Ben"), message(105, "<p>fifth</p>"),
        ]),
        "json/12-general/Is.20it.2050.25.3F.json": topic([
            message(102, "<p>second</p>"), message(104, "<p>fourth, before it was changed</p>", from: "Ben"),
        ]),
        "json/12-general/.E2.9C.94.20Is.20it.2050.25.3F.json": topic([
            message(104, "<p>fourth</p>", from: "Ben"),
            message(109, "<p>resolved</p>", from: "Notification Bot", at: 1_714_550_409),
        ]),
        "json/13-old-name/a.json": topic([message(50, "<p>old</p>")]),
        "json/13-Caf.C3.A9-.26-bar/a.json": topic([message(50, "<p>new</p>"), message(60, "<p>newer</p>")]),
    ]

    static func source(_ more: [String: [UInt8]] = [:]) -> Source {
        Source(name: "json", files.merging(more) { $1 })
    }

    /// An archive of one topic.
    static func source(_ messages: [String]) -> Source {
        Source(name: "json", ["12-general/hello.json": topic(messages)])
    }
}
