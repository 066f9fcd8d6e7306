import Display
import Messages

/// Jumps to a percentage of the conversation: digits, and `%`.
extension Model {
    /// Keeps digits until `%` is pressed.
    mutating func takeDigit(_ key: Key) -> Bool {
        guard opening == .shown, case .character(let character) = key, character.isASCII, character.isNumber,
            inputState.digits.count < 3, keymap.action(for: key) == nil
        else { return false }
        inputState.digits.append(character)
        return true
    }

    /// Goes to the message at this percentage of the conversation.
    mutating func goToShare() -> [Effect] {
        guard let percent = Int(inputState.digits) else {
            tell("type a number first: 50% is the middle of the conversation")
            return []
        }
        return go(toShare: PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest)
    }
}
