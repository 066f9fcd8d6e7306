/// A part of the screen: its state, the way in which keys and the mouse change it, and outcomes for all that concerns
/// more than itself. Each lies in a folder of its own, together with its view.
protocol Component: Sendable {
    /// The part of the model that it may look at beside its own state.
    associatedtype Surroundings
    mutating func handle(_ event: PanelEvent, in surroundings: Surroundings) -> [Outcome]
}
