/// The properties of a timeline, whatever happens. (Lists by themselves: `ItemListTests`; headers, late changes and the
/// state after a failure: InterfaceTests; frames: TerminalTests.)
enum Property: Hashable {
    /// Notes before the window are prepended, and every cell of the screen stays, except empty ones.
    case prepend
    /// A change wholly above or below the screen moves no row of it.
    case beside
    /// When a note that spans the top edge grows or shrinks, the row on the screen keeps its place.
    case spanning
    /// A list that begins with the conversation and fits on the screen has one place there.
    case whole
    /// After a move, the cursor stands on content that is on the screen.
    case cursor
    /// When the anchored note goes, its nearest survivor takes its row.
    case removal
    /// Any sizes and back give the first screen again, and the anchored place is on the screen at each size; heights
    /// are those of the width.
    case resize
    /// Without following, no arrival moves the view; with it, the last row stays at the bottom.
    case following
    /// Only the user's own moves start and end following.
    case starting
    /// The window is a slice of the conversation, and knows its place there.
    case slice
    /// The window never exceeds its cap, and notes near the screen are not evicted.
    case cap
    /// One load for each side, both in any order, late responses dropped, failures without a trace.
    case loads
    /// One request for each entry to the edge zone, and nothing stranded there.
    case requests
    /// After opening or jumping, the note is at its alignment; a jump back gives the same screen.
    case alignment
    /// An unexpected error.
    case unforeseen
}
