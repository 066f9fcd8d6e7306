/// Whether a format recognises a source.
package enum Recognition: Hashable, Sendable {
    case certain
    /// It looks like an export of the format and is none: the reason completes "this looks like …".
    /// (`a Slack export without channels.json`)
    case unsure(String)
    case no
}
