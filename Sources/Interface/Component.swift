/// A part of the screen: its state, the way in which input changes it, and outcomes for everything that concerns other parts.
/// Each component has a folder, with its view.
protocol Component: Sendable {
    /// The values beside its own state that it may look at.
    associatedtype Surroundings
    mutating func handle(_ event: PanelEvent, in surroundings: Surroundings) -> [Outcome]
}
