import Messages
import Timeline

/// Entry to the search in the conversation.
extension Model {
    var find: Find? { finding.find }

    mutating func inFind(_ body: (inout Finding, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&finding, context))
    }

    mutating func openFind(towards direction: Find.Direction) {
        // The screen from before the last search may still be on its way back.
        var origin = placeToLeave
        leaveThread()
        if let pending, case .place(let place) = pending.destination, pending.isRestoring {
            origin = place
        } else {
            dropPending()
        }
        finding.open(towards: direction, origin: origin, in: context)
        panel = .find
    }

    /// n and N.
    mutating func step(again: Bool) -> [Effect] { carryOut(finding.step(again: again, in: context)) }
}
