import Display
import Messages
import Timeline

/// The question for a date, or for how far in the conversation.
struct DatePrompt: Hashable, Sendable {
    var field = TextField()
    /// What was understood so far.
    var understood: NamedTime?
    /// Where a percentage leads.
    var share: PageRequest.Position?

    /// Whether what stands in the field leads nowhere.
    var isWrong: Bool { !field.isEmpty && understood == nil && share == nil }
}

extension Model {
    mutating func openDatePrompt() {
        dropPending()
        panel = .date(DatePrompt())
    }

    mutating func actInDatePrompt(_ action: Action) -> [Effect] {
        switch action {
        case .cancel, .fieldBackspace: panel = nil
        case .activate: return goToDate()
        default: break
        }
        return []
    }

    /// Times without a day and days without a year are meant near what one is looking at.
    mutating func dateTextChanged() {
        guard case .date(var prompt) = panel else { return }
        let near = timeline.selectedIndex.map { timeline.list[$0].date }
        prompt.understood = zone.time(named: prompt.field.text, now: now, near: near)
        prompt.share = PageRequest.Position(percentage: prompt.field.text)
        panel = .date(prompt)
    }

    private mutating func goToDate() -> [Effect] {
        guard case .date(let prompt) = panel else { return [] }
        if let time = prompt.understood {
            panel = nil
            return go(to: .position(.date(time.start)))
        }
        if let share = prompt.share {
            panel = nil
            return go(toShare: share)
        }
        if prompt.field.isEmpty { panel = nil } else { warn(DatePrompt.advice) }
        return []
    }
}

extension DatePrompt {
    static let advice = "no date: try 2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%"

    /// What is shown beside the field.
    var answer: String {
        if field.isEmpty { return "2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%" }
        if share != nil { return "so far in the conversation" }
        return understood?.description ?? "no date so far"
    }
}
