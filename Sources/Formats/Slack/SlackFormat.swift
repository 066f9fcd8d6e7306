package import Dates

/// Exports of Slack: the official one, and the exports and dumps of slackdump.
///
///     index files and the paths of days → SlackArchive → a feed a day → SlackConverter → SlackMessage → records by `ts`
///
/// Facts, and where they were seen:
/// - An export is a folder with `channels.json`, `groups.json`, `mpims.json`, `dms.json`, `users.json` or `org_users.json`, any of
///   which may be missing, and a folder a conversation with arrays of messages, `YYYY-MM-DD.json`. (real exports)
/// - `ts` is a decimal number in a string, the ID and the order of a message in its conversation. Days may be descending, and
///   replies lie in the files of their own days, so records are ordered by `ts` alone. (real exports)
/// - `text` is mrkdwn and escapes `&`, `<`, `>`. `blocks` are the richer form; in `rich_text` nothing is escaped. (real exports)
/// - A root has `thread_ts` equal to `ts`; a deleted root with replies has the subtype `tombstone`. (slackdump's fixtures)
/// - slackdump keeps files in `__uploads/<id>/<name>` or `<channel>/attachments/<id>-<name>`, for dumps in `<channel ID>/<id>-<name>`.
///   A dump is `{channel_id, name, thread_ts?, messages}`, with `slackdump_thread_replies` in each root. (slackdump's source:
///   `source/filestorage.go`, `types/conversation.go`)
package struct SlackFormat: Format {
    package let id = "slack"
    package let name = "Slack export"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition { SlackRecognition(source).result }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = SlackArchive()
        let exports = SlackExport.all(in: source)
        for export in exports { try archive.add(export, in: source) }
        if exports.allSatisfy(\.days.isEmpty) {
            for dump in try SlackDump.all(in: source) { archive.add(dump, in: source) }
        }
        return archive.archive()
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        SlackConverter(feed, names: names)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}
