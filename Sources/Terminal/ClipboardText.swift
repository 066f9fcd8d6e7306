internal import Display
internal import FoundationEssentials

/// Text for the clipboard. What is pasted may go to a shell: of control characters only line feed and tab are left.
package struct ClipboardText: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let limit = ClipboardLimit.bytes

    package let string: String

    /// Nil when it is longer than the limit.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        string = String(String.UnicodeScalarView(text.unicodeScalars.filter(Self.isKept)))
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
    }

    /// What makes the terminal put it into its clipboard: xterm's OSC 52 ("XTerm Control Sequences").
    func sequence(through multiplexer: Multiplexer?) -> [UInt8] {
        let plain = Self.plain(Array(Data(string.utf8).base64EncodedString().utf8))
        return switch multiplexer {
        case nil: plain
        // With `set-clipboard on` tmux takes the plain one, with `allow-passthrough on` it hands on the other.
        case .tmux: plain + Self.wrappedForTmux(plain)
        // A terminal that only calls itself screen may be an old tmux at the near end of a line. Screen itself passes over
        // the plain one, but would show what exceeds its buffer.
        case .screen: (plain.count <= Self.screenPiece ? plain : []) + Self.wrappedForScreen(plain)
        }
    }

    private static let escape: UInt8 = 0x1B
    private static let terminator: [UInt8] = [escape, UInt8(ascii: "\\")]
    /// The oldest screens keep 256 bytes of a control string.
    private static let screenPiece = 240

    private static func plain(_ base64: [UInt8]) -> [UInt8] {
        [escape] + Array("]52;c;".utf8) + base64 + [0x07]
    }

    /// A device control string, with each Esc in it doubled.
    private static func wrappedForTmux(_ sequence: [UInt8]) -> [UInt8] {
        [escape] + Array("Ptmux;".utf8) + sequence.flatMap { $0 == escape ? [escape, escape] : [$0] } + terminator
    }

    /// Device control strings, which screen hands on as they are, joined.
    private static func wrappedForScreen(_ sequence: [UInt8]) -> [UInt8] {
        stride(from: 0, to: sequence.count, by: screenPiece).flatMap { start in
            [escape, UInt8(ascii: "P")] + sequence[start..<min(start + screenPiece, sequence.count)] + terminator
        }
    }
}
