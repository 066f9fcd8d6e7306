internal import CCharset
internal import CSimdjson

/// The character set of the text of a file: UTF-8, or the one by its name in lines that are no UTF-8.
///
/// Programs of one machine wrote logs in the character set of its language, and went over to UTF-8 in the middle of a file.
package enum Charset {
    /// What lines are that are no UTF-8 if nothing tells more.
    static let usual = "CP1252"

    /// The name by which the C library knows a character set; nil if it knows none of this name, or one in which a line does not
    /// end with a line feed.
    package static func known(_ name: String) -> String? {
        let name = wider(name)
        guard !name.isEmpty, name.utf8.count < 40, name.utf8.allSatisfy({ isPartOfName($0) }),
            let decoder = cch_open(name)
        else { return nil }
        cch_close(decoder)
        return name
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// The character set that programs mean by a name: mostly one of Microsoft's, which holds more characters.
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

    /// Collects the lines of a file by which its character set is known.
    struct Evidence {
        private(set) var bytes: [UInt8] = []
        private var isEscaped = false
        /// More does not make it surer.
        private static let most = 64 << 10

        /// Takes the lines that are no UTF-8, as far as these bytes hold them whole.
        mutating func add(_ text: Bytes) {
            guard bytes.count < Evidence.most, !Charset.isPlain(text) else { return }
            for line in text.lines where bytes.count < Evidence.most {
                if !Charset.isPlain(line), Charset.isEscaped(line) || !LineDecoder.isBrokenUTF8(line) {
                    isEscaped = isEscaped || Charset.isEscaped(line)
                    bytes.append(contentsOf: line)
                    bytes.append(10)
                }
            }
        }

        mutating func add(_ other: Evidence) {
            guard bytes.count < Evidence.most else { return }
            bytes += other.bytes
            isEscaped = isEscaped || other.isEscaped
        }

        /// Whether it is enough to tell languages apart.
        var isEnough: Bool { isEscaped || bytes.count { $0 >= 0x80 } >= 24 }

        /// The character set that explains the lines best; nil if all are UTF-8.
        var charset: String? {
            if isEscaped { return "ISO-2022-JP" }
            guard !bytes.isEmpty else { return nil }
            var name = [CChar](repeating: 0, count: 64)
            _ = bytes.withUnsafeBytes { cch_detect($0.baseAddress, $0.count, &name, name.count) }
            let found = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // The signs by which these two differ are rare in chats, but for that of the euro.
            let isLatin = found == "ISO-8859-15" && !bytes.contains(0xA4)
            return isLatin || found.isEmpty ? Charset.usual : Charset.known(found) ?? Charset.usual
        }
    }

    /// The character set of a file, by its lines in a few places.
    static func evidence(in file: SourceFile, of source: Source) throws(SourceError) -> Evidence {
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

    static func isUTF8(_ text: Bytes) -> Bool {
        text.isEmpty || csj_is_utf8(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count)
    }

    /// Whether text is UTF-8, and not that of ISO-2022-JP, which escapes from ASCII.
    static func isPlain(_ text: Bytes) -> Bool { isUTF8(text) && !isEscaped(text) }

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

    /// - Parameter charset: of lines that are no UTF-8.
    init(_ charset: String?) {
        let name = charset ?? Charset.usual
        decoder = cch_open(name)
        isEscaping = name.hasPrefix("ISO-2022")
    }

    deinit { if let decoder { cch_close(decoder) } }

    /// Whether lines stay as they are.
    func keeps(_ text: Bytes) -> Bool { isEscaping ? Charset.isPlain(text) : Charset.isUTF8(text) }

    /// Appends a line as UTF-8.
    func decode(_ line: Bytes, to text: inout [UInt8]) {
        if keeps(line) {
            text.append(contentsOf: line)
        } else if !isEscaping, LineDecoder.isBrokenUTF8(line) {
            LineDecoder.repair(line, to: &text)
        } else {
            let room = line.count * 4
            text.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    count = cch_decode(decoder, line.baseAddress, line.count, buffer.baseAddress)
                })
        }
    }

    /// Whether a line is UTF-8 in which a few bytes are wrong: a server cut it within a character, or somebody's program wrote
    /// another character set into it. In texts of other character sets, bytes look like a character of UTF-8 by chance only.
    static func isBrokenUTF8(_ line: Bytes) -> Bool {
        var (whole, wrong, at) = (0, 0, 0)
        while at < line.count {
            let length = character(line, at)
            if line[at] >= 0x80 { if length == nil { wrong += 1 } else { whole += 1 } }
            at += length ?? 1
        }
        return whole > 0 && whole >= wrong
    }

    /// Replaces a character that is cut, and reads other wrong bytes as characters of their own.
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

    /// The length of the character of UTF-8 at a place; nil if there is none.
    private static func character(_ line: Bytes, _ at: Int) -> Int? {
        let length = line[at] < 0x80 ? 1 : line[at] < 0xC2 ? 0 : line[at] < 0xE0 ? 2 : line[at] < 0xF0 ? 3 : 4
        guard length > 0, at + length <= line.count, Charset.isUTF8(Bytes(rebasing: line[at..<(at + length)])) else {
            return nil
        }
        return length
    }
}
