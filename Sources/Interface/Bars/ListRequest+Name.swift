import Display
import Messages

extension ListRequest {
    /// The place that it leads to, for the status line.
    var name: String {
        if case .place = destination { return "where you were" }
        if case .again = destination { return "what has changed" }
        if case .unread = destination { return "what is new" }
        if thread != nil { return "the thread" }
        return switch position {
        case .earliest: "the beginning"
        case .latest: "the newest messages"
        case .unread: "what is new"
        case .message(let id): "message \(id)"
        case .date: "that day"
        case .index(let index): "message \((index + 1).grouped)"
        case .share(let share): "\(Int(share * 100))%"
        case .before, .after, .survivor: "messages"
        }
    }
}
