import Dates
import Formats

/// An export in memory, and the work of converting it.
struct Conversion {
    private let source: Source
    private let format: any Format
    private let conversation: ForeignConversation
    private let feed: Feed
    private let file: SourceFile

    static func ofWeeChat(_ text: [UInt8]) -> Conversion? {
        Conversion("irc.t.#c.weechatlog", text, as: "irc")
    }

    static func ofTelegram(_ text: [UInt8]) -> Conversion? { Conversion("result.json", text, as: "telegram") }

    private init?(_ name: String, _ text: [UInt8], as id: String) {
        guard let format = Formats.all.first(where: { $0.id == id }) else { return nil }
        source = Source([name: text], isFile: true)
        self.format = format
        guard let conversation = try? format.archive(in: source).conversations.first,
            let feed = conversation.feeds.first, let file = source.file(feed.file)
        else { return nil }
        (self.conversation, self.feed, self.file) = (conversation, feed, file)
    }

    func run() {
        let converter = format.converter(for: feed, of: conversation, names: ForeignNames(), state: nil, zone: .utc)
        var reader = FeedReader(source, file, from: feed.start, by: converter)
        var writer = RecordWriter()
        while (try? reader.step(to: file.size, isWhole: true, into: &writer)) == true { _ = writer.take() }
    }
}
