internal import CNcurses
internal import Display

/// The sequences that keys send.
enum KeySequences {
    /// By terminfo. Only sequences that start with Esc, since the others are control characters.
    static func ofCurrentTerminal() -> [[UInt8]: Key] {
        var sequences: [[UInt8]: Key] = [:]
        for (name, key) in names {
            guard let start = cn_key_sequence(name) else { continue }
            let bytes = Array(String(cString: start).utf8)
            if bytes.count > 1 && bytes[0] == 0x1B { sequences[bytes] = key }
        }
        return sequences
    }

    /// Whether the current terminal reports its mouse, by terminfo. The start of its reports there does not matter,
    /// because Kedge requests a form of its own.
    static var currentTerminalHasMouse: Bool { cn_key_sequence("kmous") != nil }

    private static let names: [(String, Key)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
            ("kpp", .pageUp), ("knp", .pageDown), ("khome", .home), ("kend", .end),
            ("kich1", .insert), ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
        ] + (1...24).map { ("kf\($0)", .function($0)) }

    /// `Esc [ … final`, as xterm and those that follow it send it, whatever terminfo says.
    static func key(parameters: [UInt8], final: UInt8) -> Key? {
        if parameters.isEmpty || parameters == [UInt8(ascii: "1")] {
            switch final {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "C"): return .right
            case UInt8(ascii: "D"): return .left
            case UInt8(ascii: "F"): return .end
            case UInt8(ascii: "H"): return .home
            case UInt8(ascii: "P"): return .function(1)
            case UInt8(ascii: "Q"): return .function(2)
            case UInt8(ascii: "R"): return .function(3)
            case UInt8(ascii: "S"): return .function(4)
            case UInt8(ascii: "Z"): return .backTab
            default: break
            }
        }
        // With Alt.
        if parameters == Array("1;3".utf8) {
            switch final {
            case UInt8(ascii: "A"): return .altUp
            case UInt8(ascii: "B"): return .altDown
            default: return nil
            }
        }
        guard final == UInt8(ascii: "~"), let number = Int(String(decoding: parameters, as: UTF8.self)) else {
            return nil
        }
        switch number {
        case 1, 7: return .home
        case 2: return .insert
        case 3: return .delete
        case 4, 8: return .end
        case 5: return .pageUp
        case 6: return .pageDown
        case 11...15: return .function(number - 10)
        case 17...21: return .function(number - 11)
        case 23, 24: return .function(number - 12)
        default: return nil
        }
    }

    /// `Esc O final`: cursor keys and F1 to F4 in application mode, and the keypad.
    static func key(single final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
        case UInt8(ascii: "X"): .character("=")
        // The keypad sends each character's code plus 64.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 64)))
        default: nil
        }
    }
}
