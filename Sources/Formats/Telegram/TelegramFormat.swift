package import Dates

/// Exports of Telegram Desktop in JSON: `result.json`, of one chat or of all.
///
/// Facts ([src]: the exporter's source, telegramdesktop/tdesktop, export_output_json.cpp and
/// export_data_types.cpp; [file]: seen in real files of 2020 to 2025):
/// - One chat is `{name, type, id, messages: […]}`; all chats are `{about, …, chats: {list: […]}, left_chats: {list: […]}}`.
///   `messages` is the last key of a chat, and quotes in texts are escaped: `"messages":` stands nowhere else. [src]
/// - A message begins with `"id": N`, then `"type": "message"` (or "service", "unsupported"). No other object does. [src]
/// - Messages stand in the order of their IDs; those of a migrated group are lowered by 1,000,000,000 and come first. [src]
/// - `date` is local, without a zone; `date_unixtime` came in 2022. [file]
/// - `from_id` is `user123`, `channel123` or `chat123`; a bare number in 2020. [src, file] A deleted account has the name null.
/// - Controls are written as `\x01`, which is no JSON; `document_id` was once written without quotes. [src, formats]
/// - `edited` is written for reactions too, and is 1970 for "never" in old files. [file]
/// - A message of a topic in a forum replies to the message `topic_created`; the ID of the topic is not written for real
///   replies, which therefore belong to the topic of their target. [src]
package struct TelegramFormat: Format {
    package let id = "telegram"
    package let name = "Telegram export"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        var unsure = Recognition.no
        // Folders of other programs hold thousands of JSON files.
        for file in TelegramFile.candidates(source).prefix(20) {
            switch TelegramFile.recognise(file, source) {
            case .certain: return .certain
            case .unsure(let reason): unsure = .unsure(reason)
            case .weak, .no: break
            }
        }
        return unsure
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive()
        var chats: [TelegramChat] = []
        for file in TelegramFile.candidates(source) where TelegramFile.recognise(file, source) == .certain {
            let contents = try TelegramFile.contents(of: file, in: source)
            chats += contents.chats
            archive.problems += contents.problems
            if let me = contents.me {
                archive.me = me.id
                if !me.name.isEmpty { archive.people.append(me) }
            }
        }
        archive.people += chats.compactMap(\.person)
        archive.conversations = TelegramChat.conversations(of: chats, me: archive.me)
        return archive
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        TelegramConverter(feed, state: state, zone: zone)
    }

    /// A message begins as no other object does. A message without a date takes that of the message before it, and is no
    /// place to begin; nor is any place in a forum, where the topic of a reply is that of an earlier message.
    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? {
        TelegramSetting(feed.setting).isForum ? nil : TelegramCut.first(in: bytes)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        guard Int64(id) != nil else { return nil }
        return Array((TelegramSetting(feed.setting).isSpaced ? "\"id\": \(id)," : "\"id\":\(id),").utf8)
    }
}
