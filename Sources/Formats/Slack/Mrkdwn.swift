internal import Emoji
internal import JSON

/// Turns Slack's mrkdwn into Kedge's markup.
///
/// Only `&`, `<` and `>` are escaped, each once. `<…>` encloses mentions and links and never holds another `<`. Marks open
/// before a character that is not blank and close after one, on the same line.
struct Mrkdwn {
    let names: ForeignNames

    /// Appends the text, converted.
    func append(_ text: Bytes, to out: inout [UInt8]) {
        var scan = Scan(text: text, names: names)
        scan.run(into: &out)
    }

    /// True for bytes with a special meaning. Most texts have none and are copied.
    fileprivate static let special: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "&<*_~`:\n".utf8 { table[Int(byte)] = true }
        return table
    }()
}

/// One pass over a text. Each search for a closing mark that fails is remembered, so that no text takes quadratic time.
private struct Scan {
    let text: Bytes
    let names: ForeignNames
    var at = 0
    /// For each of `*`, `_` and `~`: the place where the open mark closes; 0 if none is open.
    var closings = [0, 0, 0]
    /// For each of them: no closing mark comes between here and this place.
    var without = [0, 0, 0]
    /// True if no "```" follows.
    var hasNoFence = false
    /// True if `>>>` has begun a quote, which contains all lines after it.
    var isQuote = false

    mutating func run(into out: inout [UInt8]) {
        beginLine(&out)
        while at < text.count {
            let plain = at
            while at < text.count, !Mrkdwn.special[Int(text[at])] { at += 1 }
            out.append(contentsOf: Bytes(rebasing: text[plain..<at]))
            guard at < text.count else { break }
            step(&out)
        }
    }

    private mutating func step(_ out: inout [UInt8]) {
        switch text[at] {
        case UInt8(ascii: "&"):
            let length = SlackEntity.append(text, at, &out)
            if length > 0 { at += length } else { copy(&out) }
        case UInt8(ascii: "<"): token(&out)
        case UInt8(ascii: "*"): emphasis(0, "**", &out)
        case UInt8(ascii: "_"): emphasis(1, "*", &out)
        case UInt8(ascii: "~"): emphasis(2, "~~", &out)
        case UInt8(ascii: "`"): code(&out)
        case UInt8(ascii: ":"): emoji(&out)
        default:
            copy(&out)
            beginLine(&out)
        }
    }

    private mutating func copy(_ out: inout [UInt8]) {
        out.append(text[at])
        at += 1
    }

    // MARK: - Quotes

    private mutating func beginLine(_ out: inout [UInt8]) {
        let rest = Bytes(rebasing: text[at...])
        if isQuote {
            out.append("> ")
        } else if rest.starts(with: "&gt;&gt;&gt;") {
            at += 12
            isQuote = true
            quoteMark(&out)
        } else if rest.starts(with: "&gt;") {
            at += 4
            quoteMark(&out)
        }
    }

    private mutating func quoteMark(_ out: inout [UInt8]) {
        out.append("> ")
        if at < text.count, text[at] == UInt8(ascii: " ") { at += 1 }
    }

    // MARK: - Bold, italic, struck

    private mutating func emphasis(_ kind: Int, _ mark: StaticString, _ out: inout [UInt8]) {
        if closings[kind] == at, at > 0 {
            closings[kind] = 0
            out.append(mark)
            at += 1
        } else if let end = closing(kind) {
            closings[kind] = end
            out.append(mark)
            at += 1
        } else {
            copy(&out)
        }
    }

    /// The place where the mark at `at` closes; nil if it opens nothing.
    private mutating func closing(_ kind: Int) -> Int? {
        let mark = text[at]
        guard closings[kind] <= at, at >= without[kind], at == 0 || !Scan.isWord(text, before: at), at + 1 < text.count,
            !Scan.isBlank(text[at + 1]), text[at + 1] != mark
        else { return nil }
        var place = at + 1
        while place < text.count, text[place] != UInt8(ascii: "\n") {
            let byte = text[place]
            if byte == mark, !Scan.isBlank(text[place - 1]), !Scan.isWord(text, after: place + 1) { return place }
            place = byte == UInt8(ascii: "<") ? tokenEnd(place) ?? place + 1 : place + 1
        }
        without[kind] = place
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }

    /// True if a letter or a digit ends before `place`. Of characters beyond ASCII, the punctuation of U+2000 to U+207F and
    /// everything above U+FFFF (mostly emoji) are not letters.
    private static func isWord(_ text: Bytes, before place: Int) -> Bool {
        let byte = text[place - 1]
        guard byte >= 0x80 else { return Neighborhood.isAlphanumeric(byte) }
        var start = place - 1
        while start > 0, text[start] & 0xC0 == 0x80, place - start < 4 { start -= 1 }
        return isLetter(text, start)
    }

    private static func isWord(_ text: Bytes, after place: Int) -> Bool {
        guard place < text.count else { return false }
        return text[place] >= 0x80 ? isLetter(text, place) : Neighborhood.isAlphanumeric(text[place])
    }

    private static func isLetter(_ text: Bytes, _ start: Int) -> Bool {
        if text[start] >= 0xF0 { return false }
        return !(text[start] == 0xE2 && start + 1 < text.count && text[start + 1] <= 0x81)
    }

    // MARK: - Code

    private mutating func code(_ out: inout [UInt8]) {
        let rest = Bytes(rebasing: text[at...])
        if rest.starts(with: "```"), let end = fenceEnd() {
            Marks.appendFenced(Bytes(rebasing: text[at + 3..<end]), to: &out) { part, out in
                var inner = Scan(text: part, names: names)
                inner.literal(into: &out)
            }
            at = end + 3
            guard at < text.count else { return }
            if text[at] != UInt8(ascii: "\n") { out.append(UInt8(ascii: "\n")) }
            return
        }
        var end = at + 1
        while end < text.count, text[end] != UInt8(ascii: "`"), text[end] != UInt8(ascii: "\n") { end += 1 }
        guard end < text.count, text[end] == UInt8(ascii: "`"), end > at + 1 else { return copy(&out) }
        out.append(UInt8(ascii: "`"))
        var inner = Scan(text: Bytes(rebasing: text[at + 1..<end]), names: names)
        inner.literal(into: &out)
        out.append(UInt8(ascii: "`"))
        at = end + 1
    }

    private mutating func fenceEnd() -> Int? {
        guard !hasNoFence else { return nil }
        var place = at + 3
        while place + 2 < text.count {
            if text[place] == 0x60, text[place + 1] == 0x60, text[place + 2] == 0x60 { return place }
            place += 1
        }
        hasNoFence = true
        return nil
    }

    /// Converts only mentions, links and entities, as in code.
    private mutating func literal(into out: inout [UInt8]) {
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "&"):
                let length = SlackEntity.append(text, at, &out)
                if length > 0 { at += length } else { copy(&out) }
            case UInt8(ascii: "<"):
                guard let end = tokenEnd(at) else {
                    copy(&out)
                    continue
                }
                SlackToken(Bytes(rebasing: text[at + 1..<end - 1]), names: names).append(to: &out, isPlain: true)
                at = end
            default: copy(&out)
            }
        }
    }

    // MARK: - Mentions and links

    private mutating func token(_ out: inout [UInt8]) {
        guard let end = tokenEnd(at), end > at + 2 else { return copy(&out) }
        SlackToken(Bytes(rebasing: text[at + 1..<end - 1]), names: names).append(to: &out)
        at = end
    }

    /// The place after the `>` that closes the `<` at `place`.
    private func tokenEnd(_ place: Int) -> Int? {
        var end = place + 1
        while end < text.count, text[end] != UInt8(ascii: "<") {
            if text[end] == UInt8(ascii: ">") { return end + 1 }
            end += 1
        }
        return nil
    }

    // MARK: - Emoji

    private static let longestCode = 100

    private mutating func emoji(_ out: inout [UInt8]) {
        var end = at + 1
        while end < text.count, end - at < Scan.longestCode, Scan.isCode(text[end]) { end += 1 }
        guard end < text.count, text[end] == UInt8(ascii: ":"), end > at + 1, isLikelyCode(end) else {
            return copy(&out)
        }
        end = toneEnd(end)
        if EmojiCodes.append(Bytes(rebasing: text[at + 1..<end]), to: &out) {
            at = end + 1
        } else {
            // An unknown code may contain "_", which is not a mark here.
            out.append(contentsOf: Bytes(rebasing: text[at..<end]))
            at = end
        }
    }

    /// False for a number or a single letter after a letter or a digit: `:30:` may be part of a time, and `:b:` is hardly an
    /// emoji.
    private func isLikelyCode(_ end: Int) -> Bool {
        guard at > 0, Scan.isWord(text, before: at) else { return true }
        return end - at > 2 && !text[(at + 1)..<end].allSatisfy { $0.isDigit }
    }

    /// The closing colon of a skin tone after the emoji's closing colon at `end`; `end` if there is no skin tone.
    private func toneEnd(_ end: Int) -> Int {
        let tone: StaticString = "::skin-tone-"
        let after = end + tone.utf8CodeUnitCount + 1
        guard after < text.count, text[after] == UInt8(ascii: ":"), Bytes(rebasing: text[end...]).starts(with: tone)
        else { return end }
        return after
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || byte.isDigit || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "'")
    }
}

/// The contents of `<…>` in mrkdwn: a mention, a command or a link.
///
///     @U1   @U1|ana   #C1|general   #C1|   !here   !subteam^S1|@team   !date^0^{date}|May 1   https://a.b|label
struct SlackToken {
    private let target: Bytes
    /// The text after the `|`; nil without one.
    private let label: Bytes?
    private let names: ForeignNames

    init(_ token: Bytes, names: ForeignNames) {
        let bar = token.firstIndex(of: UInt8(ascii: "|"))
        target = Bytes(rebasing: token[..<(bar ?? token.count)])
        label = bar.map { Bytes(rebasing: token[($0 + 1)...]) }.flatMap { $0.isEmpty ? nil : $0 }
        self.names = names
    }

    /// Appends the mention or the link as readers see it.
    /// - Parameter isPlain: true to write no marks, as in code.
    func append(to out: inout [UInt8], isPlain: Bool = false) {
        switch target.first {
        case UInt8(ascii: "@"): SlackToken.appendPerson(id, label: label, names, to: &out)
        case UInt8(ascii: "#"): SlackToken.appendChannel(id, label: label, names, to: &out)
        case UInt8(ascii: "!"): command(&out)
        default: link(&out, isPlain: isPlain)
        }
    }

    private var id: Bytes { Bytes(rebasing: target.dropFirst()) }

    /// Appends `@Ana`: the name in the export, else the label of the mention, else the ID.
    static func appendPerson(_ id: Bytes, label: Bytes?, _ names: ForeignNames, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "@"))
        if let name = names.person(id) { return out += name }
        guard let label else { return out += id }
        SlackEntity.appendUnescaped(
            label.first == UInt8(ascii: "@") ? Bytes(rebasing: label.dropFirst()) : label, to: &out)
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
            let name = label ?? Bytes(rebasing: target.dropFirst(9))
            SlackEntity.appendUnescaped(
                name.first == UInt8(ascii: "@") ? Bytes(rebasing: name.dropFirst()) : name, to: &out)
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
        target.firstIndex(of: UInt8(ascii: ":")).map { Bytes(rebasing: target[($0 + 1)...]) } ?? target
    }

    /// True if the label only repeats the address: `a.b` for `https://a.b`.
    private func isSame(_ label: Bytes) -> Bool {
        if isMail { return label.elementsEqual(withoutScheme) }
        return label.elementsEqual(target)
            || target.count > label.count && target.suffix(label.count).elementsEqual(label)
                && target[..<(target.count - label.count)].suffix(3).elementsEqual("://".utf8)
    }
}

/// The three characters that Slack escapes: `&amp;`, `&lt;`, `&gt;`.
enum SlackEntity {
    /// Appends text in which only entities are special.
    static func appendUnescaped(_ text: Bytes, to out: inout [UInt8]) {
        var at = 0
        while at < text.count {
            let length = append(text, at, &out)
            if length == 0 { out.append(text[at]) }
            at += max(1, length)
        }
    }

    /// Appends the character of an entity.
    /// - Returns: the length of the entity; 0 if there is none here.
    static func append(_ text: Bytes, _ at: Int, _ out: inout [UInt8]) -> Int {
        guard text[at] == UInt8(ascii: "&") else { return 0 }
        let rest = Bytes(rebasing: text[at...])
        let (character, length): (UInt8, Int)
        if rest.starts(with: "&amp;") {
            (character, length) = (UInt8(ascii: "&"), 5)
        } else if rest.starts(with: "&lt;") {
            (character, length) = (UInt8(ascii: "<"), 4)
        } else if rest.starts(with: "&gt;") {
            (character, length) = (UInt8(ascii: ">"), 4)
        } else {
            return 0
        }
        out.append(character)
        return length
    }
}

/// Writes the emoji that Slack names: `+1::skin-tone-2`, `party_parrot`.
enum SlackEmoji {
    /// Appends the emoji; a custom one as `:name:`.
    /// - Parameter unicode: its scalars in hexadecimal, such as `1f44d-1f3fc`, if the export contains them.
    static func append(_ name: Bytes, unicode: Bytes? = nil, to out: inout [UInt8]) {
        if let unicode, let emoji = EmojiScalars.decoded(unicode) {
            out += emoji
        } else if !EmojiCodes.append(name, to: &out) {
            out.append(UInt8(ascii: ":"))
            out += name
            out.append(UInt8(ascii: ":"))
        }
    }
}

/// Official exports add a token (`?t=xoxe-…`) to addresses of files. Anybody can read the files with it.
enum SlackSecret {
    /// Removes such tokens from a text.
    static func remove(from text: inout [UInt8]) {
        var searched = 0
        while let place = find(in: text, from: searched) {
            var (start, end) = (place, place)
            // Removes the name of the parameter, and the character before it.
            while start > 0, isLetter(text[start - 1]) { start -= 1 }
            if start > 0, text[start - 1] == UInt8(ascii: "?") || text[start - 1] == UInt8(ascii: "&") { start -= 1 }
            end += 1
            while end < text.count, isLetter(text[end]) || text[end] == UInt8(ascii: "-") { end += 1 }
            text.removeSubrange(start..<end)
            searched = start
        }
    }

    private static func find(in text: [UInt8], from start: Int) -> Int? {
        text.withUnsafeBytes { text in
            guard text.count >= 6 else { return nil }
            for place in start..<max(start, text.count - 5) where text[place] == UInt8(ascii: "=") {
                if Bytes(rebasing: text[place...]).starts(with: "=xoxe-") { return place }
            }
            return nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        Neighborhood.isAlphanumeric(byte) || byte == UInt8(ascii: "_")
    }
}
