package import Dates

/// Archives of public channels that zulip-archive writes: a folder a channel, a file a topic.
///
///     stream_index.json (ZulipIndex), files (ZulipTopic) → ZulipArchive: a feed a topic → ZulipConverter → records
///
/// Facts (github.com/zulip/zulip-archive: lib/populate.py, lib/url.py; HTML: Zulip's own tests of its Markdown):
/// - `stream_index.json` is `{"streams": {NAME: {"id", "latest_id", "topic_data": {TOPIC: {"size", "latest_date"}}}}, "time"}`. Zulip
///   calls streams channels today.
/// - `213222-general/hello.json` is an array of `{"content", "id", "sender_full_name", "timestamp"}`, ascending. The text is HTML.
///   Names of files are percent-encoded, with a full stop for the percent sign.
/// - IDs of messages are unique on the server, and ascend across topics. Senders have no IDs, nor are there reactions.
/// - A later run adds to the files of topics. It does not remove those of topics that were renamed, so a message may lie in two files:
///   that of a topic in the index counts. A topic that is resolved is renamed too: it gets "✔ " before its name.
///
/// A topic is a thread: its first message is the root, and shows the name of the topic.
package struct ZulipFormat: Format {
    package let id = "zulip"
    package let name = "zulip-archive"

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        let hasTopic = source.files.lazy.filter(ZulipTopic.isCandidate).prefix(16).contains {
            (try? ZulipTopic.Head($0, in: source)) != nil
        }
        if hasTopic { return .certain }
        let hasIndex = source.files.contains { ZulipIndex.isIndex($0, in: source) }
        return hasIndex ? .unsure("a zulip-archive without the messages of its topics") : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var list = ZulipArchive(source)
        for file in source.files where ZulipTopic.isCandidate(file) { try list.add(file) }
        return try list.archive()
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        ZulipConverter(feed, state: state)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}
