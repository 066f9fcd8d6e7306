/// What must be true of a timeline, whatever happens. (Lists by themselves: `ItemListTests`; headers, late changes and what
/// a failure leaves: InterfaceTests; frames: TerminalTests.)
enum Property: Hashable {
    /// What stands before the window is prepended, and every cell of the screen stays, but empty ones.
    case prepend
    /// What changes wholly above or below the screen moves no row of it.
    case beside
    /// A note that spans the top edge grows or shrinks: the row on the screen keeps its place.
    case spanning
    /// The anchored note goes: its nearest survivor takes its row.
    case removal
    /// Any sizes and back give back the first screen, and the anchored place is on the screen at each; heights are those of
    /// the width.
    case resize
    /// Not following, no arrival moves the view; following, the last row stays at the bottom.
    case following
    /// The user's own moves alone start and end following.
    case starting
    /// The window is a slice of the conversation, and knows where it stands in it.
    case slice
    /// It never holds more than its cap, and what is near the screen is not evicted.
    case cap
    /// One load a side, both in any order, late answers dropped, failures without a trace.
    case loads
    /// One request for an entry to the edge zone, and nothing stranded there.
    case requests
    /// What is opened or jumped to stands as aligned; a jump back gives the same screen.
    case alignment
    /// An error that nothing expects.
    case unforeseen
}
