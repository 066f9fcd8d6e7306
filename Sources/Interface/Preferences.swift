/// The settings of the user that concern the screen.
package struct Preferences: Sendable {
    package var keymap = Keymap.standard
    /// Whether the status line shows the link to the selected message.
    package var showsLink = false
    /// Whether the list of conversations is hidden at first.
    package var hidesList = false
    /// Whether the screen shows nothing but words, for a screen reader.
    package var isPlain = false
    /// Whether times have seconds at first.
    package var showsSeconds = false
    /// The columns of names; nil for as many as they need.
    package var nameWidth: Int?
    /// The words that stand for the user in texts, besides the ID and the name.
    package var highlight: [String] = []
    /// Why no conversation can be made in this archive, and what to do; nil where it can.
    package var obstacleToMaking: String?
    /// Whether the archive has a server on which rooms can be joined and left.
    package var canJoin = false

    package init() {}
}
