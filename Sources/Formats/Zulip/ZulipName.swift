/// Names of channels and topics in names of files and in links.
enum ZulipName {
    /// `stream events` for `stream.20events`. A full stop of the name is `.2E`.
    static func decoded(_ text: some StringProtocol) -> String {
        String(percentDecoding: String(text).replacing(".", with: "%"))
    }

    /// `213222` of `213222-general`; nil where no number stands before a hyphen.
    static func number(of text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0 != "-" }
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }

    /// An alias by which links name a channel. The bare number might be that of a chat of another service.
    static func alias(_ number: some StringProtocol) -> String { "stream-" + number }

    /// The name of a topic without the mark of those that are resolved.
    static func unresolved(_ topic: String) -> Substring {
        topic.unicodeScalars.starts(with: "✔ ".unicodeScalars)
            ? Substring(topic.unicodeScalars.dropFirst(2)) : topic[...]
    }
}
