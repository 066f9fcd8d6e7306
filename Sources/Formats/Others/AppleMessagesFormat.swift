internal import Dates
internal import JSON

/// Chats of Apple's Messages, exported by imessage-exporter: one file for each conversation, in HTML or text.
///
///     Jul 17, 2022  5:31:49 PM (Read by you after 5 seconds)      <div class="message">
///     ana@example.org                                             <div class="received">
///     low tide                                                    <p><span class="timestamp">Jul 17, 2022  5:31:49 PM</span>
///     Tapbacks:                                                   <span class="sender">ana@example.org</span></p>
///     Loved by Me                                                 <hr><div class="message_part"><span class="bubble">low tide</span></div>
///         Jul 17, 2022  5:32:03 PM                                <div class="replies"><div class="reply" id="5F"><div class="message">…
///         Me
///         at six
///
/// Facts (ReagentX/imessage-exporter: txt.rs, html.rs): times are local. A reply is inside the message that it answers, and again
/// in its own place, with a note that it answers an earlier message. Reactions are called "Reactions" until 2024, then
/// "Tapbacks". There are no IDs, except for replies in HTML. The owner is called "Me" unless the user chose another name.
struct AppleMessagesFormat: LogFormat {
    let id = "imessage"
    let name = "imessage-exporter"
    let order = ForeignConversation.Order.byKey

    func candidates(_ source: Source) -> [SourceFile] { Array(source.candidates(".html", ".txt")) }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        // In HTML, styles come before the messages.
        let length = file.name.hasSuffix(".txt") ? 4 << 10 : 64 << 10
        guard let head = try? source.read(file, count: length) else { return nil }
        let isChat = head.withUnsafeBytes { bytes in
            var lines = bytes.wholeLines(isEnd: true)
            while let (start, line) = lines.next() {
                if AppleMessagesFormat.isElement(line) {
                    // The class of the next element shows the program.
                    let near = Bytes(rebasing: bytes[start..<min(bytes.count, lines.end + 400)])
                    return near.offset(of: "class=\"timestamp\"" as StaticString) != nil
                }
                if AppleMessagesFormat.stamp(line) != nil {
                    // A name and a text follow, or the line contains the words of a notice.
                    let name = Bytes(rebasing: bytes[lines.end...]).firstLine
                    return !name.trimmed.isEmpty && name.count < 200 && name.first != 0x20 || line.count > 24
                }
                // Only HTML has something before its first message: the styles.
                if bytes.first != UInt8(ascii: "<"), !line.trimmed.isEmpty { return false }
            }
            return false
        }
        guard isChat else { return nil }
        return ForeignLog(feed: Feed(file: file.path), title: file.stem, place: file.path, me: "Me")
    }

    fileprivate static func isElement(_ line: Bytes) -> Bool {
        line.starts(with: "<div class=\"message\"") || line.starts(with: "<div class=\"announcement\"")
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var messages = AppleMessages(context.zone, folder: feed.folder)
        return BlockConverter(isStart: { AppleMessagesFormat.isElement($0) || AppleMessagesFormat.stamp($0) != nil }) {
            block, writer in
            messages.write(block, &writer)
        }
    }

    /// The length of the time at the beginning of a line of text, `Jul 17, 2022  5:31:49 PM`, and of the blanks before it.
    fileprivate static func stamp(_ line: Bytes, indent: Int = 0) -> Int? {
        guard line.count >= indent + pattern.count, line[..<indent].allSatisfy({ $0 == 0x20 }) else { return nil }
        var at = indent
        for mark in pattern {
            let byte = line[at]
            switch mark {
            case UInt8(ascii: "d"): guard byte.isDigit || byte == 0x20 else { return nil }
            case UInt8(ascii: "a"): guard byte &- 0x61 < 26 else { return nil }
            case UInt8(ascii: "A"): guard byte &- 0x41 < 26 else { return nil }
            default: guard byte == mark else { return nil }
            }
            at += 1
        }
        return line[..<at].filter { $0.isDigit }.count >= 10 ? at : nil
    }

    /// `A` and `a` are letters, `d` is a digit. A day or an hour below ten may have a blank before it.
    private static let pattern = Array("Aaa dd, dddd dd:dd:dd AM".utf8)
}

/// Converts messages and the replies inside them.
private struct AppleMessages {
    private let times: MomentReader
    private let folder: Substring
    /// The IDs of messages in their own places, and of replies inside messages.
    private var own = LineIdentity()
    private var inner = LineIdentity()
    /// The answered messages, by the IDs of the replies.
    private var roots: [[UInt8]: [UInt8]] = [:]

    init(_ zone: Zone, folder: Substring) {
        (times, self.folder) = (MomentReader(zone), folder)
    }

    /// A message that is being read.
    private struct Message {
        var (time, sender, text) = ("", "", [UInt8]())
        var files: [ForeignAttachment] = []
        var reactions = Reactions()
        var (isNotice, isDeleted, isEdited) = (false, false, false)
        var replies: [Message] = []
    }

    mutating func write(_ block: Bytes, _ writer: inout RecordWriter) -> String? {
        if block.first == UInt8(ascii: "<") {
            guard let tag = HTMLTag(block, at: 0) else { return "incomplete element" }
            let inside = tag.content(of: block)
            return write(tag.hasClass("announcement") ? notice(inside) : message(inside), root: nil, &writer)
        }
        let lines = block.string.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.last == "\r" ? line.dropLast() : line
        }
        return write(message(lines, indent: 0), root: nil, &writer)
    }

    /// - Parameter root: the ID of the message that contains this reply; nil for a message in its own place.
    private mutating func write(_ message: Message, root: [UInt8]?, _ writer: inout RecordWriter) -> String? {
        // `(Read by you after 5 seconds)`
        let end = message.time.firstIndex(of: "(") ?? message.time.endIndex
        guard let time = times.moment(message.time[..<end]) else { return "message without a time" }
        let sender = Array(message.sender.utf8)
        let words = message.text + message.files.flatMap { Array($0.name.utf8) }
        let id =
            root == nil
            ? own.next(at: time, name: sender, text: words) : inner.next(at: time, name: sender, text: words)
        if let root { roots[id] = root }
        // Both copies of a reply have the same key, so the second replaces the first.
        let seconds = time.milliseconds.flooredDivision(by: 1_000)
        writer.message(
            id: id, at: time, key: seconds << 20 | Int64(id.withUnsafeBytes { Fingerprint.of($0) } & 0xF_FFFF))
        writer.sender(sender)
        if message.isNotice { writer.text("kind", "system") }
        if message.isDeleted, message.text.isEmpty, message.files.isEmpty { writer.flag("deleted") }
        writer.text("text", message.text)
        if message.isEdited { writer.flag("edited") }
        if let thread = root ?? roots[id] {
            writer.text("thread", thread)
            writer.text("replyTo", thread)
        }
        writer.attachments(message.files)
        writer.reactions(message.reactions.list)
        var problem = writer.endMessage()
        for reply in message.replies { problem = write(reply, root: root ?? id, &writer) ?? problem }
        return problem
    }

    // MARK: - HTML

    private func notice(_ html: Bytes) -> Message {
        var message = Message()
        message.isNotice = true
        var text: [UInt8] = []
        var scanner = HTMLScanner(html)
        while let piece = scanner.next() {
            if case .tag(let tag) = piece, !tag.isEnd, tag.hasClass("timestamp") {
                message.time = HTMLText.string(tag.content(of: html))
                text = Array(html[..<tag.range.lowerBound]) + Array(html[tag.elementEnd(in: html)...])
                break
            }
        }
        message.text = text.withUnsafeBytes { HTMLText.convert($0) }
        return message
    }

    private func message(_ html: Bytes) -> Message {
        var message = Message()
        var scanner = HTMLScanner(html)
        var lines: [[UInt8]] = []
        while let tag = scanner.nextTag() {
            let isReply = tag.hasClass("replies") || tag.hasClass("reactions") || tag.hasClass("tapbacks")
            guard isReply || AppleMessages.parts.contains(where: { tag.hasClass($0) }) else { continue }
            let inside = tag.content(of: html)
            if tag.hasClass("timestamp") {
                message.time = HTMLText.string(inside)
            } else if tag.hasClass("sender") {
                message.sender = HTMLText.string(inside)
            } else if tag.hasClass("replies") {
                // `<div class="reply" id="5F"><div class="message">…</div></div>`
                message.replies += HTMLScanner.elements(in: inside) { $0.hasClass("message") }.map(self.message)
            } else if isReply {
                for reaction in HTMLScanner.tags(ofClass: ["reaction", "tapback"], in: inside) {
                    guard let tag = HTMLTag(inside, at: reaction), tag.name == "div" else { continue }
                    AppleMessages.add(HTMLText.string(tag.content(of: inside)), to: &message.reactions)
                }
            } else if tag.hasClass("deleted") {
                message.isDeleted = true
            } else if !tag.hasClass("reply_context"), !tag.hasClass("reply_anchor") {
                if tag.hasClass("edited") || inside.offset(of: "class=\"edited\"") != nil { message.isEdited = true }
                message.files += files(inside)
                var text = HTMLText.convert(inside)
                Marks.trim(&text, from: 0)
                if !text.isEmpty { lines.append(text) }
            }
            scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
        }
        message.text = Array(lines.joined(separator: [10]))
        return message
    }

    private static let parts: [StaticString] = [
        "timestamp", "sender", "deleted", "subject", "shareplay", "message_part", "edited", "expressive",
        "reply_context", "reply_anchor",
    ]

    private func files(_ html: Bytes) -> [ForeignAttachment] {
        HTMLScanner.addresses(in: html).filter { !$0.contains("://") && !$0.hasPrefix("#") }
            .map { ForeignAttachment(at: $0, in: folder) }
    }

    // MARK: - Text

    private func message(_ lines: [Substring], indent: Int) -> Message {
        var message = Message()
        let first = lines.first.map { String($0.dropFirst(indent)) } ?? ""
        let length = Array(first.utf8).withUnsafeBytes { AppleMessagesFormat.stamp($0) } ?? 0
        let rest = first.utf8.dropFirst(length)
        message.time = first
        if let byte = rest.dropFirst().first, byte != UInt8(ascii: "(") {
            // `Jul 17, 2022  5:04:50 PM You renamed the conversation to boats`
            (message.isNotice, message.text) = (true, Array(rest.dropFirst()))
            message.time = String(first.utf8.prefix(length)) ?? first
            let more = lines.dropFirst().joined(separator: "\n")
            if !more.allSatisfy(\.isWhitespace) { message.text += Array(("\n" + more).utf8) }
            Marks.trim(&message.text, from: 0)
            return message
        }
        message.sender = lines.count > 1 ? String(lines[1].dropFirst(indent)) : ""
        var (text, at) = ([Substring](), 2)
        while at < lines.count {
            let line = lines[at].dropFirst(min(indent, lines[at].prefix { $0 == " " }.count))
            if line == "Reactions:" || line == "Tapbacks:" {
                at += 1
                while at < lines.count, !lines[at].allSatisfy(\.isWhitespace) {
                    AppleMessages.add(lines[at].drop { $0 == " " }, to: &message.reactions)
                    at += 1
                }
            } else if indent == 0, isReply(line) {
                var end = at + 1
                while end < lines.count, lines[end].hasPrefix("    ") || lines[end].isEmpty, !isReply(lines[end]) {
                    end += 1
                }
                message.replies.append(self.message(Array(lines[at..<end]), indent: 4))
                at = end
            } else {
                if line == "This message was deleted from the conversation!" {
                    message.isDeleted = true
                } else if line.hasPrefix("attachments/") || line.contains("/Library/Messages/Attachments/") {
                    message.files.append(ForeignAttachment(at: String(line), in: folder))
                } else if line != "This message responded to an earlier message." {
                    text.append(line)
                }
                at += 1
            }
        }
        message.text = Array(text.joined(separator: "\n").utf8)
        Marks.trim(&message.text, from: 0)
        return message
    }

    private func isReply(_ line: Substring) -> Bool {
        var line = String(line)
        return line.withUTF8 { AppleMessagesFormat.stamp(Bytes($0), indent: 4) != nil }
    }

    /// `Loved by Ana`, `❤️ by Ana`
    private static func add(_ words: some StringProtocol, to reactions: inout Reactions) {
        let names = [
            "Loved": "❤️", "Liked": "👍", "Disliked": "👎", "Laughed": "😂", "Emphasized": "‼️", "Questioned": "❓",
        ]
        let parts = words.split(separator: " by ", maxSplits: 1)
        guard parts.count == 2, let emoji = parts.first?.filter({ $0 != "*" }) else { return }
        reactions.add(names[String(emoji)] ?? String(emoji), by: String(parts[1]))
    }
}
