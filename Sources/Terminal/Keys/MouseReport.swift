internal import Display

/// A report of a terminal about its mouse, in xterm's numbers ("XTerm Control Sequences", Mouse Tracking): the two
/// lowest bits are the button, and above them are 4 Shift, 8 Meta, 16 Control, 32 motion, 64 wheel, 128 further
/// buttons.
struct MouseReport: Hashable {
    enum Action: Hashable {
        case press, drag, release, wheelUp, wheelDown
    }

    let action: Action
    /// Whether Shift, Meta or Control was held.
    let hasModifiers: Bool
    let position: ScreenPosition

    /// Nil for another button, for motion without a button, and for a place that is on no screen.
    /// - Parameters:
    ///   - column: from 1, as is `row`.
    ///   - isRelease: whether the form of the report says so; older reports say it with button 3.
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
