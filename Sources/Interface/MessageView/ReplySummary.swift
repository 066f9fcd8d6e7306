import Display
import Messages

/// The number of replies and the time of the last one, for the root of a thread, in three lengths.
struct ReplySummary {
    /// `5 replies, last 3 h ago`, `5 replies`, `5↵`; nil for a message without replies.
    let forms: (full: String, count: String, short: String)?

    /// - Parameter now: nil to leave out times.
    init(of message: Message, now: Timestamp?) {
        guard message.replyCount > 0 else {
            forms = nil
            return
        }
        let count = ReplySummary.counted(message.replyCount)
        let last = now.flatMap { now in message.lastReply.map { ", last " + $0.ago(from: now) } } ?? ""
        forms = (count + last, count, "\(message.replyCount.grouped)↵")
    }

    /// `1 reply`, `1,200 replies`
    static func counted(_ count: Int) -> String { count == 1 ? "1 reply" : "\(count.grouped) replies" }
}

extension Timestamp {
    /// `just now`, `5 min ago`, `3 h ago`, `2 d ago`, `4 mo ago`, `2 y ago`: rounded down. A time in the future counts as now.
    fileprivate func ago(from now: Timestamp) -> String {
        let minutes = max(0, now.milliseconds / 60_000 - milliseconds / 60_000)
        switch minutes {
        case 0: return "just now"
        case ..<60: return "\(minutes) min ago"
        case ..<(48 * 60): return "\(minutes / 60) h ago"
        case ..<(60 * 1_440): return "\(minutes / 1_440) d ago"
        case ..<(730 * 1_440): return "\(minutes / (30 * 1_440)) mo ago"
        default: return "\(minutes / (365 * 1_440)) y ago"
        }
    }
}
