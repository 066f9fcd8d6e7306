/// The contents of `<…>` in mrkdwn: a mention, a command or a link.
///
///     @U1   @U1|ana   #C1|general   #C1|   !here   !subteam^S1|@team   !date^0^{date}|May 1   https://a.b|label
struct SlackToken {
    private let target: Bytes
    /// The text after the bar; nil without one.
    private let label: Bytes?
    private let names: ForeignNames

    init(_ token: Bytes, names: ForeignNames) {
        let bar = token.firstIndex(of: UInt8(ascii: "|"))
        target = UnsafeRawBufferPointer(rebasing: token[..<(bar ?? token.count)])
        label = bar.map { UnsafeRawBufferPointer(rebasing: token[($0 + 1)...]) }.flatMap { $0.isEmpty ? nil : $0 }
        self.names = names
    }

    /// Appends the mention or the link, as people read it.
    func append(to out: inout [UInt8]) { append(to: &out, isPlain: false) }

    /// Appends it without any marks, as in code.
    func appendPlain(to out: inout [UInt8]) { append(to: &out, isPlain: true) }

    private func append(to out: inout [UInt8], isPlain: Bool) {
        switch target.first {
        case UInt8(ascii: "@"): SlackToken.appendPerson(id, label: label, names, to: &out)
        case UInt8(ascii: "#"): SlackToken.appendChannel(id, label: label, names, to: &out)
        case UInt8(ascii: "!"): command(&out)
        default: link(&out, isPlain: isPlain)
        }
    }

    private var id: Bytes { UnsafeRawBufferPointer(rebasing: target.dropFirst()) }

    /// Appends `@Ana`, by the name that the export lists, else that of the mention, else the ID.
    static func appendPerson(_ id: Bytes, label: Bytes?, _ names: ForeignNames, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "@"))
        if let name = names.person(id) { return out += name }
        guard let label else { return out += id }
        SlackEntity.appendUnescaped(
            label.first == UInt8(ascii: "@") ? UnsafeRawBufferPointer(rebasing: label.dropFirst()) : label, to: &out)
    }

    /// Appends `#general`.
    static func appendChannel(_ id: Bytes, label: Bytes?, _ names: ForeignNames, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "#"))
        if let label { return SlackEntity.appendUnescaped(label, to: &out) }
        out += names.conversation(id) ?? Array(id)
    }

    private func command(_ out: inout [UInt8]) {
        if target.starts(with: "!date^") {
            SlackEntity.appendUnescaped(label ?? id, to: &out)
        } else if target.starts(with: "!subteam^") {
            out.append(UInt8(ascii: "@"))
            let name = label ?? UnsafeRawBufferPointer(rebasing: target.dropFirst(9))
            SlackEntity.appendUnescaped(
                name.first == UInt8(ascii: "@") ? UnsafeRawBufferPointer(rebasing: name.dropFirst()) : name, to: &out)
        } else {
            // here, channel, everyone
            out.append(UInt8(ascii: "@"))
            out += id
        }
    }

    private func link(_ out: inout [UInt8], isPlain: Bool) {
        guard let label, !isPlain, !isSame(label) else {
            return SlackEntity.appendUnescaped(isMail ? label ?? withoutScheme : target, to: &out)
        }
        var (text, address) = ([UInt8](), [UInt8]())
        SlackEntity.appendUnescaped(label, to: &text)
        SlackEntity.appendUnescaped(target, to: &address)
        text.withUnsafeBytes { text in
            address.withUnsafeBytes { Marks.appendLink($0, label: text, to: &out) }
        }
    }

    private var isMail: Bool { target.starts(with: "mailto:") || target.starts(with: "tel:") }

    private var withoutScheme: Bytes {
        target.firstIndex(of: UInt8(ascii: ":")).map { UnsafeRawBufferPointer(rebasing: target[($0 + 1)...]) } ?? target
    }

    /// Whether the label says no more than the address: `a.b` for `https://a.b`.
    private func isSame(_ label: Bytes) -> Bool {
        if isMail { return label.elementsEqual(withoutScheme) }
        return label.elementsEqual(target)
            || target.count > label.count && target.suffix(label.count).elementsEqual(label)
                && target[..<(target.count - label.count)].suffix(3).elementsEqual("://".utf8)
    }
}
