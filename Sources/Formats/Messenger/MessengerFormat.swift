package import Dates

/// Chats of Messenger and Instagram, from "Download your information" in JSON.
///
/// Facts, from exports and from the sources of programs that read them:
/// - A chat is a folder with `message_1.json`, `message_2.json` …: the newest messages first, in each file and of all files.
/// - `{"participants":[{"name"}],"messages":[{"sender_name","timestamp_ms","content",…}],"title",…}`; the title stands last.
/// - Texts are bytes of UTF-8 that are escaped as if each were a character: `\u00c5\u0082` is ł.
/// - There are no IDs and no replies. Paths of files are seen from the root of the whole export.
package struct MessengerFormat: Format {
    package let id = "messenger"
    package let name = "Messenger or Instagram chats"
    package let version = 1

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        MessengerFolder(source).files.contains { MessengerHead($0.file, in: source) != nil } ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        try MessengerFolder(source).archive()
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        MessengerConverter(feed)
    }
}
