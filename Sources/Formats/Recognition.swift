/// Whether a format recognises a source.
package enum Recognition: Hashable, Sendable {
    case certain
    /// A part of it is understood: such a format is taken if there is no other.
    case weak
    /// It looks like an export of the format and is none: the reason completes "this looks like …".
    /// (`a Slack export without channels.json`)
    case unsure(String)
    case no
}
