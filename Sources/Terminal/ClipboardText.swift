internal import Display
internal import FoundationEssentials

/// Text for the clipboard. It may be pasted into a shell, so it keeps no control characters except line feed and tab.
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

    /// The sequence with which the terminal puts the text into its clipboard: xterm's OSC 52 ("XTerm Control
    /// Sequences").
    func sequence(through multiplexer: Multiplexer?) -> [UInt8] {
        let plain = Self.plain(Array(Data(string.utf8).base64EncodedString().utf8))
        return switch multiplexer {
        case nil: plain
        // With `set-clipboard on` tmux takes the plain sequence, with `allow-passthrough on` it passes the other one
        // on.
        case .tmux: plain + Self.wrappedForTmux(plain)
        // A terminal that calls itself screen may be an old tmux on the user's own machine. Screen itself ignores the
        // plain sequence, but would show whatever exceeds its buffer.
        case .screen: (plain.count <= Self.screenPiece ? plain : []) + Self.wrappedForScreen(plain)
        }
    }

    private static let escape: UInt8 = 0x1B
    private static let terminator: [UInt8] = [escape, UInt8(ascii: "\\")]
    /// The oldest versions of screen keep 256 bytes of a control string.
    private static let screenPiece = 240

    private static func plain(_ base64: [UInt8]) -> [UInt8] {
        [escape] + Array("]52;c;".utf8) + base64 + [0x07]
    }

    /// A device control string, with each Esc in it doubled.
    private static func wrappedForTmux(_ sequence: [UInt8]) -> [UInt8] {
        [escape] + Array("Ptmux;".utf8) + sequence.flatMap { $0 == escape ? [escape, escape] : [$0] } + terminator
    }

    /// Device control strings, whose contents screen passes on, joined.
    private static func wrappedForScreen(_ sequence: [UInt8]) -> [UInt8] {
        stride(from: 0, to: sequence.count, by: screenPiece).flatMap { start -> [UInt8] in
            let piece = sequence[start..<min(start + screenPiece, sequence.count)]
            return [escape, UInt8(ascii: "P")] + piece + terminator
        }
    }
}
