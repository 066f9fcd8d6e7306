import Display
import Markup
import Messages

/// The text of a message as lines of prose and of code.
///
/// Lines are made on demand, section by section: only the part of a text that the screen shows is scrubbed and parsed. The lines
/// of short texts are kept.
struct Body: Equatable, Sendable {
    struct Line: Equatable, Sendable {
        let text: CleanText
        let kind: LineKind
        /// The place of the line's first byte in the body. The place of a row is this plus the row's offset in the line.
        let start: Int
        /// The number of bytes at the beginning that are the sender's name, in an action.
        var nameEnd = 0
        /// The UTF-8 offset where the words about an edit begin.
        var markStart: Int?
        var head = LineHead.none
        var markup = Markup.none
    }

    private let message: Text
    /// The name of the sender of an action.
    private let prefix: CleanText
    let sections: [TextSection]
    private let kept: [Line]?
    /// True if the message is folded at first. This is decided for a fixed width, so that a resize folds and unfolds nothing.
    let isLong: Bool
    let hasLinks: Bool

    /// The most lines to cache.
    private static let mostKept = 16
    /// The most sections with possible addresses that are searched for a link. A text with more of them counts as having one.
    private static let mostSearched = 64
    /// The most links that get numbers.
    private static let mostLinks = 10_000

    /// The parts of a message that its lines are made of.
    private struct Text: Equatable, Sendable {
        let string: String
        let omitted: Int
        let kind: Message.Kind
        let isEdited: Bool
        let isDeleted: Bool
        let hasAttachments: Bool
    }

    /// - Parameter text: the text to draw instead of the message's own; nil to draw the message's own.
    init(_ message: Message, text: String? = nil, sender: CleanText?) {
        let string = text ?? message.text
        self.message = Text(
            string: string, omitted: message.omitted, kind: message.kind, isEdited: message.isEdited,
            isDeleted: message.isDeleted,
            hasAttachments: !message.attachments.isEmpty)
        prefix = message.kind == .action ? "* " + (sender ?? "?") + " " : ""
        sections = message.isDeleted ? [.whole(0)] : TextSection.all(of: string)
        let isVeryLong = message.omitted > 0 || string.utf8.count > Message.longText
        let maker = LineMaker(text: self.message, prefix: prefix, sections: sections)
        if sections.count == 1 {
            let lines = maker.lines(of: 0)
            kept = lines.count <= Body.mostKept ? lines : nil
            isLong = !message.isDeleted && Fold.isLong(lines.lazy.map(\.text.columns))
            hasLinks = lines.contains { !$0.markup.links.isEmpty }
        } else {
            kept = nil
            isLong = isVeryLong || Fold.isLong(sections.indices.lazy.flatMap(maker.lines).map(\.text.columns))
            let candidates = TextSection.withAddresses(in: string, sections)
            hasLinks =
                candidates.count > Body.mostSearched
                || candidates.contains { maker.lines(of: $0).contains { !$0.markup.links.isEmpty } }
        }
    }

    /// All lines, which may be many.
    var lines: [Line] { kept ?? sections.indices.flatMap(lines(ofSection:)) }

    func lines(ofSection section: Int) -> [Line] {
        kept ?? LineMaker(text: message, prefix: prefix, sections: sections).lines(of: section)
    }

    /// The place after all lines.
    var end: Int { Body.place(ofSection: sections.count) }

    /// The approximate number of bytes in the message's text after a place of the drawn text.
    func bytes(after place: Int) -> Int {
        let section = sections[min(max(0, Body.section(ofPlace: place)), sections.count - 1)]
        let before = section.bytes.lowerBound + min(place & (1 << Body.placeBits - 1), section.bytes.count)
        return message.string.utf8.count - before + message.omitted
    }

    /// The number of bytes of the text that the list does not hold.
    var omitted: Int { message.omitted }

    // MARK: - Places and numbers of lines

    private static let placeBits = 32

    /// The place of a section's first byte. A place holds the number of the section in its upper bits, and the offset in the drawn
    /// text of the section in its lower 32 bits.
    static func place(ofSection section: Int) -> Int { section << placeBits }

    static func section(ofPlace place: Int) -> Int { place >> placeBits }

    /// The number of a line: its section, and its index among the lines of that section.
    static func number(ofLine line: Int, in section: Int) -> Int { section << placeBits | line }

    /// The section of a line, and its index among the lines of that section.
    static func place(ofLine number: Int) -> (section: Int, index: Int) {
        (number >> placeBits, number & (1 << placeBits - 1))
    }

    func line(_ number: Int) -> Line {
        let (section, index) = Body.place(ofLine: number)
        return lines(ofSection: section)[index]
    }

    // MARK: - Lines

    /// Makes the lines of a section.
    private struct LineMaker {
        let text: Text
        let prefix: CleanText
        let sections: [TextSection]

        func lines(of number: Int) -> [Line] {
            if text.isDeleted { return [Line(text: "message deleted", kind: .prose, start: 0)] }
            let section = sections[number]
            var fences = Fences(isCode: section.isCode)
            var start = Body.place(ofSection: number)
            var lines: [Line] = []
            for (index, clean) in cleanLines(of: number).enumerated() {
                let goesOn = index == 0 && section.goesOn
                let kind = goesOn ? fences.kindOfRest : fences.next(clean.string)
                let name = number == 0 && index == 0 ? prefix : ""
                let whole = name + clean
                var line = Line(text: whole, kind: kind, start: start, nameEnd: name.string.utf8.count)
                if line.kind == .prose {
                    if text.kind == .text, !goesOn { line.head = LineHead(clean) }
                    line.markup = Markup(whole, from: max(line.nameEnd, line.head.hang))
                }
                lines.append(line)
                start += whole.string.utf8.count + 1
            }
            if text.isEdited, number == sections.count - 1 { LineMaker.mark(&lines, start: start) }
            return lines
        }

        private func cleanLines(of number: Int) -> [CleanText] {
            if text.string.isEmpty, text.hasAttachments { return [] }
            guard sections.count > 1 else { return CleanText.lines(text.string) }
            let bytes = text.string.utf8
            let start = bytes.index(bytes.startIndex, offsetBy: sections[number].bytes.lowerBound)
            let end = bytes.index(start, offsetBy: sections[number].bytes.count)
            let lines = CleanText.lines(String(text.string[start..<end]))
            // The line after the last line end belongs to the next section.
            let isNext = number + 1 < sections.count && !sections[number + 1].goesOn
            return isNext ? lines.dropLast() : lines
        }

        private static func mark(_ lines: inout [Line], start: Int) {
            guard let last = lines.last, last.kind == .prose else {
                return lines.append(Line(text: "(edited)", kind: .prose, start: start, markStart: 0))
            }
            lines[lines.count - 1] = Line(
                text: last.text + " (edited)", kind: .prose, start: last.start, nameEnd: last.nameEnd,
                markStart: last.text.string.utf8.count, head: last.head, markup: last.markup)
        }
    }
}

extension Body {
    struct Link: Hashable {
        /// The number of the line.
        let line: Int
        /// The bytes of the line that hold the address, and those of the whole link.
        let place: Range<Int>
        let whole: Range<Int>
        /// The address as it was written; it may be drawn differently.
        fileprivate(set) var address: String
    }

    /// The numbered links, in order. The first link has the number 1.
    var links: [Link] {
        var links: [Link] = []
        for section in TextSection.withAddresses(in: message.string, sections) {
            for (index, line) in lines(ofSection: section).enumerated() {
                let number = Body.number(ofLine: index, in: section)
                links += line.markup.links.map {
                    Link(
                        line: number, place: $0.address, whole: $0.whole,
                        address: String(line.text.string.whole($0.address).text))
                }
            }
            if links.count >= Body.mostLinks { break }
        }
        links = Array(links.prefix(Body.mostLinks))
        // ASCII is drawn as it was written.
        if !links.isEmpty, !message.string.utf8.allSatisfy({ $0 < 0x80 }) {
            for (index, address) in writtenAddresses.prefix(links.count).enumerated() { links[index].address = address }
        }
        return links
    }

    /// The addresses in the text itself, in order: the same parser finds the same links there.
    private var writtenAddresses: [String] {
        var text = message.string
        return text.withUTF8 { text in
            var addresses: [String] = []
            for line in MarkedLines(text, hasHeads: message.kind == .text) {
                addresses += line.addresses
                if addresses.count >= Body.mostLinks { break }
            }
            return addresses
        }
    }
}

/// The links and files of a message, numbered from 1: links first, then files. The user opens one of them by its number, or
/// copies its address.
struct LinkNumbers: Hashable, Sendable {
    let message: MessageID
    let openables: [Openable]
    /// True to copy the chosen address instead of opening it.
    var copies = false

    /// The number of the message's file with this index.
    func number(ofFile index: Int) -> Int? {
        let links = openables.count { if case .link = $0 { true } else { false } }
        return links + index < openables.count ? links + index + 1 : nil
    }

    /// A row whose links show their numbers. A number replaces the first characters of an address, so that it takes no room.
    /// - Returns: the row, and the places of the numbers in it.
    func numbered(_ row: WrappedRow, line: Int, links: [Body.Link]) -> (row: WrappedRow, labels: [Range<Int>]) {
        var bytes = Array(row.text.string.utf8)
        var labels: [Range<Int>] = []
        for (index, link) in links.enumerated() where link.line == line {
            let start = link.place.lowerBound - row.start
            let label = Array("[\(index + 1)]".utf8)
            // An address begins with ASCII. The number fits into "http://", unless it is larger than anybody types.
            guard bytes.indices.contains(start), label.count <= 7 else { continue }
            let end = min(start + label.count, bytes.count)
            bytes.replaceSubrange(start..<end, with: label.prefix(end - start))
            labels.append(start..<end)
        }
        guard !labels.isEmpty else { return (row, []) }
        var numbered = row
        numbered.text = CleanText(String(decoding: bytes, as: UTF8.self))
        return (numbered, labels)
    }
}

/// Links to messages for Kedge and all Matrix clients (Matrix specification, appendices, "matrix.to navigation").
enum MatrixLink {
    private static let site = "https://matrix.to/#/"

    /// - Parameter me: the user, whose server helps the reader's server to find the room.
    /// - Returns: nil for a conversation outside Matrix, and for a message that the server does not have yet.
    static func link(to message: MessageID, in conversation: Conversation?, by me: PersonID?) -> String? {
        guard let room = conversation?.address, room.hasPrefix(site), message.rawValue.hasPrefix("$") else {
            return nil
        }
        let server = me.flatMap { id in id.rawValue.firstIndex(of: ":").map { id.rawValue[$0...].dropFirst() } }
        let via = server.map { "?via=" + escaped($0, besides: ":[]") } ?? ""
        return site + escaped(room.dropFirst(site.count), besides: "!:") + "/"
            + escaped(message.rawValue[...], besides: "$:") + via
    }

    /// Escapes letters of other scripts, slashes and other characters that end a link in many programs.
    private static func escaped(_ text: Substring, besides signs: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
            if isPlain || (signs + ".-_~").unicodeScalars.contains(scalar) { return String(scalar) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        .joined()
    }
}

/// A part of a message that `o` opens.
enum Openable: Hashable, Sendable {
    /// The address as it is shown and opened.
    case link(String)
    case file(Attachment, of: MessageID)

    /// The name for a notice.
    var name: String {
        switch self {
        case .link(let address): address
        case .file(let attachment, _): attachment.name
        }
    }

    var isPicture: Bool { if case .file(let file, _) = self { file.isPicture } else { false } }

    /// `link`, `file`, or both.
    static func kind(of all: [Openable]) -> String {
        let links = all.count { if case .link = $0 { true } else { false } }
        return links == all.count ? "link" : links == 0 ? "file" : "link or file"
    }

    /// The host of a link whose address seems to lead to another host.
    var disguisedHost: String? {
        if case .link(let address) = self { WebAddress.disguisedHost(of: address) } else { nil }
    }
}

extension Attachment {
    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]

    /// True if the name is that of a picture. The file may still be something else.
    var isPicture: Bool {
        let name = name.suffix(8).lowercased()
        return Attachment.endings.contains { name.hasSuffix($0) }
    }
}

/// Long messages show only their first rows until the user unfolds them.
enum Fold {
    /// Rows of text that a folded message shows.
    static let rows = 12
    /// The most rows, on a screen of usual width, of a message that is not folded at first.
    private static let most = 40
    private static let usualColumns = 72

    /// The part of a text that is folded away.
    enum Hidden: Hashable, Sendable {
        case rows(Int)
        /// The size in bytes of a text that is too long for its rows to be counted.
        case bytes(Int)
        /// The size in bytes of the rest of an unfolded text, which is loading.
        case loading(Int)
    }

    /// - Parameter columns: the width of each line. The sequence is read only until the text is known to be long.
    static func isLong(_ columns: some Sequence<Int>) -> Bool {
        var rows = 0
        for columns in columns {
            rows += max(1, (columns + usualColumns - 1) / usualColumns)
            if rows > most { return true }
        }
        return false
    }

    /// `… 123 more rows (edited), z unfolds`, `… 4.9 MB more, z unfolds`, `loading 4.9 MB more…`
    /// - Parameters:
    ///   - isEdited: true if the words about an edit are hidden too.
    ///   - key: the key that unfolds the message.
    static func text(_ hidden: Hidden, isEdited: Bool, key: String) -> CleanText {
        let amount: String
        switch hidden {
        case .rows(let rows): amount = "\(rows.grouped) more rows"
        case .bytes(let bytes): amount = "\(ByteCount.label(Int64(bytes))) more"
        case .loading(let bytes): return CleanText("loading \(ByteCount.label(Int64(bytes))) more…")
        }
        return CleanText("… \(amount)\(isEdited ? " (edited)" : ""), \(key) unfolds")
    }
}
