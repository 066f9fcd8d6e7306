internal import Files
internal import CCharset
internal import JSON

/// The character set of a file's text: UTF-8, and another one for the lines that are not UTF-8.
///
/// Programs wrote logs in the character set of the machine's language, and changed to UTF-8 in the middle of a file.
package enum Charset {
    /// The usual character set of lines that are not UTF-8.
    static let usual = "CP1252"

    /// The C library's name for a character set; nil if it does not know the name, or if lines in the character set do not end
    /// with a line feed.
    package static func known(_ name: String) -> String? {
        let name = wider(name)
        guard !name.isEmpty, name.utf8.count < 40, name.utf8.allSatisfy({ isPartOfName($0) }),
            let decoder = cch_open(name)
        else { return nil }
        cch_close(decoder)
        return name
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// The character set that programs mean by a name: often Microsoft's extension of it.
    private static func wider(_ name: String) -> String {
        let upper = name.uppercased()
        return widened[upper] ?? (upper.hasPrefix("WINDOWS-") ? "CP" + upper.dropFirst(8) : upper)
    }

    private static let widened = [
        "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "EUC-JP": "EUC-JP-MS", "EUC-KR": "CP949",
        "UHC": "CP949", "BIG5": "BIG5-HKSCS", "GB2312": "GB18030", "GBK": "GB18030", "ISO-8859-1": "CP1252",
        "LATIN1": "CP1252", "ISO-8859-9": "CP1254",
    ]

    // MARK: - Finding it

    /// Sample lines from which a character set is guessed.
    struct Evidence {
        private(set) var bytes: [UInt8] = []
        private var isEscaped = false
        /// The numbers of lines that are not UTF-8, and of UTF-8 lines that could also be in an East Asian set.
        private var counts = (strange: 0, plain: 0)
        /// More bytes do not make the guess safer.
        private static let most = 64 << 10

        /// Adds the lines that are not UTF-8. The bytes must contain complete lines.
        mutating func add(_ text: Bytes) {
            // Lines of ASCII, which most are, tell nothing.
            guard bytes.count < Evidence.most, text.contains(where: { $0 >= 0x80 }) || Charset.isEscaped(text) else {
                return
            }
            for line in text.lines where bytes.count < Evidence.most {
                if Charset.isPlain(line) {
                    if !LineDecoder.isSurelyUTF8(line) { counts.plain += 1 }
                } else if Charset.isEscaped(line) || !LineDecoder.isBrokenUTF8(line) {
                    isEscaped = isEscaped || Charset.isEscaped(line)
                    counts.strange += 1
                    bytes.append(contentsOf: line)
                    bytes.append(10)
                }
            }
        }

        mutating func add(_ other: Evidence) {
            guard bytes.count < Evidence.most else { return }
            bytes += other.bytes
            isEscaped = isEscaped || other.isEscaped
            counts = (counts.strange + other.counts.strange, counts.plain + other.counts.plain)
        }

        /// True if there are enough bytes to distinguish languages.
        var isEnough: Bool { isEscaped || bytes.count { $0 >= 0x80 } >= 24 }

        /// The most likely character set of the lines; nil if there are none.
        var charset: String? {
            if isEscaped { return "ISO-2022-JP" }
            guard !bytes.isEmpty else { return nil }
            var name = [CChar](repeating: 0, count: 64)
            _ = bytes.withUnsafeBytes { cch_detect($0.baseAddress, $0.count, &name, name.count) }
            let found = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Of the characters by which these two differ, only the euro sign is frequent in chats.
            let isLatin = found == "ISO-8859-15" && !bytes.contains(0xA4)
            guard !isLatin, !found.isEmpty, let name = Charset.known(found) else { return Charset.usual }
            // A few strange lines between many of Russian or Greek prove no East Asian set, in which these would be read.
            let most = counts.strange * (isEnough ? 8 : 1)
            return Charset.isWide(name) && counts.plain > most ? Charset.usual : name
        }
    }

    /// Sample lines from a few places in a file.
    static func evidence(in file: SourceFile, of source: Source) throws(FileError) -> Evidence {
        var evidence = Evidence()
        let part: Int64 = 32 << 10
        let places = file.size <= part * 4 ? [0] : (0..<4).map { $0 * (file.size - part) / 3 }
        for place in places {
            let count = places.count == 1 ? file.size : part
            let bytes = try source.read(file, at: place, count: Int(count))
            // A part may begin and end within a line.
            let start = place == 0 ? 0 : (bytes.firstIndex(of: 10) ?? -1) + 1
            let end = place + count >= file.size ? bytes.count : (bytes.lastIndex(of: 10) ?? 0)
            if start < end { bytes[start..<end].withUnsafeBytes { evidence.add($0) } }
        }
        return evidence
    }

    // MARK: - Lines

    /// True if text is UTF-8, and not ISO-2022-JP, which consists of ASCII bytes.
    static func isPlain(_ text: Bytes) -> Bool { text.isUTF8 && !isEscaped(text) }

    /// True for sets of East Asia and for Thai, in which two bytes often look like a character of UTF-8.
    static func isWide(_ name: String) -> Bool { wide.contains { name.hasPrefix($0) } }

    private static let wide = [
        "GB", "EUC-", "BIG5", "CP93", "CP94", "CP95", "SHIFT", "SJIS", "JOHAB", "TIS", "CP874", "ISO-8859-11",
    ]

    /// `ESC $ B`, `ESC $ @`
    static func isEscaped(_ text: Bytes) -> Bool {
        var rest = text
        while let place = rest.firstIndex(of: 0x1B), place + 2 < rest.count {
            if rest[place + 1] == UInt8(ascii: "$"), rest[place + 2] == UInt8(ascii: "B") || rest[place + 2] == 0x40 {
                return true
            }
            rest = Bytes(rebasing: rest[(place + 1)...])
        }
        return false
    }
}

/// Turns lines in a character set into UTF-8.
final class LineDecoder {
    private let decoder: UnsafeMutableRawPointer?
    private let isEscaping: Bool
    private let isWide: Bool

    /// - Parameter charset: the character set of lines that are not UTF-8.
    init(_ charset: String?) {
        let name = charset ?? Charset.usual
        decoder = cch_open(name)
        isEscaping = name.hasPrefix("ISO-2022")
        isWide = Charset.isWide(name)
    }

    deinit { if let decoder { cch_close(decoder) } }

    /// True if these lines need no decoding.
    func keeps(_ text: Bytes) -> Bool {
        guard !isEscaping else { return Charset.isPlain(text) }
        return text.isUTF8 && (!isWide || text.lines.allSatisfy(LineDecoder.isSurelyUTF8))
    }

    /// Appends a line as UTF-8.
    func decode(_ line: Bytes, to text: inout [UInt8]) {
        if keeps(line) {
            text.append(contentsOf: line)
        } else if !isEscaping, LineDecoder.isBrokenUTF8(line, isWide: isWide) {
            LineDecoder.repair(line, to: &text)
        } else {
            let room = line.count * 4
            text.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    count = cch_decode(decoder, line.baseAddress, line.count, buffer.baseAddress)
                })
        }
    }

    /// True if a line is UTF-8 with a few wrong bytes: a server cut it within a character, or a program inserted text in another
    /// character set. In other character sets, bytes rarely look like a UTF-8 character.
    /// - Parameter isWide: true if the other character set is a wide one, in which they often look like one of two bytes.
    static func isBrokenUTF8(_ line: Bytes, isWide: Bool = false) -> Bool {
        var (whole, wrong, at) = (0, 0, 0)
        while at < line.count {
            let length = character(line, at)
            if line[at] >= 0x80 {
                if let length { whole += isWide && length == 2 ? 0 : 1 } else { wrong += 1 }
            }
            at += length ?? 1
        }
        return whole > 0 && whole >= wrong
    }

    /// True if a line of UTF-8 would make no sense in a wide character set: it has a character of three or more bytes, or each
    /// character of two bytes stands alone next to a letter of ASCII (`café`).
    static func isSurelyUTF8(_ line: Bytes) -> Bool {
        func isLetter(_ at: Int) -> Bool { line.indices.contains(at) && line[at].isLetter }
        func isHigh(_ at: Int) -> Bool { line.indices.contains(at) && line[at] >= 0x80 }
        if line.contains(where: { $0 >= 0xE0 }) { return true }
        return line.indices.allSatisfy { at in
            line[at] < 0xC0 || !isHigh(at - 1) && !isHigh(at + 2) && (isLetter(at - 1) || isLetter(at + 2))
        }
    }

    /// Replaces a character that was cut, and decodes other wrong bytes one by one.
    private static func repair(_ line: Bytes, to text: inout [UInt8]) {
        var at = 0
        while at < line.count {
            if let length = character(line, at) {
                text.append(contentsOf: line[at..<(at + length)])
                at += length
                continue
            }
            let start = at
            at += 1
            while at < line.count, line[start] >= 0xC2, line[at] & 0xC0 == 0x80 { at += 1 }
            let isCut = line[start] >= 0xC2 && (at > start + 1 || at == line.count)
            text.append(contentsOf: Array(String(isCut ? "\u{FFFD}" : Unicode.Scalar(line[start])).utf8))
        }
    }

    /// The length of the UTF-8 character at a place; nil if there is none.
    private static func character(_ line: Bytes, _ at: Int) -> Int? {
        let length = line[at] < 0x80 ? 1 : line[at] < 0xC2 ? 0 : line[at] < 0xE0 ? 2 : line[at] < 0xF0 ? 3 : 4
        guard length > 0, at + length <= line.count, Bytes(rebasing: line[at..<(at + length)]).isUTF8 else {
            return nil
        }
        return length
    }
}
