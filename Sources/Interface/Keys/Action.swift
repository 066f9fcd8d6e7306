/// An action that the user can ask for.
package enum Action: String, Hashable, Sendable, CaseIterable {
    case up, down, rowUp, rowDown, pageUp, pageDown, halfUp, halfDown, beginning, end
    case find, findBackward, findNext, findPrevious, searchEverywhere, date, share, switcher, back, forward
    case firstUnread, nextUnread
    case bookmark, goToBookmark, bookmarks
    case list, previousConversation, nextConversation, conversationByNumber
    case thread, leftPane, rightPane, commands, makeConversation
    case activate, copyText, copyLink, openLink, fold, exactTimes, redraw, suspend, help, cancel, interrupt, quit
    // Of a line of text.
    case fieldLeft, fieldRight, fieldStart, fieldEnd, fieldWordLeft, fieldWordRight
    case fieldBackspace, fieldDelete, fieldDeleteWord, fieldDeleteToStart, fieldDeleteToEnd
    // Of a text of several lines.
    case fieldNewLine, fieldYank, fieldUndo, fieldRedo, complete
    // Writing.
    case compose, reply, edit, delete, react, resend

    /// `row-up` for `rowUp`: the name by which the list of commands shows it.
    package var name: String {
        rawValue.reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
}
