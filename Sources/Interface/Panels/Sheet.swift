import Display

/// A list that covers the conversation, opened for one purpose and forgotten when it is closed. A new one is a folder, and a call
/// of `open` where it is opened.
protocol Sheet: Component where Surroundings == Context {
    /// The questions that it asks at first.
    mutating func begin(in context: Context) -> [Outcome]
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome]
    /// The screen has another size.
    mutating func resized(in context: Context) -> [Outcome]
    /// Whether there is nothing to choose from yet.
    /// - Parameter hasHeld: whether keys wait already: they wait for the whole list, so that they choose the same at any speed.
    func awaitsRows(hasHeld: Bool) -> Bool
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame
}

extension Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [] }
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome] { [] }
    mutating func resized(in context: Context) -> [Outcome] { [] }
    func awaitsRows(hasHeld: Bool) -> Bool { false }
}
