internal import CNcurses
internal import Display

/// Turns the bytes from a terminal into keys and mouse actions. It has no clock: its owner passes the time, and counts clicks (each
/// press is a first one here).
///
///     var decoder = KeyDecoder(sequences: [:])
///     decoder.decode([0x1B, 0x5B], at: now)       // nothing yet: an arrow key may follow
///     decoder.expire(at: now + .seconds(1))       // nothing: no hand has typed these two bytes
///     decoder.decode([0x41], at: now + .seconds(2))  // ↑, over a slow connection
///
/// A network may deliver a sequence in pieces, with any pause between them. So the start of a sequence that no hand
/// types is never taken for keys, and its rest is still recognised after the start was given up.
struct KeyDecoder {
    /// The time for which an Esc may be the start of a sequence.
    let escapeDelay: Duration
    /// The time to wait for the rest of a sequence before other keys may follow.
    static let sequenceDelay = Duration.seconds(1)
    /// The longest pause of a slow connection within a paste, and before the rest of a sequence that was given up.
    static let stall = Duration.seconds(5)
    /// After a pause of this length a single key within a paste is a key of the user: the end of the paste is lost.
    private static let keyPause = Duration.seconds(1)
    /// The most bytes of a paste that are kept: more than a message may have, so that a cut text is never taken for a whole one.
    static let longestPaste = (1 << 20) + 256
    /// The most bytes of a sequence, and of a paste, that are kept.
    private static let longest = (sequence: 4_096, paste: KeyDecoder.longestPaste)

    /// The sequences of this terminal, each starting with Esc.
    private let sequences: [[UInt8]: Key]
    /// Bytes that are not a whole key yet.
    private var bytes: [UInt8] = []
    /// The number of `bytes` that were given up: an Esc that has acted as a key, or the dropped start of a sequence.
    /// They are kept for a while, because their rest may still come.
    private var spent = 0
    /// The time at which the last bytes came.
    private var lastRead: ContinuousClock.Instant?
    /// True if a press of the left button was reported and its release was not yet.
    private var isButtonDown = false
    /// The text of a paste so far; nil when there is none.
    private var pasted: [UInt8]?
    /// True if the paste ends with an Esc that came alone after a pause, and so may be a key.
    private var hasEscape = false

    /// The background that the terminal has reported; nil after it was read.
    private var background: RGB?
    /// Reports of the terminal that were not read yet.
    private var reports: [TerminalReport] = []
    /// The focus that the terminal has reported last; nil after it was read.
    private var focus: Bool?
    /// True if the terminal was asked for its graphics protocol. Then `Esc _` is the start of its report, else a key.
    var awaitsGraphics = false

    /// The marks around a paste, which the terminal was told to send (mode 2004).
    private static let pasteStart: [UInt8] = Array("\u{1B}[200~".utf8)
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// The beginning of a report of the background (OSC 11).
    private static let backgroundStart: [UInt8] = Array("\u{1B}]11;".utf8)

    private static let escape: UInt8 = 0x1B

    init(sequences: [[UInt8]: Key], escapeDelay: Duration = .milliseconds(25)) {
        (self.sequences, self.escapeDelay) = (sequences, escapeDelay)
    }

    /// The delay from `ESCDELAY`, in milliseconds, as in other programs with ncurses. The default is short, but longer where a
    /// network or a multiplexer may separate an Esc from the rest of its sequence.
    static func escapeDelay(environment: [String: String]) -> Duration {
        if let delay = environment["ESCDELAY"].flatMap({ Int($0) }), (0...60_000).contains(delay) {
            return .milliseconds(delay)
        }
        let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
        return .milliseconds(isRemote || Multiplexer(environment: environment) != nil ? 100 : 25)
    }

    mutating func takeBackground() -> RGB? {
        defer { background = nil }
        return background
    }

    mutating func takeReports() -> [TerminalReport] {
        defer { reports = [] }
        return reports
    }

    mutating func takeFocus() -> Bool? {
        defer { focus = nil }
        return focus
    }

    // MARK: - Time

    /// The time to call `expire` if no bytes come; nil if nothing can expire.
    var deadline: ContinuousClock.Instant? { lastRead.flatMap { last in delay.map { last + $0 } } }

    private var delay: Duration? {
        if pasted != nil { return hasEscape ? escapeDelay : Self.stall }
        guard bytes.first == Self.escape else { return nil }
        if spent == bytes.count { return Self.stall }
        return isCertain ? Self.sequenceDelay : escapeDelay
    }

    /// True if the bytes so far are the start of a sequence, and not Esc or a key with Alt.
    private var isCertain: Bool {
        guard bytes.count > 1 else { return false }
        return switch bytes[1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"), UInt8(ascii: "]"), UInt8(ascii: "P"): true
        case UInt8(ascii: "_"): bytes.count > 2 || awaitsGraphics
        // A character of several bytes with Alt.
        default: bytes[1] >= 0x80
        }
    }

    /// Gives up the sequences and the paste that are overdue after a time without bytes.
    mutating func expire(at now: ContinuousClock.Instant) -> [Input] {
        var inputs: [Input] = []
        while let deadline, now >= deadline { inputs += giveUp() }
        return inputs
    }

    private mutating func giveUp() -> [Input] {
        if pasted != nil {
            guard hasEscape else { return endPaste() }
            pasted?.removeLast()
            (bytes, spent) = ([Self.escape], 1)
            return endPaste() + [.key(.escape)]
        }
        if spent == bytes.count {
            (bytes, spent) = ([], 0)
            return []
        }
        if bytes.count == 1 {
            spent = 1
            return [.key(.escape)]
        }
        guard isCertain else { return takeInputs(isComplete: true) }
        if spent == 1, bytes.count == 2 {
            // The Esc was a key, and this one was typed after it.
            (bytes, spent) = ([bytes[1]], 0)
            return takeInputs(isComplete: true)
        }
        spent = bytes.count
        return []
    }

    // MARK: - Bytes

    /// - Parameter more: the bytes of one read.
    mutating func decode(_ more: [UInt8], at now: ContinuousClock.Instant) -> [Input] {
        let pause = lastRead.map { now - $0 } ?? .zero
        lastRead = now
        guard pasted != nil else {
            // Much later than an Esc, a single byte is a key and no rest of a sequence.
            if spent == 1, bytes.count == 1, more.count == 1, pause > Self.sequenceDelay { (bytes, spent) = ([], 0) }
            bytes += more
            return takeInputs(isComplete: false)
        }
        if pause >= Self.keyPause, isKeyOfUser(more) {
            let paste = endPaste()
            bytes = more
            return paste + takeInputs(isComplete: false)
        }
        let inputs = continuePaste(more)
        hasEscape = pasted != nil && more == [Self.escape] && pause >= Self.keyPause
        return inputs
    }

    /// True if bytes that come after a pause within a paste are one key that no text has: ^C, or a sequence.
    private func isKeyOfUser(_ more: [UInt8]) -> Bool {
        if more == [0x03] { return true }
        guard more.count > 2, more[0] == Self.escape, case .key(_, let length) = sequence(more[...], false) else {
            return false
        }
        return length == more.count
    }

    /// Takes in a paste up to its end, and then the keys after it.
    private mutating func continuePaste(_ more: [UInt8]) -> [Input] {
        // The end may have come in two parts.
        let known = max(0, (pasted?.count ?? 0) - Self.pasteEnd.count)
        pasted?.append(contentsOf: more)
        guard let end = pasted?.firstRange(of: Self.pasteEnd, from: known) else {
            // No message can be so long. The last bytes are kept, since the end mark may begin in them.
            if let count = pasted?.count, count > Self.longest.paste {
                pasted?.removeSubrange(Self.longest.paste - Self.pasteEnd.count..<count - Self.pasteEnd.count)
            }
            return []
        }
        bytes = pasted.map { Array($0[end.upperBound...]) } ?? []
        pasted?.removeSubrange(end.lowerBound...)
        return endPaste() + takeInputs(isComplete: false)
    }

    /// Ends the paste: further bytes are keys again.
    private mutating func endPaste() -> [Input] {
        guard let text = pasted else { return [] }
        (pasted, hasEscape) = (nil, false)
        return [.paste(String(decoding: text, as: UTF8.self))]
    }

    /// The meaning of the bytes at one place.
    private enum Step {
        case key(Key, length: Int)
        case scalar(Unicode.Scalar, length: Int)
        case mouse(MouseReport, length: Int)
        case pasteStart(length: Int)
        case background(RGB, length: Int)
        case report(TerminalReport, length: Int)
        case focus(Bool, length: Int)
        /// Bytes without a meaning: they are dropped.
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
        while let first = rest.first {
            var step = first == Self.escape ? sequence(rest, isComplete) : single(rest)
            if spent > 0 {
                guard rest.count > spent else { break }
                guard let late = late(rest, step) else {
                    rest = rest.dropFirst(spent)
                    spent = 0
                    continue
                }
                step = late
            }
            if case .needsMore = step { break }
            spent = 0
            switch step {
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
            case .focus(let hasFocus, let length):
                focus = hasFocus
                rest = rest.dropFirst(length)
            case .skip(let length):
                rest = rest.dropFirst(length)
            case .needsMore:
                break
            }
        }
        finishTyping()
        bytes = Array(rest)
        if bytes.count > Self.longest.sequence {
            // The rest will be dropped, whatever it is: this start has no meaning.
            bytes = bytes[1] == UInt8(ascii: "[") ? Array("\u{1B}[?".utf8) : Array(bytes.prefix(3))
            spent = min(spent, bytes.count)
        }
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

    /// Returns the step for the rest of a sequence whose start was given up.
    /// - Parameter step: the meaning of all these bytes together.
    /// - Returns: nil if the new bytes are keys of their own.
    private func late(_ rest: ArraySlice<UInt8>, _ step: Step) -> Step? {
        let (second, third) = (rest.dropFirst().first, rest.dropFirst(2).first)
        guard [UInt8(ascii: "["), UInt8(ascii: "O"), UInt8(ascii: "]"), UInt8(ascii: "P")].contains(second) else {
            return second == UInt8(ascii: "_") && awaitsGraphics ? step : nil
        }
        let isPrivate = third.map { (UInt8(ascii: "<")...UInt8(ascii: "?")).contains($0) } ?? false
        // By now a letter is more likely a key than the rest of a keypad sequence.
        if second == UInt8(ascii: "O"), let third, !(0x41...0x53).contains(third),
            !sequences.keys.contains(where: rest.starts(with:))
        {
            return nil
        }
        // After an Esc that was a key, `[1]` may be typed.
        if case .skip(let length) = step, length < (spent == 1 && !isPrivate ? 6 : 4) { return nil }
        return step
    }

    private func sequence(_ rest: ArraySlice<UInt8>, _ isComplete: Bool) -> Step {
        // The longest one, since one sequence may be the beginning of another.
        let known = sequences.filter { rest.starts(with: $0.key) }.max { $0.key.count < $1.key.count }
        if let (sequence, key) = known { return .key(key, length: sequence.count) }
        if !isComplete && sequences.keys.contains(where: { $0.starts(with: rest) }) { return .needsMore }
        guard let second = rest.dropFirst().first else {
            return isComplete ? .key(.escape, length: 1) : .needsMore
        }
        switch second {
        case UInt8(ascii: "["): return controlSequence(rest)
        case UInt8(ascii: "O"): return singleShift(rest)
        case UInt8(ascii: "]"), UInt8(ascii: "P"): return controlString(rest)
        case UInt8(ascii: "_"):
            if rest.dropFirst(2).first == UInt8(ascii: "G") { return controlString(rest) }
            return rest.count > 2 || isComplete ? alt(rest) : .needsMore
        default: return alt(rest)
        }
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
        if parameters.isEmpty, between == 0, final == UInt8(ascii: "I") || final == UInt8(ascii: "O") {
            return .focus(final == UInt8(ascii: "I"), length: length + 1)
        }
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

    /// `Esc ]`, `Esc P` or `Esc _`, a text, and its end: a report of the terminal.
    private func controlString(_ rest: ArraySlice<UInt8>) -> Step {
        let body = rest.dropFirst(2)
        guard let first = body.first else { return .needsMore }
        guard let end = body.firstIndex(where: { $0 < 0x20 }) else {
            return Self.begins(string: rest[rest.startIndex + 1], with: first) ? .needsMore : .skip(length: 3)
        }
        let length = end - rest.startIndex
        switch body[end] {
        case 0x07: return report(rest[..<end], length: length + 1)
        case Self.escape:
            guard end + 1 < body.endIndex else { return .needsMore }
            // Without the backslash, another sequence begins in the middle of this one.
            return body[end + 1] == UInt8(ascii: "\\")
                ? report(rest[..<end], length: length + 2) : .skip(length: length)
        default: return .skip(length: length)
        }
    }

    /// True if a string of this kind can begin with a byte: a number (or `l` and `L` before a title), parameters (`1$r`,
    /// `>|`), or the letter of graphics.
    private static func begins(string kind: UInt8, with first: UInt8) -> Bool {
        switch kind {
        case UInt8(ascii: "]"):
            (0x30..<0x3A).contains(first) || first == UInt8(ascii: "l") || first == UInt8(ascii: "L")
        case UInt8(ascii: "P"): (0x20..<0x40).contains(first)
        default: first == UInt8(ascii: "G")
        }
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
        case .key, .mouse, .pasteStart, .background, .report, .focus: .key(.escape, length: 1)
        case .skip(let length): .key(.escape, length: length + 1)
        case .needsMore: .needsMore
        }
    }
}

extension [UInt8] {
    /// The first range of a sequence at or after an index. (The standard library's search takes a microsecond a byte.)
    fileprivate func firstRange(of sequence: [UInt8], from start: Int) -> Range<Int>? {
        var at = start
        while let first = self[at...].firstIndex(of: sequence[0]) {
            if self[first...].starts(with: sequence) { return first..<first + sequence.count }
            at = first + 1
        }
        return nil
    }
}
