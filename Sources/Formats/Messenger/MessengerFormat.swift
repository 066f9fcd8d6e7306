internal import Files
internal import Dates
internal import JSON

/// Chats of Messenger and Instagram, from "Download your information" in JSON.
///
/// Facts, from exports and from the sources of programs that read them:
/// - A chat is a folder with `message_1.json`, `message_2.json` …: the newest messages first, in each file and of all files.
/// - `{"participants":[{"name"}],"messages":[{"sender_name","timestamp_ms","content",…}],"title",…}`; the title comes last.
/// - Texts are UTF-8, with each byte escaped as if it were a character: `\u00c5\u0082` is ł.
/// - End-to-end encrypted chats (2024 on, messenger.com/secure_storage/dyi) are a file each: `{"participants":["Ana"],
///   "threadName":"Ben_1","messages":[{"senderName","text","timestamp","type","media":[{"uri"}],"reactions","isUnsent"}]}`, with
///   texts as plain UTF-8.
/// - A file may be renamed, and programs that write the format put the oldest message first: contents decide.
/// - There are no IDs and no replies. Paths of files are relative to the root of the whole export.
struct MessengerFormat: Format {
    let id = "messenger"
    let name = "Messenger or Instagram chats"
    let version = 2

    func recognise(_ source: Source) -> Recognition {
        MessengerFolder(source).files.contains { MessengerHead($0, in: source) != nil } ? .certain : .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        try MessengerFolder(source).archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        ArrayConverter(write: MessengerMessages(feed).write)
    }
}
