package import Display
package import Messages

/// Something that happened.
package enum Event: Sendable {
    /// All input that was waiting.
    case input([Input])
    case resized(Size)
    /// The terminal has got the focus (true) or lost it.
    case focus(Bool)
    /// The program was stopped, or another one had the terminal.
    case interrupted
    /// The current time.
    case time(Timestamp)
    /// A reply to the request with this ticket. A request may have several.
    case reply(Ticket, Reply)
    /// The pause before a retry is over. The request may have been retried since, or be unwanted.
    case retry(Ticket)
    case pause(Pause)
    /// All changes since the last such event, in order.
    case changed(ConversationID, [StoreChange])
    /// New messages of any conversations, in order.
    case arrived([Arrival])
    case news(News)
    /// The text as the user's editor left it, or the reason why there is none, in one line for the user.
    case edited(Result<String, EffectError>)
    /// The reason why a link or a file was not opened, in one line for the user.
    case notOpened(String, link: String? = nil)
    /// An error outside the store, in one line for the user.
    case trouble(String)
}

/// A report that no component has requested, or a change of data that several processes of the user share.
package enum News: Sendable {
    /// The bookmarks of the archive, after they were read or changed.
    case bookmarks([Bookmark])
    /// The muted conversations, after they were read or changed.
    case muted(Set<ConversationID>)
    /// The invitations that wait for an answer. They come before the conversations.
    case invitations([Invitation])
    /// The list of conversations or invitations has changed on the server.
    case listChanged
    /// The progress of the store's preparation.
    case preparing(StoreProgress)
    /// The read positions of another process of the user.
    case readElsewhere([ConversationID: ReadPosition])
    /// The message that stood last in each conversation when the archive was first opened (`ReadStates.baseline`).
    case baseline([ConversationID: MessageID])
}

/// The reason why the program ends.
package enum ExitReason: Hashable, Sendable {
    case done
    case interrupted
    /// A signal ended the process.
    case signal(Int32)
    case failed(StoreError)
}

/// A pause that is over. It has no effect if its ticket is not that of the last pause of its kind.
package enum Pause: Hashable, Sendable {
    /// A list is slow, so the status line says that it is being loaded.
    case list(PaneTicket)
    /// A second has passed since a list was loaded. Changes that come later are newer than the list.
    case settling(PaneTicket)
    /// No change has come in for a moment.
    case quiet(PaneTicket)
    /// The number of messages should be requested again.
    case counting(PaneTicket)
    /// The hits of this search may have changed, so they are collected again.
    case hits(Int)
    /// The hits of this search in all conversations may have changed.
    case results(Int)
    /// The store's preparation is slow, so its progress is shown.
    case preparation(Int)
    /// The draft should be saved.
    case draft(Int)
    /// The list of conversations is slow, so the part that has come is shown.
    case switcher(Int)
    /// No report of typing has come for a while, so nobody counts as typing.
    case typing(Int)
    /// A sent post that has not appeared is looked for.
    case sent(ConversationID, MessageID)
}
