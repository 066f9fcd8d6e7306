import Display
import Messages
import Timeline

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
