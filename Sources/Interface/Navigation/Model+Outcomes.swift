import Messages
import Timeline

/// The wishes of components, as far as they cross from one to another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]) -> [Effect] { outcomes.flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: isTyping = true
        case .close: panel = nil
        case .warn(let text): warn(text)
        case .goToDate(let moment): return go(to: .position(.date(moment)))
        case .goToShare(let position): return go(toShare: position)
        case .open(let openable): return open(openable)
        case .delete(let message): return delete(message)
        case .react(let emoji, let message): return react(emoji, to: message)
        }
        return []
    }
}
