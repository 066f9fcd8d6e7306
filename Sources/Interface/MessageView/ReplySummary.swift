import Display
import Messages

/// The part of a message in a thread, in three lengths: for the root the number of replies and the time of the last one.
struct ReplySummary {
    /// `5 replies, last reply 3 hours ago`, `5 replies`, `5↵`; `thread reply` for a reply that was also sent to the main timeline;
    /// nil for a message without a thread, and for other replies, which only the thread itself shows.
    let forms: (full: String, count: String, short: String)?

    /// - Parameter now: nil to leave out times.
    init(of message: Message, now: Timestamp?) {
        guard message.replyCount > 0 else {
            forms = ReplySummary.isNeeded(for: message) ? ("thread reply", "thread reply", "↵") : nil
            return
        }
        let count = ReplySummary.counted(message.replyCount)
        let last = now.flatMap { now in message.lastReply.map { ", last reply " + $0.ago(from: now) } } ?? ""
        forms = (count + last, count, "\(message.replyCount.grouped)↵")
    }

    static func isNeeded(for message: Message) -> Bool {
        message.replyCount > 0 || message.isBroadcast && message.thread != nil
    }

    /// `1 reply`, `1,200 replies`
    static func counted(_ count: Int) -> String { count == 1 ? "1 reply" : "\(count.grouped) replies" }
}

extension Timestamp {
    /// `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`, `22 months ago`, `2 years ago`: rounded down. A time in the
    /// future counts as now.
    fileprivate func ago(from now: Timestamp) -> String {
        let minutes = max(0, now.milliseconds / 60_000 - milliseconds / 60_000)
        return switch minutes {
        case 0: "just now"
        case ..<60: Timestamp.ago(minutes, "minute")
        case ..<(48 * 60): Timestamp.ago(minutes / 60, "hour")
        case ..<(60 * 1_440): Timestamp.ago(minutes / 1_440, "day")
        case ..<(730 * 1_440): Timestamp.ago(minutes / (30 * 1_440), "month")
        default: Timestamp.ago(minutes / (365 * 1_440), "year")
        }
    }

    private static func ago(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s") ago" }
}
