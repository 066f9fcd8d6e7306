@testable import Formats

/// Exports of Slack as tests write them.
enum SlackSource {
    static func source(_ files: [String: String], name: String = "export") -> Source {
        Source(name: name, files.mapValues { Array($0.utf8) })
    }

    /// One channel with these messages in one day.
    static func day(_ messages: String...) -> Source {
        source([
            "channels.json": #"[{"id":"C00000001","name":"general"}]"#,
            "users.json": #"[{"id":"U00000001","name":"ana","profile":{"display_name":"Ana"}}]"#,
            "general/2024-05-01.json": "[" + messages.joined(separator: ",\n") + "]",
        ])
    }

    static func message(_ fields: String, ts: String = "1714550400.000100") -> String {
        #"{"type":"message","user":"U00000001","ts":""# + ts + #"","# + fields + "}"
    }

    /// The one record of a message with these fields.
    static func record(_ fields: String) throws -> [String: Any] {
        try Converted(day(message(fields)), by: SlackFormat()).records["general"]?.first ?? [:]
    }

    /// Its text.
    static func text(_ fields: String) throws -> String? { try record(fields)["text"] as? String }
}
