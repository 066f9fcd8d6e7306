/// A command for the terminal.
enum Token {
    case character(Unicode.Scalar)
    case control(UInt8)
    /// ESC and one more byte.
    case escape(UInt8)
    case sequence(ControlSequence)
    /// Something without an effect here: a title, a character set.
    case nothing
}

/// CSI, its parameters and its final byte.
struct ControlSequence {
    /// `?`, `>` and the like, or 0.
    var mark: UInt8 = 0
    var parameters: [Int] = []
    /// A blank, `!`, `$`, or 0.
    var intermediate: UInt8 = 0
    var final: UInt8 = 0

    /// A parameter; the default when it is missing or 0.
    func parameter(_ index: Int, default standard: Int = 1) -> Int {
        index < parameters.count && parameters[index] > 0 ? parameters[index] : standard
    }
}

/// Splits bytes into tokens.
struct SequenceParser {
    private enum State {
        case ground, escape, charset, sequence, string, stringEscape
    }

    private var state = State.ground
    private var sequence = ControlSequence()
    private var scalar: UInt32 = 0
    private var missing = 0

    /// - Returns: the token that this byte ends, if it ends one.
    mutating func next(_ byte: UInt8) -> Token? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .charset:
            state = .ground
            return .nothing
        case .sequence: return parameter(byte)
        case .string:
            if byte == 0x07 { state = .ground } else if byte == 0x1B { state = .stringEscape }
            return byte == 0x07 ? .nothing : nil
        case .stringEscape:
            state = byte == UInt8(ascii: "\\") ? .ground : .string
            return state == .ground ? .nothing : nil
        }
    }

    private mutating func ground(_ byte: UInt8) -> Token? {
        if missing > 0, byte & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            missing -= 1
            return missing == 0 ? .character(Unicode.Scalar(scalar) ?? "\u{FFFD}") : nil
        }
        missing = 0
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0..<0x20, 0x7F: return .control(byte)
        case 0x20..<0x7F: return .character(Unicode.Scalar(byte))
        case 0xC2...0xDF: (missing, scalar) = (1, UInt32(byte & 0x1F))
        case 0xE0...0xEF: (missing, scalar) = (2, UInt32(byte & 0x0F))
        case 0xF0...0xF4: (missing, scalar) = (3, UInt32(byte & 0x07))
        default: return .character("\u{FFFD}")
        }
        return nil
    }

    private mutating func escape(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "["):
            state = .sequence
            sequence = ControlSequence()
            return nil
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string
            return nil
        case 0x20...0x2F:
            state = .charset
            return nil
        default:
            state = .ground
            return .escape(byte)
        }
    }

    private mutating func parameter(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            if sequence.parameters.isEmpty { sequence.parameters = [0] }
            let last = sequence.parameters.count - 1
            sequence.parameters[last] = min(sequence.parameters[last] * 10 + Int(byte - 48), 99_999)
        case UInt8(ascii: ";"), UInt8(ascii: ":"):
            if sequence.parameters.isEmpty { sequence.parameters = [0] }
            sequence.parameters.append(0)
        case 0x3C...0x3F: sequence.mark = byte
        case 0x20...0x2F: sequence.intermediate = byte
        case 0x40...0x7E:
            state = .ground
            sequence.final = byte
            return .sequence(sequence)
        case 0x18, 0x1A, 0x1B:
            state = byte == 0x1B ? .escape : .ground
        default: return .control(byte)
        }
        return nil
    }
}
