@testable import Formats

/// Files of DiscordChatExporter as tests write them.
enum DiscordSource {
    struct Channel {
        var id = "100"
        var type = "GuildTextChat"
        var name = "general"
        var parent = (id: "50", name: "Text")
        var guild = (id: "9", name: "Club")
        var exportedAt = "2026-01-01T00:00:00+00:00"
    }

    static func file(_ channel: Channel, _ messages: [String], cut: Bool = false) -> String {
        """
        {
          "guild": {
            "id": "\(channel.guild.id)",
            "name": "\(channel.guild.name)",
            "iconUrl": "icon.png"
          },
          "channel": {
            "id": "\(channel.id)",
            "type": "\(channel.type)",
            "categoryId": "\(channel.parent.id)",
            "category": "\(channel.parent.name)",
            "name": "\(channel.name)",
            "topic": null
          },
          "dateRange": {
            "after": null,
            "before": null
          },
          "exportedAt": "\(channel.exportedAt)",
          "messages": [
            \(messages.joined(separator: ",\n    "))
        """ + (cut ? "" : "\n  ],\n  \"messageCount\": \(messages.count)\n}")
    }

    /// A message with the fields that the exporter writes first, and more of them.
    static func message(_ id: Int, type: String = "Default", _ content: String = "text", _ fields: String = "")
        -> String
    {
        """
        {
              "id": "\(id)",
              "type": "\(type)",
              "timestamp": "2024-05-01T10:00:00.12+02:00",
              "timestampEdited": null,
              "callEndedTimestamp": null,
              "isPinned": false,
              "content": "\(content)",
              "author": {
                "id": "7",
                "name": "ana",
                "discriminator": "0000",
                "nickname": "Ana",
                "color": null,
                "isBot": false,
                "roles": []
              }\(fields.isEmpty ? "" : ",\n      " + fields)
            }
        """
    }

    static func source(_ files: [String: String]) -> Source {
        Source(name: "exports", files.mapValues { Array($0.utf8) })
    }

    /// The one record of a message.
    static func record(_ message: String, in path: String = "a.json") throws -> [String: Any] {
        let converted = try Converted(source([path: file(Channel(), [message])]), by: DiscordFormat())
        return converted.records["general"]?.first ?? [:]
    }
}
