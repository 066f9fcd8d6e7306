import Messages

/// The part of the layout of messages that the settings decide.
struct GridStyle: Hashable, Sendable {
    /// The columns of the time.
    var clockColumns = 5
    /// The columns of names, whatever their length; nil for as many as they need.
    var nameColumns: Int?
    /// The key that unfolds a message. It stands in a row of the message.
    var foldKey = "z"

    init() {}

    init(zone: Zone, preferences: Preferences) {
        clockColumns = zone.clockColumns + (preferences.showsSeconds ? 3 : 0)
        nameColumns = preferences.nameWidth
        foldKey = preferences.keymap.keyName(.fold)
    }
}
