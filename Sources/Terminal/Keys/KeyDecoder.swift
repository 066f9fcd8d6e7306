internal import CNcurses
internal import Display

/// Turns the bytes from a terminal into keys and mouse actions. It has no clock: its owner says when a sequence or a
/// paste has ended, and counts clicks (each press is a first one here).
struct KeyDecoder {
    /// The sequences of this terminal, each starting with Esc.
    private let sequences: [[UInt8]: Key]
    /// Bytes that are not a whole key yet.
    private var bytes: [UInt8] = []
    /// Whether a press of the left button was reported and its release was not yet.
    private var isButtonDown = false
    /// The text of a paste so far; nil when there is none.
    private var pasted: [UInt8]?

    /// The background that the terminal has reported; nil when it was taken.
    private var background: RGB?
    /// Those of the terminal on pictures that were not taken yet.
    private var reports: [TerminalReport] = []

    /// The marks around a paste, which the terminal was told to send (mode 2004).
    private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// The beginning of a report of the background (OSC 11).
    private static let backgroundStart: [UInt8] = Array("\u{1B}]11;".utf8)

    private static let escape: UInt8 = 0x1B

    init(sequences: [[UInt8]: Key]) {
        self.sequences = sequences
    }

    /// Whether the bytes so far are Esc, or start with it, and may be the start of a longer sequence.
    var isWithinSequence: Bool { bytes.first == Self.escape }

    /// Whether the start of a sequence is too long to be keys that were pressed by hand.
    var isPastIntroducer: Bool { isWithinSequence && bytes.count > 2 }

    /// Whether they are the start of a report, which no hand has typed.
    var isWithinReport: Bool { bytes.count > 2 && KeyDecoder.isReport(bytes[...]) }

    private static func isReport(_ bytes: ArraySlice<UInt8>) -> Bool {
        [backgroundStart, TerminalReport.kittyStart].contains { $0.starts(with: bytes.prefix($0.count)) }
    }

    mutating func takeBackground() -> RGB? {
        defer { background = nil }
        return background
    }

    mutating func takeReports() -> [TerminalReport] {
        defer { reports = [] }
        return reports
    }

    /// Whether a paste is under way whose end has not come yet.
    var isPasting: Bool { pasted != nil }

    mutating func decode(_ more: [UInt8]) -> [Input] {
        guard pasted == nil else { return continuePaste(more) }
        bytes += more
        return takeInputs(isComplete: false)
    }

    /// Takes in a paste up to its end, and then the keys after it.
    private mutating func continuePaste(_ more: [UInt8]) -> [Input] {
        guard var text = pasted else { return [] }
        // The end may have come in two parts.
        let known = max(0, text.count - KeyDecoder.pasteEnd.count)
        text += more
        guard let end = text[known...].firstRange(of: KeyDecoder.pasteEnd) else {
            pasted = text
            return []
        }
        pasted = nil
        return [.paste(String(decoding: text[..<end.lowerBound], as: UTF8.self))]
            + decode(Array(text[end.upperBound...]))
    }

    /// Ends a paste whose end will not come: its text so far is all of it, and further bytes are keys again.
    mutating func endPaste() -> [Input] {
        guard let text = pasted else { return [] }
        pasted = nil
        return [.paste(String(decoding: text, as: UTF8.self))]
    }

    /// Ends a sequence, because nothing more came: its start is Esc, or a key with Alt.
    mutating func endSequence() -> [Input] {
        takeInputs(isComplete: true)
    }

    /// The meaning of the bytes at one place.
    private enum Step {
        case key(Key, length: Int)
        case scalar(Unicode.Scalar, length: Int)
        case mouse(MouseReport, length: Int)
        case pasteStart(length: Int)
        case background(RGB, length: Int)
        case report(TerminalReport, length: Int)
        case skip(length: Int)
        case needsMore
    }

    private mutating func takeInputs(isComplete: Bool) -> [Input] {
        var inputs: [Input] = []
        // The scalars of one character, as of an emoji of several scalars, are one key.
        var typed = String.UnicodeScalarView()
        func finishTyping() {
            inputs += String(typed).map { .key(.character($0)) }
            typed = String.UnicodeScalarView()
        }
        var rest = bytes[...]
        loop: while let first = rest.first {
            switch first == Self.escape ? sequence(rest, isComplete) : single(rest) {
            case .key(let key, let length):
                finishTyping()
                inputs.append(.key(key))
                rest = rest.dropFirst(length)
            case .mouse(let report, let length):
                finishTyping()
                if let mouse = follow(report) { inputs.append(.mouse(mouse)) }
                rest = rest.dropFirst(length)
            case .scalar(let scalar, let length):
                typed.append(scalar)
                rest = rest.dropFirst(length)
            case .pasteStart(let length):
                finishTyping()
                let text = Array(rest.dropFirst(length))
                (bytes, pasted) = ([], [])
                return inputs + continuePaste(text)
            case .background(let color, let length):
                background = color
                rest = rest.dropFirst(length)
            case .report(let report, let length):
                reports.append(report)
                rest = rest.dropFirst(length)
            case .skip(let length):
                rest = rest.dropFirst(length)
            case .needsMore:
                break loop
            }
        }
        finishTyping()
        bytes = Array(rest)
        return inputs
    }

    /// Ignores a press with a modifier, since Shift is for the terminal's own selection, and also its drag and its
    /// release. A press without a modifier is followed to its release, whatever is held by then.
    private mutating func follow(_ report: MouseReport) -> Mouse? {
        switch report.action {
        case .press:
            isButtonDown = !report.hasModifiers
            return isButtonDown ? Mouse(.press(clicks: 1), at: report.position) : nil
        case .drag:
            return isButtonDown ? Mouse(.drag, at: report.position) : nil
        case .release:
            guard isButtonDown else { return nil }
            isButtonDown = false
            return Mouse(.release, at: report.position)
        case .wheelUp: return Mouse(.wheelUp, at: report.position)
        case .wheelDown: return Mouse(.wheelDown, at: report.position)
        }
    }

    private func single(_ rest: ArraySlice<UInt8>) -> Step {
        guard let first = rest.first else { return .needsMore }
        switch first {
        case 0x08, 0x7F: return .key(.backspace, length: 1)
        case 0x09: return .key(.tab, length: 1)
        case 0x0D: return .key(.enter, length: 1)
        case 0x01...0x1A: return .key(.control(Character(Unicode.Scalar(first + 0x60))), length: 1)
        case 0x00, 0x1C...0x1F: return .key(.control(Character(Unicode.Scalar(first + 0x40))), length: 1)
        case 0x20..<0x7F: return .scalar(Unicode.Scalar(first), length: 1)
        default: break
        }
        var value: UInt32 = 0
        let length = rest.withUnsafeBufferPointer { Int(cn_decode($0.baseAddress, $0.count, &value)) }
        if length == 0 { return .needsMore }
        // Only the bad byte is skipped: the bytes after it may be good.
        guard length > 0 else { return .skip(length: 1) }
        guard let scalar = Unicode.Scalar(value), !(0x80..<0xA0).contains(value) else { return .skip(length: length) }
        return .scalar(scalar, length: length)
    }

    private func sequence(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Step {
        // The longest one, since one sequence may be the beginning of another.
        let known = sequences.filter { rest.starts(with: $0.key) }.max { $0.key.count < $1.key.count }
        if let (sequence, key) = known { return .key(key, length: sequence.count) }
        if !isComplete && sequences.keys.contains(where: { $0.starts(with: rest) }) { return .needsMore }
        guard let second = rest.dropFirst().first else {
            return isComplete ? .key(.escape, length: 1) : .needsMore
        }
        let step =
            switch second {
            case UInt8(ascii: "["): controlSequence(rest)
            case UInt8(ascii: "O"): singleShift(rest)
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
                controlString(rest, isComplete)
            default: alt(rest)
            }
        guard case .needsMore = step, isComplete else { return step }
        let isTorn = rest.count > 2 && (second == UInt8(ascii: "[") || second == UInt8(ascii: "O"))
        if isTorn { return .skip(length: rest.count) }
        guard case .needsMore = alt(rest) else { return alt(rest) }
        return .key(.escape, length: 1)
    }

    /// `Esc [`, parameters, a final byte.
    private func controlSequence(_ rest: ArraySlice<UInt8>) -> Step {
        let body = rest.dropFirst(2)
        if body.first == UInt8(ascii: "[") {
            // F1 to F5 of the Linux console, which terminfo may not have.
            guard body.count > 1 else { return .needsMore }
            let number = Int(body[body.startIndex + 1]) - 0x40
            return (1...5).contains(number) ? .key(.function(number), length: 4) : .skip(length: 4)
        }
        if rest.starts(with: KeyDecoder.pasteStart) { return .pasteStart(length: KeyDecoder.pasteStart.count) }
        let parameters = Array(body.prefix { (0x30..<0x40).contains($0) })
        // rxvt ends its shifted keys with $; elsewhere $ comes before the final byte of a report.
        let isOfKey = parameters.allSatisfy { $0 < UInt8(ascii: "<") }
        if isOfKey, body.dropFirst(parameters.count).first == UInt8(ascii: "$") {
            return .skip(length: 3 + parameters.count)
        }
        let between = body.dropFirst(parameters.count).prefix { (0x20..<0x30).contains($0) }.count
        guard let final = body.dropFirst(parameters.count + between).first else { return .needsMore }
        let length = 2 + parameters.count + between
        guard (0x40..<0x7F).contains(final) else { return .skip(length: length) }
        if final == UInt8(ascii: "M"), parameters.isEmpty { return oldMouseReport(rest, length: length + 1) }
        if final == UInt8(ascii: "M") || final == UInt8(ascii: "m"), parameters.first == UInt8(ascii: "<") {
            let report = between == 0 ? MouseReport(parameters: parameters, final: final) : nil
            return report.map { .mouse($0, length: length + 1) } ?? .skip(length: length + 1)
        }
        if between == 0, let report = TerminalReport(parameters: parameters, final: final) {
            return .report(report, length: length + 1)
        }
        guard between == 0, let key = KeySequences.key(parameters: parameters, final: final) else {
            return .skip(length: length + 1)
        }
        return .key(key, length: length + 1)
    }

    /// A mouse report of the oldest form: three more bytes, none of them a control.
    private func oldMouseReport(_ rest: ArraySlice<UInt8>, length: Int) -> Step {
        let bytes = rest.dropFirst(length).prefix(3)
        if bytes.contains(where: { $0 < 0x20 }) { return .skip(length: length) }
        guard bytes.count == 3 else { return .needsMore }
        return MouseReport(bytes: bytes).map { .mouse($0, length: length + 3) } ?? .skip(length: length + 3)
    }

    /// `Esc O`, a final byte; some terminals put a modifier before it.
    private func singleShift(_ rest: ArraySlice<UInt8>) -> Step {
        let body = rest.dropFirst(2)
        let modifiers = body.prefix { (0x30..<0x40).contains($0) }.count
        guard let final = body.dropFirst(modifiers).first else { return .needsMore }
        guard (0x40..<0x7F).contains(final) else { return .skip(length: 2 + modifiers) }
        guard modifiers == 0, let key = KeySequences.key(single: final) else { return .skip(length: 3 + modifiers) }
        return .key(key, length: 3)
    }

    /// A report of the terminal up to its end: that of the background, or one on pictures. Or a key with Alt.
    private func controlString(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Step {
        let body = rest.dropFirst(2)
        if body.isEmpty { return .needsMore }
        guard let end = body.firstIndex(where: { $0 == 0x07 || $0 == Self.escape }) else {
            return !isComplete && KeyDecoder.isReport(rest) ? .needsMore : alt(rest)
        }
        if body[end] == 0x07 { return report(rest[..<end], length: end - rest.startIndex + 1) }
        guard end + 1 < body.endIndex else { return isComplete ? alt(rest) : .needsMore }
        guard body[end + 1] == UInt8(ascii: "\\") else { return alt(rest) }
        return report(rest[..<end], length: end - rest.startIndex + 2)
    }

    private func report(_ text: ArraySlice<UInt8>, length: Int) -> Step {
        if let report = TerminalReport(string: text) { return .report(report, length: length) }
        guard text.starts(with: KeyDecoder.backgroundStart) else { return .skip(length: length) }
        let color = RGB(report: text.dropFirst(KeyDecoder.backgroundStart.count))
        return color.map { .background($0, length: length) } ?? .skip(length: length)
    }

    private func alt(_ rest: ArraySlice<UInt8>) -> Step {
        // Esc twice, or Esc and a key that has a sequence.
        if rest.dropFirst().first == Self.escape { return .key(.escape, length: 1) }
        return switch single(rest.dropFirst()) {
        case .scalar(let scalar, let length): .key(.alt(Character(scalar)), length: length + 1)
        case .key(.enter, let length): .key(.altEnter, length: length + 1)
        case .key(.tab, let length): .key(.alt("\t"), length: length + 1)
        case .key(.backspace, let length): .key(.alt("\u{7F}"), length: length + 1)
        // Esc, followed by a control character that came with it over a slow connection.
        case .key, .mouse, .pasteStart, .background, .report: .key(.escape, length: 1)
        case .skip(let length): .key(.escape, length: length + 1)
        case .needsMore: .needsMore
        }
    }
}
