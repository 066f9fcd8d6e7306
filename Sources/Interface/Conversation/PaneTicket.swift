/// Names a request or a pause of one pane.
package struct PaneTicket: Hashable, Sendable {
    let pane: Int
    let number: Int
}

extension PaneTicket: CustomStringConvertible {
    /// As in the log of steps. A number alone means the main timeline.
    package var description: String { pane == 0 ? "\(number)" : "\(number) of pane \(pane)" }
}
