internal import CNcurses
internal import Display

/// The sequences that keys send.
enum KeySequences {
    /// The sequences in terminfo that start with Esc; the others are control characters.
    static func ofCurrentTerminal() -> [[UInt8]: Key] {
        var sequences: [[UInt8]: Key] = [:]
        for (name, key) in names {
            guard let start = cn_key_sequence(name) else { continue }
            let bytes = Array(String(cString: start).utf8)
            if bytes.count > 1 && bytes[0] == 0x1B { sequences[bytes] = key }
        }
        return sequences
    }

    /// True if terminfo says that the current terminal reports its mouse. The start of reports that terminfo has does not matter,
    /// because Kedge requests another form.
    static var currentTerminalHasMouse: Bool { cn_key_sequence("kmous") != nil }

    private static let names: [(String, Key)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
            ("kpp", .pageUp), ("knp", .pageDown), ("khome", .home), ("kend", .end),
            ("kich1", .insert), ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
        ] + (1...24).map { ("kf\($0)", .function($0)) } + held

    /// The names that ncurses gives to keys with modifiers (user_caps(5)): the number is 1 plus xterm's modifiers.
    private static let held = [
        ("kUP", Key.up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home), ("kEND", .end),
        ("kPRV", .pageUp), ("kNXT", .pageDown), ("kDC", .delete), ("kIC", .insert),
    ].flatMap { name, key in
        (3...8).map { ("\(name)\($0)", Key.held(Key.Modifiers(rawValue: $0 - 1), key)) }
    }

    /// `Esc [ number ; modifiers final`, as xterm and those that follow it send it, whatever terminfo says; also the
    /// form of Kitty's keyboard protocol, in which each number may have further ones after colons.
    static func key(parameters: [UInt8], final: UInt8) -> Key? {
        let fields = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                Int(String(decoding: $0, as: UTF8.self))
            }
        }
        func number(_ field: Int, _ place: Int) -> Int? {
            fields.indices.contains(field) && fields[field].indices.contains(place) ? fields[field][place] : nil
        }
        let first = number(0, 0)
        // Event type 3 is a release.
        guard number(1, 1) != 3 else { return nil }
        let held = (number(1, 0) ?? 1) - 1
        // The locks, from 64 on, do not count. 8 is Meta where a key has no character, else Super.
        guard (0..<256).contains(held), held & 0x30 == 0 else { return nil }
        var modifiers = Key.Modifiers(rawValue: held & 7)
        if final != UInt8(ascii: "u"), held & 8 != 0 { modifiers.insert(.alt) }
        switch final {
        case UInt8(ascii: "u") where held & 8 == 0:
            return first.flatMap { key(code: $0, shifted: number(0, 1), standard: number(0, 2), modifiers) }
        case UInt8(ascii: "~"): return first.flatMap(key(number:))?.with(modifiers)
        case UInt8(ascii: "Z"): return .backTab
        default:
            guard parameters.isEmpty || first == 1 else { return nil }
            return (cursorKey(final) ?? functionKey(final))?.with(modifiers)
        }
    }

    private static func key(number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    private static func cursorKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: nil
        }
    }

    private static func functionKey(_ final: UInt8) -> Key? {
        (UInt8(ascii: "P")...UInt8(ascii: "S")).contains(final) ? .function(Int(final) - 0x4F) : nil
    }

    /// `Esc O final`: cursor keys and F1 to F4 in application mode, and the keypad.
    static func key(single final: UInt8) -> Key? {
        if let key = cursorKey(final) ?? functionKey(final) { return key }
        return switch final {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "X"): .character("=")
        // The keypad sends each character's code plus 64.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 64)))
        default: nil
        }
    }

    // MARK: - Kitty's keyboard protocol

    /// `Esc [ code u` ("Comprehensive keyboard handling in terminals").
    /// - Parameters:
    ///   - code: the code of the key without modifiers in the layout of the user.
    ///   - shifted: the code with Shift.
    ///   - standard: the code of the same key in the standard layout.
    private static func key(code: Int, shifted: Int?, standard: Int?, _ modifiers: Key.Modifiers) -> Key? {
        switch code {
        case 27: return .escape
        case 13, 57_414: return modifiers.contains(.alt) ? .altEnter : .enter
        case 9: return modifiers.contains(.shift) ? .backTab : modifiers.contains(.alt) ? .alt("\t") : .tab
        case 127:
            if modifiers.contains(.control) { return .held(modifiers, .backspace) }
            return modifiers.contains(.alt) ? .alt("\u{7F}") : .backspace
        case 57_417...57_426: return keypad[code - 57_417].with(modifiers)
        case 57_399...57_416 where code != 57_414: return .character(digits[code - 57_399])
        case 0xE000...0xF8FF: return nil
        default: break
        }
        guard let character = character(code) else { return nil }
        if modifiers.contains(.control) {
            guard !modifiers.contains(.alt) else { return nil }
            // In a layout without Latin letters, the position of the key counts, as it does in the oldest protocols.
            guard let letter = character.isASCII ? character : standard.flatMap(Self.character) else { return nil }
            return Key(notation: letter == " " ? "ctrl-space" : "ctrl-\(letter)")
        }
        let upper = Character(character.uppercased().count == 1 ? character.uppercased() : String(character))
        let typed = modifiers.contains(.shift) ? shifted.flatMap(Self.character) ?? upper : character
        return modifiers.contains(.alt) ? .alt(typed) : .character(typed)
    }

    private static let keypad: [Key] = [
        .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
    ]
    private static let digits = Array("0123456789./*-+\r=,")

    private static func character(_ code: Int) -> Character? {
        guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
            scalar.properties.generalCategory != .control
        else { return nil }
        return Character(scalar)
    }
}

extension Key {
    /// The same key with modifiers; nil for a key that has none here, such as a function key.
    fileprivate func with(_ modifiers: Modifiers) -> Key? {
        if modifiers.isEmpty { return self }
        if case .function = self { return nil }
        return .held(modifiers, self)
    }
}

/// A report of a terminal about its mouse, in xterm's numbers ("XTerm Control Sequences", Mouse Tracking): the two
/// lowest bits are the button, and above them are 4 Shift, 8 Meta, 16 Control, 32 motion, 64 wheel, 128 further
/// buttons.
struct MouseReport: Hashable {
    enum Action: Hashable {
        case press, drag, release, wheelUp, wheelDown
    }

    let action: Action
    /// True if Shift, Meta or Control was held.
    let hasModifiers: Bool
    let position: ScreenPosition

    /// Nil for another button, for motion without a button, and for a place that is on no screen.
    /// - Parameters:
    ///   - column, row: from 1.
    ///   - isRelease: true if the form of the report says so; older reports say it with button 3.
    init?(code: Int, column: Int, row: Int, isRelease: Bool) {
        guard (0..<128).contains(code), column > 0, row > 0 else { return nil }
        let (button, isMotion, isWheel) = (code & 3, code & 32 != 0, code & 64 != 0)
        switch (isWheel, isMotion, button) {
        case (true, false, 0) where !isRelease: action = .wheelUp
        case (true, false, 1) where !isRelease: action = .wheelDown
        case (false, false, 3): action = .release
        case (false, _, 0) where isRelease: action = .release
        case (false, true, 0): action = .drag
        case (false, false, 0): action = .press
        default: return nil
        }
        hasModifiers = code & 28 != 0
        position = ScreenPosition(row: row - 1, column: column - 1)
    }

    /// `Esc [ < code ; column ; row M`, and `m` for a release (xterm's mode 1006).
    /// - Parameter parameters: with the `<`.
    init?(parameters: [UInt8], final: UInt8) {
        let numbers = parameters.dropFirst().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let code = numbers[0], let column = numbers[1], let row = numbers[2] else {
            return nil
        }
        self.init(code: code, column: column, row: row, isRelease: final == UInt8(ascii: "m"))
    }

    /// The three bytes after `Esc [ M`, from terminals that know no other form: each is 32 higher than its number.
    init?(bytes: some Collection<UInt8>) {
        let numbers = bytes.map { Int($0) - 32 }
        guard numbers.count == 3 else { return nil }
        self.init(code: numbers[0], column: numbers[1], row: numbers[2], isRelease: false)
    }
}

/// Recognises the second press of a double click. It has no clock: its owner says when each press came.
struct ClickCounter {
    /// The longest time between the two presses.
    static let interval = Duration.milliseconds(400)

    /// A press that the next one may turn into a double click.
    private var first: (position: ScreenPosition, time: ContinuousClock.Instant)?

    /// The same action with its clicks counted: 2 for the second press on one cell in time, else 1. The third press
    /// counts as a first one again. So does a press after a drag or a turn of the wheel, which may have moved something
    /// else under the cell.
    mutating func count(_ mouse: Mouse, at time: ContinuousClock.Instant) -> Mouse {
        switch mouse.action {
        case .release:
            return mouse
        case .drag, .wheelUp, .wheelDown:
            first = nil
            return mouse
        case .press:
            if let first, first.position == mouse.position, (.zero...Self.interval).contains(time - first.time) {
                self.first = nil
                return Mouse(.press(clicks: 2), at: mouse.position)
            }
            first = (mouse.position, time)
            return Mouse(.press(clicks: 1), at: mouse.position)
        }
    }
}
