package import Dates

/// Chats of Messenger and Instagram, from "Download your information" in JSON.
///
/// Facts, from exports and from the sources of programs that read them:
/// - A chat is a folder with `message_1.json`, `message_2.json` …: the newest messages first, in each file and of all files.
/// - `{"participants":[{"name"}],"messages":[{"sender_name","timestamp_ms","content",…}],"title",…}`; the title stands last.
/// - Texts are bytes of UTF-8 that are escaped as if each were a character: `\u00c5\u0082` is ł.
/// - End-to-end encrypted chats (2024 on, messenger.com/secure_storage/dyi) are a file each: `{"participants":["Ana"],
///   "threadName":"Ben_1","messages":[{"senderName","text","timestamp","type","media":[{"uri"}],"reactions","isUnsent"}]}`, with
///   texts as they are.
/// - A file may be renamed, and programs that write the format put the oldest message first: contents decide.
/// - There are no IDs and no replies. Paths of files are seen from the root of the whole export.
package struct MessengerFormat: Format {
    package let id = "messenger"
    package let name = "Messenger or Instagram chats"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        MessengerFolder(source).files.contains { MessengerHead($0, in: source) != nil } ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        try MessengerFolder(source).archive()
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        ArrayConverter(feed, write: MessengerMessages(feed).write)
    }
}
