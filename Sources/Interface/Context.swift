import Display
import Messages
import Timeline

/// The part of the screen that a component may look at beside its own state.
struct Context {
    let size: Size
    /// As of the last event.
    let now: Timestamp
    let zone: Zone
    /// The day of the message under the cursor.
    let day: CivilDate?
}

extension Model {
    var context: Context {
        Context(size: size, now: now, zone: zone, day: timeline.selectedIndex.map { timeline.list[$0].date })
    }
}
