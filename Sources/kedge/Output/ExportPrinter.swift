import ArgumentParser
import Display
import Formats
import Messages

/// Writes messages in the formats of `kedge export`.
struct ExportPrinter {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl, text, markdown, weechat
    }

    let format: Format
    let zone: Zone

    /// The lines of one message.
    func text(of message: Message) -> String {
        switch format {
        case .jsonl: record(of: message)
        case .text: plain(message)
        case .markdown: markdown(message)
        case .weechat: weechat(message)
        }
    }

    // MARK: - Formats

    private func record(of message: Message) -> String {
        var writer = RecordWriter()
        var id = message.id.rawValue
        id.withUTF8 { writer.message(id: UnsafeRawBufferPointer($0), at: message.at) }
        if let sender = message.sender { writer.text("from", sender.id.rawValue) }
        switch message.kind {
        case .action: writer.text("kind", "action")
        case .system: writer.text("kind", "system")
        case .text: break
        }
        writer.text("text", message.text)
        if let quote = message.quote { writer.text("replyTo", quote.id.rawValue) }
        if let thread = message.thread { writer.text("thread", thread.rawValue) }
        if message.isBroadcast { writer.flag("broadcast") }
        writer.attachments(message.attachments.map { ForeignAttachment(name: $0.name, path: $0.path, size: $0.size) })
        if message.isEdited { writer.flag("edited") }
        if message.isDeleted { writer.flag("deleted") }
        writer.reactions(
            message.reactions.map { reaction in
                ForeignReaction(
                    emoji: reaction.emoji, count: reaction.count, people: reaction.people.map(\.id.rawValue))
            })
        writer.end()
        return String(decoding: writer.lines, as: UTF8.self)
    }

    private func plain(_ message: Message) -> String {
        let indent = message.thread == nil ? "" : "    "
        var lines = body(message)
        let first = lines.isEmpty ? "" : lines.removeFirst()
        var text = indent + zone.minute(message.at) + "  " + speaker(message, first) + "\n"
        for line in lines { text += indent + "    " + line + "\n" }
        return text + notes(message).map { indent + "    " + $0 + "\n" }.joined()
    }

    private func markdown(_ message: Message) -> String {
        let quote = message.thread == nil ? "" : "> "
        let sign = message.kind == .action ? "\\* " : ""
        let sender = message.kind == .system ? nil : message.sender
        let name = sign + (sender.map { "**\(clean($0.name))** " } ?? "")
        var lines = ["\(name)_\(zone.minute(message.at))_" + (message.isEdited ? " _(edited)_" : ""), ""]
        if case .message(let sender, let text) = message.quote?.content {
            // More than the first line could begin a block of code that does not end.
            let all = text.split(whereSeparator: \.isNewline)
            let first = all.first.map { clean(String($0)) } ?? ""
            lines.append("> " + (sender.map { clean($0.name) + ": " } ?? "") + first + (all.count > 1 ? " …" : ""))
            lines.append("")
        }
        let body = body(message)
        lines += message.kind == .system ? [actor(of: message) + (body.first ?? "")] + body.dropFirst() : body
        lines += notes(message).map { "_\($0)_" }
        return (lines + [""]).map { quote + $0 + "\n" }.joined()
    }

    private func weechat(_ message: Message) -> String {
        let civil = zone.civil(message.at)
        let time = "\(civil.date.iso8601) \(civil.clock):\(civil.second < 10 ? "0" : "")\(civil.second)"
        let name = clean(message.sender?.name ?? "").replacing("\t", with: " ")
        let (text, files) = (body(message), attachments(message))
        // A message may consist of files alone.
        let lines = text == [""] && !files.isEmpty ? files : text + files
        return lines.enumerated().map { index, line in
            let line = line.replacing("\t", with: " ")
            switch message.kind {
            case .text: return "\(time)\t\(name)\t\(line)\n"
            case .action: return "\(time)\t *\t\(name) \(line)\n"
            case .system: return "\(time)\t--\t\(index == 0 ? actor(of: message) : "")\(line)\n"
            }
        }
        .joined()
    }

    // MARK: - Parts

    private func speaker(_ message: Message, _ text: String) -> String {
        let name = message.sender.map { clean($0.name) }
        switch message.kind {
        case .text: return (name.map { $0 + ": " } ?? "") + text
        case .action: return "* " + (name.map { $0 + " " } ?? "") + text
        case .system: return "-- " + actor(of: message) + text
        }
    }

    /// The lines of a text, without control sequences even on a pipe: people look at exports.
    private func body(_ message: Message) -> [String] {
        if message.isDeleted { return ["(message deleted)"] }
        return message.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // Tabs indent code.
            line.split(separator: "\t", omittingEmptySubsequences: false).map { clean(String($0)) }.joined(
                separator: "\t")
        }
    }

    /// The person of a system line and a blank; empty where the text begins with the name.
    private func actor(of message: Message) -> String {
        guard let sender = message.sender, !message.textBeginsWithSender else { return "" }
        return clean(sender.name).replacing("\t", with: " ") + " "
    }

    private func attachments(_ message: Message) -> [String] { message.attachments.map { "[\(clean($0.name))]" } }

    private func notes(_ message: Message) -> [String] {
        var notes = attachments(message)
        if !message.reactions.isEmpty {
            notes.append(message.reactions.map { "\(clean($0.emoji)) \($0.count)" }.joined(separator: "  "))
        }
        return notes
    }

    private func clean(_ text: String) -> String { PipedText.line(text) }
}
