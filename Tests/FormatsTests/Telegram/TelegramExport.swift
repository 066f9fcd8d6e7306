@testable import Formats

/// Exports of Telegram Desktop, as its writer indents them.
enum TelegramExport {
    /// One chat. A message is the fields between its braces.
    static func chat(
        _ messages: [String], name: String = "\"Ana\"", type: String = "personal_chat", id: Int = 7
    ) -> String {
        """
        {
         "name": \(name),
         "type": "\(type)",
         "id": \(id),
         "messages": [\(list(messages, indent: 2))
         ]
        }
        """
    }

    /// All data: other sections first, then chats.
    static func all(_ chats: [String], left: [String] = []) -> String {
        """
        {
         "about": "Here is the data you requested.",
         "personal_information": {
          "user_id": 1,
          "first_name": "Mia",
          "last_name": "Me",
          "phone_number": "+49 170 0000000"
         },
         "sessions": {
          "list": [
           {
            "last_ip": "192.0.2.77"
           }
          ]
         },
         "chats": {
          "about": "All chats.",
          "list": [
           \(chats.joined(separator: ",\n"))
          ]
         },
         "left_chats": {
          "about": "Left chats.",
          "list": [
           \(left.joined(separator: ",\n"))
          ]
         }
        }
        """
    }

    private static func list(_ messages: [String], indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        return messages.map { "\n\(space){\n\(space) \($0)\n\(space)}" }.joined(separator: ",")
    }

    /// A message by Ana.
    static func message(_ id: Int, _ text: String = "hello", _ more: String = "") -> String {
        #""id": \#(id), "type": "message", "date": "2024-01-01T01:00:00", "date_unixtime": "1704067200", "from": "Ana", "from_id": "user7", "text": "\#(text)""#
            + (more.isEmpty ? "" : ", " + more)
    }

    /// A message whose text is an array of pieces.
    static func pieces(_ pieces: String) -> String {
        #""id": 1, "type": "message", "date_unixtime": "1704067200", "from": "Ana", "from_id": "user7", "text": [\#(pieces)]"#
    }

    /// A service message by Ana.
    static func service(_ id: Int, _ action: String, _ more: String = "") -> String {
        #""id": \#(id), "type": "service", "date_unixtime": "1704067200", "actor": "Ana", "actor_id": "user7", "action": "\#(action)", "text": """#
            + (more.isEmpty ? "" : ", " + more)
    }

    static func source(_ text: String, at path: String = "result.json") -> Source {
        Source([path: Array(text.utf8)], isFile: !path.contains("/"))
    }

    /// The conversion of one chat, by pieces of different sizes, which must all give the same.
    static func records(_ text: String, conversation: String = "ana") throws -> [[String: Any]] {
        try converted(source(text)).records[conversation] ?? []
    }

    static func converted(_ source: Source) throws -> Converted {
        try Converted(source, by: TelegramFormat(), chunk: 64)
    }
}
