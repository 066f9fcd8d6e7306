package import Messages
package import Timeline

/// A page on its way into a pane.
package struct PageTicket: Hashable, Sendable {
    let pane: Int
    package let load: Pager<Messages.Cursor>.Ticket
}
